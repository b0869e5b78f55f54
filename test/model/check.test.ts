import { describe, expect, test } from 'vitest'
import { ExactNumber } from '../../src/files/json/numbers.ts'
import { fieldAt, leafFields } from '../../src/model/fields/field-tree.ts'
import {
  checkRecord,
  expectations,
  fitsField,
  surelyFits,
  unknownField,
} from '../../src/model/resources/check-record.ts'
import { candidateIreland } from '../../src/model/resources/ireland-candidate.ts'
import { paymentRate } from '../../src/model/resources/payment-rate.ts'
import { timesheet } from '../../src/model/resources/timesheet.ts'
import { candidate } from '../../src/model/resources/uk-candidate.ts'
import { sample } from '../../src/model/standards/sample.ts'
import { everyField } from '../every-field.ts'

describe('check', () => {
  test.each([
    ['UK', candidate, everyField('uk')],
    ['Irish', candidateIreland, everyField('ireland')],
  ])('finds nothing wrong with every field of a %s candidate, nor with none', (_, type, whole) => {
    expect(checkRecord(type, whole)).toEqual([])
    expect(checkRecord(type, {})).toEqual([])
    expect(checkRecord(type, { generalSetting: {}, bankSetting: {}, payrollSetting: {} })).toEqual([])
  })

  /** Of each type, what the document rules out. */
  const wrong: Record<string, readonly unknown[]> = {
    string: [7, true, null, [], {}],
    number: ['7', true, null, Number.NaN, Number.POSITIVE_INFINITY, new ExactNumber('1e400')],
    integer: [1.5, '7', null, new ExactNumber('9007199254740993.5'), new ExactNumber('1e400')],
    boolean: ['true', 0, null],
    date: ['2001-02-30', '2001-2-3', '04/11/1991', '2001-02-03T00:00:00.000Z', 20010203, ''],
    timestamp: '2026-04-06 2026-04-06T00:00:00Z 2026-04-06T00:00:00.000+01:00 2026-02-30T00:00:00.000Z'.split(
      ' ',
    ),
    decimal: [4000, '4,000.00', '£4000', '', '.5', '1e3'],
    country: ['GBR', 'G', 'United Kingdom', 44, ''],
    lines: ['1 Example Street', {}, null],
    array: [{}, 'x', null],
  }

  test.each(
    [candidate, candidateIreland, paymentRate].flatMap((type) =>
      leafFields(type.fields).map(({ path, field }) => ({ noun: type.displayName, path, field, type })),
    ),
  )('rules out what $path of $noun is not', ({ path, field, type }) => {
    for (const value of wrong[field.type] ?? []) {
      const given = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
      const allowed = field.assumed || (value === null && field.nullable)
      const issues = allowed ? [] : [{ path, message: expectations[field.type] }]
      expect(checkRecord(type, given)).toEqual(issues)
    }
  })

  test('names every place, and each once', () => {
    const given = { generalSetting: { DOB: 1, address: ['a', 2], x: 1 }, bankSetting: 'none', y: 2 }
    const paths = checkRecord(candidate, given).map(({ path }) => path)
    expect(paths.sort().join(' ')).toBe(
      'bankSetting generalSetting.DOB generalSetting.address[1] generalSetting.x y',
    )
  })

  test('rules out nothing of a record that is not shown, but for gaps in its lists', () => {
    expect(checkRecord(timesheet, { anything: [{ at: 'all' }], startDate: 7 })).toEqual([])
    const rates: unknown[] = []
    rates[2] = { units: '8' }
    expect(checkRecord(timesheet, { rates }).map(({ path }) => path)).toEqual(['rates[0]', 'rates[1]'])
  })
})

describe('an unknown field', () => {
  const meant = (type: typeof candidate, path: string) =>
    /; did you mean (.+)\?$/.exec(unknownField(type, path.split('.')).message)?.[1]

  test.each([
    ['generalSetting.forenam', 'generalSetting.forename'],
    ['generalSetting.Surname', 'generalSetting.surname'],
    ['generalSetting.dob', 'generalSetting.DOB'],
    ['generalSetting.niNumber', 'generalSetting.NINumber'],
    ['generalSetting.postcode', 'generalSetting.postCode'],
    ['generalSetting.mobil', 'generalSetting.mobile'],
    ['generalsetting', 'generalSetting'],
    ['payrollSettings', 'payrollSetting'],
    ['bankSetting.ibanReference', 'bankSetting.IBANReference'],
    ['generalSetting.pensionSetting.optstate', 'generalSetting.pensionSetting.optState'],
    ['payrollSetting.openingBalance.eeNi', 'payrollSetting.openingBalance.eeNI'],
    // The right name in the wrong place.
    ['taxCode', 'payrollSetting.taxCode'],
    ['generalSetting.sortCode', 'bankSetting.sortCode'],
    ['pensionSetting.memberId', 'generalSetting.pensionSetting.memberId'],
    ['payrollSetting.eeNI', 'payrollSetting.openingBalance.eeNI'],
  ])('%s was meant as %s', (given, path) => {
    expect(meant(candidate, given)).toBe(path)
  })

  test.each('generalSetting.zodiac generalSetting.email2x x bankSetting.bank payrollSetting.code'.split(' '))(
    '%s is like none, and nothing is guessed',
    (given) => {
      expect(meant(candidate, given)).toBeUndefined()
      expect(unknownField(candidate, given.split('.')).message).toBe('not a field of a UK candidate')
    },
  )
})

const types = [candidate, candidateIreland, paymentRate]

test.each([
  [
    'date',
    '2024-02-29 2000-02-29 1999-12-31 2026-04-30',
    '2025-02-29 1900-02-29 2026-04-31 2026-13-01 2026-00-01',
  ],
  [
    'timestamp',
    '2024-02-29T23:59:59.999Z',
    '2026-04-06T25:00:00.000Z 2026-04-06T00:60:00.000Z 2025-02-29T00:00:00.000Z',
  ],
  ['decimal', '12 -12.50 0', '12. 1,000 1e3'],
  ['country', 'GB gb', 'GBR 1B'],
] as const)('a %s is one that exists', (type, right, wrong) => {
  const fits = (value: string) => fitsField({ type, label: '' }, value)
  expect(right.split(' ').filter((value) => !fits(value))).toEqual([])
  expect([...wrong.split(' '), `${right.split(' ')[0]}\n`].filter(fits)).toEqual([])
})

test('surelyFits takes a whole record and nulls, but no other field, no gap and nothing that is no record', () => {
  for (const type of types) {
    const whole = sample(type)
    expect(checkRecord(type, whole)).toEqual([])
    expect(surelyFits(type.fields, { ...whole, other: 'a' })).toBe(false)
    for (const value of [null, 'text', 1, [whole]])
      expect(surelyFits(type.fields, value)).toBe(value === null)
    expect(fieldAt(type.fields, 'toString')).toBeUndefined()
    expect(surelyFits(type.fields, { toString: 'a' })).toBe(false)
  }
  expect(surelyFits(candidate.fields, sample(candidate))).toBe(true)
  expect(surelyFits(candidate.fields, { generalSetting: { city: null }, bankSetting: null })).toBe(true)
  // biome-ignore lint/suspicious/noSparseArray: it is what --set leaves
  expect(surelyFits(candidate.fields, { generalSetting: { address: [, 'a'] } })).toBe(false)
  // No null is left out of a list, so it would be sent.
  expect(surelyFits(candidate.fields, { generalSetting: { address: [null, 'a'] } })).toBe(false)
  expect(surelyFits(timesheet.fields, { rates: [{ rateId: 'STD', units: null }] })).toBe(false)
})

test('surelyFits is not sure of what is nested in an assumed field', () => {
  const fields = { guessed: { type: 'array', label: '', assumed: true } } as const
  expect(surelyFits(fields, { guessed: 'text' })).toBe(true)
  expect(surelyFits(fields, { guessed: [{ a: 1 }] })).toBe(false)
  expect(checkRecord({ ...candidate, fields }, { guessed: [{ a: 1 }] })).toEqual([])
})
