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

interface PeriodOf {
  readonly country: Country
  /** How often the person is paid, as the record has it. */
  readonly frequency: string
  readonly payDay: PayDay
  /** The last day that was worked, YYYY-MM-DD. */
  readonly last: string
}

const weeksAtOnce = ({ frequency }: Pick<PeriodOf, 'frequency'>) =>
  /^FORTNIGHT/i.test(frequency) ? 2 : /^FOUR_?WEEK/i.test(frequency) ? 4 : 1

/**
 * HMRC: pay of two weeks has weeks 2, 4 to 52, and 54 at the end of a year; pay of four weeks 4, 8 to 52, and 56. Of
 * Ireland no such rule is known.
 */
function weekNumber(week: number, of: Pick<PeriodOf, 'country' | 'frequency'>): number {
  const weeks = of.country.id === 'uk' ? weeksAtOnce(of) : 1
  return Math.ceil(week / weeks) * weeks
}

/**
 * Fills tax year and period by the day of pay, or holds what the sheet says against it. `guessed`: without a
 * day of pay.
 */
export function settlePeriod(
  record: JsonObject,
  { week, month }: { readonly week: Json; readonly month: Json },
  of: PeriodOf | undefined,
  found: Pick<LineFindings, 'wrong' | 'doubt' | 'hold'>,
) {
  const usual = unitOfPay(of?.frequency ?? '')
  const written =
    readPeriod(week, 'taxWeek', 'week', found) ??
    readPeriod(month, 'taxMonth', 'month', found) ??
    readPeriod(record.taxPeriodConfig, 'taxPeriodConfig', usual, found)
  if (written) record.taxPeriodConfig = `${periodUnits[written.unit].title} ${written.number}`
  if (!of) {
    if (!hasNoValue(record.taxYear)) record.taxYear = String(record.taxYear).trim()
    return { guessed: [] }
  }
  const paid = payDateOf(of.payDay, of.last)
  const doubt = paid && doubtOfPayDate(paid, { first: textAt(record, 'startDate'), last: of.last })
  if (doubt) found.doubt('endDate', doubt)
  const calendar = taxPeriodOf(of.country, paid ?? of.last)
  const own = { ...calendar, week: weekNumber(calendar.week, of) }
  const dayOfPay =
    paid === undefined ? `${spelledOut(of.last)}, the last day` : `the pay date ${spelledOut(paid)}`
  const empty = ['taxYear', 'taxPeriodConfig'].filter((path) => hasNoValue(record[path]))
  const guessed = paid === undefined ? empty : []
  const text = empty.includes('taxYear') ? '' : String(record.taxYear).trim()
  const isNearIn = (year: string) => written !== undefined && isNear(own, written, year, weeksAtOnce(of))
  const isMeant = (taxYear: string) => text === '' || taxYearAs(text, { taxYear }) === taxYear
  const year =
    yearsAround(own).find((each) => isMeant(each) && isNearIn(each)) ??
    (text === '' ? own.taxYear : taxYearAs(text, own))
  if (year === undefined) found.wrong('taxYear', `expected a tax year, as ${own.taxYear}`)
  else {
    record.taxYear = year
    // Without a day of pay, the work may be paid in the next year.
    const mayBe = paid === undefined && isNearIn(year)
    if (year !== own.taxYear && mayBe && text === '' && written)
      found.doubt(
        written.path,
        `taken for ${written.unit} ${written.number} of ${year}, because no pay date is known: add --pay-date with the day of pay`,
      )
    if (year !== own.taxYear && !mayBe) {
      const report = empty.includes('taxPeriodConfig') ? found.hold : found.doubt
      const how = paid === undefined ? '. Add --pay-date with the day of pay' : ''
      const ofYear = `${dayOfPay}: that is ${own.taxYear}${how}`
      if (text === '' && written)
        report(
          written.path,
          `${written.unit} ${written.number} would be of ${year}, which is not the tax year of ${ofYear}`,
        )
      else report('taxYear', `${text} is not the tax year of ${ofYear}`)
    }
    if (written && !isNearIn(year)) found.doubt(written.path, farFrom(own, written, text && year, dayOfPay))
  }
  if (!empty.includes('taxPeriodConfig')) return { guessed }
  // The day of pay is in another year, so it says no period of this one.
  if (year !== undefined && year !== own.taxYear) return { guessed }
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
