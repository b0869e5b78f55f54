import { uk } from '../countries/uk.ts'
import { latestFact, usualTaxCode } from '../facts/facts.ts'
import { type Fields, flag, inSection, number, object, text, timestamp } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import {
  anyCandidate,
  bankSetting,
  candidateColumns,
  candidateIdNames,
  employeesOnly,
  generalSetting,
  neededInEveryCountry,
  paidIntoBankOnly,
  sectionNames,
  serviceFields,
  valuableInEveryCountry,
} from './candidate.ts'
import { atMidnight, type Samples, sharedSamples } from './samples.ts'

/** "openingBalance (numbers)": a starter's UK pay and tax for the year to date. */
const openingBalance = inSection('opening', {
  gross: number('Gross', { money: true }),
  grossForTax: number('Taxable pay to date', { money: true }),
  grossForNI: number('NICable pay to date', { money: true }),
  tax: number('Tax', { money: true }),
  eeNI: number('Employee NI', { money: true }),
  erNI: number('Employer NI', { money: true }),
  grossToLel: number('Earnings at the LEL', { money: true }),
  grossLelToPt: number('Earnings above LEL up to PT', { money: true }),
  grossPtToUEL: number('Earnings above PT up to UEL', { money: true }),
  eePension: number('Employee pension', { money: true }),
  erPension: number('Employer pension', { money: true }),
  stLoan: number('Student loan', { money: true }),
  pgLoan: number('Postgraduate loan', { money: true }),
  ssp: number('Statutory sick pay', { money: true }),
  smp: number('Statutory maternity pay', { money: true }),
  sap: number('Statutory adoption pay', { money: true }),
  spp: number('Statutory paternity pay', { money: true }),
  sppa: number('Statutory paternity pay (adoption)', { money: true }),
  shpp: number('Statutory shared parental pay', { money: true }),
  sncp: number('Statutory neonatal care pay', { money: true }),
})

/** A subcontractor has no tax code and pays no NI through a payroll. */
const employed = { field: 'paymentModel', isNot: ['CIS'] } as const
const subcontracted = { field: 'paymentModel', is: ['CIS'] } as const

/** The student loan plans: the people each is for, and the field with its start date. */
const plans = (latestFact('student-loan-plans', 'uk')?.value.plans ?? []).map(({ name, about }) => ({
  name,
  about,
  field: `studentLoan${name.replace(' ', '')}StartDate`,
}))

/** Statement A is of a first job, which has no P45. */
const withEarlierPay = { field: 'starterDeclaration', is: ['B', 'C'] } as const

const withLoan = { field: 'haveStudentLoan', is: [true] } as const
const loanStart = {
  when: withLoan,
  preset: { dateOf: 'generalSetting.dateOfJoining' },
  help: 'The day from which it is deducted: usually the start date.',
} as const

/** payrollSetting of the UK candidate: how the person is paid and taxed. */
const payrollSetting = {
  ...inSection('job', {
    paymentModel: text('Payment model', {
      essential: true,
      exampleValues: ['PAYEE', 'CIS'],
      codes: 'paid-as',
      preset: { value: 'PAYEE' },
    }),
  }),
  ...inSection('tax', {
    starterDeclaration: text('Starter declaration', {
      essential: true,
      when: employed,
      codes: 'starter-declaration',
      standard: 'starter-declaration',
      help: 'Statement A, B or C of the starter checklist; every first FPS has one. With a P45 of this year: B where it is the only job now, C with another job or a pension. With neither: C, and 0T on week 1/month 1.',
    }),
    taxCode: text('Tax code', {
      essential: true,
      when: employed,
      standard: 'tax-code',
      preset: { byLaw: 'tax-code' },
      help: 'As on the P45 or coding notice, without W1 or M1: they belong in the tax basis.',
    }),
    taxBasis: text('Tax basis', {
      essential: true,
      when: employed,
      exampleValues: ['W1M1'],
      codes: 'tax-basis',
      preset: { by: 'starterDeclaration', values: { A: 'CUMULATIVE', B: 'W1M1', C: 'CUMULATIVE' } },
      help: 'As on the P45 or coding notice: week 1/month 1 (emergency tax) where the code has W1, M1 or X after it, else cumulative. With neither, statement B is week 1/month 1.',
      note: 'The name of the cumulative basis is not shown.',
    }),
    niCategory: text('NI category letter', {
      essential: true,
      when: employed,
      standard: 'ni-category',
      codes: 'ni-category',
      preset: { byLaw: 'ni-letter' },
      help: 'A for most; M under 21; H for an apprentice under 25; C over State Pension age.',
    }),
    workplacePostcode: text('Workplace postcode', {
      essential: true,
      when: { field: 'niCategory', is: ['F', 'I', 'S', 'L', 'N', 'E', 'K', 'D'] },
      standard: 'postcode',
      help: 'HMRC needs it for the Freeport and Investment Zone letters F, I, S, L, N, E, K and D.',
    }),
    isApprentice: flag('Apprentice'),
    isNIDirector: flag('Company director'),
    NIDirectorStartDate: timestamp('Directorship start date', {
      when: { field: 'isNIDirector', is: [true] },
    }),
  }),
  ...inSection('loans', {
    haveStudentLoan: flag('Student loan', {
      essential: true,
      when: employed,
      preset: { value: false },
      kinds: plans,
      help: 'As ticked on the starter checklist, or on an SL1 notice. A postgraduate loan (Plan 3) has a field of its own.',
    }),
    studentLoanPlan1StartDate: timestamp('Plan 1 starts', loanStart),
    studentLoanPlan1EndDate: timestamp('Plan 1 ends', { when: withLoan }),
    studentLoanPlan2StartDate: timestamp('Plan 2 starts', loanStart),
    studentLoanPlan2EndDate: timestamp('Plan 2 ends', { when: withLoan }),
    studentLoanPlan4StartDate: timestamp('Plan 4 starts', loanStart),
    studentLoanPlan4EndDate: timestamp('Plan 4 ends', { when: withLoan }),
    studentLoanPlan5StartDate: timestamp('Plan 5 starts', loanStart),
    studentLoanPlan5EndDate: timestamp('Plan 5 ends', { when: withLoan }),
    studentLoanPostGraStartDate: timestamp('Postgraduate loan from', {
      essential: true,
      when: employed,
      help: 'The day of the first deduction. Skip it where there is no such loan.',
    }),
    studentLoanPostGraEndDate: timestamp('Postgraduate loan until'),
  }),
  ...inSection('starter', {
    starterType: text('Starter type', { codes: 'starter-type' }),
    previousPayrollNo: text('Previous payroll number'),
    p45GrossToDate: number('P45 pay to date', {
      essential: true,
      when: withEarlierPay,
      money: true,
      help: 'The total pay of a P45 of this tax year, of its box 7. Skip it where there is none.',
    }),
    p45TaxToDate: number('P45 tax to date', { essential: true, when: withEarlierPay, money: true }),
    isSendEmailP45: flag('Send the P45 by email'),
    isSendEmailP60: flag('Send the P60 by email'),
  }),
  ...inSection('holiday', {
    holidayPayMethod: text('Holiday pay method', {
      exampleValues: ['ROLLED_UP', 'NO_HOLIDAY_PAY'],
      codes: 'holiday-pay',
    }),
    holidayPayRate: number('Holiday pay rate', {
      percent: true,
      help: 'In percent of the pay, as far as is known: 12.07 for 12.07%.',
    }),
    holidayPayOpeningBalance: number('Holiday pay opening balance', { money: true }),
    holidayPayAppLevy: number('Holiday pay: apprenticeship levy', { money: true }),
    holidayPayErNI: number("Holiday pay: employer's NI", { money: true }),
    holidayPayErPen: number("Holiday pay: employer's pension", { money: true }),
    includeInTimesheetRate: flag('Include in the timesheet rate'),
    expenseClaimRule: text('Expense claim rule'),
    expenseOpeningBalance: number('Expenses opening balance', { money: true }),
    isRequiredAttachmentExpenses: flag('Expenses need an attachment'),
  }),
  ...inSection('margin', {
    paymentTerm: text('Payment term'),
    marginMethod: text('Margin method'),
    margin: number('Margin', {
      money: true,
      help: 'What an umbrella company keeps, a pay period as far as is known. With one, the rate of a timesheet is the assignment rate.',
    }),
    marginCapped: number('Margin cap', { money: true }),
    reclaimAppLevy: flag('Reclaim the apprenticeship levy'),
    assignmentRequired: flag('Assignment required'),
    timesheetApprovalNeeded: text('Timesheet approval', { exampleValues: ['NOT_AVAILABLE'] }),
    timesheetApprover: text('Timesheet approver', { nullable: true }),
  }),
  ...inSection('contractor', {
    cisStatus: text('CIS status', {
      essential: true,
      when: subcontracted,
      exampleValues: ['GROSS', 'VERIFIED_20%'],
      codes: 'cis-status',
    }),
    personalVerificationNumber: text('CIS verification number', {
      essential: true,
      when: subcontracted,
      nullable: true,
      sensitive: true,
      standard: 'cis-verification',
    }),
    verificationDate: text('Verified on', { nullable: true }),
    matchDate: text('Matched on', { nullable: true }),
    UTRNo: text('Unique Taxpayer Reference', {
      essential: true,
      when: subcontracted,
      nullable: true,
      sensitive: true,
      standard: 'utr',
    }),
    businessType: text('Business type', { codes: 'business-type' }),
    companyName: text('Company name', { nullable: true }),
    registrationNumber: text('Company registration number', { nullable: true, standard: 'company-number' }),
    VATRegNo: text('VAT registration number', { nullable: true, standard: 'vat-number' }),
    partnersCategory: text("Partners' category"),
    firmName: text('Firm name', { nullable: true }),
    partnersName: text("Partners' name", { nullable: true }),
    isSendEmailSelfBill: flag('Self-billing invoices by email'),
  }),
  openingBalance: object('Opening balance', openingBalance, { section: 'opening' }),
}

const generalSettingUk = {
  ...generalSetting,
  country: { ...generalSetting.country, preset: { value: uk.isoCode } },
} satisfies Fields

const { pensionSetting, ...general } = generalSettingUk

/** assumed: the shape shown for an Irish candidate, because the document shows no UK answer at all. */
export const candidateAnswer: RecordType = {
  displayName: uk.candidate,
  currency: uk.currency,
  documented: false,
  columns: candidateColumns,
  idNames: candidateIdNames,
  fields: {
    ...serviceFields,
    ...general,
    pensionSetting,
    bank: object('Bank', bankSetting),
    setting: object('Payroll', payrollSetting),
  },
}

/** "UK candidate (request body of Create Candidate)". */
export const candidate: RecordType = {
  ...anyCandidate,
  displayName: uk.candidate,
  currency: uk.currency,
  fields: {
    generalSetting: object('General', generalSettingUk),
    bankSetting: object('Bank', bankSetting),
    payrollSetting: object('Payroll', payrollSetting),
  },
  valuable: [
    ...valuableInEveryCountry,
    'payrollSetting.haveStudentLoan',
    [1, 2, 4, 5].map((plan) => `payrollSetting.studentLoanPlan${plan}StartDate`),
    'payrollSetting.cisStatus',
    'payrollSetting.UTRNo',
  ],
  payNeeds: [
    ...neededInEveryCountry,
    {
      name: 'bank',
      fields: ['bankSetting.sortCode', 'bankSetting.accountNumber'],
      or: [['bankSetting.IBANReference']],
      // Bacs reaches accounts in the UK alone. An IBAN begins with its country and two digits (ISO 13616); a mask does not.
      // assumed: the words for a payment that goes further.
      butNot: (iban, textOf) =>
        /^\s*(?!GB)[A-Z]{2}\d\d/i.test(iban) &&
        !/SEPA|SWIFT|INTERNATIONAL|OVERSEAS|FOREIGN/i.test(textOf('generalSetting.payMethod')),
      ...paidIntoBankOnly,
    },
    // The declaration of a starter says which tax code is used until HMRC's notice comes.
    {
      name: 'tax',
      fields: ['payrollSetting.taxCode'],
      or: [['payrollSetting.starterDeclaration']],
      ...employeesOnly,
    },
    { name: 'tax', fields: ['payrollSetting.niCategory'], ...employeesOnly },
    { name: 'number', fields: ['generalSetting.NINumber'], ...employeesOnly },
  ],
  answer: { type: candidateAnswer, names: sectionNames },
}

/** The sample person in the UK. The bank details are all of one account, the IBAN registry's sample. */
export const ukSamples: Samples = {
  standard: {
    ...sharedSamples.standard,
    nino: 'QQ654321C',
    postcode: 'SW1A 1AA',
    'sort-code': '202015',
    'account-number': '55555555',
    iban: 'GB33BUKB20201555555555',
    bic: 'BUKBGB22',
    'tax-code': usualTaxCode,
    'ni-category': 'A',
    utr: '9987654321',
    'vat-number': 'GB123456782',
    'company-number': '01234567',
    'cis-verification': 'V0987654321',
  },
  named: {
    ...sharedSamples.named,
    nationality: 'British',
    city: 'London',
    emergencyCity: 'London',
    // With the figures of a P45, and now the only job.
    starterDeclaration: 'B',
    verificationDate: '2026-04-06',
    matchDate: '2026-04-06',
    // Only one undergraduate loan is deducted at a time; Plan 5 is not deducted before April 2026.
    studentLoanPlan1StartDate: atMidnight('2020-04-06'),
    studentLoanPlan1EndDate: atMidnight('2022-04-06'),
    studentLoanPlan2StartDate: atMidnight('2022-04-06'),
    studentLoanPlan2EndDate: atMidnight('2024-04-06'),
    studentLoanPlan4StartDate: atMidnight('2024-04-06'),
    studentLoanPlan4EndDate: atMidnight('2026-04-06'),
    studentLoanPlan5StartDate: atMidnight('2026-04-06'),
    studentLoanPlan5EndDate: atMidnight('2028-04-06'),
    studentLoanPostGraEndDate: atMidnight('2030-04-06'),
  },
}
