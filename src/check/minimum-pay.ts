import type { CountryId } from '../api/contract/countries/countries.ts'

/** Days from the first to the last, both included, as YYYY-MM-DD. No figure holds behind its last day. */
interface Period {
  readonly from: string
  readonly until: string
  readonly source: string
}

/** The least that an hour is paid in a country, in its own currency. */
export interface MinimumWage extends Period {
  readonly country: CountryId
  /** From the oldest to the youngest: the first whose age the worker has reached. */
  readonly byAge: readonly { readonly age: number; readonly rate: number }[]
  /** Of an apprentice under 19, and of an older one in the first year of the apprenticeship. */
  readonly apprentice?: number
}

const ukRates = 'gov.uk: National Minimum Wage and National Living Wage rates'
const irishRates = 'Citizens Information: Minimum wage; National Minimum Wage Act 2000'

/** Check them at the source each year: after its last day a rate is not used, and the tool says that it knows none. */
export const minimumWages: readonly MinimumWage[] = [
  uk('2024-04-01', '2025-03-31', 11.44, 8.6, 6.4),
  uk('2025-04-01', '2026-03-31', 12.21, 10, 7.55),
  uk('2026-04-01', '2027-03-31', 12.71, 10.85, 8),
  ireland('2024-01-01', '2024-12-31', 12.7, 11.43, 10.16, 8.89),
  ireland('2025-01-01', '2025-12-31', 13.5, 12.15, 10.8, 9.45),
  // assumed: the shares of 90, 80 and 70 per cent are rounded to the nearest cent.
  ireland('2026-01-01', '2026-12-31', 14.15, 12.74, 11.32, 9.91),
]

/** The apprentice rate has been that of people under 18 in each of these years. */
function uk(from: string, until: string, from21: number, from18: number, younger: number): MinimumWage {
  const byAge = [
    { age: 21, rate: from21 },
    { age: 18, rate: from18 },
    { age: 0, rate: younger },
  ]
  return { country: 'uk', from, until, byAge, apprentice: younger, source: ukRates }
}

function ireland(
  from: string,
  until: string,
  from20: number,
  at19: number,
  at18: number,
  younger: number,
): MinimumWage {
  const byAge = [
    { age: 20, rate: from20 },
    { age: 19, rate: at19 },
    { age: 18, rate: at18 },
    { age: 0, rate: younger },
  ]
  return { country: 'ireland', from, until, byAge, source: irishRates }
}

/** What an umbrella company pays out of the rate of an assignment before the worker is paid. Amounts are in pounds a week. */
interface EmployerCosts extends Period {
  /** Employer's NI: the share of the pay above a threshold. */
  readonly ni: { readonly share: number; readonly above: number }
  readonly apprenticeshipLevy: number
  readonly pension: { readonly share: number; readonly above: number }
  /** Where the person has none of their own. */
  readonly holidayShare: number
  /** Where it is not known how many hours were worked. */
  readonly hours: number
}

/** assumed: that they hold for the tax years named; they are of the UK. */
export const employerCosts: readonly EmployerCosts[] = [
  {
    from: '2025-04-06',
    until: '2027-04-05',
    ni: { share: 0.15, above: 96 },
    apprenticeshipLevy: 0.005,
    pension: { share: 0.03, above: 120 },
    holidayShare: 0.1207,
    hours: 37.5,
    source:
      'gov.uk: Rates and thresholds for employers; Pay apprenticeship levy; The Pensions Regulator: Earnings thresholds',
  },
]

/** The entry that holds on a day; undefined where the table ends before it. */
export function entryOn<Entry extends Period>(entries: readonly Entry[], day: string): Entry | undefined {
  return entries.find(({ from, until }) => from <= day && day <= until)
}

/** The minimum wage of a country on a day; undefined where none is known. */
export function minimumWageOn(country: CountryId, day: string): MinimumWage | undefined {
  return entryOn(
    minimumWages.filter((each) => each.country === country),
    day,
  )
}

/** The rate of an age in years; that of an adult where the age is not known. */
export function rateAtAge({ byAge }: MinimumWage, age = Number.POSITIVE_INFINITY): number {
  return byAge.find((each) => age >= each.age)?.rate ?? byAge[0]?.rate ?? 0
}

/** The least rate of an assignment from which the minimum wage can be paid, and how it comes about, in words. */
export function assignmentFloor(
  { ni, apprenticeshipLevy, pension, holidayShare: usualShare }: EmployerCosts,
  {
    minimum,
    hours,
    margin,
    holidayShare = usualShare,
  }: {
    readonly minimum: number
    readonly hours: number
    readonly margin: number
    readonly holidayShare?: number | undefined
  },
): { readonly rate: number; readonly arithmetic: string } {
  const pay = minimum * (1 + holidayShare) * hours
  const costs = {
    ni: ni.share * Math.max(0, pay - ni.above),
    levy: apprenticeshipLevy * pay,
    pension: pension.share * Math.max(0, pay - pension.above),
  }
  const rate = (pay + costs.ni + costs.levy + costs.pension + margin) / hours
  const parts = [
    `pay with ${percent(holidayShare)} holiday ${pounds(pay)}`,
    `employer's NI ${pounds(costs.ni)}`,
    `levy ${pounds(costs.levy)}`,
    `pension ${pounds(costs.pension)}`,
    `margin ${pounds(margin)}`,
  ]
  return { rate, arithmetic: `(${parts.join(' + ')}) ÷ ${hours} hours = ${pounds(rate)}` }
}

const pounds = (amount: number) => `£${amount.toFixed(2)}`
const percent = (share: number) => `${Number((share * 100).toFixed(2))}%`
