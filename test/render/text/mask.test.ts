import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/files/json/path.ts'
import { isSensitive } from '../../../src/model/resources/sensitive.ts'
import { dateFormats } from '../../../src/model/values/date-formats.ts'
import { mask, maskFields, maskValuesIn } from '../../../src/render/text/mask.ts'

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
    ...['accountNumber', 'sortCode', 'IBANReference', 'NINumber', 'ppsNumber', 'DOB', 'dob', 'PPSNumber'],
    ...['nino', 'NINO', 'employeeNino', 'ni_number', 'nationalInsuranceNumber', 'National Insurance No.'],
    ...['dateOfBirth', 'date_of_birth', 'DATE-OF-BIRTH', 'dateofbirth', 'workerDOB', 'birthDate'],
    ...['account_number', 'accountNo', 'bankAccountNumber', 'Bank account number 2', 'sort_code'],
    ...['bankSortCode', 'iban', 'IBAN', 'workerIban', 'pps', 'PPSN', 'ppsNo', 'bankAccount', 'UTR'],
    ...['utrNo', 'personalVerificationNumber', 'buildingSocietyNumber', 'rollNumber'],
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
    const person = (DOB: string, accountNumber: string, NINumber: string) => ({
      surname: 'Example',
      DOB,
      bank: { accountNumber, bankName: 'Example Bank' },
      old: [{ NINumber }, null, 7],
    })
    const record = person('1991-11-04', '31926819', 'QQ123456A')
    expect(maskFields(record)).toEqual(person('******', '******819', '******56A'))
    expect(record.DOB).toBe('1991-11-04')
  })

  test('is masked in whatever form the field is given, and yes or no tells nothing', () => {
    const record = (number: string, iban: string) => ({
      bankAccount: { number, holder: null, verified: true },
      iban: [iban],
    })
    expect(maskFields(record('31926819', 'GB29NWBK60161331926819'))).toEqual(record('******819', '******819'))
  })

  test('is left alone where there is nothing to hide', () => {
    const nothing = { DOB: null, NINumber: '', sortCode: undefined, accountNumber: 0 }
    expect(maskFields(nothing)).toEqual({ ...nothing, accountNumber: '******' })
  })

  test('is masked in a change, where its path names it', () => {
    const change = (path: string, from: unknown, to: unknown) => ({ row: 2, path, from, to })
    const changes = [change('bankSetting.accountNumber', '31926819', null), change('city', 'York', 'Bath')]
    const shown = [change('bankSetting.accountNumber', '******819', null), change('city', 'York', 'Bath')]
    expect(maskFields(changes as Json)).toEqual(shown)
    expect(maskFields(shown as Json)).toEqual(shown)
  })

  test('survives a field that is called like a part of the language', () => {
    const record = JSON.parse('{"__proto__":{"DOB":"1991-11-04"},"constructor":"x"}')
    expect(JSON.stringify(maskFields(record))).toBe('{"__proto__":{"DOB":"******"},"constructor":"x"}')
  })
})

const hushed = maskValuesIn({
  generalSetting: { forename: 'Example', DOB: '1985-06-01T00:00:00.000Z', NINumber: 'QQ123456C' },
  payrollSetting: { ppsNumber: '1234567FA' },
  bankSetting: [{ sortCode: '00-00-00', accountNumber: 12345678, IBANReference: 'GB00TEST00000012345678' }],
})

describe('what a text repeats of a record', () => {
  test.each([
    ['NINumber QQ123456C is taken', 'NINumber ******56C is taken'],
    ['qq 12 34 56 c', '******56C'],
    ['"QQ-12-34-56-C","qq123456c"', '"******56C","******56C"'],
    ['no bank has 000000', 'no bank has ******'],
    ['no bank has 00-00-00', 'no bank has ******'],
    ['account 12345678.', 'account ******678.'],
    ['PPSN1234567faTaken', 'PPSN******7FATaken'],
    ['GB00 TEST 0000 0012 3456 78', '******678'],
    ['born 1985-06-01', 'born ******'],
    ['born 1985-06-01T00:00:00.000Z', 'born ******T00:00:00.000Z'],
    ['born 01/06/1985 or 1.6.1985', 'born ****** or ******'],
    ['born 06/01/1985', 'born ******'],
    ['a long text that was cut at GB00TEST0000…', 'a long text that was cut at ******678'],
    ['a long text that was cut at QQ12…', 'a long text that was cut at ******56C'],
  ])('is masked: %s', (text, shown) => {
    expect(hushed(text)).toBe(shown)
  })

  test.each([
    'Example is no forename',
    'the tax year 1985 begins on 06/04',
    'The service refused the data (400): see page 12345 of 1234567',
    'QQ12 is no number',
    'cut at QQ1…',
    '91985-06-011',
  ])('is left alone where it is not sensitive: %s', (text) => {
    expect(hushed(text)).toBe(text)
  })

  test('is looked for as a word of its own where it is short, and not at all where it says nothing', () => {
    const short = maskValuesIn({ sortCode: '4001', accountNumber: '12', IBANReference: '', DOB: null })
    expect(short('4001 is not in 14001 nor 40012; 12 is')).toBe('****** is not in 14001 nor 40012; 12 is')
  })

  test('may be as long as it likes, and may look like a pattern', () => {
    const odd = maskValuesIn({ accountNumber: 'x'.repeat(100_000), sortCode: '(1+2)*[3]$&', DOB: '19850601' })
    expect(odd('a 1-2-3 $& b')).toBe('a 1-2-3 $& b')
    expect(maskValuesIn({ sortCode: 'a(1+2)*[3]$&b' })('no a123b here')).toBe('no ****** here')
    expect(odd('born 1985/06/01')).toBe('born ******')
  })
})
