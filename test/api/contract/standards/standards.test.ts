import { describe, expect, test } from 'vitest'
import { candidateIreland } from '../../../../src/api/contract/countries/ireland/candidate.ts'
import { candidate } from '../../../../src/api/contract/countries/uk/candidate.ts'
import type { Standard } from '../../../../src/api/contract/fields/field.ts'
import { countryCodes, countryName, countryWarning } from '../../../../src/api/contract/standards/country.ts'
import { checkLetter } from '../../../../src/api/contract/standards/reference-numbers.ts'
import { checkValue } from '../../../../src/api/contract/standards/standards.ts'
import { warnings } from '../../../../src/api/contract/standards/warnings.ts'
import { vectors } from './vectors.ts'

const today = '2026-06-15'
const standards = Object.keys(vectors) as Standard[]
/** The remark on the value of a field that this standard is for. */
const checkStandard = (standard: Standard, value: unknown, day: string) =>
  checkValue({ label: 'Field', type: 'string', standard }, value, day)
const message = (standard: Standard, value: unknown) => checkStandard(standard, value, today)?.message

describe.each(standards)('the standard %s', (standard) => {
  const { fine, wrong, nearly = {} } = vectors[standard]

  test.each(fine)('has nothing to say about %j', (value) => {
    expect(checkStandard(standard, value, today)).toBeUndefined()
  })

  test.each(wrong)('remarks on %j and suggests nothing', (value) => {
    expect(checkStandard(standard, value, today)).toEqual({ message: expect.stringMatching(/^[^.].*[^.]$/) })
  })

  if (Object.keys(nearly).length > 0) {
    test.each(Object.entries(nearly))(
      'offers for %j the value %j, about which it has nothing to say',
      (value, meant) => {
        expect(checkStandard(standard, value, today)).toEqual({
          message: expect.any(String),
          suggestion: meant,
        })
        expect(checkStandard(standard, meant, today)).toBeUndefined()
      },
    )
  }

  test('leaves other JSON types, null and empty text to the rules of the document', () => {
    const other = typeof fine[0] === 'string' ? 12_345_678 : '12345678'
    for (const value of [other, null, undefined, '', true, ['A'], { A: 'A' }]) {
      expect(checkStandard(standard, value, today)).toBeUndefined()
    }
  })

  test('judges a value of 50,000 characters in under 100 ms', { tags: ['timing'] }, () => {
    for (const unit of ['a', 'A', '0', ' ', '.', '<', '-', 'a@', 'GB00', 'FR1']) {
      const value = unit.repeat(50_000)
      const start = performance.now()
      checkStandard(standard, value, today)
      expect(performance.now() - start, unit).toBeLessThan(100)
    }
  })
})

describe.each(['nino', 'ppsn', 'sort-code', 'account-number', 'iban', 'birth-date'] as const)(
  'the %s',
  (standard) => {
    const { wrong, nearly = {} } = vectors[standard]

    test.each([...wrong, ...Object.keys(nearly)].map(String))(
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
  test('calls an official example what it is', () => {
    expect(message('nino', 'QQ123456A')).toMatch(/example for documentation/)
    expect(message('phone', '07700 900123')).toMatch(/Ofcom/)
    expect(message('eircode', 'A65 F4E2')).toMatch(/not a routing key/)
  })

  test('names the fault of a National Insurance number', () => {
    expect(message('nino', '11A11111')).toMatch(/temporary reference number/)
    expect(message('nino', 'AB123456')).toMatch(/last letter is missing/)
    expect(message('nino', 'BG123612A')).toMatch(/begins with these two letters/)
    expect(message('nino', 'AB123456E')).toMatch(/ends in A, B, C or D/)
    expect(message('nino', 'A1234567C')).toMatch(/two letters, six digits/)
  })

  test('tells a wrong check letter from a wrong form in a PPS number', () => {
    expect(message('ppsn', '6433435E')).toMatch(/check letter/)
    expect(message('ppsn', '111222333')).toMatch(/digits too many|seven digits/)
    expect(message('ppsn', '1234567WH')).toMatch(/company or a trust/)
    expect(message('ppsn', '1234567TW')).toMatch(/old form/)
  })

  test('names the fault of an IBAN', () => {
    expect(message('iban', 'UK29NWBK60161331926819')).toMatch(/country that issues/)
    expect(message('iban', 'GB29NWBK6016133192681')).toMatch(/21, and an IBAN of GB has 22/)
    expect(message('iban', 'IE95TE8270900834048660')).toMatch(/out of place/)
    expect(message('iban', 'GB00HLFX11016111455365')).toMatch(/check digits/)
    expect(message('iban', 'NL91ABNA0517164300')).toMatch(/check digits/)
  })

  test.each([
    ['sort-code', '12345', 'one digit is missing: there are 5, and a sort code has 6'],
    ['sort-code', '1', '5 digits are missing: there is 1, and a sort code has 6'],
    ['account-number', '123456', '2 digits are missing: there are 6, and an account number has 8'],
    ['nino', 'AB12345C', 'one character is missing: there are 8, and a National Insurance number has 9'],
    ['ppsn', '643343F', 'one character is missing: there are 7, and a PPS number has 8 or 9'],
    ['iban', 'IE29AIBK9311521234567', 'one character is missing: there are 21, and an IBAN of IE has 22'],
    ['company-number', '1234567', 'one digit is missing: there are 7, and a UK company number has 8'],
  ] as const)('counts what is missing from a %s, %s, and proposes no other', (standard, value, said) => {
    expect(checkStandard(standard, value, today)).toEqual({ message: said })
  })

  test('recognises a value that belongs into another field', () => {
    expect(message('postcode', 'D02 X285')).toMatch(/Eircode/)
    expect(message('eircode', 'SW1A 1AA')).toMatch(/UK postcode/)
    expect(message('sort-code', '12345678')).toMatch(/account number/)
    expect(message('account-number', '123456789')).toMatch(
      /^one digit too many: there are 9, .*some old ones had more/,
    )
    expect(message('tax-code', '1257L W1')).toMatch(/tax basis/)
  })

  test('says what is missing from a PRSI class and which letters are not for land', () => {
    expect(message('prsi-class', 'A')).toMatch(/subclass/)
    expect(message('ni-category', 'G')).toMatch(/ashore/)
  })

  test('tells the ages apart on the day itself', () => {
    expect(message('birth-date', '2026-06-16')).toMatch(/future/)
    expect(message('birth-date', '2026-06-15')).toMatch(/younger than 16/)
    expect(message('birth-date', '2010-06-16')).toMatch(/younger than 16/)
    expect(message('birth-date', '1925-06-15')).toBe('born in 1925? That is older than 100')
  })

  test('asks for the slip behind pay and a start that cannot be', () => {
    expect(message('hourly-rate', 1250)).toBe('more than 500 an hour: the decimal point may be missing')
    expect(message('hourly-rate', 0.125)).toMatch(/less than 1 an hour/)
    expect(message('salary', 38.5)).toMatch(/in thousands/)
    expect(message('start-date', '2206-05-01')).toBe('starts in 2206? That is more than two years ahead')
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
    for (const code of countryCodes) {
      expect(countryWarning(code)).toBeUndefined()
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

  test('judges 50,000 characters in under 100 ms', { tags: ['timing'] }, () => {
    const start = performance.now()
    expect(countryWarning('a'.repeat(50_000))).toBeDefined()
    expect(performance.now() - start).toBeLessThan(100)
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

test('a whole candidate is looked through in under 100 ms when every field holds 50,000 times the letter a', {
  tags: ['timing'],
}, () => {
  const long = 'a'.repeat(50_000)
  const fill = (fields: typeof candidate.fields): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, field.fields ? fill(field.fields) : long]),
    )
  for (const type of [candidate, candidateIreland]) {
    const body = fill(type.fields)
    const start = performance.now()
    expect(warnings(type, body, today).length).toBeGreaterThan(5)
    expect(performance.now() - start).toBeLessThan(100)
  }
})
