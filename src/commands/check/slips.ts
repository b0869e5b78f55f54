import { keyOf } from '../../model/natural-key.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { taxPeriodOf } from '../../model/standards/tax-period.ts'
import { onceFor } from '../../once.ts'
import { firstNumberIn, personInWords, type ReadSlip, unitOfPay } from '../../reading/payslips.ts'
import { listNames, type Person, textOf } from '../../reading/people.ts'
import { groupBy } from '../../text/group-by.ts'
import { nameSome } from '../../text/words.ts'
import { hasEverybody, type Payroll, type PersonFinding, type RuleFinding, seenOf } from './rule.ts'

/** The payslips of a person; undefined where it is not certain which are theirs. */
export function slipsOf(payroll: Payroll, person: Person): readonly ReadSlip[] | undefined {
  const { slips } = payroll
  const { country } = person
  // A service that writes the years of a country otherwise does not tell its payslips apart.
  const hasYears = countriesOn(payroll).has(country.id)
  const isElsewhere = (slip: ReadSlip) =>
    hasYears && slip.country !== undefined && slip.country !== country.id
  const all = slips.of(person).filter((slip) => !isElsewhere(slip))
  const isCertain = (slip: ReadSlip) => {
    const { people, doubt } = slips.whose(slip)
    const isToldByYear = hasYears && slip.country !== undefined
    const others = people.filter((each) => each !== person && (each.country === country || !isToldByYear))
    // Somebody who left and came back under one reference has the payslips of both times.
    const isShared =
      doubt === 'shared' && slip.reference !== '' && others.every((each) => each.country === country)
    return doubt !== 'id' && (isShared || others.length === 0)
  }
  const own = all.filter(isCertain)
  return own.length === 0 && all.length > 0 ? undefined : own
}

const countriesOn = onceFor(({ slips }: Payroll) => new Set(slips.items.map(({ country }) => country)))

const isAsked = ({ asked }: Payroll, { country }: Person) => asked.includes(country.id)

/** A sentence about people, without a full stop; none where there are none. */
const about = (people: readonly Person[], says: (names: string) => string): readonly string[] =>
  people.length === 0 ? [] : [says(listNames(people))]

/** Whose payslips cannot be told apart, and why, to go on a sentence. */
export const untoldIn = onceFor((payroll: Payroll) =>
  about(
    payroll.active.filter((each) => isAsked(payroll, each) && slipsOf(payroll, each) === undefined),
    (names) =>
      `was not checked for ${names}: the service does not show for certain which payslips are theirs`,
  ),
)

/** The payslips of the last period in which somebody was paid. */
interface LastSlips {
  readonly slips: readonly ReadSlip[]
  readonly unit: ReadSlip['unit']
  readonly order: number
  /** In years. */
  readonly time: number
  /** `week 33 of 2026/27` */
  readonly period: string
}

/** A rule about the last payslips of each person, or about the gross pay on them. */
export function judgeSlips(
  judge: (last: LastSlips, person: Person) => Omit<RuleFinding, 'mend'> | undefined,
  isOfGross = true,
) {
  return function* (payroll: Payroll, remark: (text: string) => void): Generator<PersonFinding> {
    const { judged, undated } = lastSlips(payroll)
    const unpriced = judged.filter(({ slips }) => isOfGross && slips.some(({ gross }) => gross === undefined))
    const unseen = [
      ...untoldIn(payroll).map((text) => `the last payslip ${text}`),
      ...about(
        undated,
        (names) => `the last payslip was not checked for ${names}: no tax year or no tax period is shown`,
      ),
      ...about(
        unpriced.map(({ person }) => person),
        (names) => `gross pay was not checked for ${names}: the last payslip does not show it as an amount`,
      ),
    ]
    for (const text of unseen) remark(text)
    for (const last of judged) {
      const found = judge(last, last.person)
      if (found) yield seenOf(last.person, { ...found, mend: { see: 'payslips' } })
    }
  }
}

/** Who was paid in a period that is judged, or in any where none is, and is none of the people: a sentence without a full stop. */
export function unjudgedSlips(payroll: Payroll): readonly string[] {
  const { slips, countries, asked } = payroll
  const periodOf = (slip: ReadSlip) => `${slip.country} ${slip.unit} ${orderOf(slip)}`
  const periods = new Set(lastSlips(payroll).judged.flatMap((last) => last.slips.map(periodOf)))
  const isLast = (slip: ReadSlip) => (periods.size === 0 ? orderOf(slip) > 0 : periods.has(periodOf(slip)))
  const isRead = ({ country }: ReadSlip) =>
    country === undefined ? hasEverybody(payroll) : countries.includes(country) && asked.includes(country)
  const strangers = slips.items.filter(
    (slip) => isRead(slip) && isLast(slip) && slips.whose(slip).people.length === 0,
  )
  if (strangers.length === 0) return []
  const names = nameSome([...new Set(strangers.map(personInWords))], 5)
  return [`the last payslips of ${names} were not checked: no person has that reference or name`]
}

/** assumed: how many years a last payslip may be behind that of others. Who had no work since then is no news each night. */
const mostBehind = { active: 1 / 4, left: 1 / 26 }

/** The last payslips of everybody who is paid, and who has payslips of which none shows its period. */
const lastSlips = onceFor((payroll: Payroll) => {
  const active = new Set(payroll.active)
  const [paid, undated]: [(LastSlips & { readonly person: Person })[], Person[]] = [[], []]
  for (const person of payroll.people.filter((each) => isAsked(payroll, each))) {
    // Who has left may be paid once more, or twice; but what is paid to who came back under the reference is not theirs.
    const sharing = payroll.byReference.get(keyOf(person.reference ?? ''))
    if (!active.has(person) && sharing?.length !== 1) continue
    const slips = slipsOf(payroll, person) ?? []
    const last = lastOf(slips)
    // One of long ago is no news each night. A year of two figures tells no age.
    const begins = (firstNumberIn(taxPeriodOf(person.country, payroll.day).taxYear) - 1) * 100
    if (last && (last.order < 100_000 || last.order >= begins)) paid.push({ person, ...last })
    else if (!last && slips.length > 0 && active.has(person)) undated.push(person)
  }
  const kindOf = ({ person, unit }: (typeof paid)[number]) =>
    `${person.country.id} ${textOf(person, payFields.frequency)} ${unit}`
  const judged = [...groupBy(paid, kindOf).values()].flatMap((own) => {
    const times = own.flatMap(({ person, time }) => (active.has(person) ? time : []))
    const newest = times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...times)
    return own.filter(
      ({ person, time }) => time >= newest - mostBehind[active.has(person) ? 'active' : 'left'],
    )
  })
  return { judged, undated }
})

/** The last period in which somebody was paid, and whether the tax period of a day is later; undefined where that is not known. */
export function lastPaid(payroll: Payroll, person: Person) {
  const last = lastOf(slipsOf(payroll, person) ?? [])
  // A year of two figures.
  if (!last || last.order < 100_000) return undefined
  const { unit, order, period } = last
  // A number alone is of a month where it can be, and is paid so.
  const mayBeMonth = unit === '' && order % 100 <= 12
  const usual = mayBeMonth ? unitOfPay(textOf(person, payFields.frequency)) : unit
  const isBefore = (day: string) => {
    const { taxYear, week, month } = taxPeriodOf(person.country, day)
    return order < firstNumberIn(taxYear) * 100 + (usual === 'month' ? month : week)
  }
  return { period, isBefore }
}

/** Not a number where a payslip does not show its tax year or period. */
const orderOf = ({ year, period }: ReadSlip) => year * 100 + period

/** Undefined where no payslip shows its period. */
function lastOf(slips: readonly ReadSlip[]): LastSlips | undefined {
  const years = ({ year, period, unit }: ReadSlip) => year + period / (unit === 'month' ? 12 : 52)
  const dated = slips.filter((slip) => orderOf(slip) > 0)
  const [latest] = dated.toSorted((one, other) => years(other) - years(one))
  if (!latest) return undefined
  const { unit, period, taxYear } = latest
  const order = orderOf(latest)
  return {
    time: years(latest),
    slips: withoutReversed(dated.filter((slip) => slip.unit === unit && orderOf(slip) === order)),
    unit,
    order,
    period: `${unit || 'period'} ${period} of ${taxYear}`,
  }
}

/** Without each payslip that another one takes back, and that one; all of them where nothing else is left. */
function withoutReversed(slips: readonly ReadSlip[]): readonly ReadSlip[] {
  const slipsLeft = [...slips]
  for (const slip of slips) {
    const { gross = 0, agency } = slip
    const index = slipsLeft.findIndex((other) => other.gross === -gross && other.agency === agency)
    if (gross >= 0 || index < 0) continue
    slipsLeft.splice(index, 1)
    slipsLeft.splice(slipsLeft.indexOf(slip), 1)
  }
  return slipsLeft.length > 0 ? slipsLeft : slips
}
