import { describe, expect, test } from 'vitest'
import type { Standard } from '../../../src/model/fields/field.ts'
import { countryCodes, countryName, countryWarning } from '../../../src/model/standards/country.ts'
import { checkLetter } from '../../../src/model/standards/reference-numbers.ts'
import { checkValue } from '../../../src/model/standards/standards.ts'
import { vectors } from './vectors.ts'

const today = '2026-06-15'
const standards = Object.keys(vectors) as Standard[]
/** The remark on the value of a field that this standard is for. */
const checkStandard = (standard: Standard, value: unknown, day: string) =>
  checkValue({ label: 'Field', type: 'string', standard }, value, day)
/** Each value that is nearly right, with what was meant. */
const nearly = (standard: Standard) =>
  Object.entries(vectors[standard].nearly ?? {}).flatMap(([meant, values]) =>
    values.map((value) => [value, meant] as const),
  )
const message = (standard: Standard, value: unknown) => checkStandard(standard, value, today)?.message

describe.each(standards)('the standard %s', (standard) => {
  const { fine, wrong } = vectors[standard]

  test.each(fine)('has nothing to say about %j', (value) => {
    expect(checkStandard(standard, value, today)).toBeUndefined()
  })

  test.each(wrong)('remarks on %j and suggests nothing', (value) => {
    expect(checkStandard(standard, value, today)).toEqual({ message: expect.stringMatching(/^[^.].*[^.]$/) })
  })

  for (const [value, suggestion] of nearly(standard))
    test(`offers for ${JSON.stringify(value)} the value ${suggestion}, about which it has nothing to say`, () => {
      const message = expect.any(String)
      expect(checkStandard(standard, value, today)).toEqual({ message, suggestion })
      expect(checkStandard(standard, suggestion, today)).toBeUndefined()
    })

  test('leaves other JSON types, null and empty text to the rules of the document', () => {
    const other = typeof fine[0] === 'string' ? 12_345_678 : '12345678'
    for (const value of [other, null, undefined, '', true, ['A'], { A: 'A' }]) {
      expect(checkStandard(standard, value, today)).toBeUndefined()
    }
  })
})

describe.each(['nino', 'ppsn', 'sort-code', 'account-number', 'iban', 'birth-date'] as const)(
  'the %s',
  (standard) => {
    test.each([...vectors[standard].wrong, ...nearly(standard).map(([value]) => value)].map(String))(
      'is a secret: what is said about %j does not show it',
      (value) => {
        const said = message(standard, value)
        expect(said).toBeDefined()
        expect(said).not.toContain(value)
      },
    )
  },
)

describe('what a remark says', () => {
  test.each([
    // It calls an official example what it is.
    ['nino', 'QQ123456A', /example for documentation/],
    // It names the fault of a National Insurance number.
    ['eircode', 'A65 F4E2', /not a routing key/],
    ['nino', 'BG123612A', /begins with these two letters/],
    ['nino', 'A1234567C', /two letters, six digits/],
    // It tells a wrong check letter from a wrong form in a PPS number.
    ['ppsn', '6433435E', /check letter/],
    ['ppsn', '111222333', /seven digits/],
    ['ppsn', '1234567WH', /company or a trust/],
    ['ppsn', '1234567TW', /old form/],
    // It names the fault of an IBAN.
    ['iban', 'UK29NWBK60161331926819', /country that issues/],
    ['iban', 'Revolut', /country that issues/],
    ['nino', 'TBC', /two letters, six digits/],
    ['iban', 'GB29NWBK6016133192681', /an IBAN of GB has 22 characters, not 21/],
    ['iban', 'IE95TE8270900834048660', /out of place/],
    ['iban', 'GB00HLFX11016111455365', /check digits/],
    ['iban', 'NL91ABNA0517164300', /check digits/],
    // It recognises a value that belongs into another field.
    ['postcode', 'D02 X285', /Eircode/],
    ['eircode', 'SW1A 1AA', /UK postcode/],
    ['sort-code', '12345678', /account number/],
    ['account-number', '123456789', /^an account number has eight digits/],
    ['tax-code', '1257L W1', /tax basis/],
    // It says what is missing from a PRSI class and which letters are not for land.
    ['prsi-class', 'A', /subclass/],
    ['ni-category', 'G', /ashore/],
    // It tells the ages apart on the day itself.
    ['birth-date', '2026-06-16', /future/],
    ['birth-date', '2026-06-15', /younger than 16/],
    ['birth-date', '2010-06-16', /younger than 16/],
    ['birth-date', '1925-06-15', /^born in 1925\? That is older than 100$/],
  ] as const)('says of the %s %s: %s', (standard, value, says) => {
    expect(message(standard, value)).toMatch(says)
  })

  test('takes out the invisible characters of pasted text before it judges', () => {
    expect(checkStandard('utr', '\uFEFF12345\u200B67895', today)).toEqual({
      message: expect.stringMatching(/invisible/),
      suggestion: '1234567895',
    })
    expect(checkStandard('email', ' jo@example.com\n', today)?.suggestion).toBe('jo@example.com')
    expect(checkStandard('postcode', 'SW1A\u00A01AA', today)?.suggestion).toBe('SW1A 1AA')
    expect(checkStandard('tax-code', '   ', today)).toEqual({ message: 'it contains only spaces' })
  })
})

describe('a country', () => {
  test('is one of the 249 codes of ISO 3166-1, each of which has a name', () => {
    expect(new Set(countryCodes).size).toBe(249)
    const mixedUp = ['NI', 'IR', 'SC']
    for (const code of countryCodes) {
      if (!mixedUp.includes(code)) expect(countryWarning(code)).toBeUndefined()
      expect(countryName(code)).not.toBe(code)
    }
    expect(countryWarning('XK')).toBeUndefined()
  })

  test.each([
    ['UK', 'GB'],
    ['gb', 'GB'],
    ['IRL', 'IE'],
    ['Ireland', 'IE'],
    ['United Kingdom', 'GB'],
    ['Wales', 'GB'],
    ['Kosovo', 'XK'],
    ['NI', 'GB'],
    ['IR', 'IE'],
    ['Deutschland', undefined],
    ['ZZ', undefined],
    ['EU', undefined],
    ['SU', undefined],
    ['constructor', undefined],
  ])('remarks on %j and offers %j', (value, suggestion) => {
    const remark = countryWarning(value)
    expect(remark?.message).toMatch(/country/)
    expect(remark?.suggestion).toBe(suggestion)
  })

  test('has no opinion on other JSON types and empty text', () => {
    for (const value of [null, undefined, '', 7, ['UK']]) expect(countryWarning(value)).toBeUndefined()
  })
})

describe('the tables', () => {
  test('hold the 139 routing keys of Eircode', () => {
    const ends = [...Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0')), '6W']
    const keys = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) => ends.map((end) => letter + end))
    const known = keys.filter((key) => checkStandard('eircode', `${key} X285`, today) === undefined)
    expect(known).toHaveLength(139)
  })

  test('give the check letter of every remainder of 23', () => {
    // The seventh digit weighs 2 and the sixth 3: together they reach every remainder.
    const letters = Array.from({ length: 100 }, (_, n) => checkLetter(`00000${String(n).padStart(2, '0')}`))
    expect([...new Set(letters)].sort().join('')).toBe('ABCDEFGHIJKLMNOPQRSTUVW')
    expect(checkLetter('0000000')).toBe('W')
    expect(checkLetter('0000000', 'A')).toBe('I')
    expect(checkLetter('0000000', 'T')).toBe('W')
  })
})
