import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../../../src/api/contract/countries/ireland/candidate.ts'
import { candidate } from '../../../../src/api/contract/countries/uk/candidate.ts'
import { fieldAt, leafFields } from '../../../../src/api/contract/fields/field-tree.ts'
import { paymentRate } from '../../../../src/api/contract/records/payment-rate.ts'
import { timesheetLine } from '../../../../src/api/contract/records/timesheet.ts'
import { ambiguousHeadings, type Headings, headings } from '../../../../src/values/headings.ts'
import { headingFor, nearestHeading, readHeading } from '../../../../src/values/read-heading.ts'

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

describe('the heading of a column', () => {
  test.each(usual)('the heading of a column that is usual is known: %s', (heading, path) => {
    expect(readHeading(candidate, heading)).toEqual({ path, choices: [] })
  })

  test.each(irish)('the heading of a column that is usual in Ireland is known there: %s', (heading, path) => {
    expect(readHeading(candidateIreland, heading)).toEqual({ path, choices: [] })
  })

  test('the heading of a column of a timesheet is known too', () => {
    expect(readHeading(timesheetLine, 'Employee ref').path).toBe('subcontractorRef')
    expect(readHeading(timesheetLine, 'Week ending').path).toBe('endDate')
  })

  test.each([
    ['Rate £/h', 'generalSetting.rateHour'],
    ['New rate £/h', 'generalSetting.rateHour'],
    ['New tax code', 'payrollSetting.taxCode'],
  ])('the heading of a column in a sheet of changes is known: %s', (heading, path) => {
    expect(readHeading(candidate, heading)).toEqual({ path, choices: [] })
  })

  test('the heading of a column that names the week too is asked about, with its field first', () => {
    expect(readHeading(candidate, 'Tax code wk1')).toEqual({ choices: [] })
    expect(nearestHeading(candidate, 'Tax code wk1')).toBe('payrollSetting.taxCode')
    expect(nearestHeading(timesheetLine, 'Hrs w/e 29.11.')).toBe('rates[0].units')
    expect(nearestHeading(candidate, 'Week 1')).toBeUndefined()
  })

  test.each(['Name', 'Full name', 'Reference', 'Rate', 'NI', 'Student loan plan', 'Employee name'])(
    'the heading of a column that can mean several fields, or a part of one, is never guessed: %s',
    (heading) => {
      const { path, choices } = readHeading(candidate, heading)
      expect(path).toBeUndefined()
      expect(choices.length).toBeGreaterThan(0)
    },
  )

  test.each(['Shoe size', 'Notes', 'Gross', 'Tax', 'Employee NI', 'Status', 'Type', '1', '', '?', '£'])(
    'the heading of a column that means none gives none: %j',
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
        types.some(({ fields }) => fieldAt(fields, path)),
        path,
      ).toBe(true)
    }
  })

  test('the heading of a column for a person leads back to its field, for every field', () => {
    for (const type of types) {
      for (const { path } of leafFields(type.fields)) {
        expect(readHeading(type, headingFor(type, path)).path).toBe(path)
      }
    }
    expect(headingFor(candidate, 'generalSetting.address[1]')).toBe('Address line 2')
    expect(headingFor(candidate, 'generalSetting.emergencyName')).toBe('Emergency contact: Name')
  })
})
