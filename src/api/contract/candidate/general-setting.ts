import { country, date, flag, inSection, integer, lines, number, object, text } from '../fields/field.ts'
import { pensionSetting } from './pension-setting.ts'

/** generalSetting of the UK candidate, on which the other countries build: who the person is, and what they do. */
export const generalSetting = {
  ...inSection('person', {
    agencyRef: text('Agency reference', {
      essential: true,
      standard: 'reference',
      help: 'Your own reference for this person. payroll finds the record by it, so no two people may share it.',
    }),
    title: text('Title', { exampleValues: ['Mr', 'NONE'] }),
    forename: text('Forename', { essential: true, standard: 'name' }),
    surname: text('Surname', { essential: true, standard: 'name' }),
    gender: text('Gender', { exampleValues: ['MALE', 'FEMALE'] }),
    DOB: date('Date of birth', { essential: true, sensitive: true, standard: 'birth-date' }),
    maritalStatus: text('Marital status', { exampleValues: ['SINGLE'] }),
    nationality: text('Nationality'),
    NINumber: text('National Insurance number', {
      essential: true,
      sensitive: true,
      standard: 'nino',
      help: 'Two letters, six digits, one letter A to D.',
    }),
  }),
  ...inSection('contact', {
    address: lines('Address', { essential: true }),
    city: text('City or town', { essential: true }),
    county: text('County'),
    postCode: text('Postcode', { essential: true, standard: 'postcode' }),
    country: country('Country', { essential: true }),
    mobile: text('Mobile', { essential: true, standard: 'phone' }),
    email: text('E-mail', { essential: true, standard: 'email' }),
  }),
  ...inSection('job', {
    dateOfJoining: date('Date of joining', { essential: true }),
    jobDescription: text('Job description'),
    department: text('Department', { nullable: true }),
    payFrequency: text('Pay frequency', {
      essential: true,
      exampleValues: ['WEEKLY'],
      standardValues: ['FORTNIGHTLY', 'FOUR_WEEKLY', 'MONTHLY'],
      help: "Only WEEKLY is confirmed for this service; the other words are Revenue's.",
    }),
    payMethod: text('Pay method', { exampleValues: ['BACS'] }),
    annualSalary: number('Annual salary', { money: true, standard: 'pay' }),
    rateHour: number('Hourly rate', { money: true, standard: 'pay' }),
    hours: number('Hours a week', { standard: 'weekly-hours' }),
    workingPatternId: integer('Working pattern ID'),
    isRestrictedHours: flag('Restricted hours'),
    payrollCalculationStart: date('Payroll calculation starts'),
    payrollCalculationEnd: date('Payroll calculation ends'),
  }),
  ...inSection('work', {
    rightToWorkStatus: text('Right to work', { exampleValues: ['APPEAL', 'IRISH_CITIZEN'] }),
    documentType: text('Document type', { exampleValues: ['PASSPORT', 'BIOMETRIC_RESIDENCE_PERMIT'] }),
    documentExpiryDate: date('Document expires', { nullable: true }),
    document: text('Document', { nullable: true }),
    workingTimeRegulation: text('Working Time Regulations', {
      exampleValues: ['OPT_IN'],
      help: 'The 48-hour week of the Working Time Regulations.',
    }),
    agencyConductRegulation: text('Conduct Regulations', {
      exampleValues: ['OPT_IN'],
      help: 'The Conduct of Employment Agencies and Employment Businesses Regulations 2003.',
    }),
  }),
  ...inSection('emergency', {
    emergencyName: text('Name', { standard: 'name' }),
    emergencyAddress: lines('Address'),
    emergencyCity: text('City or town'),
    emergencyCounty: text('County'),
    emergencyPostCode: text('Postcode', { standard: 'postcode' }),
    emergencyCountry: country('Country'),
    emergencyMobile: text('Mobile', { standard: 'phone' }),
    emergencyEmail: text('E-mail', { standard: 'email' }),
  }),
  ...inSection('account', {
    registrationStatus: text('Registration status', { exampleValues: ['ONGOING', 'REGISTRATION_COMPLETE'] }),
    loginId: text('Login ID', { standard: 'email', help: 'Carries the form of an e-mail address.' }),
    allowPortalLogin: flag('May log in to the portal'),
    primaryAgencyId: text('Primary agency ID', { nullable: true }),
    secondaryAgencyId: text('Secondary agency ID'),
  }),
  pensionSetting: object('Pension', pensionSetting, { section: 'pension' }),
}
