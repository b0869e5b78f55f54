import { onceForText } from '../../once.ts'
import { monthsAfter } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import type { CountryId } from '../countries/countries.ts'
import type { FactName, FactValues } from './fact-values.ts'

export type { FactName, FactValues } from './fact-values.ts'

/** A fact of the law of one country, in figures. `from` and `until` are days, YYYY-MM-DD, both included. */
export interface Fact<Name extends FactName = FactName> {
  readonly name: Name
  readonly country: CountryId
  readonly from: string
  readonly until: string
  readonly value: FactValues[Name]
  /** The law or the web page that it was read from. */
  readonly source: string
  /** The day on which somebody last read it there. */
  readonly looked: string
}

/** A fact of any name. */
export type AnyFact = { readonly [Name in FactName]: Fact<Name> }[FactName]

const ukWages = 'gov.uk: National Minimum Wage and National Living Wage rates'
const irishWages = 'Citizens Information: Minimum wage; National Minimum Wage Act 2000'
const ukEmployers =
  'gov.uk: Rates and thresholds for employers; NI relief for veterans, in Freeports and Investment Zones; Pay apprenticeship levy; The Pensions Regulator: Earnings thresholds'
const transfers = 'European Payments Council: SEPA countries; Regulation (EU) 260/2012, art. 5 and 9'
/** The European Economic Area and Switzerland. */
const eea =
  'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ')
const sepa = { countries: [...eea, 'AD', 'AL', 'GB', 'GI', 'MC', 'MD', 'ME', 'MK', 'RS', 'SM', 'VA'] }

/** The employer's other costs since 2024, but for the share of NI and where it begins. */
const besides = {
  levyShare: 0.005,
  pensionShare: 0.03,
  pensionAbove: 120,
  niFree: [
    { letters: 'MZH', upTo: 967 },
    { letters: 'V', upTo: 967, months: 12 },
    { letters: 'FILSNEDK', upTo: 481, months: 36 },
    { letters: 'X', upTo: 1_000_000 },
  ],
  // assumed: a usual week.
  hours: 37.5,
}

/** From 66 to 67, a month more for each month of birth. */
const pensionAges = [
  { bornFrom: '1900-01-01', years: 66, months: 0 },
  ...Array.from({ length: 11 }, (_, at) => ({
    bornFrom: monthsAfter('1960-04-06', at),
    years: 66,
    months: at + 1,
  })),
  { bornFrom: '1961-03-06', years: 67, months: 0 },
]

/** The day on which those without a day of their own were read at their sources. */
const dayLookedUp = '2026-11-22'

/** The periods of a fact: the first day of each, the last, and the value. */
function fact<Name extends FactName>(
  name: Name,
  country: CountryId,
  source: string,
  periods: readonly (readonly [from: string, until: string, value: FactValues[Name]])[],
  lookedOn = dayLookedUp,
): readonly AnyFact[] {
  return periods.map(
    ([from, until, value]) => ({ name, country, from, until, value, source, looked: lookedOn }) as AnyFact,
  )
}

/** The rates, bands and thresholds of the law that this tool uses. */
export const facts: readonly AnyFact[] = [
  fact('minimum-wage', 'uk', ukWages, [
    ['2024-04-01', '2025-03-31', { from21: 11.44, from18: 8.6, from0: 6.4, apprentice: 6.4 }],
    ['2025-04-01', '2026-03-31', { from21: 12.21, from18: 10, from0: 7.55, apprentice: 7.55 }],
    ['2026-04-01', '2027-03-31', { from21: 12.71, from18: 10.85, from0: 8, apprentice: 8 }],
  ]),
  // assumed: the shares of 90, 80 and 70 per cent are rounded to the nearest cent.
  fact('minimum-wage', 'ireland', irishWages, [
    ['2024-01-01', '2024-12-31', { from20: 12.7, from19: 11.43, from18: 10.16, from0: 8.89 }],
    ['2025-01-01', '2025-12-31', { from20: 13.5, from19: 12.15, from18: 10.8, from0: 9.45 }],
    ['2026-01-01', '2026-12-31', { from20: 14.15, from19: 12.74, from18: 11.32, from0: 9.91 }],
  ]),
  fact('employer-costs', 'uk', ukEmployers, [
    ['2024-04-06', '2025-04-05', { niShare: 0.138, niAbove: 175, ...besides }],
    ['2025-04-06', '2027-04-05', { niShare: 0.15, niAbove: 96, ...besides }],
  ]),
  fact('holiday-pay', 'uk', 'Working Time Regulations 1998, reg. 15B and 16A: 5.6 weeks of 46.4', [
    ['2024-04-01', '2028-04-05', { share: 0.1207 }],
  ]),
  fact(
    'usual-tax-code',
    'uk',
    'gov.uk: Tax codes, Rates and thresholds for employers; the personal allowance',
    [['2021-04-06', '2027-04-05', { code: '1257L' }]],
  ),
  fact('state-pension-age', 'uk', 'Pensions Act 1995, schedule 4; Pensions Act 2014, s. 26', [
    ['2020-10-06', '2044-04-05', { ages: pensionAges }],
  ]),
  fact(
    'contribution-ages',
    'uk',
    'gov.uk: National Insurance rates and categories; HMRC, NIM01540 and NIM30001',
    [['2016-04-06', '2028-04-05', { child: 16, young: 21, apprentice: 25, lastElection: '1961-05-11' }]],
  ),
  fact(
    'contribution-ages',
    'ireland',
    'gov.ie: Changes to PRSI; Social Welfare (Miscellaneous Provisions) Act 2023',
    [['2024-01-01', '2028-12-31', { child: 16, pension: 66, last: 70, lastFrom: '1958-01-01' }]],
  ),
  fact('prsi-bands', 'ireland', 'gov.ie: PRSI Class A rates', [
    ['2025-01-01', '2025-12-31', { from: 38, A0: 352, AX: 424, AL: 527 }],
    ['2026-01-01', '2026-12-31', { from: 38, A0: 352, AX: 424, AL: 552 }],
  ]),
  fact('standard-cut-off', 'ireland', 'Revenue: Tax rates, bands and reliefs', [
    ['2025-01-01', '2026-12-31', { single: 44_000 }],
  ]),
  fact('vat-rates', 'uk', 'gov.uk: VAT rates', [['2011-01-04', '2027-04-05', { standard: 20, others: [5] }]]),
  fact('vat-rates', 'ireland', 'Revenue: Current VAT rates', [
    ['2023-09-01', '2026-12-31', { standard: 23, others: [13.5, 9, 4.8] }],
  ]),
  fact('student-loan-plans', 'uk', 'HMRC: Starter checklist', [
    [
      '2023-08-01',
      '2027-04-05',
      {
        plans: [
          { name: 'Plan 1', about: 'Northern Ireland; England or Wales, begun before September 2012' },
          { name: 'Plan 2', about: 'Wales since September 2012; England from then to July 2023' },
          { name: 'Plan 4', about: 'Scotland' },
          { name: 'Plan 5', about: 'England since August 2023' },
        ],
      },
    ],
  ]),
  fact(
    'working-time',
    'uk',
    'Working Time Regulations 1998, reg. 4, 5 and 5A; Immigration Rules, Appendix Student: work in term time',
    [
      [
        '2003-04-06',
        '2028-04-05',
        { most: 48, mayOptOut: true, restricted: 20, young: { under: 18, most: 40 } },
      ],
    ],
    '2026-11-29',
  ),
  fact(
    'working-time',
    'ireland',
    'Organisation of Working Time Act 1997, s. 15; Protection of Young Persons (Employment) Act 1996, s. 6; Immigration Service Delivery: Stamp 2, work in term time',
    [
      [
        '1998-03-01',
        '2028-12-31',
        { most: 48, mayOptOut: false, restricted: 20, young: { under: 18, most: 40 } },
      ],
    ],
    '2026-11-29',
  ),
  fact('holiday-pay', 'ireland', 'Organisation of Working Time Act 1997, s. 19', [
    ['1997-09-30', '2028-12-31', { share: 0.08 }],
  ]),
  fact(
    'free-to-work',
    'uk',
    'Home Office: Employer’s guide to right to work checks, list A; a passport that has expired will do',
    [['2021-07-01', '2028-04-05', { nationalities: ['GB', 'IE'] }]],
  ),
  fact('free-to-work', 'ireland', 'Citizens Information: Coming to work in Ireland; the Common Travel Area', [
    ['2021-01-01', '2028-12-31', { nationalities: [...eea, 'GB'] }],
  ]),
  fact('sepa', 'uk', transfers, [['2016-02-01', '2028-04-05', sepa]]),
  fact('sepa', 'ireland', transfers, [['2016-02-01', '2028-12-31', sepa]]),
  fact(
    'cis-verification',
    'uk',
    'gov.uk: Construction Industry Scheme for contractors (CIS 340), verification',
    [['2007-04-06', '2028-04-05', { years: 2 }]],
  ),
  fact('auto-enrolment', 'uk', 'The Pensions Regulator: Earnings thresholds; Pensions Act 2008, s. 3', [
    ['2014-04-06', '2027-04-05', { from: 22, week: 192, year: 10_000 }],
  ]),
  fact('postponement', 'uk', 'The Pensions Regulator: detailed guidance 3a, Postponement', [
    ['2012-10-01', '2028-04-05', { months: 3 }],
  ]),
].flat()

/** Whether two facts have one name and country, whatever their days. */
export const isSameFact = (one: AnyFact, other: AnyFact): boolean =>
  one.name === other.name && one.country === other.country

/** The facts in force. */
export interface Facts {
  readonly all: readonly AnyFact[]
  /** The day on which some of them were imported; undefined where all are ours. */
  readonly importedOn?: string | undefined
  /** The fact of a country on a day; undefined where none is known: an older one is never used instead. */
  on<Name extends FactName>(name: Name, country: CountryId, day: string): Fact<Name> | undefined
}

/** Finds facts by name, country and day. Where several hold on a day, the first one counts. */
export function findableFacts(facts: readonly AnyFact[], importedOn?: string): Facts {
  const byName = groupBy(facts, ({ name, country }) => `${name} ${country}`)
  return {
    all: facts,
    importedOn,
    on: (name, country, day) =>
      byName.get(`${name} ${country}`)?.find((each) => each.from <= day && day <= each.until) as never,
  }
}

/** A fact that was asked for, and that nobody knows for the day. */
export interface UnknownFact {
  readonly name: FactName
  readonly country: CountryId
  readonly day: string
}

/** Facts that remember what was asked and is not known; `take` gives it, and forgets it. What a country never has is no gap. */
export function watchFacts(facts: Facts): {
  readonly facts: Facts
  readonly take: () => readonly UnknownFact[]
} {
  const unknown = new Map<string, UnknownFact>()
  const has = onceForText((of) => facts.all.some(({ name, country }) => `${name} ${country}` === of))
  return {
    facts: {
      ...facts,
      on(name, country, day) {
        const fact = facts.on(name, country, day)
        if (!fact && has(`${name} ${country}`))
          unknown.set(`${name} ${country} ${day}`, { name, country, day })
        return fact
      },
    },
    take() {
      const unknownFacts = [...unknown.values()]
      unknown.clear()
      return unknownFacts
    },
  }
}

/** The facts that come with this tool. */
export const builtInFacts: Facts = findableFacts(facts)

/** The fact of this tool that holds longest, for texts that name its year. */
export function latestFact<Name extends FactName>(name: Name, country: CountryId): Fact<Name> | undefined {
  const versions = facts.filter((each) => each.name === name && each.country === country)
  return versions.sort((one, other) => (one.until < other.until ? 1 : -1))[0] as Fact<Name> | undefined
}

/** The tax code of somebody with one job and no allowance but the personal one, for examples. */
export const usualTaxCode = latestFact('usual-tax-code', 'uk')?.value.code ?? ''

/** `, to €552 a week in 2026`: a band of PRSI class A, with the year that it is of. */
export function prsiBand(name: 'from' | 'A0' | 'AX' | 'AL', word: string): string {
  const { value, until = '' } = latestFact('prsi-bands', 'ireland') ?? {}
  return value ? `, ${word} €${value[name]} a week in ${until.slice(0, 4)}` : ''
}

/** Whether a fact is the last of its kind, and a day is after it. */
export const hasRunOut = ({ all, on }: Facts, one: AnyFact, day: string): boolean =>
  one.until < day &&
  !on(one.name, one.country, day) &&
  all.every((each) => !isSameFact(each, one) || each.from > day || each.until <= one.until)
