import type { Issue } from '../../errors.ts'
import { hasNoValue, isObject, type Json, valueAt } from '../../files/json/path.ts'
import type { Fields, HourLine } from '../fields/field.ts'

/** A kind of record as it is sent, or as it is answered. */
export interface RecordType {
  /** For messages: `an Irish candidate`. */
  readonly displayName: string
  readonly fields: Fields
  /** The sign before its amounts of money, where that is known. */
  readonly currency?: string
  /** The default columns of a table: field paths. */
  readonly columns?: readonly string[]
  /** Whether the document shows these fields. Assumed fields are only displayed; nothing depends on them. */
  readonly documented: boolean
  /** The path of the reference that the sender chooses to recognise the record; for a document its name. */
  readonly reference?: string
  /** The fields by which a person knows the record, the best first. See `mapping/record-name.ts`. */
  readonly names?: readonly (readonly string[])[]
  /** The fields of its first and its last day, of a record for some days: one person has many of them. */
  readonly days?: readonly [first: string, last: string]
  /** assumed: names of its own id, besides those that every kind of record may use. */
  readonly idNames?: readonly string[]
  /** Our choice: a record without these fields is a mistake, unless --incomplete says that it is meant. */
  readonly needs?: readonly string[]
  /** Our choice too, by what HMRC and Revenue ask for: what nobody is paid rightly without. */
  readonly payNeeds?: readonly PayNeed[]
  /**
   * Our choice: what nearly every record has, and whose loss changes who is paid, how much or where. No
   * update goes without it unless something shows that the record has none. Of a list one is enough.
   */
  readonly valuable?: readonly (string | readonly string[])[]
  /** A list whose elements are known by what they say, and not by their place: the hours of a timesheet. */
  readonly lines?: HourLines | undefined
  /** Our choice: every stored record has these. One that came back without them is not sent back. */
  readonly neverWithout?: readonly string[]
  /** How a sent record is answered, where that differs. */
  readonly answer?: Answer
  /** Fields at the top of an answer that only the service sets, besides those of every record. No request has them. */
  readonly serviceOwned?: readonly string[]
}

/** What such a record is called without its article: `Irish candidate`. */
export const nounOfType = ({ displayName }: Pick<RecordType, 'displayName'>): string =>
  displayName.replace(/^an? /, '')

/** What pay needs of a person, or else it, the tax or the report of it goes wrong. */
export interface PayNeed {
  readonly name: 'person' | 'rate' | 'bank' | 'tax' | 'number' | 'notice'
  /** Paths of a request: each of them is needed. */
  readonly fields: readonly string[]
  /** All fields of one of these lists do as well: an IBAN in place of sort code and account number. */
  readonly or?: readonly (readonly string[])[]
  /** Whether a text of such a field is as good as none; `textOf` reads other fields. */
  readonly butNot?: (text: string, textOf: (path: string) => string) => boolean
  /** People who do not need it: by field, the words with which theirs begins, such as `paymentModel: ['CIS']`. */
  readonly unless?: Readonly<Record<string, readonly string[]>>
  /** It is needed only where this field is there. */
  readonly given?: string
  /** Whether 0 is as good as no value. */
  readonly aboveZero?: true
}

/** A list of lines, and its path. */
export interface HourLines extends HourLine {
  readonly path: string
}

interface Answer {
  readonly type: RecordType
  /** Sections and fields with two names, the request's first; the first match counts. An empty name is the top level. */
  readonly names: readonly (readonly [request: string, answer: string])[]
}

/** An issue for each field that a record needs and a body lacks. A text of nothing but spaces counts as none. */
export function lackingFields({ needs = [], displayName }: RecordType, body: Json): Issue[] {
  if (!isObject(body)) return []
  return needs
    .filter((path) => isBlank(valueAt(body, path)))
    .map((path) => ({ path, message: `${displayName} needs it` }))
}

/** The issues of a body that the one before it did not have. */
export function addedIssues(
  issuesOf: (type: RecordType, body: Json) => readonly Issue[],
  type: RecordType,
  before: Json,
  after: Json,
): readonly Issue[] {
  const pathsBefore = new Set(issuesOf(type, before).map(({ path }) => path))
  return issuesOf(type, after).filter(({ path }) => !pathsBefore.has(path))
}

/** Spaces, and characters that cannot be seen. */
const nothingVisible = /^[\s\p{C}]*$/u

/** Whether a value is empty, or a text that shows nothing. */
export const isBlank = (value: Json): boolean =>
  hasNoValue(value) || (typeof value === 'string' && nothingVisible.test(value))
