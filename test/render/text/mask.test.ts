import { describe, expect, test } from 'vitest'
import { leafFields } from '../../../src/api/contract/fields/field-tree.ts'
import { allOperations } from '../../../src/api/contract/operations/operations.ts'
import { isSensitive, mask, masked } from '../../../src/render/text/mask.ts'
import { dateFormats } from '../../../src/values/date-formats.ts'

describe('a masked value', () => {
  test.each([
    ['QQ123456A', '******56A'],
    ['QQ 12 34 56 A', '******56A'],
    ['1234567T', '******67T'],
    ['1234567FA', '******7FA'],
    ['GB29NWBK60161331926819', '******819'],
    ['31926819', '******819'],
    [31926819, '******819'],
    ['601613', '******'],
    ['60-16-13', '******'],
    ['1234567', '******'],
    ['1', '******'],
    ['1991-11-04', '******'],
    ['1991-11-04T00:00:00.000Z', '******'],
    ['04/11/1991', '******'],
    ['4.11.1991', '******'],
    [['12', '34'], '******'],
    [{ a: 1 }, '******ect'],
  ])('%j is %s', (value, shown) => {
    expect(mask(value)).toBe(shown)
  })

  test.each(dateFormats.map(({ example }) => example))(
    '%s, a date as people write one, shows nothing',
    (written) => {
      expect(mask(written)).toBe('******')
    },
  )

  test('never shows more than three characters', () => {
    for (let length = 1; length <= 40; length++) {
      expect(mask('7'.repeat(length)).replaceAll('*', '').length).toBeLessThanOrEqual(3)
    }
  })
})

describe('what is masked', () => {
  test.each([
    'accountNumber',
    'sortCode',
    'IBANReference',
    'NINumber',
    'ppsNumber',
    'DOB',
    'dob',
    'PPSNumber',
    'nino',
    'NINO',
    'employeeNino',
    'ni_number',
    'nationalInsuranceNumber',
    'National Insurance No.',
    'dateOfBirth',
    'date_of_birth',
    'DATE-OF-BIRTH',
    'dateofbirth',
    'workerDOB',
    'birthDate',
    'account_number',
    'accountNo',
    'bankAccountNumber',
    'Bank account number 2',
    'sort_code',
    'bankSortCode',
    'iban',
    'IBAN',
    'workerIban',
    'pps',
    'PPSN',
    'ppsNo',
    'bankAccount',
    'UTR',
    'utrNo',
    'personalVerificationNumber',
    'buildingSocietyNumber',
    'rollNumber',
  ])('%s is', (name) => {
    expect(isSensitive(name)).toBe(true)
  })

  test.each([
    ...['agencyRef', 'surname', 'bankName', 'email', 'country', 'taxCode', '', '_', '42'],
    // Amounts of National Insurance, and what is beside a number and not the number.
    ...['eeNI', 'erNI', 'niCategory', 'nationalInsurance', 'holidayPayErNI', 'isNIDirector'],
    ...['accountName', 'bankAccountName', 'accountType', 'registrationNumber', 'VATRegNo', 'SWIFTNo'],
    ...['matchDate', 'dateOfJoining', 'alumniNumber', 'rateCode', 'supplyApps', 'sortOrder', 'urban'],
  ])('%s is not', (name) => {
    expect(isSensitive(name)).toBe(false)
  })

  test('is masked however deep it lies, and the rest stays', () => {
    const record = {
      surname: 'Example',
      DOB: '1991-11-04',
      bank: { accountNumber: '31926819', bankName: 'Example Bank' },
      old: [{ NINumber: 'QQ123456A' }, null, 7],
    }
    expect(masked(record)).toEqual({
      surname: 'Example',
      DOB: '******',
      bank: { accountNumber: '******819', bankName: 'Example Bank' },
      old: [{ NINumber: '******56A' }, null, 7],
    })
    expect(record.DOB).toBe('1991-11-04')
  })

  test('is masked in whatever form the field is given, and yes or no tells nothing', () => {
    const record = {
      bankAccount: { number: '31926819', holder: null, verified: true },
      iban: ['GB29NWBK60161331926819'],
    }
    expect(masked(record)).toEqual({
      bankAccount: { number: '******819', holder: null, verified: true },
      iban: ['******819'],
    })
  })

  test('is every field that any record declares as sensitive', () => {
    const types = allOperations.flatMap(({ requestRecord: sends, response: answers }) => [
      ...(sends ? [sends] : []),
      ...('type' in answers && answers.type ? [answers.type] : []),
    ])
    const declared = types.flatMap(({ fields }) => leafFields(fields)).filter(({ field }) => field.sensitive)
    expect(declared.length).toBeGreaterThan(10)
    for (const { path } of declared) expect([path, isSensitive(path)]).toEqual([path, true])
  })

  test('is left alone where there is nothing to hide', () => {
    const nothing = { DOB: null, NINumber: '', sortCode: undefined, accountNumber: 0 }
    expect(masked(nothing)).toEqual({ ...nothing, accountNumber: '******' })
  })

  test('survives a field that is called like a part of the language', () => {
    const record = JSON.parse('{"__proto__":{"DOB":"1991-11-04"},"constructor":"x"}')
    expect(JSON.stringify(masked(record))).toBe('{"__proto__":{"DOB":"******"},"constructor":"x"}')
  })
})
