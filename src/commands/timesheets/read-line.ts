import { isObject, type JsonObject } from '../../files/json/path.ts'
import type { FileRow, RowIssue } from '../../files/table/row.ts'
import type { RowSource } from '../../files/table/row-source.ts'
import { countryById } from '../../model/countries/countries.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { numberIn, otherCurrency } from '../../model/fields/amounts.ts'
import { isBlank } from '../../model/records/record-type.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { daysWorked, periodDays } from '../../model/standards/plausible.ts'
import { textAt } from '../../model/standards/warning.ts'
import { nameWithReference } from '../../model/whose.ts'
import { dayOf, hasLeft, leftOn, type Person, textOf } from '../../reading/people.ts'
import { isAllLeave, type PaymentRate, type Rates, workIn } from '../../reading/work.ts'
import { toText } from '../../render/text/format-field.ts'
import { dayAfter, isDay, spelledOut } from '../../text/day.ts'
import { findCoded, type VatCode } from '../kit/coded-records.ts'
import type { PayDay } from '../kit/pay-day.ts'
import { settleDay, weekEndOf } from './day-worked.ts'
import { collectLineFindings, type LineFindings } from './findings.ts'
import { endOfWeek, firstAndLastDay } from './hours.ts'
import { settlePeriod } from './tax-period.ts'
import { type People, personOf } from './who-worked.ts'

/** Everything that the rows are compared with. A list of the service that the key may not read is undefined. */
export interface Background {
  readonly today: string
  readonly asks: boolean
  readonly facts: Facts
  readonly payDay: PayDay
  readonly people?: People | undefined
  readonly rates?: Rates | undefined
  readonly vatCodes?: ReadonlyMap<string, VatCode> | undefined
  /** Finds the reference of a row of an earlier import that has a name in its place, by the digest of the row. */
  readonly findNamed?: ((digest: string) => string | undefined) | undefined
  /** Says of a weekday, 0 for Sunday, why it is strange that a week of this sheet ends on it. */
  readonly strangeEnd?: ((weekday: number) => string | undefined) | undefined
}

/** A row of the sheet: a line of a timesheet, and what was found about it. */
export interface TimesheetRow {
  readonly row: FileRow
  readonly record: JsonObject
  readonly lines: readonly RateCells[]
  readonly issues: readonly RowIssue[]
  readonly doubts: readonly RowIssue[]
  readonly person: Person | undefined
  /** The tax period that was filled in, as a person reads it. */
  readonly period?: string | undefined
  /** The fields that were filled in by a guess. */
  readonly guessed: readonly string[]
  /** The day that it is about, of a sheet with one row a day. */
  readonly day: string | undefined
}

/** Reads a row as one line of a timesheet, filled in as far as the service and the other rows say it. */
export function readTimesheetRow(row: FileRow, source: RowSource, background: Background): TimesheetRow {
  const findings = collectLineFindings(source, row.row, background.asks)
  const {
    dayWorked,
    weekday,
    personName,
    personForename,
    personSurname,
    approved,
    taxWeek,
    taxMonth,
    ...record
  } = structuredClone(row.record)
  const isUnread = (path: string) => row.issues.some((issue) => issue.path === path)
  const [start, end] = [textAt(record, 'startDate'), textAt(record, 'endDate')]
  const said = { dayWorked: toText(dayWorked), weekday: toText(weekday) }
  if (start === '' && end === '' && isDay(said.dayWorked)) record.endDate = weekEndOf(said.dayWorked)
  if (start === '' && isDay(textAt(record, 'endDate')))
    record.startDate = dayAfter(textAt(record, 'endDate'), -6)
  if (end === '' && isDay(start)) record.endDate = dayAfter(start, 6)
  const { startDate, endDate } = record
  const person =
    background.people && personOf({ ...row.record, startDate, endDate }, background.people, findings)
  const isNamed = textAt(record, 'subcontractorRef') === ''
  // A service may name people by their ids: `checkWhose` holds the one against the other.
  const isById = !isNamed && person?.id === textAt(record, 'subcontractorRef')
  const reference = isById
    ? person.id
    : (person?.reference ?? (isNamed ? background.findNamed?.(row.digest) : undefined))
  if (reference !== undefined) record.subcontractorRef = reference
  const day = settleDay(record, said, findings)
  if (textAt(record, 'endDate') === '' && !isUnread('endDate') && !isUnread('dayWorked'))
    findings.wrong('endDate', 'no week ending: which week was worked?')
  const last = textAt(record, 'endDate')
  const paidWork =
    person && isDay(last)
      ? {
          country: person.country,
          frequency: textOf(person, payFields.frequency),
          payDay: background.payDay,
          last,
        }
      : undefined
  const { period, guessed } = settlePeriod(record, { week: taxWeek, month: taxMonth }, paidWork, findings)
  const lines = workedLines(record, findings, day !== undefined)
  record.rates = lines.map(({ rate }) => rate)
  const isRest = day !== undefined && lines.length === 0
  const mustBeApproved = !isRest && (approved !== undefined || findings.hasColumn('approved'))
  // Nobody is to be paid yet for hours that the client has not approved.
  if (mustBeApproved && !approval.test(toText(approved).trim()))
    findings.leaveOut('approved', 'not marked as approved, so the row is left out')
  checkWeek(record, day, isRest ? undefined : person, background, findings)
  // Nothing was worked on a day of rest.
  if (
    lines.length === 0 &&
    day === undefined &&
    !row.issues.some(({ path }) => /^rates\[\d+\]\.units$/.test(path))
  )
    findings.wrong('rates[0].units', findings.noHours())
  for (const line of lines) checkRate(line, { person, isUnread }, background, findings)
  for (const [path, written] of row.currencies ?? []) {
    const flaw = otherCurrency(written, person?.country.currency)
    if (flaw !== undefined) findings.wrong(path, flaw)
  }
  return {
    row,
    record,
    lines,
    issues: findings.issues,
    doubts: findings.doubts,
    person,
    period,
    guessed,
    day,
  }
}

const approval = /^(?:y|yes|true|1|x|ok|approved|authori[sz]ed|signed off|[✓✔☑])$/iu

/** The cells of one rate: `at` is its place in `rates` of the row. */
export interface RateCells {
  readonly rate: JsonObject
  readonly at: number
}

/** The hours of several kinds that were worked. A multiple of the basic rate becomes a rate. */
function workedLines({ rates }: JsonObject, { wrong, hasColumn }: LineFindings, isOfDay: boolean) {
  const all = Array.isArray(rates) ? rates.flatMap((rate, at) => (isObject(rate) ? [{ rate, at }] : [])) : []
  const basic = numberIn(all.find(({ at }) => at === 0)?.rate.rate)
  const isOfSeveral = all.length > 1 || all.some(({ at }) => at > 0)
  // One column of VAT codes is for all kinds of hours in the row.
  const vatID = all.find(({ at }) => at === 0)?.rate.vatID
  const withVat = (rate: JsonObject, at: number): JsonObject =>
    isBlank(vatID) || !isBlank(rate.vatID) || vatPathOf(at, hasColumn) === vatPath(at)
      ? rate
      : { ...rate, vatID }
  const hasHours = ({ rate: { units } }: RateCells) => !isBlank(units) && numberIn(units) !== 0
  return all
    .filter((line) => !(isOfSeveral || isOfDay) || hasHours(line))
    .map(({ rate: { multiple, ...cells }, at }) => {
      const rate = withVat(cells, at)
      if (typeof multiple !== 'number') return { rate, at }
      if (basic === undefined)
        wrong(
          `rates[${at}].units`,
          `the row has no basic rate to pay it ${Number(multiple.toFixed(4))} times`,
        )
      return { rate: basic === undefined ? rate : { ...rate, rate: timesRate(basic, multiple) }, at }
    })
}

const vatPath = (at: number) => `rates[${at}].vatID`

/** The path of the column that has the VAT code of a line: its own, or else that of the first one. */
const vatPathOf = (at: number, hasColumn: LineFindings['hasColumn']) =>
  vatPath(!hasColumn(vatPath(at)) && hasColumn(vatPath(0)) ? 0 : at)

/** Rounded, so that floating point leaves no remainder: 14.2 × 1.5 is 21.3. */
const timesRate = (basic: number, multiple: number) => {
  const rate = Number((basic * multiple).toFixed(4))
  return Number.isInteger(rate * 100) ? rate.toFixed(2) : String(rate)
}

const mostDaysAhead = 366

function checkWeek(
  record: JsonObject,
  day: string | undefined,
  person: Person | undefined,
  { today, strangeEnd, rates }: Background,
  { wrong, doubt, hold, hasColumn }: LineFindings,
): void {
  const [first, last] = day === undefined ? firstAndLastDay(record) : [day, day]
  if (!isDay(first) || !isDay(last)) return
  const [path, span] = day === undefined ? ['endDate', 'week'] : ['dayWorked', 'day']
  if (last < first) wrong('endDate', `it is before ${spelledOut(first)}, the first day`)
  else if (first > dayAfter(today, mostDaysAhead)) hold(path, 'more than a year ahead: is the date right?')
  else if (first > today) doubt(path, `the ${day === undefined ? 'week begins' : 'day is'} after today`)
  const end = endOfWeek(record)
  const strange = end === undefined ? undefined : strangeEnd?.(end)
  if (strange !== undefined) doubt(hasColumn('endDate') ? 'endDate' : 'startDate', strange)
  if (!person) return
  const [days, most] = [daysWorked(first, last), periodDays(textOf(person, payFields.frequency))]
  if (last >= first && most !== undefined && days > most)
    doubt(
      'endDate',
      `${days} days, and a pay period of ${person.name} has ${most}: all of it would be paid in ${textAt(record, 'taxPeriodConfig')}`,
    )
  const [start, left] = [dayOf(person, payFields.start), leftOn(person)]
  if (start !== undefined && start > last)
    wrong(
      'subcontractorRef',
      `${nameWithReference(person)} starts on ${spelledOut(start)}, after this ${span}`,
    )
  // Holiday that is left over is paid after the last day.
  const report = isAllLeave(workIn(record, rates)) ? doubt : hold
  if (hasLeft(person, first))
    report(
      'subcontractorRef',
      `${nameWithReference(person)} left${left ? ` on ${spelledOut(left)}` : ''}, before this ${span}`,
    )
}

/** Replaces the codes of rate and VAT with their ids, and reports what is wrong with them. */
function checkRate(
  { rate, at }: RateCells,
  { person, isUnread }: { readonly person: Person | undefined; readonly isUnread: (path: string) => boolean },
  { rates, vatCodes }: Background,
  { wrong, doubt, hold, hasColumn, noHours }: LineFindings,
): void {
  const path = (name: string) => `rates[${at}].${name}`
  const units = numberIn(rate.units)
  if ((isBlank(rate.units) && !isUnread(path('units'))) || units === 0) wrong(path('units'), noHours())
  else if (units !== undefined && units < 0) hold(path('units'), negativeHours)
  const code = textAt(rate, 'rateId')
  const { found: paymentRate, flaw } = findCoded(rates, code, 'payment rate')
  if (flaw !== undefined) wrong(path('rateId'), paymentRate ? flaw : flaw + someCodes(rates))
  else if (paymentRate) rate.rateId = paymentRate.id
  const pay = numberIn(rate.rate)
  if (pay !== undefined && pay < 0) hold(path('rate'), 'negative pay rate')
  else if (pay === 0) doubt(path('rate'), 'a pay rate of 0')
  else if (pay !== undefined && pay > mostForAnHour(paymentRate)) hold(path('rate'), 'more than 500 an hour')
  else if (code === '' && isBlank(rate.rate) && !isUnread(path('rate'))) {
    // For basic hours the service knows the pay. For other hours, an empty cell was probably forgotten.
    const says = at > 0 && (hasColumn(path('rate')) || hasColumn(path('rateId'))) ? hold : doubt
    says(path('rate'), 'neither a pay rate nor a rate code says what is paid')
  }
  const { found: vatCode, flaw: vatFlaw } = findCoded(vatCodes, textAt(rate, 'vatID'), 'VAT code')
  const ofVat = vatPathOf(at, hasColumn)
  if (vatFlaw !== undefined) wrong(ofVat, vatFlaw)
  else if (vatCode) rate.vatID = vatCode.id
  if (vatCode?.country && person && vatCode.country !== person.country.id) {
    const { place } = countryById[vatCode.country]
    wrong(
      ofVat,
      `${vatCode.name} is a VAT code of ${place}, and ${person.name} is paid ${person.country.inPlace}`,
    )
  }
}

/** assumed: what the service makes of negative hours is not shown, and another timesheet can be changed. */
const negativeHours =
  'negative hours: a week that was sent is corrected by its right hours, in a sheet that is imported with --update'

/** The most that is paid for a unit without a question; a unit that is not time, such as a bonus, may be any amount. */
const mostForAnHour = (rate: PaymentRate | undefined): number =>
  rate && !rate.hours ? Number.POSITIVE_INFINITY : 500 * Math.max(1, rate?.hours ?? 1)

/** ` (BASIC, NIGHT)`: the codes that there are, where they are few. */
function someCodes(rates: Rates = new Map()): string {
  const codes = [...new Set([...rates.values()].map(({ code }) => code))]
  return codes.length > 0 && codes.length <= 8 ? ` (${codes.join(', ')})` : ''
}
