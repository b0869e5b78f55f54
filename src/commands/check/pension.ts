import { payFields } from '../../model/standards/minimum-wage.ts'
import { mayBeEnrolled, weeklyPay } from '../../model/standards/plausible.ts'
import { dayOf, lacks, numberOf, type Person, textOf, unseenOf } from '../../reading/people.ts'
import type { Payroll } from './rule.ts'

const { birthday, hourlyRate, salary, weeklyHours } = payFields

/** The fields that say how far somebody's enrolment into a pension is. */
export const enrolment = {
  optState: 'generalSetting.pensionSetting.optState',
  joined: 'generalSetting.pensionSetting.membershipStartDate',
  optedIn: 'generalSetting.pensionSetting.optInDate',
  optedOut: 'generalSetting.pensionSetting.optOutDate',
  assessed: 'generalSetting.pensionSetting.lastAssessmentOn',
  firstAssessed: 'generalSetting.pensionSetting.ejhDate',
} as const

/** Whether the age and the pay are those of auto-enrolment, as far as the law and they are known. */
export const mayBeEligible = (person: Person, { facts, payDate }: Payroll): boolean =>
  mayBeEnrolled(textOf(person, birthday), payDate, payOfWeek(person), facts)

/** Whether somebody is enrolled, has opted out, or was assessed; after a day, where one is given. `hidden`: the service does not show it. */
export function enrolmentSeen(person: Person, since = ''): boolean | 'hidden' {
  const [assessed, state] = [dayOf(person, enrolment.assessed), textOf(person, enrolment.optState)]
  const isOfState = state !== '' && !/postpon|defer/i.test(state) && !isFirstState(person)
  if (isOfState || (assessed !== undefined && assessed >= since)) return true
  const known = [enrolment.joined, enrolment.optedOut].filter((path) => !lacks(person, path))
  return known.length > 0 && known.every((path) => unseenOf(person, path) === 'hidden')
    ? 'hidden'
    : known.length > 0
}

/** assumed: the first state, in which nothing has been decided yet; "optState ignition". */
export const isFirstState = (person: Person): boolean =>
  /^(ignition|pending|new)$/i.test(textOf(person, enrolment.optState))

/** The pay of a usual week by the record, in pounds or euros; undefined where it does not say it. */
export const payOfWeek = (person: Person): number | undefined =>
  weeklyPay(numberOf(person, hourlyRate), numberOf(person, weeklyHours), numberOf(person, salary))
