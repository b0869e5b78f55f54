import type { Client } from '../api/client.ts'
import { fetchPages, readSteadily } from '../api/pages.ts'
import { hasNoValue, isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { keyOf } from '../model/natural-key.ts'
import type { Operation } from '../model/operations/operation.ts'
import { operations } from '../model/operations/operations.ts'
import { idOf, idText } from '../model/records/identity.ts'
import { dayAfter, dayMs } from '../text/day.ts'
import { dayIn, numberIn, textIn } from './values.ts'

/** Days from the first to the last, both included. */
export interface Days {
  readonly first: string
  readonly last: string
}

/** The seven days up to a day. */
export const weekEnding = (day: string): Days => ({ first: dayAfter(day, -6), last: day })

/** A timesheet. A day is empty where the service shows no valid one. */
export interface Timesheet extends Days {
  readonly id: string | undefined
  readonly reference: string
  /** Empty where the timesheet has none. */
  readonly assignment: string
  readonly lines: readonly WorkedLine[]
  readonly hours: number
  /** The state of a timesheet that will not be paid, such as `rejected`. */
  readonly dead: string | undefined
}

interface WorkedLine {
  /** The pay of an hour; undefined without a rate, or where its unit is not time. */
  readonly hourly: number | undefined
  readonly hours: number | undefined
  /** The units as the service has them, whether or not they are time. */
  readonly units: number | undefined
}

/** Passes each item of a list to `use`, page by page, because there may be too many to keep. */
export async function eachItem(
  client: Client,
  list: Operation,
  use: (item: JsonObject) => void,
): Promise<void> {
  for await (const items of fetchPages(client, list)) for (const item of items) if (isObject(item)) use(item)
}

/** The timesheets of a period by person, including those whose days cannot be read. Throws as a list does. */
export async function readWork(
  client: Client,
  { first, last }: Days,
): Promise<ReadonlyMap<string, readonly Timesheet[]>> {
  const rates = await readSteadily(() => readRates(client))
  return readSteadily(async () => {
    const sheets = new Map<string, Timesheet[]>()
    await eachItem(client, operations.timesheets.list, (item) => {
      const sheet = timesheetOf(item, rates)
      if ((sheet.last !== '' && sheet.last < first) || (sheet.first !== '' && sheet.first > last)) return
      const key = keyOf(sheet.reference)
      const others = sheets.get(key)
      if (others) others.push(sheet)
      else sheets.set(key, [sheet])
    })
    return sheets
  })
}

/** Hours in one unit of each payment rate, by id and by code; undefined where the unit is not time. */
type HoursPerUnit = ReadonlyMap<string, number | undefined>

async function readRates(client: Client): Promise<HoursPerUnit> {
  const hours = new Map<string, number | undefined>()
  await eachItem(client, operations.paymentRates.list, (rate) => {
    const perUnit = hoursPerUnit(rate)
    for (const key of [idOf(rate), rate.code]) if (typeof key === 'string') hours.set(key, perUnit)
  })
  return hours
}

/** How many hours one unit of a payment rate is; undefined where its unit is not time. */
export function hoursPerUnit({ hoursPerUnit: own, units }: JsonObject): number | undefined {
  const hours = numberIn(own)
  const isHourly = typeof units === 'string' && /hour/i.test(units)
  return hours !== undefined && hours > 0 ? hours : isHourly ? 1 : undefined
}

/** Reads a timesheet. assumed: the fields seen for this kind of service; an unknown rate is by the hour. */
function timesheetOf(item: JsonObject, rates: HoursPerUnit): Timesheet {
  const lines = Array.isArray(item.rates)
    ? item.rates.filter(isObject).map((line) => lineOf(line, rates))
    : []
  return {
    id: idOf(item),
    reference: idText(item.subcontractorRef) ?? '',
    assignment: textIn(item.assignmentRef),
    first: dayIn(item.startDate) ?? '',
    last: dayIn(item.endDate) ?? '',
    lines,
    hours: lines.reduce((sum, { hours = 0 }) => sum + hours, 0),
    dead: deadStateOf(item),
  }
}

function lineOf({ rateId, rate: paid, units: worked }: JsonObject, rates: HoursPerUnit): WorkedLine {
  const id = typeof rateId === 'string' ? rateId : ''
  const perUnit = rates.has(id) ? rates.get(id) : 1
  const [rate, units] = [numberIn(paid), numberIn(worked)]
  const isTime = perUnit !== undefined
  return {
    hourly: isTime && rate !== undefined ? rate / perUnit : undefined,
    hours: isTime && units !== undefined ? units * perUnit : undefined,
    units,
  }
}

/** assumed: a timesheet whose state has one of these words is not paid. Its states are not documented. */
const deadWords = /reject|delet|cancel|void|declin|refus|withdraw/i

function deadStateOf({ status, state, deletedAt }: JsonObject): string | undefined {
  if (!hasNoValue(deletedAt) && deletedAt !== false) return 'deleted'
  return [status, state]
    .map((each: Json) => textIn(each))
    .find((each) => deadWords.test(each))
    ?.toLowerCase()
}

/** Whether both days of a timesheet could be read. */
export const hasDays = ({ first, last }: Days): boolean => first !== '' && last !== ''

/** Whether anything was worked. A timesheet without hours pays nothing. */
export const hasUnits = ({ lines }: Timesheet): boolean => lines.some(({ units = 0 }) => units > 0)

/** `timesheet from 2026-05-04 to 2026-05-10` */
export const nameOfSheet = (sheet: Timesheet): string =>
  hasDays(sheet)
    ? `timesheet from ${sheet.first} to ${sheet.last}`
    : `timesheet ${sheet.id ?? 'without an id'}, whose days cannot be read`

/** Why none of these timesheets is paid work of a week, such as `no timesheet`; undefined where one is. */
export function whyNotPaid(week: Days, sheets: readonly Timesheet[]): string | undefined {
  const own = sheets.filter((sheet) => !hasDays(sheet) || isWorkOf(week, sheet))
  const isPaid = (sheet: Timesheet) => hasDays(sheet) && sheet.dead === undefined && hasUnits(sheet)
  if (own.some(isPaid)) return undefined
  const [sheet] = own
  if (!sheet) return 'no timesheet'
  if (sheet.dead !== undefined) return `the ${nameOfSheet(sheet)} is ${sheet.dead}`
  return hasDays(sheet) ? `the ${nameOfSheet(sheet)} has no hours` : nameOfSheet(sheet)
}

/** Whether a timesheet is for this week: it covers the week, or more than half of its days are in it. */
function isWorkOf(week: Days, sheet: Days): boolean {
  if (!hasDays(sheet)) return false
  if (sheet.first <= week.first && sheet.last >= week.last) return true
  const [from, to] = [max(week.first, sheet.first), min(week.last, sheet.last)]
  return from <= to && 2 * daysIn({ first: from, last: to }) > daysIn(sheet)
}

const max = (one: string, other: string) => (one > other ? one : other)
const min = (one: string, other: string) => (one < other ? one : other)
const daysIn = ({ first, last }: Days) => Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1
