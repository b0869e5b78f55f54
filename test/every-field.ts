import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Json, JsonObject } from '../src/files/json/path.ts'
import { documentText, readDocument } from './interface/read/interface.ts'
import type { Shape, Shapes } from './interface/read/shape.ts'
import { freshHome } from './payroll.ts'

/**
 * Candidates with every field that interface.md shows. A new field needs one value, in
 * test/fixtures/candidate-uk.json; an Irish candidate takes it from there. What is only Irish, or has another
 * value in Ireland, is in candidate-ireland.json. The names come from interface.md alone, and so does what an
 * answer makes of the values: the contract has no say in it.
 */
const { candidates } = readDocument(documentText)

const values = (country: Country): JsonObject =>
  JSON.parse(readFileSync(new URL(`fixtures/candidate-${country}.json`, import.meta.url), 'utf8'))

export type Country = 'uk' | 'ireland'

/** The body of a request with every field. A new object each time. */
export function everyField(country: Country): any {
  const sources = country === 'uk' ? [values('uk')] : [values('ireland'), values('uk')]
  return named(candidates[country], sources, country)
}

/** The same as a file, for `--file`. It is gone after the test. */
export function everyFieldFile(country: Country): string {
  const path = join(freshHome(), `candidate-${country}.json`)
  writeFileSync(path, JSON.stringify(everyField(country)))
  return path
}

/** The values of the fields that are named, each from the first source that has it. */
function named(fields: Shapes, sources: readonly JsonObject[], path: string): JsonObject {
  const entries = Object.entries(fields).map(([name, field]): [string, Json] => {
    const found = sources.filter((source) => Object.hasOwn(source, name)).map((source) => source[name])
    const [first] = found
    if (first === undefined) throw new Error(`test/fixtures has no value for ${path}.${name}`)
    return [name, field.fields ? named(field.fields, found as JsonObject[], `${path}.${name}`) : first]
  })
  return Object.fromEntries(entries)
}

/** What the service adds to an Irish candidate by itself, or answers whatever was sent. */
const added: Readonly<Record<string, unknown>> = {
  id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  status: 'ACTIVE',
  registrationStatus: 'REGISTRATION_COMPLETE',
  dateLeft: null,
  reason: null,
}

/** The answer to an Irish candidate with every field, in the form that interface.md shows. */
export function everyFieldResponse(): any {
  const { generalSetting, bankSetting, payrollSetting } = everyField('ireland')
  return answered(candidates.answer, {
    ...generalSetting,
    bank: bankSetting,
    setting: payrollSetting,
    ...added,
  })
}

function answered(fields: Shapes, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = sent[name]
      if (value === undefined) throw new Error(`an answer has ${name}, which no request has: add its value`)
      return [name, inForm(field, value)]
    }),
  )
}

const midnight = /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/

/** A value in the form of the answer: a timestamp is a date unless it is marked, and "Required" is true. */
function inForm({ type, fields }: Shape, value: unknown): unknown {
  if (type === 'object' && fields) return answered(fields, value as JsonObject)
  if (type !== 'timestamp' && typeof value === 'string' && midnight.test(value)) return value.slice(0, 10)
  if (type === 'boolean' && typeof value === 'string') return value === 'Required'
  return value
}

/** Typed by hand from "Request body of Create new Payment Rate"; its `defaultVATCode` is the id of a record. */
export const everyRateField = {
  description: 'Day rate',
  displayOnPayslip: true,
  status: 'ACTIVE',
  code: 'DAY',
  type: 'RATE',
  units: 'DAILY',
  hoursPerUnit: 7.5,
  includeInCisCalculation: false,
  includeNICalculation: true,
  includeTaxCalculation: true,
  includePensionCalculation: false,
  includeAccrueHolidayPay: true,
  raiseInvoice: false,
  includeInPayeCalculation: true,
}
