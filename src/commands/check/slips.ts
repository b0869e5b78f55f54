import { keyOf } from '../../model/natural-key.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { periodDays } from '../../model/standards/plausible.ts'
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

/** The payslips of somebody in one period, and in the one before. */
export interface LastSlips {
  readonly person: Person
  readonly now: readonly ReadSlip[]
  readonly before: readonly ReadSlip[]
  readonly period: string
}

/** A rule about the last payslips of each person, or about the gross pay on them. */
export function judgeSlips(
  judge: (last: LastSlips, payroll: Payroll) => Omit<RuleFinding, 'mend'> | undefined,
  isOfGross = true,
) {
  return function* (payroll: Payroll, remark: (text: string) => void): Generator<PersonFinding> {
    const { judged, undated } = lastSlips(payroll)
    const unpriced = judged.filter(({ now }) => isOfGross && now.some(({ gross }) => gross === undefined))
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
      const found = judge(last, payroll)
      if (found) yield seenOf(last.person, { ...found, mend: { see: 'payslips' } })
    }
  }
}

/** Which payslips of the last periods were not judged, and whose: sentences without a full stop. */
export function unjudgedSlips(payroll: Payroll): readonly string[] {
  const strangers = strangersIn(payroll)
  return [
    ...about(
      lastSlips(payroll).behind,
      (names) =>
        `the last payslip was not checked for ${names}: it is more than ${fewPeriods} pay periods before that of others`,
    ),
    ...(strangers.length === 0
      ? []
      : [
          `the last payslips of ${nameSome(strangers, 5)} were not checked: no person has that reference or name`,
        ]),
  ]
}

/** Who was paid in a period that is judged, and is none of the people. */
function strangersIn(payroll: Payroll): readonly string[] {
  const { slips, countries, asked } = payroll
  const periodOf = (slip: ReadSlip) => `${slip.country} ${slip.unit} ${orderOf(slip)}`
  const { judged } = lastSlips(payroll)
  const periods = new Set(judged.flatMap(({ now }) => now.map(periodOf)))
  const isLast = (slip: ReadSlip) => {
    const isRead =
      slip.country === undefined
        ? hasEverybody(payroll)
        : countries.includes(slip.country) && asked.includes(slip.country)
    return isRead && (periods.has(periodOf(slip)) || (judged.length === 0 && orderOf(slip) > 0))
  }
  const last = slips.items.filter((slip) => slips.whose(slip).people.length === 0 && isLast(slip))
  return [...new Set(last.map(personInWords))]
}

/** assumed: a last payslip that is so many pay periods before that of others is not one of this pay run. */
const fewPeriods = 3

/** assumed: the share of people who are paid a period ahead of the others. */
const fewAhead = 0.1

/** The payslips of somebody, by period, the last one first. */
type PaidPerson = NonNullable<ReturnType<typeof paidIn>>

const lastSlips = onceFor((payroll: Payroll) => {
  const [judged, behind, undated]: [LastSlips[], Person[], Person[]] = [[], [], []]
  const active = new Set(payroll.active)
  // Who has left may be paid once more, or twice; but what is paid to who came back is not theirs.
  const isOfAnother = ({ reference = '', country }: Person) =>
    payroll.byReference
      .get(keyOf(reference))
      ?.some((other) => other.country === country && active.has(other)) === true
  const isPaid = (person: Person) => isAsked(payroll, person) && (active.has(person) || !isOfAnother(person))
  const all = payroll.people.filter(isPaid).flatMap((person) => {
    const slips = slipsOf(payroll, person) ?? []
    const paid = paidIn(person, slips)
    if (!paid && slips.length > 0 && active.has(person)) undated.push(person)
    return paid ?? []
  })
  const kindOf = ({ person, unit }: PaidPerson) =>
    `${person.country.id} ${textOf(person, payFields.frequency)} ${unit}`
  for (const group of groupBy(all, kindOf).values()) {
    const current = group.filter(({ person }) => active.has(person))
    if (current.length === 0) continue
    const orders = current.flatMap(({ periods }) => periods.map(({ order }) => order)).sort(latestFirst)
    // A few people may be ahead of all others, such as with holiday pay: the last period is one that more have.
    const more = Math.max(1, Math.floor(current.length * fewAhead))
    const last = orders.find((order, at) => order === orders[at + more]) ?? orders[0] ?? 0
    for (const { person, unit, periods } of group) {
      const step = stepOf(person, unit)
      const between = (one: number, other: number) => timeOf(one, unit) - timeOf(other, unit)
      const isActive = active.has(person)
      const isNow = (order: number, at: number) =>
        order >= last || (isActive && at === 0 && between(last, order) <= fewPeriods * step)
      if (isActive && !periods.some(({ order }, at) => isNow(order, at))) behind.push(person)
      for (const [at, paid] of periods.entries()) {
        const { order, slips } = paid
        if (!isNow(order, at)) continue
        const { order: earlier = 0, slips: before = [] } = periods[at + 1] ?? {}
        const isNext =
          between(order, earlier) <= step || !orders.some((each) => each > earlier && each < order)
        judged.push({ person, now: slips, before: isNext ? before : [], period: nameOfPeriod(unit, paid) })
      }
    }
  }
  return { judged, behind, undated }
})

/** The last period in which somebody was paid, and whether the tax period of a day is later; undefined where that is not known. */
export function lastPaid(payroll: Payroll, person: Person) {
  const { unit = '', periods = [] } = paidIn(person, slipsOf(payroll, person) ?? []) ?? {}
  const [last] = periods
  // A year of two figures.
  if (!last || last.order < 100_000) return undefined
  // A number alone is of a month where it can be, and is paid so.
  const mayBeMonth = unit === '' && last.order % 100 <= 12
  const usual = mayBeMonth ? unitOfPay(textOf(person, payFields.frequency)) : unit
  const isBefore = (day: string) => {
    const { taxYear, week, month } = taxPeriodOf(person.country, day)
    return last.order < firstNumberIn(taxYear) * 100 + (usual === 'month' ? month : week)
  }
  return { period: nameOfPeriod(unit, last), isBefore }
}

/** `week 33 of 2026/27` */
const nameOfPeriod = (unit: ReadSlip['unit'], { order, slips: [slip] }: PaidPerson['periods'][number]) =>
  `${unit || 'period'} ${order % 100} of ${slip?.taxYear}`

const latestFirst = (one: number, other: number) => other - one

const orderOf = ({ year, period }: ReadSlip) => year * 100 + period

/** The number of a period, counted from the first year. */
const timeOf = (order: number, unit: ReadSlip['unit']) =>
  Math.floor(order / 100) * (unit === 'month' ? 12 : 52) + (order % 100)

/** How many weeks or months are from one pay of somebody to the next. */
const stepOf = (person: Person, unit: ReadSlip['unit']) =>
  Math.ceil((periodDays(textOf(person, payFields.frequency)) ?? 7) / (unit === 'month' ? 31 : 7))

/** Undefined for somebody without a payslip of a known period. Those of another unit than the last are of a former time. */
function paidIn(person: Person, slips: readonly ReadSlip[]) {
  const years = ({ year, period, unit }: ReadSlip) => year + period / (unit === 'month' ? 12 : 52)
  const [latest, ...earlier] = slips
    .filter((slip) => orderOf(slip) > 0)
    .sort((one, other) => years(other) - years(one))
  if (!latest) return undefined
  const { unit } = latest
  const own = [latest, ...earlier.filter((slip) => slip.unit === unit)]
  const orders = [...new Set(own.map(orderOf))].sort(latestFirst)
  const periods = orders.map((order) => ({
    order,
    slips: withoutReversed(own.filter((slip) => orderOf(slip) === order)),
  }))
  return { person, unit, periods }
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
