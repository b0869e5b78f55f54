import { keyOf, nameKey } from '../../model/natural-key.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { periodDays } from '../../model/standards/plausible.ts'
import { onceFor } from '../../once.ts'
import { listNames, type Person, textOf } from '../../reading/people.ts'
import { groupBy } from '../../text/group-by.ts'
import { agree, plural } from '../../text/words.ts'
import { type Payroll, type PersonFinding, type ReadSlip, type RuleFinding, seenOf } from './rule.ts'

/** The payslips of a person; undefined where they have a name that somebody else has too, and no reference. */
export function slipsOf(payroll: Payroll, person: Person): readonly ReadSlip[] | undefined {
  const { slips, byReference } = payroll
  const [key, name] = [keyOf(person.reference ?? ''), nameKey(person.name ?? '')]
  const referred = slips.ofReference.get(key) ?? []
  const own = ownOf(person, referred, byReference.get(key)) ?? referred
  const named = ownOf(person, slips.ofName.get(name) ?? [], byName(payroll).get(name))
  return named === undefined && own.length === 0 ? undefined : [...own, ...(named ?? [])]
}

/** The payslips of a person whose name or reference others have too; undefined where theirs cannot be told apart. */
function ownOf(
  { country }: Person,
  slips: readonly ReadSlip[],
  sharing: readonly Person[] = [],
): readonly ReadSlip[] | undefined {
  const ofCountry = slips.filter((slip) => slip.country === country.id)
  if (sharing.length < 2) return ofCountry.length > 0 ? ofCountry : slips
  const isAlone = sharing.filter((each) => each.country === country).length < 2
  const isTold = isAlone && slips.every((slip) => slip.country !== undefined)
  return slips.length === 0 || isTold ? ofCountry : undefined
}

const byName = onceFor(({ people }: Payroll) => groupBy(people, ({ name = '' }) => nameKey(name)))

/** Whose payslips cannot be told apart, and why, to go on a sentence. */
export const untoldIn = onceFor((payroll: Payroll): readonly string[] => {
  const people = payroll.active.filter((person) => slipsOf(payroll, person) === undefined)
  const why = 'their payslips have no reference, and a name that several people have'
  return people.length === 0 ? [] : [`was not checked for ${listNames(people)}: ${why}`]
})

/** The payslips of somebody in one period, and in the one before. */
export interface LastSlips {
  readonly person: Person
  readonly now: readonly ReadSlip[]
  readonly before: readonly ReadSlip[]
  /** `week 33 of 2026` */
  readonly period: string
}

/** A rule about the last payslips of each person. */
export function judgeSlips(judge: (last: LastSlips) => Omit<RuleFinding, 'mend'> | undefined) {
  return function* (payroll: Payroll, remark: (text: string) => void): Generator<PersonFinding> {
    for (const text of untoldIn(payroll)) remark(`the last payslip ${text}`)
    for (const last of lastSlips(payroll).judged) {
      const found = judge(last)
      if (found) yield seenOf(last.person, { ...found, mend: { see: 'payslips' } })
    }
  }
}

/** How many people have a last payslip that is too old to be judged: a sentence without its full stop. */
export function oldSlips(payroll: Payroll): readonly string[] {
  const { behind } = lastSlips(payroll)
  if (behind.length === 0) return []
  const are = `${plural(behind.length, 'person')} ${agree(behind.length, 'was')}`
  return [
    `the last payslip of ${are} not checked: it is more than ${fewPeriods} pay periods before that of others`,
  ]
}

/** assumed: a last payslip that is so many pay periods before that of others is not one of this pay run. */
const fewPeriods = 3

/** assumed: the share of people who are paid a period ahead of the others. */
const fewAhead = 0.1

/** The payslips of somebody, by period, the last one first. */
interface PaidPerson {
  readonly person: Person
  readonly unit: ReadSlip['unit']
  readonly periods: readonly { readonly order: number; readonly slips: readonly ReadSlip[] }[]
}

const lastSlips = onceFor((payroll: Payroll) => {
  const [judged, behind]: [LastSlips[], Person[]] = [[], []]
  const all = payroll.active.flatMap((person) => paidIn(person, slipsOf(payroll, person) ?? []) ?? [])
  const kindOf = ({ person, unit }: PaidPerson) =>
    `${person.country.id} ${textOf(person, payFields.frequency)} ${unit}`
  for (const group of groupBy(all, kindOf).values()) {
    const orders = group.flatMap(({ periods }) => periods.map(({ order }) => order)).sort(latestFirst)
    // A few people may be ahead of all others, such as with holiday pay: the last period is one that more have.
    const more = Math.max(1, Math.floor(group.length * fewAhead))
    const last = orders.find((order, at) => order === orders[at + more]) ?? orders[0] ?? 0
    for (const { person, unit, periods } of group) {
      const step = stepOf(person, unit)
      const between = (one: number, other: number) => timeOf(one, unit) - timeOf(other, unit)
      const isNow = (order: number, at: number) =>
        order >= last || (at === 0 && between(last, order) <= fewPeriods * step)
      if (!periods.some(({ order }, at) => isNow(order, at))) behind.push(person)
      for (const [at, { order, slips }] of periods.entries()) {
        if (!isNow(order, at)) continue
        const { order: earlier = 0, slips: before = [] } = periods[at + 1] ?? {}
        const isNext =
          between(order, earlier) <= step || !orders.some((each) => each > earlier && each < order)
        const period = `${unit || 'period'} ${order % 100} of ${Math.floor(order / 100)}`
        judged.push({ person, now: slips, before: isNext ? before : [], period })
      }
    }
  }
  return { judged, behind }
})

const latestFirst = (one: number, other: number) => other - one

const orderOf = ({ year, period }: ReadSlip) => year * 100 + period

/** The number of a period, counted from the first year. */
const timeOf = (order: number, unit: ReadSlip['unit']) =>
  Math.floor(order / 100) * (unit === 'month' ? 12 : 52) + (order % 100)

/** How many weeks or months are from one pay of somebody to the next. */
const stepOf = (person: Person, unit: ReadSlip['unit']) =>
  Math.ceil((periodDays(textOf(person, payFields.frequency)) ?? 7) / (unit === 'month' ? 31 : 7))

/** Undefined for somebody without a payslip of a known period. Those of another unit than the last are of a former time. */
function paidIn(person: Person, slips: readonly ReadSlip[]): PaidPerson | undefined {
  const years = ({ year, period, unit }: ReadSlip) => year + period / (unit === 'month' ? 12 : 52)
  const [latest, ...others] = slips
    .filter((slip) => orderOf(slip) > 0)
    .sort((one, other) => years(other) - years(one))
  if (!latest) return undefined
  const { unit } = latest
  const own = [latest, ...others.filter((slip) => slip.unit === unit)]
  const orders = [...new Set(own.map(orderOf))].sort(latestFirst)
  const periods = orders.map((order) => ({ order, slips: own.filter((slip) => orderOf(slip) === order) }))
  return { person, unit, periods }
}
