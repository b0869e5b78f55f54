import { isDeepStrictEqual } from 'node:util'
import { isNumber, isSameDecimal } from '../../files/json/numbers.ts'
import {
  isEmpty,
  isObject,
  type Json,
  type JsonObject,
  parsePath,
  valueAt,
  withValueAt,
} from '../../files/json/path.ts'
import { dayOfTimestamp, timeIn } from '../../text/day.ts'
import { compactNumber } from '../../text/words.ts'
import { fieldAt } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import { ignoresSpaces, standardForm } from '../standards/standards.ts'
import { isSameTaxYear } from '../standards/tax-period.ts'
import { unreturnedFields } from './field-mapping.ts'
import { type MappedRecord, responseFieldAt } from './map-record.ts'
import { mayHide } from './service-masks.ts'

/** The fields in which a record after an update is not as it should be. */
export interface StoredValues {
  /** Requested changes that were not made: from the requested value to the stored, old one. */
  readonly old: readonly Difference[]
  /** Requested changes that are stored otherwise: from the requested value to the stored, third one. */
  readonly other: readonly StoredOtherwise[]
  readonly unrequested: readonly OwnForm[]
  /** Requested changes that cannot be checked: the service hides the field, or does not return it. */
  readonly notReturned: readonly string[]
}

interface OwnForm extends Difference {
  /** Whether the service has the value, in a form of its own. */
  readonly isOwnForm: boolean
}

interface StoredOtherwise extends OwnForm {
  /** Whether it has stored it so now. */
  readonly isAlike: boolean
}

/** Compares what was sent with what is returned. `isKnownHidden`: a service hid the field before. */
export function compareStored(
  type: RecordType,
  requested: readonly Difference[],
  body: JsonObject,
  now: MappedRecord,
  isKnownHidden: (path: string) => boolean = () => false,
): StoredValues {
  const isSame = valueComparer(type)
  const hidden = [...unreturnedFields(type), ...now.absent]
  const isHidden = (path: string) =>
    !now.nulls.has(path) && (hidden.some((each) => isWithin(path, each)) || isKnownHidden(path))
  const old: Difference[] = []
  const other: StoredOtherwise[] = []
  const notReturned: string[] = []
  for (const change of requested) {
    const { path, before, after: asked } = change
    const there = valueAt(now.body, path.split('.'))
    const isAbsent = there === undefined && isHidden(path)
    if (isAbsent || isLossy(change) || mayHide(type, path, there, asked)) notReturned.push(path)
    else if (!isSame(path, asked, there) && !isMovedOn(type, path, asked, there)) {
      const isAlike = isStoredAlike(type, path, asked, there)
      const isUnchanged = isSame(path, before, there)
      const difference = { path, before: asked, after: there }
      if (isUnchanged && !isAlike) old.push(difference)
      else other.push({ ...difference, isAlike: isAlike && !isUnchanged, isOwnForm: isAlike })
    }
  }
  const unrequested = differences(body, now.body)
    .filter(
      ({ path, before, after }) =>
        !requested.some((change) => isWithin(path, change.path) || isWithin(change.path, path)) &&
        !(after === undefined && isHidden(path)) &&
        !isSame(path, before, after),
    )
    .map((each) => ({ ...each, isOwnForm: isStoredAlike(type, each.path, each.before, each.after) }))
  return { old, other, unrequested, notReturned }

  /** "payrollApproveNeeded is returned as a boolean", and sent as text: other text cannot be compared. */
  function isLossy({ path, after }: Difference): boolean {
    const answerType = responseFieldAt(type, path.split('.'))?.type
    return answerType === 'boolean' && typeof after === 'string' && !/^(true|false)$/.test(after)
  }
}

/** Compares what was sent as a new record with the record. What the service filled in by itself is no difference. */
export function compareCreated(
  type: RecordType,
  body: JsonObject,
  record: MappedRecord,
  isKnownHidden?: (path: string) => boolean,
): StoredValues {
  const valuesSent = differences({}, body).filter(({ after }) => !isEmpty(after))
  return { ...compareStored(type, valuesSent, body, record, isKnownHidden), unrequested: [] }
}

/**
 * Says whether two values of a field, both under the names of a request, are one value in two spellings; a list, by its
 * elements. `isSameText`: of texts in which nothing is a number, a day or a code.
 */
export function valueComparer(
  type: RecordType,
  isSameText: (one: string, other: string) => boolean = hasSameLetters,
): (path: string, one: Json, other: Json) => boolean {
  const isSame = (path: string, one: Json, other: Json): boolean => {
    if (isEmpty(one) && isEmpty(other)) return true
    if (isDeepStrictEqual(one, other)) return true
    if (Array.isArray(one) && Array.isArray(other))
      return one.length === other.length && one.every((each, at) => isSame(`${path}[${at}]`, each, other[at]))
    if (isObject(one) && isObject(other))
      return differences(one, other).every((each) => isSame(`${path}.${each.path}`, each.before, each.after))
    // Within a list, a service may answer 40 where it was sent "40".
    if (isNumber(one) !== isNumber(other)) return isSame(path, asText(one), asText(other))
    if (typeof one !== 'string' || typeof other !== 'string') return false
    const answerType = responseFieldAt(type, parsePath(path) ?? [])?.type
    const { type: sentType, standard } = fieldAt(type.fields, path) ?? {}
    // A timestamp that is answered as a date has lost its time; some services answer a date as its midnight.
    if (answerType === 'date') return dayOf(one) === dayOf(other)
    if (answerType === 'timestamp') return isSameTime(one, other)
    // In a text, as the name of a department, 3.10 is another than 3.1.
    if ((answerType ?? sentType) !== 'string' && isSameDecimal(one, other)) return true
    // Services show a sort code as 12-34-56 or as 123456, and a person's number with spaces or without.
    if (ignoresSpaces(standard) && compactNumber(one) === compactNumber(other)) return true
    // Services write a tax year as 2026/27 or as 2026-27.
    if (path === 'taxYear' && isSameTaxYear(one, other)) return true
    return isSameText(one, other)
  }
  return isSame
}

const asText = (value: Json) => (isNumber(value) ? String(value) : value)

/** O'Example and O’Example are one name, and é is one letter, whichever way a program writes them. */
const hasSameLetters = (one: string, other: string) => plainQuotes(one) === plainQuotes(other)

/** A wanted record with the record's own spelling of what it has already: 12-34-56 for 123456, 40.00 for 40. Letters count. */
export function keepSpelling(type: RecordType, record: JsonObject, wanted: JsonObject): JsonObject {
  const isSame = valueComparer(type, () => false)
  return differences(record, wanted)
    .filter(({ path, before, after }) => !isEmpty(before) && !isEmpty(after) && isSame(path, before, after))
    .reduce<Json>(
      (whole, { path, before }) => withValueAt(whole, path.split('.'), before),
      wanted,
    ) as JsonObject
}

/** Whether the stored value is what the service makes of the given one: giving it again changes nothing. */
export function isMovedOn({ fields }: RecordType, path: string, said: Json, stored: Json): boolean {
  const { becomes = {} } = fieldAt(fields, path) ?? {}
  return typeof said === 'string' && Object.hasOwn(becomes, said) && becomes[said] === stored
}

/** Whether a text in JSON is another spelling of the stored standard form: 60-16-13 of 601613. */
export function isRewritten({ fields }: RecordType, path: string, said: Json, stored: Json): boolean {
  if (typeof said !== 'string' || typeof stored !== 'string') return false
  return said !== stored && standardForm(fieldAt(fields, path)?.standard, said) === stored
}

/** Whether the record holds what was requested, and nothing else changed. */
export function isAsAsked(comparison: StoredValues): boolean {
  return comparison.old.length + comparison.other.length + comparison.unrequested.length === 0
}

const isWithin = (path: string, section: string) => path === section || path.startsWith(`${section}.`)

/** Whether two timestamps are one time, or mean one day: services write a midnight with milliseconds or without, in UTC or with an offset. */
function isSameTime(one: string, other: string): boolean {
  const time = timeIn(one)
  return (time !== undefined && time === timeIn(other)) || dayOfTimestamp(one) === dayOfTimestamp(other)
}

const dayOf = (text: string) => dayOfTimestamp(text).slice(0, 'YYYY-MM-DD'.length)

const plainQuotes = (text: string) => text.normalize('NFC').replace(/[’‘ʼ]/g, "'")

/**
 * Whether a service has stored a value in its own way: a name in capitals, a postcode without its space, an amount
 * to the penny, a telephone number with its country.
 */
function isStoredAlike(type: RecordType, path: string, sent: Json, stored: Json): boolean {
  const isSame = valueComparer(type)
  const isAlike = (inner: string, one: Json, other: Json) =>
    isSame(inner, one, other) || isStoredAlike(type, inner, one, other)
  if (Array.isArray(sent) && Array.isArray(stored))
    return (
      sent.length === stored.length &&
      sent.every((one: Json, at) => isAlike(`${path}[${at}]`, one, stored[at]))
    )
  // What nothing declares of a line is the service's own: its id, or what its hours are worth.
  if (isObject(sent) && isObject(stored))
    return differences(sent, stored).every(({ path: name, before, after }) => {
      const inner = `${path}.${name}`
      return fieldAt(type.fields, inner) === undefined || isAlike(inner, before, after)
    })
  const { type: kind, standard } = fieldAt(type.fields, path) ?? {}
  // The digits of an account number are a text: with a zero in front it is another one.
  if (kind === 'number' || kind === 'decimal')
    return /\.\d{3}/.test(String(sent)) && Math.abs(Number(sent) - Number(stored)) < 0.01
  const bare = (value: Json) => {
    const text = typeof value === 'string' ? value.replaceAll(/\s/g, '').toLowerCase() : undefined
    return standard === 'phone' ? text?.replace(/^(?:\+|00)(?:44|353)(?:\(0\)|0)?/, '0') : text
  }
  return bare(sent) !== undefined && bare(sent) === bare(stored)
}

/**
 * Whether a text that is stored alike is what a program makes of the one that was sent: all of it in one
 * case, or with other spaces around digits. `McDonald` of `Mcdonald`, and `New Town` of `Newtown`, are what a
 * person has put right since.
 */
export function isMadeByProgram(sent: Json, stored: Json): boolean {
  if (Array.isArray(sent) && Array.isArray(stored))
    return sent.every((each: Json, at) => isMadeByProgram(each, stored[at]))
  if (isObject(sent)) return isDeepStrictEqual(sent, stored)
  if (typeof sent !== 'string' || typeof stored !== 'string') return true
  const spaced = (text: string) => text.trim().replaceAll(/\s+/g, /\d/.test(text) ? '' : ' ')
  const [one, other] = [spaced(sent), spaced(stored)]
  const lower = one.toLowerCase()
  const capitals = lower.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase())
  return [one, lower, capitals, one.toUpperCase()].includes(other)
}

/** A field with different values in two bodies. */
export interface Difference {
  readonly path: string
  readonly before: Json
  readonly after: Json
}

/** The differences between two bodies. Compares objects field by field, also with none, everything else as a whole. */
export function differences(before: Json, after: Json, under: readonly string[] = []): Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      differences(valueAt(before, [name]), valueAt(after, [name]), [...under, name]),
    )
  }
  if (isDeepStrictEqual(before, after)) return []
  if (isObject(after) && before === undefined) return differences({}, after, under)
  // A section that is taken away is told by its fields: each has its own mask.
  if (isObject(before) && after === undefined && under.length > 0) return differences(before, {}, under)
  return [{ path: under.join('.'), before, after }]
}

/** A changed list of equal length as changes of its items' fields; any other change as it is. */
export function withinList(change: Difference): readonly Difference[] {
  const { path, before, after } = change
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return [change]
  const each = before.map((one: Json, at) => {
    const other: Json = after[at]
    return isObject(one) && isObject(other)
      ? differences(one, other).map((inner) => ({ ...inner, path: `${path}[${at}].${inner.path}` }))
      : undefined
  })
  return each.every((inner) => inner !== undefined) ? each.flat() : [change]
}
