import type { Client } from '../api/client.ts'
import { readSteadily } from '../api/pages.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { numberIn } from '../model/fields/amounts.ts'
import { keyOf } from '../model/natural-key.ts'
import { deadStateOf } from '../model/records/dead-state.ts'
import { idOf, idText, textIn } from '../model/records/identity.ts'
import { operations } from '../model/resources/operations.ts'
import { collectSaid, type ItemPerson, type ItemsOfPeople, personOn, type ReadItems } from '../model/whose.ts'
import { type Days, dayAfter, dayMs, fromTo } from '../text/day.ts'
import { type CodedRecord, eachItem, readCoded } from './lists.ts'
import { hasLeft, listNames, type Person, startsAfter } from './people.ts'
import { dayIn } from './values.ts'

/** The seven days up to a day. */
export const weekEnding = (day: string): Days => ({ first: dayAfter(day, -6), last: day })

/** A timesheet. A day is empty where the service shows no valid one. */
export interface Timesheet extends Days, ItemPerson {
  readonly id: string | undefined
  /** Empty where the timesheet has none. */
  readonly assignment: string
  /** Tax year and period, as the service wrote them. */
  readonly taxYear: Json
  readonly taxPeriod: Json
  readonly lines: readonly WorkedLine[]
  /** Undefined where nobody can tell the hours of each line. */
  readonly hours: number | undefined
  /** The state of a timesheet that will not be paid, such as `rejected`. */
  readonly dead: string | undefined
}

/** A line of a timesheet: its units, and what they come to in hours and pay, as far as its rate says it. */
export interface WorkedLine {
  /** The payment rate that it names; undefined where it names none, or not one alone. */
  readonly paymentRate: PaymentRate | undefined
  /** Hours in one unit: 0 where the unit is not time; undefined where nobody can tell. */
  readonly perUnit: number | undefined
  /** Whether it pays leave, and nothing was worked. */
  readonly isLeave: boolean
  readonly hours: number | undefined
  /** The pay of a unit, and of an hour: undefined where its unit is not time, or nobody can tell. */
  readonly pay: number | undefined
  readonly hourly: number | undefined
  /** The units as they are written, whether or not they are time. */
  readonly units: number | undefined
}

/** The timesheets of a period and those without readable days, and what all of them say of their people. */
export async function readWork(client: Client, { first, last }: Days): Promise<ReadItems<Timesheet>> {
  const rates = await readRates(client)
  return readSteadily(async () => {
    const [items, said] = [[] as Timesheet[], collectSaid()]
    await eachItem(client, operations.timesheets.list, (item) => {
      const sheet = timesheetOf(item, rates)
      said.add(sheet)
      const isOutside =
        (sheet.last !== '' && sheet.last < first) || (sheet.first !== '' && sheet.first > last)
      if (!isOutside) items.push(sheet)
    })
    return { items, said: said.all() }
  })
}

/** A payment rate of the service. */
export interface PaymentRate extends CodedRecord {
  readonly code: string
  /** Its code and description. */
  readonly name: string
  /** Hours in one unit: 0 where the unit is not time; undefined where the service does not say it, such as of a day. */
  readonly hours: number | undefined
  /** Whether it pays days or shifts. */
  readonly isOfDays: boolean
}

/** The payment rates of the service, by code and by id. */
export type Rates = ReadonlyMap<string, PaymentRate>

/** The payment rates of the service, by id and by code. Throws as a list does. */
export const readRates = (client: Client): Promise<Rates> =>
  readCoded(client, operations.paymentRates.list, 'code', (item, id, code) => {
    const about = [code, textIn(item.description)].filter(Boolean).join(', ')
    return {
      id,
      code: code || id,
      name: about || id,
      hours: hoursPerUnit(item),
      isOfDays: /day|daily/i.test(textIn(item.units)),
    }
  })

function hoursPerUnit({ hoursPerUnit: own, units }: JsonObject): number | undefined {
  const hours = numberIn(own)
  if (hours !== undefined && hours > 0) return hours
  const unit = textIn(units)
  if (/hour/i.test(unit)) return 1
  return /day|daily|week|fortnight|month/i.test(unit) ? undefined : 0
}

/** assumed: what a payment rate of leave is called. Hours on a bank holiday are worked. */
const isOfLeave = (name: string) => /holiday|\bleave\b/i.test(name) && !/bank|public|work/i.test(name)

/** The id or code of a payment rate, as a line of a timesheet names it; undefined for none. */
const rateIdIn = (value: Json): string | undefined =>
  (isObject(value) ? idOf(value) : idText(value))?.trim() || undefined

/** The payment rate that a line names; undefined where the list does not have it, or has two of that code. */
export function rateOf({ rateId }: JsonObject, rates: Rates | undefined): PaymentRate | undefined {
  const found = rates?.get(keyOf(rateIdIn(rateId) ?? ''))
  return found?.isAmbiguous ? undefined : found
}

/** The lines of a timesheet, of the service or of a file. */
export const rateLines = ({ rates }: JsonObject): JsonObject[] =>
  Array.isArray(rates) ? rates.filter(isObject) : []

/**
 * Reads the lines of a timesheet. assumed: a line that names no payment rate is by the hour, and so are all where the key
 * may not read the rates. A rate that the list does not have may be of any unit.
 */
export function workIn(record: JsonObject, rates: Rates | undefined): WorkedLine[] {
  return rateLines(record).map((line) => {
    const paymentRate = rateOf(line, rates)
    const isHourly = !rates || rateIdIn(line.rateId) === undefined
    const perUnit = paymentRate ? paymentRate.hours : isHourly ? 1 : undefined
    const [pay, units] = [numberIn(line.rate), numberIn(line.units)]
    return {
      ...{ paymentRate, perUnit, pay, units, isLeave: isOfLeave(paymentRate?.name ?? '') },
      hours: perUnit === undefined || units === undefined ? undefined : units * perUnit,
      hourly: perUnit && pay !== undefined ? pay / perUnit : undefined,
    }
  })
}

/** Whether nobody can tell the hours of a line: its payment rate is not known, or does not say them. */
export const hasUnknownRate = ({ perUnit, units }: WorkedLine) => perUnit === undefined && units !== 0

/** Reads a timesheet. assumed: the fields seen for this kind of service. */
function timesheetOf(item: JsonObject, rates: Rates): Timesheet {
  const lines = workIn(item, rates)
  return {
    id: idOf(item),
    ...personOn(item),
    assignment: textIn(item.assignmentRef),
    taxYear: item.taxYear,
    taxPeriod: item.taxPeriodConfig,
    first: dayIn(item.startDate) ?? '',
    last: dayIn(item.endDate) ?? '',
    lines,
    hours: lines.some(hasUnknownRate) ? undefined : hoursOf(lines),
    dead: deadStateOf(item),
  }
}

/** The hours of lines, of those whose hours are known. */
export const hoursOf = (lines: readonly WorkedLine[]): number =>
  lines.reduce((sum, { hours = 0 }) => sum + hours, 0)

/** The hours of lines that were worked: holiday that is left over is paid with the last timesheet. */
export const workedHours = (lines: readonly WorkedLine[]): number =>
  hoursOf(lines.filter(({ isLeave }) => !isLeave))

/** Whether a timesheet pays leave alone. */
export const isAllLeave = (lines: readonly WorkedLine[]): boolean =>
  lines.length > 0 && lines.every(({ isLeave }) => isLeave)

/** Whether both days of a timesheet could be read. */
export const hasDays = ({ first, last }: Days): boolean => first !== '' && last !== ''

/** Whether anything was worked. A timesheet without hours pays nothing. */
export const hasUnits = ({ lines }: Timesheet): boolean => lines.some(({ units = 0 }) => units > 0)

/** `timesheet from 4 May 2026 to 10 May 2026` */
export const nameOfSheet = (sheet: Timesheet): string =>
  hasDays(sheet)
    ? `timesheet ${fromTo(sheet)}`
    : `timesheet ${sheet.id ?? 'without an id'}, whose days cannot be read`

/** Why somebody is missing who has none at all, not even one that does not count. */
export const noTimesheet = 'no timesheet'

/** Why none of these timesheets is paid work of a week, such as `no timesheet`; undefined where one is. */
function whyNotPaid(week: Days, sheets: readonly Timesheet[]): string | undefined {
  const own = sheets.filter((sheet) => !hasDays(sheet) || isWorkOf(week, sheet))
  const isPaid = (sheet: Timesheet) => hasDays(sheet) && sheet.dead === undefined && hasUnits(sheet)
  if (own.some(isPaid)) return undefined
  // Two timesheets may meet in the week.
  const paid = sheets.filter(isPaid)
  const days = Array.from({ length: countDays(week) }, (_, at) => dayAfter(week.first, at))
  const covered = days.filter((day) => paid.some(({ first, last }) => first <= day && day <= last))
  if (2 * covered.length > days.length) return undefined
  const [sheet] = own
  if (!sheet) return noTimesheet
  if (sheet.dead !== undefined) return `the ${nameOfSheet(sheet)} is ${sheet.dead}`
  return hasDays(sheet) ? `the ${nameOfSheet(sheet)} has no hours` : nameOfSheet(sheet)
}

/** Why somebody has no paid work of a week, such as `no timesheet`; undefined: they have, left, or start later. */
export function whyMissing(
  person: Person,
  week: Days,
  work: ItemsOfPeople<Person, Timesheet>,
): string | undefined {
  if (hasLeft(person, week.first) || startsAfter(person, week.last)) return undefined
  const isOther = (each: Person) => each !== person && !hasLeft(each, week.first)
  const sheets = work.of(person).map((sheet) => ({ ...sheet, ...work.whose(sheet) }))
  const own = sheets.filter(({ doubt }) => doubt !== 'id')
  const sure = own.filter(({ people }) => !people.some(isOther))
  if (whyNotPaid(week, sure) === undefined) return undefined
  const why = whyNotPaid(week, own)
  const unsure = why === undefined ? own.find((sheet) => !sure.includes(sheet)) : undefined
  if (unsure) return `a timesheet, which may be that of ${listNames(unsure.people.filter(isOther))}`
  const mistyped = sheets.find(({ doubt }) => doubt === 'id')
  if (mistyped && whyNotPaid(week, sheets) === undefined)
    return `a timesheet for ${mistyped.reference}, which may be mistyped: it is their id, and others have the reference`
  return why
}

/** Whether a timesheet is for this week: it covers the week, or more than half of its days are in it. */
function isWorkOf(week: Days, sheet: Days): boolean {
  if (!hasDays(sheet)) return false
  if (sheet.first <= week.first && sheet.last >= week.last) return true
  const [from, to] = [max(week.first, sheet.first), min(week.last, sheet.last)]
  return from <= to && 2 * countDays({ first: from, last: to }) > countDays(sheet)
}

const max = (one: string, other: string) => (one > other ? one : other)
const min = (one: string, other: string) => (one < other ? one : other)
const countDays = ({ first, last }: Days) => Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1
