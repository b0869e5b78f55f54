import { standsForNone } from '../../model/mapping/service-masks.ts'
import { isSubcontractor, payFields } from '../../model/standards/minimum-wage.ts'
import { onceFor, onceForText } from '../../once.ts'
import { numberOf, type Person, paidPerson, startsAfter, textOf } from '../../reading/people.ts'
import { hasUnknownRate, type Timesheet } from '../../reading/work.ts'
import { enrolmentSeen } from './pension.ts'
import { type Payroll, sheetsOf } from './rule.ts'

const { hourlyRate, salary, margin } = payFields

const hasPay = (person: Person) => [hourlyRate, salary].some((path) => (numberOf(person, path) ?? 0) > 0)

const hasMargin = (person: Person) => (numberOf(person, margin) ?? 0) > 0

/** assumed: the fewest amounts of pay of which the one in the middle is usual. */
export const fewestForUsual = 5

/** The pay that is usual in a country, by the path of its field; 0 where it is not known. */
export const usualPay = onceFor((payroll: Payroll) =>
  onceForText((country: string) =>
    onceForText((path) => {
      const own = payroll.active.filter((person) => person.country.id === country)
      const all =
        path === timesheetRate
          ? own.flatMap((person) => sheetsOf(payroll, person).flatMap(ratesOf))
          : own.map((person) => numberOf(person, path) ?? 0)
      const known = all.filter((pay) => pay > 0).sort((one, other) => one - other)
      return known.length < fewestForUsual ? 0 : (known[Math.floor(known.length / 2)] ?? 0)
    }),
  ),
)

/** The pay of an hour by each line; 0 where nothing is paid by it. */
export const ratesOf = ({ lines }: Timesheet) =>
  lines.map(({ hourly = 0, units }) => (units === 0 ? 0 : hourly))

/** In the place of a field: the pay of an hour on a timesheet. */
export const timesheetRate = 'timesheet'

/** Says whether most people of somebody's country pass a test: what few have is not missing from a person. Counts once. */
function mostPass(test: (person: Person) => boolean): (payroll: Payroll, person: Person) => boolean {
  const inCountry = onceFor((payroll: Payroll) =>
    onceForText((country) => {
      const own = payroll.active.filter(
        (one) =>
          one.country.id === country && !startsAfter(one, payroll.day) && !isSubcontractor(paidPerson(one)),
      )
      return 2 * own.filter(test).length > own.length
    }),
  )
  return (payroll, { country }) => inCountry(payroll)(country.id)
}

/** Whether most people of a person's country have that: an hourly rate or a salary, a margin, and so on. */
export const mostHavePay = mostPass(hasPay)
export const mostHaveMargin = mostPass(hasMargin)
export const mostAreEnrolled = mostPass((person) => enrolmentSeen(person) !== false)
export const mostHave = onceForText((path) => mostPass((person) => textOf(person, path) !== ''))
export const mostShow = onceForText((path) =>
  mostPass((person) => textOf(person, path) !== '' && !person.unseen.has(path)),
)

/** Whether a text such as TBC or 00000000 stands where there is no number. Where it stands for most people, it is a mask. */
export const isStandIn = (payroll: Payroll, person: Person, path: string): boolean =>
  person.unseen.get(path) === 'masked' &&
  standsForNone(textOf(person, path)) &&
  mostShow(path)(payroll, person)

/** Whether a timesheet of a person says what its hours pay. */
export const hasSheetRate = (payroll: Payroll, person: Person): boolean =>
  sheetsOf(payroll, person).some(({ lines }) =>
    lines.some((line) => ((hasUnknownRate(line) ? line.pay : line.hourly) ?? 0) > 0),
  )

/** Whether the rate of somebody who has none, nor a salary, came with a timesheet. */
export const hasRatesOfSheets = onceFor((payroll: Payroll) =>
  payroll.active.some((person) => !hasPay(person) && hasSheetRate(payroll, person)),
)
