import { hasNoValue, type Json, type JsonObject } from '../../files/json/path.ts'
import type { Country } from '../../model/countries/countries.ts'
import {
  farFrom,
  isNear,
  noSuchPeriod,
  periodUnits,
  readTaxPeriod,
  taxPeriodOf,
  taxYearAs,
  yearsAround,
} from '../../model/standards/tax-period.ts'
import { textAt } from '../../model/standards/warning.ts'
import { unitOfPay } from '../../reading/payslips.ts'
import { spelledOut } from '../../text/day.ts'
import { doubtOfPayDate, type PayDay, payDateOf } from '../kit/pay-day.ts'
import type { LineFindings } from './findings.ts'

/** Work of somebody whom the service pays. */
interface PaidWork {
  readonly country: Country
  /** How often the person is paid, as the record has it. */
  readonly frequency: string
  readonly payDay: PayDay
  /** The last day that was worked, YYYY-MM-DD. */
  readonly last: string
}

const weeksAtOnce = ({ frequency }: Pick<PaidWork, 'frequency'>) =>
  /^FORTNIGHT/i.test(frequency) ? 2 : /^FOUR_?WEEK/i.test(frequency) ? 4 : 1

/**
 * HMRC: pay of two weeks has weeks 2, 4 to 52, and 54 at the end of a year; pay of four weeks 4, 8 to 52, and 56. Of
 * Ireland no such rule is known.
 */
function weekNumber(week: number, work: Pick<PaidWork, 'country' | 'frequency'>): number {
  const weeks = work.country.id === 'uk' ? weeksAtOnce(work) : 1
  return Math.ceil(week / weeks) * weeks
}

/**
 * Fills tax year and period by the day of pay, or holds what the sheet says against it. `guessed`: without a
 * day of pay.
 */
export function settlePeriod(
  record: JsonObject,
  { week, month }: { readonly week: Json; readonly month: Json },
  work: PaidWork | undefined,
  findings: Pick<LineFindings, 'wrong' | 'doubt' | 'hold'>,
) {
  const usual = unitOfPay(work?.frequency ?? '')
  const written =
    readPeriod(week, 'taxWeek', 'week', findings) ??
    readPeriod(month, 'taxMonth', 'month', findings) ??
    readPeriod(record.taxPeriodConfig, 'taxPeriodConfig', usual, findings)
  if (written) record.taxPeriodConfig = `${periodUnits[written.unit].title} ${written.number}`
  if (!work) {
    if (!hasNoValue(record.taxYear)) record.taxYear = String(record.taxYear).trim()
    return { guessed: [] }
  }
  const payDate = payDateOf(work.payDay, work.last)
  const doubt = payDate && doubtOfPayDate(payDate, { first: textAt(record, 'startDate'), last: work.last })
  if (doubt) findings.doubt('endDate', doubt)
  const calendar = taxPeriodOf(work.country, payDate ?? work.last)
  const own = { ...calendar, week: weekNumber(calendar.week, work) }
  const dayOfPay =
    payDate === undefined ? `${spelledOut(work.last)}, the last day` : `the pay date ${spelledOut(payDate)}`
  const empty = ['taxYear', 'taxPeriodConfig'].filter((path) => hasNoValue(record[path]))
  const guessed = payDate === undefined ? empty : []
  const lacksPeriod = empty.includes('taxPeriodConfig')
  const text = empty.includes('taxYear') ? '' : String(record.taxYear).trim()
  const isNearIn = (year: string) => written !== undefined && isNear(own, written, year, weeksAtOnce(work))
  const isMeant = (taxYear: string) => text === '' || taxYearAs(text, { taxYear }) === taxYear
  const year =
    yearsAround(own).find((each) => isMeant(each) && isNearIn(each)) ??
    (text === '' ? own.taxYear : taxYearAs(text, own))
  const isOther = year !== undefined && year !== own.taxYear
  if (year === undefined) findings.wrong('taxYear', `expected a tax year, as ${own.taxYear}`)
  else record.taxYear = year
  if (isOther && text === '' && written) {
    // Only a period that is near says another year. Without a day of pay, the work may be paid then.
    const period = `${written.unit} ${written.number}`
    const message =
      payDate === undefined
        ? `taken for ${period} of ${year}, because no pay date is known: add --pay-date with the day of pay`
        : `${period} would be of ${year}, which is not the tax year of ${dayOfPay}: that is ${own.taxYear}`
    findings.doubt(written.path, message)
  } else if (isOther && !(payDate === undefined && isNearIn(year))) {
    const how = payDate === undefined ? '. Add --pay-date with the day of pay' : ''
    const report = lacksPeriod ? findings.hold : findings.doubt
    report('taxYear', `${text} is not the tax year of ${dayOfPay}: that is ${own.taxYear}${how}`)
  }
  if (written && year !== undefined && !isNearIn(year))
    findings.doubt(written.path, farFrom(own, written, text && year, dayOfPay))
  // The day of pay is in another year, so it says no period of this one.
  if (!lacksPeriod || isOther) return { guessed }
  record.taxPeriodConfig = `${periodUnits[usual].title} ${own[usual]}`
  return { guessed, period: `${String(record.taxYear)} ${record.taxPeriodConfig}` }
}

/** The period that a cell says; a number alone is of `otherwise`. */
function readPeriod(
  value: Json,
  path: string,
  otherwise: keyof typeof periodUnits,
  { wrong }: Pick<LineFindings, 'wrong'>,
) {
  if (hasNoValue(value)) return undefined
  const { unit = otherwise, number } = readTaxPeriod(value) ?? {}
  // The tax period may be something else that the service knows.
  if (number === undefined && path !== 'taxPeriodConfig')
    wrong(path, `expected a number, such as ${periodUnits[otherwise].example}`)
  if (number === undefined) return undefined
  const none = noSuchPeriod(unit, number)
  if (none === undefined) return { unit, number, path } as const
  wrong(path, none)
  return undefined
}
