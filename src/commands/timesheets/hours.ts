import { isObject, type JsonObject } from '../../files/json/path.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { keyOf } from '../../model/natural-key.ts'
import { judgePay, payFields } from '../../model/standards/minimum-wage.ts'
import { daysWorked, mostWeeklyHours } from '../../model/standards/plausible.ts'
import { textAt } from '../../model/standards/warning.ts'
import { type Person, paidPerson, textOf } from '../../reading/people.ts'
import { numberIn } from '../../reading/values.ts'
import { dayAfter, isDay, weekdayOf } from '../../text/day.ts'
import { groupDigits, plural, wordList } from '../../text/words.ts'
import type { Findings } from './findings.ts'
import type { Rates } from './rates.ts'

export const rateLines = ({ rates }: JsonObject): JsonObject[] =>
  Array.isArray(rates) ? rates.filter(isObject) : []

/** The first and the last day of a timesheet, as it says them. */
export const daysOf = (record: JsonObject) =>
  [textAt(record, 'startDate').slice(0, 10), textAt(record, 'endDate').slice(0, 10)] as const

/** The weekday on which a whole week ends, 0 for Sunday; undefined for other days. */
export function endOfWeek(record: JsonObject): number | undefined {
  const [first, last] = daysOf(record)
  const isWeek = isDay(first) && isDay(last) && dayAfter(first, 6) === last
  return isWeek ? weekdayOf(last) : undefined
}

/** The hours and pay of a line. A unit that is not time has no hours; without a rate the pay is unknown. */
function workIn(record: JsonObject, rates: Rates | undefined) {
  return rateLines(record).map(({ rateId, rate, units }) => {
    const known = rates?.get(keyOf(String(rateId ?? '')))
    const perUnit = known ? (known.hours ?? 0) : 1
    const [count = 0, paid] = [numberIn(units), numberIn(rate)]
    return {
      units,
      known,
      perUnit,
      hours: count * perUnit,
      hourly: paid !== undefined && paid > 0 && perUnit > 0 ? paid / perUnit : undefined,
      // Rounded first, because floating point would round half a penny down.
      pence: paid === undefined ? undefined : Math.round(Number((count * paid * 100).toPrecision(12))),
    }
  })
}

/** ` (22.5 DAY of 7.5 hours and 15 NIGHT of 10 hours: are they hours already?)`, where a unit is not an hour. */
function unitsOf(work: ReturnType<typeof workIn>): string {
  if (!work.some(({ known }) => known?.hours !== undefined && known.hours !== 1)) return ''
  const parts = work.map(({ units, known, perUnit }) => {
    const name = known ? ` ${known.code}` : ''
    return `${units ?? 'no'}${name} of ${perUnit === 1 ? '1 hour' : `${perUnit} hours`}`
  })
  return ` (${wordList(parts, 'and')}: are they hours already?)`
}

/** Compares the hours of a timesheet with its days, and the pay with the minimum wage. */
export function checkHours(
  record: JsonObject,
  { person, rowCount }: { readonly person: Person | undefined; readonly rowCount: number },
  { rates, facts }: { readonly rates?: Rates | undefined; readonly facts: Facts },
  { wrong, doubt }: Findings,
): void {
  const work = workIn(record, rates)
  const hours = work.reduce((sum, each) => sum + each.hours, 0)
  const [first, last] = daysOf(record)
  const days = daysWorked(first, last)
  const sum = `${Number(hours.toFixed(2))} hours${rowCount > 1 ? ` in ${plural(rowCount, 'row')}` : ''}`
  const span = days === 7 ? 'a week has' : `${plural(days, 'day')} ${days === 1 ? 'has' : 'have'}`
  const units = unitsOf(work)
  if (hours > days * 24) wrong('rates[0].units', `${sum}: ${span} ${days * 24}${units}`)
  else if (hours > mostWeeklyHours && days <= 7)
    doubt('rates[0].units', `${sum}: more than ${mostWeeklyHours} in a week${units}`)
  const hourly = work.flatMap((each) => each.hourly ?? [])
  if (!person || hourly.length === 0 || ![first, last, textOf(person, payFields.birthday)].every(isDay))
    return
  const low = judgePay(paidPerson(person), Math.min(...hourly), { first, last, hours }, facts)?.seen
  if (low) doubt('rates[0].rate', low)
}

/** Adds up a sheet, to compare with the sender's total: `12 timesheets, 452.5 hours, £9,876.00`. */
export function startTotals(rates: Rates | undefined) {
  const pence = new Map<string, number>()
  const names = new Set<string>()
  let [hours, unpaid] = [0, 0]
  return {
    /** `name`: what tells its timesheet from others. */
    add(record: JsonObject, person: Person | undefined, name: string): void {
      names.add(name)
      const currency = person?.country.currency ?? ''
      for (const work of workIn(record, rates)) {
        hours += work.hours
        if (work.pence === undefined) unpaid += 1
        else pence.set(currency, (pence.get(currency) ?? 0) + work.pence)
      }
    },
    inWords(): string {
      const amounts = [...pence].map(([currency, sum]) => `${currency}${groupDigits((sum / 100).toFixed(2))}`)
      const without =
        unpaid === 0
          ? ''
          : ` without ${plural(unpaid, 'line')} that ${unpaid === 1 ? 'has' : 'have'} no pay rate`
      return [
        plural(names.size, 'timesheet'),
        `${groupDigits(Number(hours.toFixed(2)))} hours`,
        ...(amounts.length > 0 ? [`${wordList(amounts, 'and')}${without}`] : []),
      ].join(', ')
    },
  }
}
