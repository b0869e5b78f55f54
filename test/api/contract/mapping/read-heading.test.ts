import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../../../src/api/contract/countries/ireland/candidate.ts'
import { candidate } from '../../../../src/api/contract/countries/uk/candidate.ts'
import { fieldAt, leafFields } from '../../../../src/api/contract/fields/field-tree.ts'
import { timesheetLine } from '../../../../src/api/contract/records/timesheet.ts'
import { ambiguousHeadings, type Headings, headings } from '../../../../src/values/headings.ts'
import { headingFor, readHeading } from '../../../../src/values/read-heading.ts'

const types = [candidate, candidateIreland, timesheetLine]

/** Headings as exports of payroll and HR programs have them. */
const usual: Readonly<Record<string, string>> = {
  'Employee Ref': 'generalSetting.agencyRef',
  'Employee No.': 'generalSetting.agencyRef',
  'Works Number': 'generalSetting.agencyRef',
  'Payroll ID': 'generalSetting.agencyRef',
  'Emp #': 'generalSetting.agencyRef',
  'First name': 'generalSetting.forename',
  first_name: 'generalSetting.forename',
  'FIRST NAME': 'generalSetting.forename',
  'Forename(s)': 'generalSetting.forename',
  'Given Name': 'generalSetting.forename',
  LastName: 'generalSetting.surname',
  'Last name': 'generalSetting.surname',
  'Family Name': 'generalSetting.surname',
  Salutation: 'generalSetting.title',
  Sex: 'generalSetting.gender',
  DOB: 'generalSetting.DOB',
  'D.O.B.': 'generalSetting.DOB',
  'Date of Birth (dd/mm/yyyy)': 'generalSetting.DOB',
  'Birth date': 'generalSetting.DOB',
  'Start Date': 'generalSetting.dateOfJoining',
  'Date Joined': 'generalSetting.dateOfJoining',
  'Hire date': 'generalSetting.dateOfJoining',
  'Date commenced': 'generalSetting.dateOfJoining',
  'NI Number': 'generalSetting.NINumber',
  'N.I. Number': 'generalSetting.NINumber',
  NINO: 'generalSetting.NINumber',
  'National Insurance No': 'generalSetting.NINumber',
  NINumber: 'generalSetting.NINumber',
  'Address 1': 'generalSetting.address[0]',
  'Address Line 2': 'generalSetting.address[1]',
  address_line_3: 'generalSetting.address[2]',
  Street: 'generalSetting.address',
  Town: 'generalSetting.city',
  'Town/City': 'generalSetting.city',
  'Post Code': 'generalSetting.postCode',
  Mobile: 'generalSetting.mobile',
  'Mobile No': 'generalSetting.mobile',
  Telephone: 'generalSetting.mobile',
  'Email Address': 'generalSetting.email',
  'E-Mail': 'generalSetting.email',
  'Job Title': 'generalSetting.jobDescription',
  Dept: 'generalSetting.department',
  Frequency: 'generalSetting.payFrequency',
  'Payment method': 'generalSetting.payMethod',
  'Salary (£)': 'generalSetting.annualSalary',
  'Hourly Rate': 'generalSetting.rateHour',
  'Rate per hour': 'generalSetting.rateHour',
  Hours: 'generalSetting.hours',
  'Contracted hours': 'generalSetting.hours',
  'Next of kin': 'generalSetting.emergencyName',
  'Emergency contact no': 'generalSetting.emergencyMobile',
  'Name of bank': 'bankSetting.bankName',
  'Account holder': 'bankSetting.accountName',
  'Sort-Code': 'bankSetting.sortCode',
  'Bank Sort Code': 'bankSetting.sortCode',
  'Account No': 'bankSetting.accountNumber',
  'Bank account number': 'bankSetting.accountNumber',
  'Building Society Roll No': 'bankSetting.buildingSocietyNumber',
  IBAN: 'bankSetting.IBANReference',
  BIC: 'bankSetting.SWIFTNo',
  'SWIFT/BIC': 'bankSetting.SWIFTNo',
  'Tax Code': 'payrollSetting.taxCode',
  Basis: 'payrollSetting.taxBasis',
  'NI Letter': 'payrollSetting.niCategory',
  'NI Category': 'payrollSetting.niCategory',
  'Starter Statement': 'payrollSetting.starterDeclaration',
  'Student Loan': 'payrollSetting.haveStudentLoan',
  'P45 Pay': 'payrollSetting.p45GrossToDate',
  UTR: 'payrollSetting.UTRNo',
  'bank.sortCode': 'bankSetting.sortCode',
  'setting.taxCode': 'payrollSetting.taxCode',
  'address[1]': 'generalSetting.address[1]',
  dateOfJoining: 'generalSetting.dateOfJoining',
}

const irish: Readonly<Record<string, string>> = {
  PPSN: 'payrollSetting.ppsNumber',
  'PPS No.': 'payrollSetting.ppsNumber',
  'P.P.S. Number': 'payrollSetting.ppsNumber',
  'Eir Code': 'generalSetting.eircode',
  Postcode: 'generalSetting.eircode',
  'Tax Credits': 'payrollSetting.taxCreditAnnual',
  SRCOP: 'payrollSetting.yearlyRateCutOff',
  'Cut-Off': 'payrollSetting.yearlyRateCutOff',
  'PRSI Class': 'payrollSetting.prsiEeClasses',
  'USC Cut-Off 1': 'payrollSetting.annual_zeroPointFive',
  'Employment ID': 'payrollSetting.employmentId',
  LPT: 'payrollSetting.totalLPTToBeDeducted',
  NSC: 'bankSetting.sortCode',
}

describe('the heading of a column', () => {
  test.each(Object.entries(usual))('the heading of a column that is usual is known: %s', (heading, path) => {
    expect(readHeading(candidate, heading)).toEqual({ path, choices: [] })
  })

  test.each(Object.entries(irish))(
    'the heading of a column that is usual in Ireland is known there: %s',
    (heading, path) => {
      expect(readHeading(candidateIreland, heading)).toEqual({ path, choices: [] })
    },
  )

  test('the heading of a column of a timesheet is known too', () => {
    expect(readHeading(timesheetLine, 'Employee ref').path).toBe('subcontractorRef')
    expect(readHeading(timesheetLine, 'Week ending').path).toBe('endDate')
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
