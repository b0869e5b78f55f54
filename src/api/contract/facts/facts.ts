import type { CountryId } from '../countries/countries.ts'

/**
 * What the law says in figures, and what changes with a tax year: data, and the only place where it stands. Each entry has a
 * first and a last day, and after that day it is not used: whoever needs it says that none is known. Who maintains an entry
 * reads it at its source, and writes down when: `looked`.
 */

/** The figures of each fact. Amounts are in the currency of the country; shares are 0.15 for 15%. */
export interface FactValues {
  /** The least that an hour is paid: `from21` is from that age on. `apprentice`: of one under 19, or in the first year. */
  'minimum-wage': Readonly<Record<`from${number}`, number>> & { readonly apprentice?: number }
  /** What an employer pays besides, of the pay of a week. `hours`: where it is not known how many were worked. */
  'employer-costs': {
    readonly niShare: number
    readonly niAbove: number
    readonly levyShare: number
    readonly pensionShare: number
    readonly pensionAbove: number
    readonly hours: number
  }
  /** The share of the pay that is holiday pay. */
  'holiday-pay': { readonly share: number }
  /** The tax code of somebody with one job and no allowance but the personal one. */
  'usual-tax-code': { readonly code: string }
  /** The lowest age at which somebody may be over State Pension age. */
  'state-pension-age': { readonly age: number }
  /** The ages up to which a letter, or from which a class, is right. */
  'contribution-ages': {
    readonly young?: number
    readonly apprentice?: number
    readonly child: number
    readonly pension?: number
    readonly last?: number
  }
  /** Bands of class A: the pay of a week up to which each goes. */
  'prsi-bands': { readonly from: number; readonly A0: number; readonly AX: number; readonly AL: number }
  /** The pay of a year that is taxed at the standard rate, of a single person. */
  'standard-cut-off': { readonly single: number }
  /** In percent. */
  'vat-rates': { readonly standard: number; readonly others: readonly number[] }
  /** Whom each plan is for. */
  'student-loan-plans': { readonly plans: readonly { readonly name: string; readonly about: string }[] }
  /** Hours a week, on average over 17 weeks. */
  'working-time': { readonly most: number }
}

export type FactName = keyof FactValues

/** A fact of one country. Days are YYYY-MM-DD, and both belong to it. */
export interface Fact<Name extends FactName = FactName> {
  readonly name: Name
  readonly country: CountryId
  readonly from: string
  readonly until: string
  readonly value: FactValues[Name]
  /** The law or the page. */
  readonly source: string
  /** The day on which somebody last read it there. */
  readonly looked: string
}

type AnyFact = { readonly [Name in FactName]: Fact<Name> }[FactName]

const ukWages = 'gov.uk: National Minimum Wage and National Living Wage rates'
const irishWages = 'Citizens Information: Minimum wage; National Minimum Wage Act 2000'
const ukEmployers =
  'gov.uk: Rates and thresholds for employers; Pay apprenticeship levy; The Pensions Regulator: Earnings thresholds'
const looked = '2026-11-22'

export const facts: readonly AnyFact[] = [
  {
    name: 'minimum-wage',
    country: 'uk',
    from: '2024-04-01',
    until: '2025-03-31',
    value: { from21: 11.44, from18: 8.6, from0: 6.4, apprentice: 6.4 },
    source: ukWages,
    looked,
  },
  {
    name: 'minimum-wage',
    country: 'uk',
    from: '2025-04-01',
    until: '2026-03-31',
    value: { from21: 12.21, from18: 10, from0: 7.55, apprentice: 7.55 },
    source: ukWages,
    looked,
  },
  {
    name: 'minimum-wage',
    country: 'uk',
    from: '2026-04-01',
    until: '2027-03-31',
    value: { from21: 12.71, from18: 10.85, from0: 8, apprentice: 8 },
    source: ukWages,
    looked,
  },
  {
    name: 'minimum-wage',
    country: 'ireland',
    from: '2024-01-01',
    until: '2024-12-31',
    value: { from20: 12.7, from19: 11.43, from18: 10.16, from0: 8.89 },
    source: irishWages,
    looked,
  },
  {
    name: 'minimum-wage',
    country: 'ireland',
    from: '2025-01-01',
    until: '2025-12-31',
    value: { from20: 13.5, from19: 12.15, from18: 10.8, from0: 9.45 },
    source: irishWages,
    looked,
  },
  {
    name: 'minimum-wage',
    country: 'ireland',
    from: '2026-01-01',
    until: '2026-12-31',
    // assumed: the shares of 90, 80 and 70 per cent are rounded to the nearest cent.
    value: { from20: 14.15, from19: 12.74, from18: 11.32, from0: 9.91 },
    source: irishWages,
    looked,
  },
  {
    name: 'employer-costs',
    country: 'uk',
    from: '2025-04-06',
    until: '2027-04-05',
    value: {
      niShare: 0.15,
      niAbove: 96,
      levyShare: 0.005,
      pensionShare: 0.03,
      pensionAbove: 120,
      // assumed: a usual week.
      hours: 37.5,
    },
    source: ukEmployers,
    looked,
  },
  {
    name: 'holiday-pay',
    country: 'uk',
    from: '2024-04-01',
    until: '2027-04-05',
    value: { share: 0.1207 },
    source: 'Working Time Regulations 1998, reg. 15B and 16A: 5.6 weeks of 46.4',
    looked,
  },
  {
    name: 'usual-tax-code',
    country: 'uk',
    from: '2021-04-06',
    until: '2027-04-05',
    value: { code: '1257L' },
    source: 'gov.uk: Tax codes, Rates and thresholds for employers; the personal allowance',
    looked,
  },
  {
    name: 'state-pension-age',
    country: 'uk',
    from: '2020-10-06',
    until: '2028-04-05',
    value: { age: 66 },
    source: 'Pensions Act 2014, s. 26; it rises to 67 by 2028',
    looked,
  },
  {
    name: 'contribution-ages',
    country: 'uk',
    from: '2016-04-06',
    until: '2027-04-05',
    value: { child: 16, young: 21, apprentice: 25 },
    source: 'gov.uk: National Insurance rates and categories; HMRC, NIM01540',
    looked,
  },
  {
    name: 'contribution-ages',
    country: 'ireland',
    from: '2024-01-01',
    until: '2026-12-31',
    value: { child: 16, pension: 66, last: 70 },
    source: 'gov.ie: PRSI class rates; Changes to PRSI',
    looked,
  },
  {
    name: 'prsi-bands',
    country: 'ireland',
    from: '2026-01-01',
    until: '2026-12-31',
    value: { from: 38, A0: 352, AX: 424, AL: 552 },
    source: 'gov.ie: PRSI Class A rates',
    looked,
  },
  {
    name: 'standard-cut-off',
    country: 'ireland',
    from: '2025-01-01',
    until: '2026-12-31',
    value: { single: 44_000 },
    source: 'Revenue: Tax rates, bands and reliefs',
    looked,
  },
  {
    name: 'vat-rates',
    country: 'uk',
    from: '2011-01-04',
    until: '2027-04-05',
    value: { standard: 20, others: [5] },
    source: 'gov.uk: VAT rates',
    looked,
  },
  {
    name: 'vat-rates',
    country: 'ireland',
    from: '2023-09-01',
    until: '2026-12-31',
    value: { standard: 23, others: [13.5, 9, 4.8] },
    source: 'Revenue: Current VAT rates',
    looked,
  },
  {
    name: 'student-loan-plans',
    country: 'uk',
    from: '2023-08-01',
    until: '2027-04-05',
    value: {
      plans: [
        { name: 'Plan 1', about: 'Northern Ireland; England or Wales, begun before September 2012' },
        { name: 'Plan 2', about: 'Wales since September 2012; England from then to July 2023' },
        { name: 'Plan 4', about: 'Scotland' },
        { name: 'Plan 5', about: 'England since August 2023' },
      ],
    },
    source: 'HMRC: Starter checklist',
    looked,
  },
  {
    name: 'working-time',
    country: 'uk',
    from: '1998-10-01',
    until: '2027-04-05',
    value: { most: 48 },
    source: 'Working Time Regulations 1998, reg. 4',
    looked,
  },
]

/** The fact of a country on a day; undefined where none is known: an older one is never used instead. */
export function factOn<Name extends FactName>(
  name: Name,
  country: CountryId,
  day: string,
): Fact<Name> | undefined {
  return facts.find(
    (each) => each.name === name && each.country === country && each.from <= day && day <= each.until,
  ) as Fact<Name> | undefined
}

/** The one that holds longest: for words that say of which year it is. */
export function latestFact<Name extends FactName>(name: Name, country: CountryId): Fact<Name> | undefined {
  return facts
    .filter((each) => each.name === name && each.country === country)
    .reduce<AnyFact | undefined>(
      (last, each) => (last && last.until > each.until ? last : each),
      undefined,
    ) as Fact<Name> | undefined
}
