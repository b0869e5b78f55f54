import { expect, test } from 'vitest'
import { candidateIreland } from '../../../src/api/contract/countries/ireland/candidate.ts'
import { candidate } from '../../../src/api/contract/countries/uk/candidate.ts'
import { surelyFits } from '../../../src/api/contract/fields/check.ts'
import type { Field } from '../../../src/api/contract/fields/field.ts'
import { fieldAt, leafFields } from '../../../src/api/contract/fields/field-tree.ts'
import { requestSchema, schemaOf } from '../../../src/api/contract/fields/request-schema.ts'
import { sample } from '../../../src/api/contract/fields/sample.ts'
import { paymentRate } from '../../../src/api/contract/records/payment-rate.ts'
import { ExactNumber } from '../../../src/json/numbers.ts'

const types = [candidate, candidateIreland, paymentRate]

/** Values that some field takes and another does not. */
const values: unknown[] = [
  ...['text', '', '12', '-12.50', '12.', '1e3', 'GB', 'gb', 'GBR', '2026-04-06', '2026-02-28'],
  ...['2026-02-30', '2026-04-31', '2026-05-31', '2024-02-29', '2025-02-29', '2026-13-01', '26-04-06'],
  ...['2026-04-06\n', '2026-04-06T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-04-06T00:00:00Z'],
  ...['2026-04-06T25:00:00.000Z', 1, 1.5, -0],
  Number.POSITIVE_INFINITY,
  Number.NaN,
  new ExactNumber('9007199254740993'),
  new ExactNumber('1e400'),
  true,
  null,
  undefined,
  {},
  { a: 1 },
  [],
  ['a'],
  ['a', 1],
  // biome-ignore lint/suspicious/noSparseArray: it is what --set leaves
  [, 'a'],
  [{ index: 1 }],
]

test('never is sure of a value that the schema refuses', () => {
  let sure = 0
  const fields = new Map<string, Field>()
  for (const { path, field } of types.flatMap(({ fields }) => leafFields(fields))) fields.set(path, field)
  for (const [path, field] of fields) {
    for (const value of values) {
      if (!surelyFits({ field }, { field: value })) continue
      sure += 1
      expect([path, value, schemaOf(field).safeParse(value).success]).toEqual([path, value, true])
      expect([path, Array.isArray(value) && value.includes(undefined)]).toEqual([path, false])
    }
  }
  expect(sure).toBeGreaterThan(fields.size)
})

test('is sure of a whole record, but of none with another field or with what is no record', () => {
  for (const type of types) {
    const whole = sample(type)
    expect(requestSchema(type).safeParse(whole).success).toBe(true)
    expect(surelyFits(type.fields, { ...whole, other: 'a' })).toBe(false)
    for (const value of [null, 'text', 1, [whole]]) expect(surelyFits(type.fields, value)).toBe(false)
    expect(fieldAt(type.fields, 'toString')).toBeUndefined()
    expect(surelyFits(type.fields, { toString: 'a' })).toBe(false)
  }
  expect(surelyFits(candidate.fields, sample(candidate))).toBe(true)
})
