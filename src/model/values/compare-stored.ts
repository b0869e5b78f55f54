import { isDeepStrictEqual } from 'node:util'
import { isDecimal, isNumber } from '../../files/json/numbers.ts'
import {
  isEmpty,
  isObject,
  type Json,
  type JsonObject,
  parsePath,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../../files/json/path.ts'
import { canonicalJson } from '../../files/json/stringify.ts'
import { onceFor, onceForText } from '../../once.ts'
import { dayOfTimestamp, timestampOf } from '../../text/day.ts'
import { compactNumber } from '../../text/words.ts'
import { exactIn } from '../fields/amounts.ts'
import type { Field } from '../fields/field.ts'
import { fieldAt } from '../fields/field-tree.ts'
import { neverReturned } from '../mapping/field-mapping.ts'
import { answeredField, inEveryRecord, type MappedRecord, toBoolean } from '../mapping/map-record.ts'
import { mayHide } from '../mapping/service-masks.ts'
import { idOf } from '../records/identity.ts'
import type { RecordType } from '../records/record-type.ts'
import { isSameTelephone } from '../standards/contact.ts'
import { countryCode } from '../standards/country.ts'
import { ignoresSpaces, standardForm } from '../standards/standards.ts'
import { isShortFor, plainTaxYear, readTaxPeriod } from '../standards/tax-period.ts'
import { codeLetters, readCode } from './read-code.ts'

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
  const hidden = [...neverReturned(type), ...now.sectionsNotReturned]
  const isHidden = (path: string) =>
    !now.nulls.has(path) && (hidden.some((each) => isWithin(path, each)) || isKnownHidden(path))
  const old: Difference[] = []
  const other: StoredOtherwise[] = []
  const notReturned: string[] = []
  for (const change of requested) {
    const { path, before, after: asked } = change
    const there = valueAt(now.body, path)
    const isNotReturned = there === undefined && isHidden(path)
    if (isNotReturned || isLossy(change) || mayHide(type, path, there, asked)) notReturned.push(path)
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
    const answerType = answeredField(type, path.split('.'))?.type
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

/** Says whether two values of a field, both under the names of a request, are one value in two spellings. */
export function valueComparer(type: RecordType): (path: string, one: Json, other: Json) => boolean {
  return (path, one, other) => {
    if (isDeepStrictEqual(one, other)) return true
    const [mine, theirs] = [one, other].map((value) => plainValue(type, path, value))
    return isDeepStrictEqual(mine, theirs)
  }
}

/**
 * The value of a field in the one spelling in which all that compare values compare them: with what a service stores, with
 * a row, with a mark. Undefined where there is none.
 */
export const plainValue = (type: RecordType, path: string, value: Json): Json => plainerOf(type)(path)(value)

type Plainer = (value: Json) => Json

const plainerOf = onceFor((type: RecordType) => onceForText((path) => findPlainer(type, path)))

function findPlainer(type: RecordType, path: string): Plainer {
  const answered = answeredField(type, parsePath(path) ?? [path])
  const field = fieldAt(type.fields, path) ?? answered
  const plainText = textPlainer(path, field, answered?.type)
  return function plain(value: Json): Json {
    if (isEmpty(value)) return undefined
    if (Array.isArray(value)) {
      const elements = value.map((each: Json) => plainValue(type, `${path}[0]`, each))
      while (elements.length > 0 && elements.at(-1) === undefined) elements.pop()
      if (elements.length === 0) return undefined
      // Lines of hours are told apart by what they say: services have an order of their own.
      return type.lines?.path === path ? elements.map(canonicalJson).sort() : elements
    }
    if (!isObject(value)) return plainText(value)
    // A service may answer a record where its id is sent.
    const id = field?.type === 'string' ? idOf(value) : undefined
    if (id !== undefined) return id
    const members = Object.entries(value).flatMap(([name, each]) => {
      const member = inEveryRecord.has(name) ? undefined : plainValue(type, `${path}.${name}`, each)
      return member === undefined ? [] : [[name, member] as const]
    })
    return members.length > 0 ? Object.fromEntries(members) : undefined
  }
}

/** How a value that is no list and no object is written plainly, by its field and the type in which it is answered. */
function textPlainer(path: string, field: Field | undefined, answered: Field['type'] | undefined): Plainer {
  const { type, standard, codes, exampleValues } = field ?? {}
  // Services write a tax year as 2026/27 or as 2026-27, and a week as Week 8 or as W8. 2026 and 8 may be another year and a month.
  if (path === 'taxYear') return (value) => plainTaxYear(String(value)) ?? value
  if (path === 'taxPeriodConfig') return (value) => readTaxPeriod(value) ?? value
  if (type === 'boolean') return toBoolean
  if (answered === 'boolean') return (value) => String(toBoolean(value))
  // A zero in front, as an account number may have, is of a text: the amounts of a record without declared fields have none.
  if (type === 'number' || type === 'integer' || type === 'decimal') return plainAmount
  if (type === undefined || type === 'unknown')
    return (value) =>
      isNumber(value) || (typeof value === 'string' && isDecimal(value)) ? plainAmount(value) : value
  const plainOf = (text: string): string => {
    if (type === 'date' || answered === 'date') return dayOf(text)
    if (type === 'timestamp') return timestampOf(dayOfTimestamp(text))
    // A service that answers Weekly for WEEKLY would be sent it again each night.
    if (codes || exampleValues) return codeLetters(text) || text
    if (type === 'country') return countryCode(text) ?? text
    // A sort code is 12-34-56 or 123456, and a person's number has spaces or none; a postcode has its one space.
    if (ignoresSpaces(standard)) return compactNumber(text)
    // O'Example and O’Example are one name, and é is one letter, whichever way a program writes them.
    return plainQuotes(text)
  }
  return (value) => plainOf(String(value))
}

const plainQuotes = (text: string) => text.normalize('NFC').replace(/[’‘ʼ]/g, "'")

/** An amount as a number without what floating point adds to it; one that no double can hold as it is written. */
function plainAmount(value: Json): Json {
  const amount = exactIn(value)
  if (amount === undefined) return value
  if (typeof amount === 'number' && Math.abs(amount) < 1e9) return Number(amount.toFixed(6))
  return String(amount)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

/** Whether the stored value is what the service makes of the given one: giving it again changes nothing. */
export function isMovedOn(type: RecordType, path: string, said: Json, stored: Json): boolean {
  const { becomes = {} } = fieldAt(type.fields, path) ?? {}
  const isSame = valueComparer(type)
  return Object.entries(becomes).some(([from, to]) => isSame(path, from, said) && isSame(path, to, stored))
}

/** Whether the record holds what was requested, and nothing else changed. */
export function isAsAsked(comparison: StoredValues): boolean {
  return comparison.old.length + comparison.other.length + comparison.unrequested.length === 0
}

const isWithin = (path: string, section: string) => path === section || path.startsWith(`${section}.`)

const dayOf = (text: string) => {
  const day = dayOfTimestamp(text.trim())
  const [, date, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(day) ?? []
  return year === undefined ? day.slice(0, 'YYYY-MM-DD'.length) : `${year}-${month}-${date}`
}

/**
 * Whether a service has stored a value in its own way: a name in capitals or without its space, F for FEMALE, an amount to
 * the penny. `by a program`: as a program alone makes it of what was sent, all in one case, or with other spaces around
 * digits. `McDonald` of `Mcdonald`, and `New Town` of `Newtown`, are what a person has put right since.
 */
export function isStoredAlike(
  type: RecordType,
  path: string,
  sent: Json,
  stored: Json,
  how?: 'by a program',
): boolean {
  const pairs = pairsIn(sent, stored)
  if (pairs) {
    const isSame = valueComparer(type)
    // What is declared of a line tells what the service may work out anew: its id, or what its hours are worth.
    const isDeclared = fieldAt(type.fields, path)?.fields !== undefined
    return pairs.every(([name, one, other]) => {
      const at = path + name
      const isOwn = isDeclared && !fieldAt(type.fields, at) && !isEmpty(other)
      return isOwn || isSame(at, one, other) || isStoredAlike(type, at, one, other, how)
    })
  }
  const field = fieldAt(type.fields, path)
  // The digits of an account number are a text: with a zero in front it is another one.
  if (field?.type === 'number' || field?.type === 'decimal')
    return /\.\d{3}/.test(String(sent)) && Math.abs(Number(sent) - Number(stored)) < 0.01
  if (taxFields.has(path)) return isShortFor(String(sent), String(stored))
  if (typeof sent !== 'string' || typeof stored !== 'string') return false
  const bare = (text: string) => text.replaceAll(/\s/g, '').toLowerCase()
  const isSpelling = how ? isMadeByProgram(sent, stored) : bare(sent) === bare(stored)
  return isSpelling || isWordFor(type, path, sent, stored)
}

function isMadeByProgram(sent: string, stored: string): boolean {
  const spaced = (text: string) => text.trim().replaceAll(/\s+/g, /\d/.test(text) ? '' : ' ')
  const text = spaced(sent)
  const lower = text.toLowerCase()
  const capitals = lower.replaceAll(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase())
  return [text, lower, capitals, text.toUpperCase()].includes(spaced(stored))
}

const taxFields: ReadonlySet<string> = new Set(['taxYear', 'taxPeriodConfig'])

/** Whether a service has a word of its own for a code, F for FEMALE, or shows a telephone number with its country. */
function isWordFor({ fields }: RecordType, path: string, code: string, word: string): boolean {
  const field = fieldAt(fields, path)
  if (field?.standard === 'phone') return isSameTelephone(code, word)
  return field !== undefined && code === readCode(field, word)
}

/** The elements or members of two lists or objects, each with what leads to it; undefined where there are none to compare. */
function pairsIn(sent: Json, stored: Json): (readonly [name: string, one: Json, other: Json])[] | undefined {
  if (Array.isArray(sent) && Array.isArray(stored)) {
    const [one, other] = [sent, stored].map((list) => list.filter((each: Json) => !isEmpty(each)))
    if (!one || one.length !== other?.length) return undefined
    return one.map((each: Json, at: number) => ['[0]', each, other[at]])
  }
  if (!isObject(sent) || !isObject(stored)) return undefined
  return Object.entries(sent).map(([name, each]) => [`.${name}`, each, stored[name]])
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

/** What stays of a record, whatever is wanted, and how closely the rest is compared. */
interface ChangeRules {
  readonly isKept: (difference: Difference) => boolean
  /** Whether the service hides a field, which may then have a value that is to go. */
  readonly isHidden?: (path: string) => boolean
  /** Whether a typographic apostrophe may be what is put right. */
  readonly lettersCount?: boolean
}

/** What a wanted record changes of one, and the record with it: a value that is there in another spelling stays as it is. */
export function changesBetween(
  type: RecordType,
  before: JsonObject,
  wanted: Json,
  { isKept, isHidden = () => false, lettersCount = false }: ChangeRules,
): { readonly requested: readonly Difference[]; readonly after: JsonObject } {
  const isSame = valueComparer(type)
  const unknown = neverReturned(type)
  // Of a field that no answer returns nobody knows that it is empty.
  const isThere = ({ path, before, after }: Difference) =>
    before === undefined
      ? isEmpty(after) && !unknown.includes(path) && !isHidden(path)
      : (isSame(path, before, after) && !(lettersCount && isRetyped(before, after))) ||
        isRewritten(type, path, after, before)
  const all = differences(before, wanted)
  const requested = all.filter((each) => !isKept(each) && !isThere(each))
  const after = all
    .filter((each) => !requested.includes(each))
    .reduce<Json>((record, { path, before: there }) => {
      const segments = path.split('.')
      return there === undefined ? withoutValueAt(record, segments) : withValueAt(record, segments, there)
    }, wanted)
  return { requested, after: after as JsonObject }
}

/** Whether two texts, or any of two lists, are one in other letters: O'Example and O’Example. */
function isRetyped(one: Json, other: Json): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.some((each: Json, at) => isRetyped(each, other[at]))
  if (typeof one !== 'string' || typeof other !== 'string') return false
  return one !== other && plainQuotes(one) === plainQuotes(other)
}

/** Whether a text is another spelling of the stored standard form: ls11aa of LS1 1AA. */
function isRewritten({ fields }: RecordType, path: string, said: Json, stored: Json): boolean {
  if (typeof said !== 'string' || typeof stored !== 'string') return false
  return said !== stored && standardForm(fieldAt(fields, path)?.standard, said) === stored
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
