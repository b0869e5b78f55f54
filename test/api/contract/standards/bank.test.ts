import { describe, expect, test } from 'vitest'
import { candidate } from '../../../../src/api/contract/countries/uk/candidate.ts'
import { anything } from '../../../../src/api/contract/fields/field.ts'
import { warnings } from '../../../../src/api/contract/standards/warnings.ts'

/** Declares no field, so that only the checks that hold fields against each other have a remark. */
const undeclared = { ...candidate, fields: { payrollSetting: anything('Payroll') } }

const today = '2026-06-15'
const bank = (bankSetting: Record<string, unknown>) => ({ bankSetting })
const paths = (body: Record<string, unknown>) => warnings(undeclared, body, today).map(({ path }) => path)

const gb = 'GB29NWBK60161331926819'
const ie = 'IE29AIBK93115212345678'

describe('the bank details', () => {
  test('are compared with the account inside a UK or an Irish IBAN, however it is spaced', () => {
    const spaced = 'GB29 NWBK 6016 1331 9268 19'
    expect(paths(bank({ IBANReference: spaced, sortCode: '601614', accountNumber: '31926818' }))).toEqual([
      'bankSetting.sortCode',
      'bankSetting.accountNumber',
    ])
    expect(paths(bank({ IBANReference: ie, sortCode: '931153', accountNumber: '12345678' }))).toEqual([
      'bankSetting.sortCode',
    ])
    expect(paths(bank({ IBANReference: ie, sortCode: '93 11 52', accountNumber: '12345678' }))).toEqual([])
  })

  test('are not compared with an IBAN that is itself wrong, or has no sort code', () => {
    expect(paths(bank({ IBANReference: 'GB28NWBK60161331926819', sortCode: '000000' }))).toEqual([])
    expect(paths(bank({ IBANReference: 'DE89370400440532013000', sortCode: '000000' }))).toEqual([])
  })

  test('never show an account in what is said about it', () => {
    const issues = warnings(
      undeclared,
      bank({ IBANReference: gb, sortCode: '601614', accountNumber: '31926818' }),
      today,
    )
    expect(issues).toHaveLength(2)
    expect(JSON.stringify(issues)).not.toMatch(/\d{4}/)
  })

  test('name one country in the BIC and in the IBAN', () => {
    expect(warnings(undeclared, bank({ IBANReference: ie, SWIFTNo: 'NWBKGB2L' }), today)).toEqual([
      { path: 'bankSetting.SWIFTNo', message: 'the BIC is of a bank in GB, the IBAN of one in IE' },
    ])
    // Jersey's banks have British IBANs.
    expect(paths(bank({ IBANReference: gb, SWIFTNo: 'NWBKJESX' }))).toEqual([])
  })

  test.each([
    [{ isInternationalAccount: true, IBANReference: 'DE89370400440532013000' }, 1],
    [{ isInternationalAccount: true, SWIFTNo: 'COBADEFF' }, 1],
    [{ isInternationalAccount: true, IBANReference: 'DE89370400440532013000', SWIFTNo: 'COBADEFF' }, 0],
    [{ isInternationalAccount: false }, 1],
    [{ isInternationalAccount: false, sortCode: '931152' }, 1],
    [{ isInternationalAccount: false, IBANReference: 'DE89370400440532013000' }, 1],
    [{ isInternationalAccount: false, sortCode: '931152', accountNumber: '12345678' }, 0],
    [{ isInternationalAccount: false, IBANReference: ie }, 0],
    [{}, 0],
  ])('the bank details of %j leave %i thing to ask for', (bankSetting, count) => {
    const expected = Array.from({ length: count }, () => 'bankSetting.isInternationalAccount')
    expect(paths(bank(bankSetting))).toEqual(expected)
  })
})
