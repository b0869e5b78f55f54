import type { CountryId } from '../api/contract/countries/countries.ts'
import { isMask } from '../api/contract/mapping/service-masks.ts'
import { keyOf } from '../import/natural-key.ts'
import { isNumber } from '../json/numbers.ts'
import { hasNoValue, type Json, type JsonObject } from '../json/path.ts'
import type { Payroll, Person, Timesheet } from './payroll.ts'

/** How bad a finding is, the worst first, with the words above its group and in the summary. */
export const severities = {
  'stops-pay': { heading: 'Stops pay', one: 'stops pay', several: 'stop pay' },
  'likely-wrong': { heading: 'Likely wrong', one: 'is likely wrong', several: 'are likely wrong' },
  look: { heading: 'Wants a look', one: 'wants a look', several: 'want a look' },
} as const

export type Severity = keyof typeof severities

/** What mends a finding: new values of the person's fields, as `--set` takes them, or a command that shows it. */
export type Mend = { readonly set: readonly string[] } | { readonly run: readonly string[] }

/** What a rule sees. */
export interface Seen {
  /** Where it is not the one of the rule. */
  readonly severity?: Severity
  /** Whom it is about; undefined if the service has no such person, such as for a timesheet of an unknown reference. */
  readonly person: Person | undefined
  /** The reference of the person, or the text given instead of one. */
  readonly reference: string | undefined
  /** A sentence without a sensitive value, and without a full stop. */
  readonly seen: string
  /** The values it is about, by the names of their fields: masked where a person reads them. */
  readonly values?: JsonObject
  readonly mend: Mend
}

/** The lists that a rule looks at, besides the people. */
export type ReadList = 'timesheets' | 'payslips'

/** One rule, as data: what it looks for, why, and how. */
export interface Rule {
  readonly severity: Severity
  /** The country whose people it is for; all of them, unless said. */
  readonly country?: CountryId
  /** What it looks for, as a sentence about the person. */
  readonly sentence: string
  /** The law, the standard or the page that it follows. */
  readonly source: string
  /**
   * The fields without which it says nothing: paths of a request. It is left out for a country whose service shows none of
   * them, and that is said.
   */
  readonly needs: readonly string[]
  /** Fields that make it more exact. */
  readonly uses?: readonly string[]
  readonly lists?: readonly ReadList[]
  /** Whether it is about one week, and says nothing without `--week-ending`. */
  readonly ofWeek?: true
  /** `remark`: says once what could not be checked, and why. */
  readonly find: (payroll: Payroll, remark: (text: string) => void) => Iterable<Seen>
}

/** The text of a field; empty where there is none. */
export function textOf({ values }: Person, path: string): string {
  const value = values.get(path)
  return typeof value === 'string' ? value.trim() : isNumber(value) ? String(value) : ''
}

/** The amount or number of a field, which may be text; undefined where there is none. */
export function numberAt({ values }: Person, path: string): number | undefined {
  return amountOf(values.get(path))
}

/** A number, or the number that a text is; undefined where it is none. */
export function amountOf(value: Json): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  if (hasNoValue(text) || !(typeof text === 'string' || isNumber(text))) return undefined
  const amount = Number(text)
  return Number.isFinite(amount) ? amount : undefined
}

/** Whether there is no value, or a text of nothing but blanks. */
export const isBlank = (value: Json): boolean =>
  hasNoValue(value) || (typeof value === 'string' && value.trim() === '')

/** Whether the service shows a field of such people, and this one has no value in it. */
export function lacks({ shown }: Payroll, person: Person, path: string): boolean {
  return isBlank(person.values.get(path)) && shown[person.country.id].has(path)
}

/** The value as it can be compared; undefined where there is none, or a mask in its place. */
export function comparable(person: Person, path: string): string | undefined {
  const text = textOf(person, path)
  return text === '' || isMask({ name: path.split('.').at(-1) ?? '' }, text) ? undefined : text
}

/** Those who have joined and not left on a day: found once for the rules that ask, of which most ask for one day. */
export function activePeople(payroll: Pick<Payroll, 'people'>, day: string): readonly Person[] {
  const known = active.get(payroll)
  if (known?.day === day) return known.people
  const people = payroll.people.filter((person) => !hasLeft(person, day))
  active.set(payroll, { day, people })
  return people
}

const active = new WeakMap<
  Pick<Payroll, 'people'>,
  { readonly day: string; readonly people: readonly Person[] }
>()

/** assumed: a status with one of these words is that of somebody who has left; the states besides ACTIVE are not shown. */
const leftStatus = /left|leaver|terminat|inactive|archiv|deleted/i

/** Whether somebody had left before a day: "nullable dateLeft". */
export function hasLeft(person: Person, day: string): boolean {
  const left = textOf(person, 'dateLeft').slice(0, 10)
  return left === '' ? leftStatus.test(textOf(person, 'status')) : left < day
}

/** The timesheets of a person, in the days that are checked. */
export function timesheetsOf({ timesheets }: Payroll, { reference }: Person): readonly Timesheet[] {
  return reference === undefined ? [] : (timesheets.get(keyOf(reference)) ?? [])
}

/** What is seen of one person. */
export function seenOf(
  person: Person,
  seen: string,
  mend: Mend,
  more: Pick<Seen, 'severity' | 'values'> = {},
): Seen {
  return { person, reference: person.reference ?? person.id, seen, mend, ...more }
}

/** `Ann Sample (UK-07)` */
export function nameWithReference({ name, reference, id }: Person): string {
  const known = reference ?? id ?? 'without a reference'
  return name === undefined ? known : `${name} (${known})`
}

/** The day so many days after another; before it where they are negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
