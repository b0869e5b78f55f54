import type { Issue } from '../../errors.ts'
import { ExactNumber, isNumber, isWhole, plainNumber } from '../../files/json/numbers.ts'
import {
  formatPath,
  hasNoValue,
  isObject,
  type Json,
  type JsonObject,
  lastName,
  valueAt,
} from '../../files/json/path.ts'
import { isRealDay } from '../../text/day.ts'
import type { Field, Fields, FieldType } from '../fields/field.ts'
import { fieldAt, leafFields } from '../fields/field-tree.ts'
import { nearest } from '../fields/nearest.ts'
import type { RecordType } from '../records/record-type.ts'
import { onlyElsewhere } from './country-candidates.ts'

/** The message when a value does not have the documented form. */
export const expectations: Readonly<Record<FieldType, string>> = {
  string: 'expected text in quotes',
  number: 'expected a number',
  integer: 'expected a whole number',
  boolean: 'expected true or false',
  date: 'expected a date that exists, as YYYY-MM-DD',
  timestamp: 'expected a UTC time with milliseconds, as 2026-04-06T00:00:00.000Z',
  decimal: 'expected a decimal number in quotes, as "4000.00"',
  country: 'expected a two-letter country code, as GB or IE',
  lines: 'expected a list of lines, as ["1 Example Street"]',
  array: 'expected a list in [ ]',
  object: 'expected an object in { }',
  unknown: 'expected a value',
}

/** Issues for all that interface.md rules out, and each gap in a list. `fits`: what `surelyFits` said. */
export function checkRecord(type: RecordType, body: Json, fits = false): Issue[] {
  if (!isObject(body))
    return [{ path: '', message: `expected ${type.displayName}: one JSON object, not ${jsonKind(body)}` }]
  // The fields of an undocumented record are not known, so only gaps can be wrong.
  const misfits = fits ? none : misfitsIn(body, type.documented ? recordOf(type.fields) : undefined)
  let unknown = 0
  const issues = misfits.map(({ at, message }) =>
    message === undefined
      ? unknownField(type, at, unknown++ < mostSuggestions)
      : { path: formatPath(at), message },
  )
  return [...brokenReference(type, body), ...issues]
}

/**
 * What an undocumented record has in another form than its fields declare. They are assumed, so it is only
 * doubted: a day as 16/11/2026 may be another one to the service. A number is as good as its text.
 */
export function formDoubts({ fields }: RecordType, body: JsonObject): Issue[] {
  return misfitsIn(body, recordOf(fields)).flatMap(({ at, message }) => {
    const value = valueAt(body, at)
    const isText = message === expectations.decimal || message === expectations.string
    const isMeant = hasNoValue(value) || (isNumber(value) && isText)
    return message === undefined || isMeant ? [] : [{ path: formatPath(at), message }]
  })
}

/** assumed: a reference is one line. One with a line break could be created, but not typed in a command. */
function brokenReference({ reference }: RecordType, body: JsonObject): Issue[] {
  const value = reference && valueAt(body, reference)
  if (!reference || typeof value !== 'string' || !/[\n\r\v\f\x85\u2028\u2029]/.test(value)) return []
  return [{ path: reference, message: 'a line break in it: a reference is one line' }]
}

/** More unknown names than this are not typing mistakes. */
const mostSuggestions = 20

/** The issue for an unknown field name: names the record that has it or, with `suggests`, the most similar field. */
export function unknownField(type: RecordType, segments: readonly string[], suggests = true): Issue {
  const path = formatPath(segments)
  const only = onlyElsewhere(type, (sent) => fieldAt(sent.fields, path) !== undefined)
  if (only !== undefined) return { path, message: only }
  const meant = suggests ? meantPath(type.fields, segments) : undefined
  const suggestion = meant ? `; did you mean ${meant}?` : ''
  return { path, message: `not a field of ${type.displayName}${suggestion}` }
}

/** The same name elsewhere in the record, else one like it. */
function meantPath(fields: Fields, segments: readonly string[]): string | undefined {
  const paths = [...Object.keys(fields), ...leafFields(fields).map(({ path }) => path)]
  const names = paths.map(lastName)
  const name = segments.at(-1) ?? ''
  const meant = names.includes(name) ? name : nearest(names, name)
  return paths.find((path) => lastName(path) === meant)
}

function jsonKind(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value === null) return 'null'
  return isNumber(value) ? 'a number' : `a ${typeof value}`
}

/** A value that has no place in a request, under the record that is checked. Without a message: no such field. */
interface Misfit {
  readonly at: readonly string[]
  readonly message?: string
}

const none: readonly Misfit[] = []
const gap: readonly Misfit[] = [{ at: [], message: 'this item is missing, and a list cannot have gaps' }]

type Checked = Pick<Field, 'type' | 'fields' | 'item' | 'nullable' | 'assumed'>

const recordOf = (fields: Fields): Checked => ({ type: 'object', fields })
const line: Checked = { type: 'string' }

/** Whether a value is one that the field takes. */
export const fitsField = (field: Field, value: Json): boolean => misfitsIn(value, field).length === 0

/**
 * Whether a request takes a body once its nulls are left out. False if unsure: what is nested in a field that
 * is assumed may have other names in a request.
 */
export const surelyFits = (fields: Fields, body: Json): boolean =>
  misfitsIn(body, recordOf(fields), 'nulls are left out').length === 0

/**
 * All that a field rules out in a value, and each gap in its lists, as `--set rates[2]` alone leaves them:
 * JSON would send null for them. Without a field, anything is allowed but a gap.
 */
function misfitsIn(
  value: Json,
  field: Checked | undefined,
  quick?: 'nulls are left out' | 'nulls are sent',
): readonly Misfit[] {
  if (value === undefined) return gap
  if (value === null && (quick === 'nulls are left out' || field?.nullable)) return none
  const known = field?.assumed || field?.type === 'unknown' ? undefined : field
  if (known && !takes[known.type](value)) return [{ at: [], message: expectations[known.type] }]
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return none
  if (quick && !known) return [{ at: [] }]
  const found: Misfit[] = []
  // What is left out of a list would move the items behind it.
  const inside = quick && Array.isArray(value) ? 'nulls are sent' : quick
  const visit = (name: string, inner: Json, its: Checked | undefined) => {
    const misfits = misfitsIn(inner, its, inside)
    if (misfits.length > 0)
      for (const { at, ...misfit } of misfits) found.push({ at: [name, ...at], ...misfit })
  }
  if (Array.isArray(value)) {
    const item = known?.type === 'lines' ? line : known?.item
    // Not by forEach, which passes over gaps.
    for (let at = 0; at < value.length; at++) visit(String(at), value[at], item)
    return found
  }
  const fields = known && (known.fields ?? {})
  for (const name in value) {
    if (!fields || Object.hasOwn(fields, name)) visit(name, (value as JsonObject)[name], fields?.[name])
    else found.push({ at: [name] })
  }
  return found
}

const isText = (value: Json): value is string => typeof value === 'string'
/** 1e400 is valid JSON but not a usable amount. */
const isFiniteNumber = (value: Json) => isNumber(value) && Number.isFinite(Number(value))

/** What each type takes; of a list or an object, its items come after. */
const takes: Readonly<Record<FieldType, (value: Json) => boolean>> = {
  string: isText,
  number: isFiniteNumber,
  integer: (value) => isFiniteNumber(value) && isWhole(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => isText(value) && isRealDay(value),
  timestamp: (value) =>
    isText(value) &&
    /^.{10}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/.test(value) &&
    isRealDay(value.slice(0, 10)),
  decimal: (value) => isText(value) && plainNumber.test(value),
  country: (value) => isText(value) && /^[A-Za-z]{2}$/.test(value),
  lines: Array.isArray,
  array: Array.isArray,
  object: isObject,
  unknown: () => true,
}
