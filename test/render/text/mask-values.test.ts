import { describe, expect, test } from 'vitest'
import { maskValuesIn } from '../../../src/render/text/mask.ts'

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
    expect(odd('born 1985/06/01')).toBe('born ******601')
  })
})
