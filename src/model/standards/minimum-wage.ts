import type { Json } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import { dayAfter, isDay, spelledOut } from '../../text/day.ts'
import { groupDigits, writeMoney } from '../../text/words.ts'
import { type CountryId, countryById } from '../countries/countries.ts'
import type { Facts, FactValues } from '../facts/facts.ts'
import { numberIn } from '../fields/amounts.ts'
import { textIn } from '../records/identity.ts'
import { ageOn, daysWorked, mayBeEnrolled, periodDays, tidy, weeksOfYear } from './plausible.ts'

/** The fields by which pay is judged, as paths of a request. */
export const payFields = {
  hourlyRate: 'generalSetting.rateHour',
  salary: 'generalSetting.annualSalary',
  weeklyHours: 'generalSetting.hours',
  birthday: 'generalSetting.DOB',
  frequency: 'generalSetting.payFrequency',
  start: 'generalSetting.dateOfJoining',
  paymentModel: 'payrollSetting.paymentModel',
  apprentice: 'payrollSetting.isApprentice',
  letter: 'payrollSetting.niCategory',
  holidayRate: 'payrollSetting.holidayPayRate',
  margin: 'payrollSetting.margin',
  marginMethod: 'payrollSetting.marginMethod',
  sacrifice: 'generalSetting.pensionSetting.isSalarySacrifice',
} as const

/** Somebody who is paid, wherever it is read from: a record of the service, or one that is being written. */
export interface Paid {
  readonly country: CountryId
  /** Empty where there is none. */
  readonly text: (path: string) => string
  /** Undefined where there is none. */
  readonly number: (path: string) => number | undefined
  readonly isApprentice: boolean
  /** Whether some of the pay is given up for a pension. */
  readonly sacrifices: boolean
}

/** Somebody who is paid in a country, by the value at each path of a request. */
export const paidBy = (country: CountryId, valueAt: (path: string) => Json): Paid => ({
  country,
  text: (path) => textIn(valueAt(path)),
  number: (path) => numberIn(valueAt(path)),
  isApprentice: valueAt(payFields.apprentice) === true,
  sacrifices: valueAt(payFields.sacrifice) === true,
})

/** Days that were worked, YYYY-MM-DD, and how many hours, where that is known. */
interface Worked {
  readonly first: string
  readonly last: string
  readonly hours?: number | undefined
  /** `salary` for pay from a salary: a rate may be an assignment's, which is not the person's pay. `line`: one beside others. */
  readonly by?: 'salary' | 'line' | undefined
}

/** Pay that is too low. `seen`: why, as a sentence without a full stop. */
export interface LowPay {
  /** Whether the pay is certainly below the minimum; else it may be. */
  readonly isSure: boolean
  readonly message: string
}

/** "paymentModel `PAYEE` and `CIS`": a subcontractor has no minimum wage. */
export const isSubcontractor = ({ text }: Pick<Paid, 'text'>) =>
  text(payFields.paymentModel).toUpperCase() === 'CIS'

/** Judges the hourly rate or, without one, the salary by the weekly hours. `path`: which of them. */
export function judgeRecord(
  paid: Paid,
  days: Pick<Worked, 'first' | 'last'>,
  facts: Facts,
): (LowPay & { readonly path: string }) | undefined {
  const [hourly = 0, yearly = 0, hours = 0] = [
    payFields.hourlyRate,
    payFields.salary,
    payFields.weeklyHours,
  ].map(paid.number)
  const worked = { ...days, hours }
  if (hourly > 0) {
    const low = judgePay(paid, hourly, worked, facts)
    return low && { ...low, path: payFields.hourlyRate }
  }
  if (!(yearly > 0 && hours > 0)) return undefined
  const byWeeks = (weeks: number) =>
    judgePay(paid, yearly / (weeks * hours), { ...worked, by: 'salary' }, facts)
  const low = byWeeks(weeksOfYear)
  if (!low) return undefined
  // HMRC, NMWM08035, divides a year of 40 hours a week by 2,080: by 52 weeks.
  const isSure = low.isSure && byWeeks(52)?.isSure === true
  const unless = isSure === low.isSure ? '' : ': right only if a year has 52 weeks'
  const { currency } = countryById[paid.country]
  const amount = groupDigits(Number.isInteger(yearly) ? yearly : yearly.toFixed(2))
  const message = `${currency}${amount} a year for ${tidy(hours)} hours a week: ${low.message}${unless}`
  return { isSure, message, path: payFields.salary }
}

interface PaidLine {
  readonly hourly: number | undefined
  readonly hours: number | undefined
  readonly isLeave: boolean
}

/** Judges the lines of a timesheet together, as the law judges a pay period; the lowest alone is never sure. */
export function judgeLines(
  paid: Paid,
  lines: readonly PaidLine[],
  worked: Worked,
  facts: Facts,
): LowPay | undefined {
  const timed = lines.flatMap(({ hourly = 0, hours = 0, isLeave }) =>
    hourly > 0 && !isLeave ? [{ hourly, hours }] : [],
  )
  if (timed.length === 0) return undefined
  const lowest = Math.min(...timed.map(({ hourly }) => hourly))
  const sum = (of: (line: (typeof timed)[number]) => number) => timed.reduce((all, line) => all + of(line), 0)
  const isKnown = timed.every(({ hours }) => hours > 0)
  // Rounded, because floating point would put equal rates a hair below themselves.
  const average = isKnown
    ? Number((sum(({ hourly, hours }) => hourly * hours) / sum(({ hours }) => hours)).toFixed(8))
    : lowest
  const low = judgePay(paid, average, worked, facts)
  if (low) return average > lowest ? { ...low, message: `${low.message}, on average of its lines` } : low
  const alone = average > lowest ? judgePay(paid, lowest, { ...worked, by: 'line' }, facts) : undefined
  return alone && { isSure: false, message: `${alone.message}; on average its lines are not` }
}

/** Judges an hourly pay by the minimum of the days worked; undefined if it is enough, or none is known. */
function judgePay(pay: Paid, hourly: number, work: Worked, facts: Facts): LowPay | undefined {
  const { country, text } = pay
  const { currency, hasDailyMinimum } = countryById[country]
  const { first, last } = work
  const wage = facts.on('minimum-wage', country, first)?.value
  if (!wage || isSubcontractor(pay)) return undefined
  const born = text(payFields.birthday)
  const age = ageOn(born, first)
  const money = (amount: number, decimals?: number) => writeMoney(currency, amount, decimals)
  const belowOf = (least: number) =>
    `${money(hourly, money(hourly) === money(least) ? 4 : 2)} is below the minimum of ${money(least)}`
  const minimum = minimumOf(wage, age, pay)
  if (hourly < minimum) {
    const below = belowOf(minimum)
    if (pay.isApprentice && wage.apprentice !== undefined && hourly >= wage.apprentice)
      return {
        isSure: false,
        message: `${below}: right for an apprentice in the first year alone, or under 19`,
      }
    if (age === undefined)
      return { isSure: false, message: `${below} of an adult: the date of birth is not known` }
    const begins = periodBegins(pay, work)
    const before = facts.on('minimum-wage', country, begins)?.value
    const isSure = before === undefined || hourly < minimumOf(before, ageOn(born, begins), pay)
    const unless = isSure ? '' : ': right only in a pay period that began before this minimum was due'
    return { isSure, message: `${below} at ${age}${unless}` }
  }
  const atLast = hasDailyMinimum ? facts.on('minimum-wage', country, last)?.value : undefined
  const lastMinimum = atLast && minimumOf(atLast, ageOn(born, last), pay)
  if (lastMinimum !== undefined && hourly < lastMinimum)
    return {
      isSure: false,
      message: `${belowOf(lastMinimum)} that holds on ${spelledOut(last)}`,
    }
  // All lines together bear what an assignment costs, and what is given up for a pension.
  if (work.by === 'line') return undefined
  // A margin is that of an umbrella company: the rate is what the agency pays for the assignment.
  const own = work.by === 'salary' ? 0 : marginOf(pay, work)
  // NMWM09300: pay that is given up for a pension does not count.
  if (own === 0 && pay.sacrifices && hourly < minimum * nearMinimum)
    return {
      isSure: false,
      message: `${money(hourly)} may be below the minimum of ${money(minimum)} after the salary sacrifice`,
    }
  const floor = own > 0 ? assignmentFloor(pay, { minimum, worked: work, margin: own }, facts) : undefined
  if (!floor || hourly >= floor.rate) return undefined
  return {
    isSure: false,
    message: `${money(hourly)} is less than an assignment has to bring for ${money(minimum)}: ${floor.arithmetic()}`,
  }
}

/** assumed: nobody gives up a larger share of the pay for a pension. */
const nearMinimum = 1.1

/** The minimum of an age; for an apprentice under 19 that of apprentices. */
function minimumOf(
  wage: FactValues['minimum-wage'],
  age: number | undefined,
  { isApprentice }: Pick<Paid, 'isApprentice'>,
): number {
  const usual = ratesByAge(wage).find(({ from }) => age === undefined || from <= age)?.rate ?? 0
  return isApprentice && age !== undefined && age < 19 ? (wage.apprentice ?? usual) : usual
}

/** The first day on which the pay period of days worked may have begun: in the UK its age and rate hold for all of it. */
function periodBegins({ country, text }: Paid, { first, last }: Worked): string {
  if (countryById[country].hasDailyMinimum) return first
  const begins = dayAfter(last, 1 - (periodDays(text(payFields.frequency)) ?? 1))
  const start = text(payFields.start).slice(0, 10)
  const earliest = isDay(start) && start > begins ? start : begins
  return earliest < first ? earliest : first
}

/** The age from which each rate is paid, the oldest first. */
const ratesByAge = onceFor((wage: FactValues['minimum-wage']) =>
  Object.entries(wage)
    .flatMap(([name, rate = 0]) => {
      const from = /^from(\d+)$/.exec(name)?.[1]
      return from === undefined ? [] : [{ from: Number(from), rate }]
    })
    .sort((one, other) => other.from - one.from),
)

/** How many weeks were worked: one, for fewer days. */
const weeksIn = ({ first, last }: Worked) => Math.max(1, daysWorked(first, last) / 7)

/**
 * The margin for the days worked. assumed: a margin is for a pay period. A percentage counts as none, so that
 * the floor is never too high.
 */
function marginOf({ text, number }: Paid, work: Worked): number {
  const own = number(payFields.margin) ?? 0
  const method = text(payFields.marginMethod)
  const weeks = weeksIn(work)
  if (/percent|%|share/i.test(method)) return 0
  if (/hour/i.test(method)) return own * (work.hours ?? 0)
  if (/month/i.test(method)) return (weeks * own) / (weeksOfYear / 12)
  if (/week/i.test(method)) return weeks * own
  const days = periodDays(text(payFields.frequency)) ?? 7
  return days === 31 ? (weeks * own) / (weeksOfYear / 12) : (weeks * own) / (days / 7)
}

/** The lowest assignment rate that still pays for the minimum wage, and how it is worked out, in words. */
function assignmentFloor(
  { country, text, number }: Paid,
  { minimum, margin, worked }: { minimum: number; margin: number; worked: Worked },
  facts: Facts,
): { readonly rate: number; readonly arithmetic: () => string } | undefined {
  const costs = facts.on('employer-costs', country, worked.first)?.value
  const usualShare = facts.on('holiday-pay', country, worked.first)?.value.share
  if (!costs || usualShare === undefined) return undefined
  const ownShare = number(payFields.holidayRate) ?? 0
  const share = ownShare > 0 ? ownShare / 100 : usualShare
  const weeks = weeksIn(worked)
  const hours = worked.hours && worked.hours > 0 ? worked.hours : costs.hours * weeks
  const pay = minimum * (1 + share) * hours
  const letter = text(payFields.letter).toUpperCase()
  const free = costs.niFree.find(({ letters }) => letter !== '' && letters.includes(letter))?.upTo
  const isEnrolled = mayBeEnrolled(text(payFields.birthday), worked.first, pay / weeks, facts)
  const parts = {
    [`pay with ${Number((share * 100).toFixed(2))}% holiday`]: pay,
    "employer's NI": costs.niShare * Math.max(0, pay - weeks * (free ?? costs.niAbove)),
    levy: costs.levyShare * pay,
    pension: isEnrolled ? costs.pensionShare * Math.max(0, pay - weeks * costs.pensionAbove) : 0,
    margin,
  }
  const rate = Object.values(parts).reduce((sum, each) => sum + each, 0) / hours
  const money = (amount: number) => writeMoney(countryById[country].currency, amount)
  const arithmetic = () => {
    const words = Object.entries(parts).map(([name, amount]) => `${name} ${money(amount)}`)
    return `(${words.join(' + ')}) ÷ ${hours} hours = ${money(rate)}`
  }
  return { rate, arithmetic }
}
