import { isNumber } from '../files/json/numbers.ts'
import { type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import { dayOfTimestamp, daysInWords } from '../text/day.ts'
import { ascii, foldText, wordsOf } from '../text/words.ts'
import { answerPath, placesAt, valueAtPlaces } from './mapping/field-mapping.ts'
import { deadStateOf } from './records/dead-state.ts'
import type { RecordType } from './records/record-type.ts'

/** The fields that identify a record, because the service returns no id and accepts no key of ours. */
export interface NaturalKey {
  /** Paths of its parts in a record that we send. */
  readonly request: readonly string[]
  /** Paths of the same parts in an item of the list. */
  readonly item: readonly string[]
}

/** These fields of a request as a key. */
export const keyOfFields = (type: RecordType, request: readonly string[]): NaturalKey => ({
  request,
  item: request.map((path) => answerPath(type, path)),
})

/** Where a record has its key, as messages name it. */
export const keyPath = ({ request }: NaturalKey): string => request.join(', ')

/** A kind of record that is identified by its key. */
export interface RecordKind {
  /** The plural, for messages: "candidates". */
  readonly noun: string
  readonly key: NaturalKey
  /** Fields that tell people apart: a record with the same key but another name is not ours. */
  readonly identityFields: readonly (readonly [request: string, item: string])[]
  /** Which parts of the key are the first and the last day of its period, if any are: its last ones. */
  readonly days?: readonly [first: number, last: number]
  /** The state of a record that is there and counts for nothing, such as `rejected`. */
  readonly deadState?: (record: JsonObject) => string | undefined
}

/** A candidate: the reference is the key, and name and birthday tell people apart. */
export const candidateKind: RecordKind = {
  noun: 'candidates',
  key: { request: ['generalSetting.agencyRef'], item: ['agencyRef'] },
  identityFields: [
    ['generalSetting.forename', 'forename'],
    ['generalSetting.surname', 'surname'],
    ['generalSetting.DOB', 'DOB'],
  ],
}

/** assumed: a person never has two timesheets for one assignment and the same days. */
const timesheetKey = ['subcontractorRef', 'assignmentRef', 'startDate', 'endDate']

/** A timesheet, told by its person, its assignment and its days. */
export const timesheetKind: RecordKind = {
  noun: 'timesheets',
  key: { request: timesheetKey, item: timesheetKey },
  identityFields: [],
  days: [2, 3],
  deadState: deadStateOf,
}

/** The noun for several such records where they change: `people`, `payment rates`. */
export const changedNoun = ({ noun, identityFields }: RecordKind): string =>
  identityFields.length > 0 ? 'people' : noun

/** The first and the last day of a key, and the text before them; undefined for a key without days. */
export function splitDays(name: string, { days }: RecordKind) {
  if (!days) return undefined
  const parts = name.split(separator)
  const [first = '', last = ''] = days.map((at) => parts[at])
  return { rest: parts.slice(0, days[0]).join(separator), first, last }
}

/** The first part of a key, by which the key of a timesheet names its person. */
export const firstPart = (name: string): string => splitKey(name)[0] ?? ''

/** The same person without an assignment, in the text before the days of a key: `UK-07 / -` for `UK-07 / A1`. */
export const withoutAssignment = (rest: string): string =>
  [...rest.split(separator).slice(0, -1), noPart].join(separator)

/** The same work of somebody else, in the text before the days of a key: `UK-08 / A1` for `UK-07 / A1`. */
export const withPerson = (rest: string, person: string): string =>
  [person, ...rest.split(separator).slice(1)].join(separator)

/** The sign in a key for a part that a record may be without. */
const noPart = '-'

/** assumed: a timesheet may have no assignment, and is then known by its person and its days. */
const mayBeMissing: ReadonlySet<string> = new Set(['assignmentRef'])

/** The key of a record that we send, as a person reads it; undefined if a part is missing that every record has. */
export function readKey(value: Json, paths: readonly string[]): string | undefined {
  return joinParts(
    paths.map((path) => readPart(valueAt(value, path)) || (mayBeMissing.has(path) ? noPart : '')),
  )
}

/** The raw value of each part of the key in an item of the list; undefined for a part that the item does not have. */
export function keyValues(item: Json, { request, item: itemPaths }: NaturalKey): Json[] {
  return itemPaths.map((path, at) => {
    const value = valueAtPlaces(item, placesAt(request[at] ?? path, path))
    return mayBeMissing.has(path) && readPart(value) === '' ? noPart : value
  })
}

/** The parts of a key, as `readKey` reads them; empty text for a missing part. */
export const readParts = (values: readonly Json[]): string[] => values.map(readPart)

/** Joins the parts of a key; undefined if one is empty. A key of one part is that part. */
export function joinParts(parts: readonly string[]): string | undefined {
  if (parts.includes('')) return undefined
  return parts.length === 1 ? parts[0] : parts.map(maskSlashes).join(separator)
}

/** A part in which nothing looks like the separator: `ACME // 01` for `ACME / 01`. */
const maskSlashes = (part: string) =>
  part.includes('/') ? part.replaceAll(/(?<=^| )\/+(?= |$)/g, '$&/') : part

/** The key of an item of the list, as a person reads it; undefined if a part is missing that every record has. */
export const readListedKey = (item: Json, key: NaturalKey): string | undefined =>
  joinParts(readParts(keyValues(item, key)))

/** The parts of a key of several. */
const splitKey = (name: string): string[] =>
  name.split(separator).map((part) => part.replaceAll(/(?<=^| )\/(?=\/+(?: |$))/g, ''))

/** A key as a person reads it: `A-7, week ending 31 May 2026` for the person and the days of a timesheet. */
export function keyInWords(name: string): string {
  const [person = '', assignment = '', first = '', last = ''] = splitKey(name)
  const days = daysInWords(first, last)
  if (days === undefined) return name
  return [person, ...(assignment === noPart ? [] : [`assignment ${assignment}`]), days].join(', ')
}

/** Whether a part of a key is a JSON number, which has lost its leading zeros. */
export const hasNumber = (values: readonly Json[]): boolean => values.some(isNumber)

/** A key without leading zeros in its numbers: some services store `0003` as the number 3. */
export function withoutLeadingZeros(key: string): string {
  return key
    .split(separator)
    .map((each) => (/^\d+$/.test(each) ? each.replace(/^0+(?=\d)/, '') : each))
    .join(separator)
}

const separator = ' / '

/** The key in a form for comparing: a service may trim it or change its case. */
export function keyOf(name: string): string {
  const trimmed = name.trim()
  // Most keys. In these only small and capital letters can differ.
  if (ascii.test(trimmed)) return trimmed.toLowerCase()
  // Upper case first: only that makes `ß` equal to `SS`, and `ſ` equal to `S`.
  return trimmed.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** A name as it is compared: without capitals, accents, blanks and signs. */
export function nameKey(name: string): string {
  const text = foldText(name)
  return lettersAndBlanks.test(text) ? text.replaceAll(' ', '') : text.replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** What may stand before a name, and is no part of it. */
const titles: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr'])

const titleBefore = new RegExp(`^\\s*(?:${[...titles].join('|')})\\b\\.?\\s+(?=\\S)`, 'i')

/** A name without a title before it: `Ann Sample` of `Mrs Ann Sample`. */
export const withoutTitle = (name: string): string => name.replace(titleBefore, '')

/** The words of a name without titles, in an order that is always the same. */
export const wordsOfName = (name: string): readonly string[] =>
  wordsOf(name)
    .filter((word) => !titles.has(word))
    .sort()

/** Most names: nothing but blanks is taken out. */
const lettersAndBlanks = /^[a-z0-9 ]*$/

/** Whether a record of a list has a key, as an import compares them. */
export function hasKey(record: Json, key: NaturalKey, name: string): boolean {
  const values = keyValues(record, key)
  const [itemKey, wantedKey] = [keyOf(joinParts(readParts(values)) ?? ''), keyOf(name)]
  return hasNumber(values)
    ? withoutLeadingZeros(itemKey) === withoutLeadingZeros(wantedKey)
    : itemKey === wantedKey
}

/** Whether two texts or days are there and differ: spaces, punctuation and capitals do not make another person. */
export function textsDiffer(mine: Json, theirs: Json): boolean {
  if (typeof mine !== 'string' || typeof theirs !== 'string') return false
  const [one, other] = [bareText(mine), bareText(theirs)]
  return one !== '' && other !== '' && one !== other
}

const bareText = (text: string) => keyOf(dayOfTimestamp(text.trim())).replaceAll(/[\s\p{P}]+/gu, '')

function readPart(value: Json): string {
  if (isNumber(value)) return String(value)
  return typeof value === 'string' ? dayOfTimestamp(value.normalize('NFC').trim()) : ''
}
