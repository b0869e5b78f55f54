import type { Issue } from '../../errors.ts'
import { isNumber, plainNumber } from '../../files/json/numbers.ts'
import { formatPath, isObject, type Json, type JsonObject, lastName, valueAt } from '../../files/json/path.ts'
import { countryCandidates } from '../countries/country-candidates.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Field, Fields, FieldType } from './field.ts'
import { fieldAt, leafFields } from './field-tree.ts'
import { nearest } from './nearest.ts'
import { requestSchema } from './request-schema.ts'

/** Issues for all that interface.md rules out, and each gap in a list. `fits`: what `surelyFits` said. */
export function checkRecord(type: RecordType, body: Json, fits?: boolean): Issue[] {
  if (!isObject(body))
    return [{ path: '', message: `expected ${type.displayName}: one JSON object, not ${jsonKind(body)}` }]
  const broken = brokenReference(type, body)
  if (type.documented && (fits ?? surelyFits(type.fields, body))) return broken
  const missing = hasGap(body) ? findGaps(body) : []
  // The fields of an undocumented record are not known, so nothing else can be wrong.
  const result = type.documented ? requestSchema(type).safeParse(body) : undefined
  const issues = result?.error?.issues ?? []
  const ruledOut = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key, at) => unknownField(type, [...issue.path, key], at < mostSuggestions))
      : [{ path: formatPath(issue.path), message: issue.message }],
  )
  return [...broken, ...missing, ...ruledOut.filter(({ path }) => !missing.some((gap) => gap.path === path))]
}

/** assumed: a reference is one line. One with a line break could be created, but not typed in a command. */
function brokenReference({ reference }: RecordType, body: JsonObject): Issue[] {
  const value = reference && valueAt(body, reference.request.split('.'))
  if (!reference || typeof value !== 'string' || !/[\n\r\v\f\x85\u2028\u2029]/.test(value)) return []
  return [{ path: reference.request, message: 'a line break in it: a reference is one line' }]
}

/** Whether a list has a gap. Faster than `findGaps`, which also says where; most records have none. */
function hasGap(value: Json): boolean {
  if (Array.isArray(value)) return value.includes(undefined) || value.some(hasGap)
  if (!isObject(value)) return false
  for (const name in value) {
    const inner = value[name]
    if (inner === undefined || (typeof inner === 'object' && hasGap(inner))) return true
  }
  return false
}

/** Finds missing list elements, as `--set rates[2]` alone leaves them: JSON would send null for them. */
function findGaps(value: Json, above: readonly string[] = []): Issue[] {
  if (!isObject(value) && !Array.isArray(value)) return []
  const names = Array.isArray(value) ? [...value.keys()].map(String) : Object.keys(value)
  return names.flatMap((name) => {
    const path = [...above, name]
    const inner = valueAt(value, [name])
    if (inner !== undefined) return findGaps(inner, path)
    return [{ path: formatPath(path), message: 'this item is missing, and a list cannot have gaps' }]
  })
}

/** More unknown names than this are not typing mistakes. */
const mostSuggestions = 20

/** The issue for an unknown field name: names the record that has it or, with `suggests`, the most similar field. */
export function unknownField(type: RecordType, segments: readonly PropertyKey[], suggests = true): Issue {
  const path = formatPath(segments)
  const name = String(segments.at(-1))
  const other = countryCandidates
    .map(({ sent }) => sent)
    .find((each) => each !== type && fieldAt(each.fields, path))
  if (other) return { path, message: `not a field of ${type.displayName}, only of ${other.displayName}` }
  if (!suggests) return { path, message: `not a field of ${type.displayName}` }
  const near = nearest(siblings(type.fields, segments), name)
  const meant =
    findElsewhere(type.fields, name) ??
    (near && formatPath([...segments.slice(0, -1), near])) ??
    (segments.length === 1 ? findElsewhere(type.fields, name, false) : undefined)
  const suggestion = meant ? `; did you mean ${meant}?` : ''
  return { path, message: `not a field of ${type.displayName}${suggestion}` }
}

function jsonKind(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value === null) return 'null'
  return isNumber(value) ? 'a number' : `a ${typeof value}`
}

/** The path of a field with this name elsewhere in the record or, without `exact`, of one with a similar name. */
function findElsewhere(fields: Fields, name: string, exact = true): string | undefined {
  const paths = leafFields(fields).map(({ path }) => path)
  const meant = exact ? name : nearest(paths.map(lastName), name)
  return paths.find((path) => lastName(path) === meant)
}

function siblings(fields: Fields, segments: readonly PropertyKey[]): string[] {
  const parent = segments.slice(0, -1)
  const here = parent.length === 0 ? fields : fieldAt(fields, formatPath(parent))?.fields
  return Object.keys(here ?? {})
}

/** Whether the request schema certainly takes a body: fast, and enough for most rows. If unsure, false. */
export function surelyFits(fields: Fields, body: Json, mayBeNull = false): boolean {
  if (!isObject(body)) return false
  for (const name in body) {
    const value = body[name]
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field || !((mayBeNull && value === null) || fitsField(field, value, mayBeNull))) return false
  }
  return true
}

function fitsField({ type, assumed, fields, item }: Field, value: Json, mayBeNull = false): boolean {
  if (assumed || type === 'unknown') return value !== undefined && !isNested(value)
  if (fields) return surelyFits(fields, value, mayBeNull)
  if (type === 'lines') return isWholeList(value) && value.every(isAnyText)
  if (type === 'array')
    return item !== undefined && isWholeList(value) && value.every((each) => fitsField(item, each))
  return sure[type]?.(value) ?? false
}

const isNested = (value: Json) => typeof value === 'object' && value !== null
/** `every` alone would pass over the gaps. */
const isWholeList = (value: Json): value is Json[] => Array.isArray(value) && !value.includes(undefined)
const isAnyText = (value: Json) => typeof value === 'string'
const matches = (pattern: RegExp) => (value: Json) => typeof value === 'string' && pattern.test(value)

/** A day that every year from 1900 to 2099 has. 29 February is left to the schema. */
const dayPattern = String.raw`(?:19|20)\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`

const sure: Partial<Readonly<Record<FieldType, (value: Json) => boolean>>> = {
  string: isAnyText,
  boolean: (value) => typeof value === 'boolean',
  number: Number.isFinite,
  integer: Number.isInteger,
  date: matches(new RegExp(`^${dayPattern}$`)),
  timestamp: matches(new RegExp(`^${dayPattern}T00:00:00\\.000Z$`)),
  decimal: matches(plainNumber),
  country: matches(/^[A-Za-z]{2}$/),
}
