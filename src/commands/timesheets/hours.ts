import type { JsonObject } from '../../files/json/path.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { lineInPence } from '../../model/fields/amounts.ts'
import { judgeLines, payFields } from '../../model/standards/minimum-wage.ts'
import { daysWorked, isFarAbove, mostWeeklyHours } from '../../model/standards/plausible.ts'
import { textAt } from '../../model/standards/warning.ts'
import { numberOf, type Person, paidPerson } from '../../reading/people.ts'
import {
  hasUnknownRate,
  hoursOf,
  type Rates,
  type WorkedLine,
  workedHours,
  workIn,
} from '../../reading/work.ts'
import { formatAmount } from '../../render/text/format-field.ts'
import { dayAfter, isDay, weekdayOf } from '../../text/day.ts'
import { agree, groupDigits, plural, wordList } from '../../text/words.ts'
import type { LineFindings } from './findings.ts'

/** The first and the last day of a timesheet, as it says them. */
export const firstAndLastDay = (record: JsonObject) =>
  [textAt(record, 'startDate').slice(0, 10), textAt(record, 'endDate').slice(0, 10)] as const

/** The weekday on which a whole week ends, 0 for Sunday; undefined for other days. */
export function endOfWeek(record: JsonObject): number | undefined {
  const [first, last] = firstAndLastDay(record)
  const isWeek = isDay(first) && isDay(last) && dayAfter(first, 6) === last
  return isWeek ? weekdayOf(last) : undefined
}

/** The pay of a line in pence or cents. */
const penceOf = ({ pay, units = 0 }: WorkedLine): number | undefined =>
  pay === undefined ? undefined : lineInPence(units, pay)

/** ` (22.5 DAY of 7.5 hours and 15 NIGHT of 10 hours: are they hours already?)`, where a unit is not an hour. */
function unitsInWords(work: readonly WorkedLine[]): string {
  if (!work.some(({ paymentRate }) => (paymentRate?.hours || 1) !== 1)) return ''
  const parts = work.flatMap(({ units, paymentRate, perUnit }) => {
    if (perUnit === undefined) return []
    const name = paymentRate ? ` ${paymentRate.code}` : ''
    return `${units ?? 'no'}${name} of ${perUnit === 1 ? '1 hour' : `${perUnit} hours`}`
  })
  return ` (${wordList(parts, 'and')}: are they hours already?)`
}

/** Compares the hours of a timesheet with its days, and the pay with the hourly rate of the person and the minimum wage. */
export function checkHours(
  record: JsonObject,
  { person, rowCount }: { readonly person: Person | undefined; readonly rowCount: number },
  { rates, facts }: { readonly rates?: Rates | undefined; readonly facts: Facts },
  { hold, doubt }: LineFindings,
): void {
  const work = workIn(record, rates)
  const hours = workedHours(work)
  const [first, last] = firstAndLastDay(record)
  const days = daysWorked(first, last)
  const sum = `${Number(hours.toFixed(2))} hours${rowCount > 1 ? ` in ${plural(rowCount, 'row')}` : ''}`
  const span = days === 7 ? 'a week has' : `${plural(days, 'day')} ${agree(days, 'has')}`
  const units = unitsInWords(work)
  if (hours > days * 24) hold('rates[0].units', `${sum}: ${span} ${days * 24}${units}`)
  else if (hours > mostWeeklyHours * Math.max(1, days / 7))
    doubt('rates[0].units', `${sum}: more than ${mostWeeklyHours} in a week${units}`)
  const hourly = work.flatMap((each) => each.hourly ?? []).filter((each) => each > 0)
  const usual = (person && numberOf(person, payFields.hourlyRate)) ?? 0
  const most = Math.max(0, ...hourly)
  if (person && isFarAbove(most, usual)) {
    const [pays, has] = [most, usual].map((pay) => formatAmount(String(pay), person.country.currency))
    const at = work.findIndex((each) => each.hourly === most)
    doubt(`rates[${at}].rate`, `${pays} an hour, and the hourly rate of ${person.name} is ${has}`)
  }
  if (!person || !isDay(first) || !isDay(last)) return
  const low = judgeLines(paidPerson(person), work, { first, last, hours: hoursOf(work) }, facts)
  if (low) doubt('rates[0].rate', low.message)
}

/** Adds up a sheet, to compare with the sender's total: `12 timesheets, 452.5 hours, £9,876.00`. */
export function startTotals(rates: Rates | undefined) {
  const pence = new Map<string, number>()
  const names = new Set<string>()
  let [hours, unpaid, unclear] = [0, 0, 0]
  return {
    /** `name`: what tells its timesheet from others. */
    add(record: JsonObject, person: Person | undefined, name: string): void {
      names.add(name)
      const currency = person?.country.currency ?? ''
      const work = workIn(record, rates)
      hours += hoursOf(work)
      unclear += work.filter(hasUnknownRate).length
      for (const sum of work.map(penceOf)) {
        if (sum === undefined) unpaid += 1
        else pence.set(currency, (pence.get(currency) ?? 0) + sum)
      }
    },
    inWords(): string {
      const amounts = [...pence].map(([currency, sum]) => {
        const amount = groupDigits((sum / 100).toFixed(2))
        return currency === '' ? `${amount} of people who are not known` : currency + amount
      })
      const without = (count: number, lacks: string) =>
        count === 0 ? '' : ` without ${plural(count, 'line')} that ${agree(count, 'has')} ${lacks}`
      return [
        plural(names.size, 'timesheet'),
        `${groupDigits(Number(hours.toFixed(2)))} hours${without(unclear, 'unknown hours')}`,
        ...(amounts.length > 0 ? [`${wordList(amounts, 'and')}${without(unpaid, 'no pay rate')}`] : []),
      ].join(', ')
    },
  }
}
