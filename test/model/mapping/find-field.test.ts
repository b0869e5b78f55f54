import { describe, expect, test } from 'vitest'
import { fieldAt, leafFields } from '../../../src/model/fields/field-tree.ts'
import { candidateIreland } from '../../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../../src/model/resources/payment-rate.ts'
import { timesheetLine } from '../../../src/model/resources/timesheet-line.ts'
import { candidate } from '../../../src/model/resources/uk-candidate.ts'
import { guessHeading, headingFor, readHeading } from '../../../src/model/values/find-field.ts'
import { ambiguousHeadings, type Headings, headings } from '../../../src/model/values/headings.ts'

const types = [candidate, candidateIreland, paymentRate, timesheetLine]

/** Each heading with the path of its field. */
const headingsOf = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).flatMap(([path, names]) => names.split(' | ').map((name) => [name, path] as const))

/** Headings as exports of payroll and HR programs have them. */
const usual = headingsOf({
  'generalSetting.agencyRef': 'Employee Ref | Employee No. | Works Number | Payroll ID | Emp #',
  'generalSetting.forename': 'First name | first_name | FIRST NAME | Forename(s) | Given Name',
  'generalSetting.surname': 'LastName | Last name | Family Name',
  'generalSetting.title': 'Salutation',
  'generalSetting.gender': 'Sex',
  'generalSetting.DOB': 'DOB | D.O.B. | Date of Birth (dd/mm/yyyy) | Birth date',
  'generalSetting.dateOfJoining': 'Start Date | Date Joined | Hire date | Date commenced | dateOfJoining',
  'generalSetting.NINumber': 'NI Number | N.I. Number | NINO | National Insurance No | NINumber',
  'generalSetting.address[0]': 'Address 1',
  'generalSetting.address[1]': 'Address Line 2 | address[1]',
  'generalSetting.address[2]': 'address_line_3',
  'generalSetting.address': 'Street',
  'generalSetting.city': 'Town | Town/City',
  'generalSetting.postCode': 'Post Code',
  'generalSetting.mobile': 'Mobile | Mobile No | Telephone',
  'generalSetting.email': 'Email Address | E-Mail',
  'generalSetting.jobDescription': 'Job Title',
  'generalSetting.department': 'Dept',
  'generalSetting.payFrequency': 'Frequency',
  'generalSetting.payMethod': 'Payment method',
  'generalSetting.annualSalary': 'Salary (£)',
  'generalSetting.rateHour': 'Hourly Rate | Rate per hour',
  'generalSetting.hours': 'Hours | Contracted hours',
  'generalSetting.emergencyName': 'Next of kin',
  'generalSetting.emergencyMobile': 'Emergency contact no',
  'bankSetting.bankName': 'Name of bank',
  'bankSetting.accountName': 'Account holder',
  'bankSetting.sortCode': 'Sort-Code | Bank Sort Code | bank.sortCode',
  'bankSetting.accountNumber': 'Account No | Bank account number',
  'bankSetting.buildingSocietyNumber': 'Building Society Roll No',
  'bankSetting.IBANReference': 'IBAN',
  'bankSetting.SWIFTNo': 'BIC | SWIFT/BIC',
  'payrollSetting.taxCode': 'Tax Code | setting.taxCode',
  'payrollSetting.taxBasis': 'Basis',
  'payrollSetting.niCategory': 'NI Letter | NI Category',
  'payrollSetting.starterDeclaration': 'Starter Statement',
  'payrollSetting.haveStudentLoan': 'Student Loan',
  'payrollSetting.p45GrossToDate': 'P45 Pay',
  'payrollSetting.UTRNo': 'UTR',
})

const irish = headingsOf({
  'payrollSetting.ppsNumber': 'PPSN | PPS No. | P.P.S. Number',
  'generalSetting.eircode': 'Eir Code | Postcode',
  'payrollSetting.taxCreditAnnual': 'Tax Credits',
  'payrollSetting.yearlyRateCutOff': 'SRCOP | Cut-Off',
  'payrollSetting.prsiEeClasses': 'PRSI Class',
  'payrollSetting.annual_zeroPointFive': 'USC Cut-Off 1',
  'payrollSetting.employmentId': 'Employment ID',
  'payrollSetting.totalLPTToBeDeducted': 'LPT',
  'bankSetting.sortCode': 'NSC',
})

/** Notes that say what the field says anyway, and words before a heading that change nothing. */
const noted = headingsOf({
  'generalSetting.DOB':
    'DOB (UK format) | Date of birth [YYYY-MM-DD] | Date of Birth (DOB) | Birth date - dd/mm/yy',
  'generalSetting.dateOfJoining': 'Start date (required) | Start Date * | Joining date (if known)',
  'generalSetting.NINumber':
    'National Insurance Number (NINO) | NI Number (9 characters) | NI No (no spaces)',
  'generalSetting.surname': 'Surname (as on passport) | Employee surname | Last name (mandatory)',
  'generalSetting.forename': "Worker's first name | Candidate forename | First name (optional)",
  'generalSetting.mobile': 'Staff mobile | Mobile (max 15 digits)',
  'generalSetting.email': 'Personal email | Email (optional)',
  'generalSetting.rateHour':
    'Hourly rate (£) | Hourly rate (GBP) | Hourly rate (per hour) | Revised hourly rate | Hourly Rate (new)',
  'generalSetting.annualSalary': 'Salary (per annum) | Salary (annual) | Annual salary (£)',
  'generalSetting.hours': 'Hours (per week) | Hours (weekly) | Hours p.w. (contracted)',
  'generalSetting.emergencyMobile': 'Phone (emergency) | Telephone (emergency contact)',
  'bankSetting.accountNumber':
    'Account number (8 digits) | A/C No | Bank A/C No | Account No (bank) | Acct number',
  'bankSetting.accountName': 'Bank A/C Name | Acc. name | A/C holder',
  'bankSetting.sortCode': 'Sort code (6 digits) | Sort code (no dashes)',
  'payrollSetting.taxCode': 'Tax code (e.g. 1257L) | Updated tax code',
  'payrollSetting.haveStudentLoan': 'Student loan (Y/N) | Student loan (yes/no)',
})

/** What means no field, although it holds the name of one: each word of a heading counts. */
const qualified =
  'Rate (charge) | Charge rate | Client rate | Rate (client) | Agency rate | Bill rate | Invoice rate | Salary (per month) | Monthly salary | Weekly salary | Salary (FTE) | Hourly rate (old) | Old hourly rate | Previous hourly rate | Hourly rate (previous) | Hourly rate (current) | Hourly rate (max) | Hourly rate (per day) | Hourly rate (€) | Hourly_rate_(euro_per_hour) | Hourly_rate_EUR | Daily rate | Hours (not worked) | Hours not worked | Hours (monthly) | Overtime hours | NI number (Y/N) | NI no (temp) | Account number (2) | Tax code (yes/no) | Sell rate | Umbrella rate | LTD rate | Net hourly rate | Hourly rate until 31 March | Salary pcm | Salary pw | Average hours | Temporary NI number | Child DOB | Ers NI | Student loan start date | Account number (old) | Old account number | Previous account no | Sort code (old) | Email (manager) | Manager email | Work email (manager) | Client email | Phone (employer) | Employer phone | Spouse name | Spouse DOB | Partner forename | Mobile (next of kin 2) | Previous surname | Surname (maiden) | Maiden name | Surname at birth | Mother surname | Previous tax code | Tax code (last year) | Tax code (old) | Start date (client) | Start date (previous employment) | Last start date | Contract start date | End date | Date | NI number (spouse) | Employer NI | NI (employer) | Employer NI category | Previous postcode | Postcode (work) | Client address | Workplace postcode (client) | Pension salary | Notional salary | Hours paid to date | Student loan balance | Weekly tax credit | Employer ref | Client ref | PAYE ref | Employer PAYE reference | Agency name | Agency fee | Employee pension | Employer pension | Holiday hours | Sick days'

/** The same in a sheet of hours. */
const qualifiedHours =
  'Rate (charge) | Charge rate | Client rate | Rate (day) | Rate per day | Old rate | Previous rate | Rate (old) | Hours (not worked) | Hours not worked | Unpaid hours | Hours (unpaid) | Contracted hours | Hours (contracted) | Holiday hours | Sick hours | Break hours | Hours to date | Year to date hours | Invoice date | Pay date | Date paid | Date of birth | Start time | Finish time | Week | Period | Pay | Total pay | Net pay | Gross pay | Margin | Client name | Agency name | Client ref | Invoice no | Chargeable hours | Hours billed | Planned hours | Rejected hours | Hours YTD | Hours b/f | Travel hours | Sat | Sunday hours | OT Hrs | OT Rate | VAT rate | Mon | Days | Day rate | Approved by | Manager | Employer ref'

const irishQualified =
  'Weekly tax credit | Weekly tax credits | Monthly tax credits | Tax credits (weekly) | Yearly USC Rate 1 Cut Off | USC Rate 1 Cut Off | USC rate 1 | Weekly cut off | Weekly SRCOP | Cut off (monthly) | Spouse tax credits | Spouse PPS number | PPS number (spouse) | Employer PRSI | PRSI (employer) | Employer PRSI class | Previous PPSN'

/** Usual headings of a sheet of hours. */
const hours = headingsOf({
  subcontractorRef: 'Ref | Employee Ref | Payroll No | Worker ID | Staff No. | Our ref | Clock No',
  personName: 'Worker | Name | Worker Name | Full name | Employee name | Staff name',
  personForename: 'First name | Forename',
  personSurname: 'Surname | Last name',
  'rates[1].units': 'Hours 2 | Hours2',
  'rates[1].rate': 'Rate 2 | Pay rate 2',
  assignmentRef: 'Assignment | Assignment no | Placement ID',
  endDate:
    'Week ending | W/E | Week ending date | Week Ending (Sunday) | Wk end | Week Ending (dd/mm/yyyy) | Period end | WE Date | Week-ending | w/e date',
  startDate: 'Week commencing | W/C | Week start | From',
  'rates[0].units':
    'Hours | Hours 1 | Std Hrs | Hrs | Units | Qty | Basic hours | Hours worked | Hours (worked) | Hours (decimal) | Total hours | Hrs p/w | Hours per week | Weekly hours',
  'rates[0].rate':
    'Rate | Pay rate | Rate (£) | Rate per hour | Hourly rate | Rate (per hour) | Pay Rate (GBP)',
  'rates[0].rateId': 'Rate code | Pay code | Pay element',
  taxYear: 'Tax year',
  approved: 'Approved | Approved? | Client approved | Approval status | Authorised | Approved (Y/N)',
  taxWeek: 'Tax week | Tax Wk | Tax week no',
  taxMonth: 'Tax month | Tax Month No',
  taxPeriodConfig: 'Tax period',
})

const listed = (names: string) => names.split(' | ')

describe('the heading of a column', () => {
  test.each(usual)('that is usual is known: %s', (heading, path) => {
    expect(readHeading(candidate, heading)).toEqual({ path, choices: [] })
  })

  test.each(irish)('that is usual in Ireland is known there: %s', (heading, path) => {
    expect(readHeading(candidateIreland, heading)).toEqual({ path, choices: [] })
  })

  test.each(noted)('is known with a note that changes nothing: %s', (heading, path) => {
    expect(readHeading(candidate, heading)).toEqual({ path, choices: [] })
  })

  test.each(hours)('of a sheet of hours is known: %s', (heading, path) => {
    expect(readHeading(timesheetLine, heading)).toEqual({ path, choices: [] })
  })

  test.each([
    ...listed(qualified).map((heading) => [heading, candidate] as const),
    ...listed(irishQualified).map((heading) => [heading, candidateIreland] as const),
    ...listed(qualifiedHours).map((heading) => [heading, timesheetLine] as const),
  ])('with a word that changes its meaning is no field: %s', (heading, type) => {
    expect(readHeading(type, heading).path).toBeUndefined()
  })

  test.each([
    ['Rate £/h', 'generalSetting.rateHour'],
    ['New rate £/h', 'generalSetting.rateHour'],
    ['New tax code', 'payrollSetting.taxCode'],
  ])('in a sheet of changes is known: %s', (heading, path) => {
    expect(readHeading(candidate, heading)).toEqual({ path, choices: [] })
  })

  test('that names the week too is asked about, and its field is among the guesses', () => {
    expect(readHeading(candidate, 'Tax code wk1')).toEqual({ choices: [] })
    expect(guessHeading(candidate, 'Tax code wk1')).toEqual(['payrollSetting.taxCode'])
    expect(guessHeading(timesheetLine, 'Hrs w/e 29.11.')).toContain('rates[0].units')
    expect(guessHeading(candidate, 'Shoe size')).toEqual([])
    // What a word rules out is not proposed either.
    expect(guessHeading(timesheetLine, 'VAT rate')).toEqual([])
    expect(guessHeading(timesheetLine, 'Sat')).toEqual([])
    for (const heading of [
      'Rate (charge)',
      'Old hourly rate',
      'Weekly tax credit',
      'Employer NI number',
      'Hours (not worked)',
      'Sell rate',
      'Ers NI',
      'Child DOB',
    ])
      expect(guessHeading(candidate, heading)).toEqual([])
  })

  test.each(['Name', 'Full name', 'Rate', 'NI', 'Student loan plan', 'Employee name'])(
    'that can mean several fields, or a part of one, is never guessed: %s',
    (heading) => {
      const { path, choices } = readHeading(candidate, heading)
      expect(path).toBeUndefined()
      expect(choices.length).toBeGreaterThan(0)
    },
  )

  test.each(['Shoe size', 'Notes', 'Gross', 'Tax', 'Employee NI', 'Status', 'Type', '1', '', '?', '£'])(
    'that means none gives none: %j',
    (heading) => expect(readHeading(candidate, heading)).toEqual({ choices: [] }),
  )

  test('is listed for fields that exist, and for one field of a record only', () => {
    const paths = (under: Headings, above = ''): [string, string][] =>
      Object.entries(under).flatMap(([name, names]) =>
        typeof names === 'string'
          ? [[above + name, names] as [string, string]]
          : paths(names, `${above}${name}.`),
      )
    for (const [path, names] of paths(headings)) {
      const having = types.filter(({ fields }) => fieldAt(fields, path))
      expect(having.length, path).toBeGreaterThan(0)
      for (const type of having) {
        for (const name of names.split('|')) {
          expect(readHeading(type, name), `${type.displayName}: ${name}`).toEqual({ path, choices: [] })
        }
      }
    }
    for (const path of Object.values(ambiguousHeadings).flat()) {
      expect(
        types.some(
          ({ fields, answer }) => fieldAt(fields, path) ?? (answer && fieldAt(answer.type.fields, path)),
        ),
        path,
      ).toBe(true)
    }
  })

  test('for a person leads back to its field, for every field', () => {
    for (const type of types) {
      for (const { path } of leafFields(type.fields)) {
        expect(readHeading(type, headingFor(type, path)).path).toBe(path)
      }
    }
    expect(headingFor(candidate, 'generalSetting.address[1]')).toBe('Address line 2')
    expect(headingFor(candidate, 'generalSetting.emergencyName')).toBe('Emergency contact: Name')
  })
})
