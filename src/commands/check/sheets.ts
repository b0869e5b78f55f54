import { keyOf, withoutLeadingZeros } from '../../model/natural-key.ts'
import { textIn } from '../../model/records/identity.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { ageOn, daysWorked, tidy } from '../../model/standards/plausible.ts'
import { readTaxPeriod, taxPeriodDoubts } from '../../model/standards/tax-period.ts'
import type { Whose } from '../../model/whose.ts'
import { onceFor } from '../../once.ts'
import { type Person, textOf } from '../../reading/people.ts'
import { hasDays, nameOfSheet, type Timesheet, type WorkedLine, workedHours } from '../../reading/work.ts'
import { dayAfter, weekdayOf } from '../../text/day.ts'
import { addTo, groupBy } from '../../text/group-by.ts'
import { agree, plural, wordList } from '../../text/words.ts'
import { hasEverybody, type Mend, type Payroll, type PersonFinding, workersOf } from './rule.ts'
import { fewestForUsual } from './usual.ts'

const workingTime = 'generalSetting.workingTimeRegulation'
const restrictedHours = 'generalSetting.isRestrictedHours'

/** The fields of a person by which hours are judged. */
export const hoursFields = [workingTime, restrictedHours, payFields.birthday] as const

/** assumed: more hours a week than the first are to be reviewed, and more than the second (twelve on each of seven days) are wrong. */
const [manyHours, mostHours] = [60, 84]

/** The timesheets that are paid, those of one person together. */
export const liveSheets = onceFor(({ work }: Payroll): Timesheet[][] => {
  const groups = new Map<unknown, Timesheet[]>()
  for (const sheet of work.items) {
    if (sheet.dead !== undefined) continue
    const { people, doubt } = work.whose(sheet)
    const isGuess = doubt === 'id' || doubt === 'both'
    addTo(groups, (isGuess ? undefined : people[0]) ?? keyOf(sheet.reference), sheet)
  }
  return [...groups.values()]
})

/** Says of how many timesheets the hours, or the person, are not known. */
export const unclearIn = onceFor((payroll: Payroll): readonly string[] => {
  const unclear = liveSheets(payroll)
    .flat()
    .filter((sheet) => {
      const [worker] = workersOf(payroll, sheet)
      if (worker) return sheet.hours === undefined && payroll.asked.includes(worker.country.id)
      return sheet.hours === undefined || isUntold(payroll.work.whose(sheet).doubt)
    })
  if (unclear.length === 0) return []
  return [
    `was not checked for ${plural(unclear.length, 'timesheet')}: it is not certain whose they are, or how many hours a unit of their payment rate has`,
  ]
})

/** Whether it is not certain whose a timesheet is, though it names somebody. */
const isUntold = (doubt: Whose<Person>['doubt']) => doubt === 'shared' || doubt === 'both'

/** A finding about a timesheet, and its person where one alone may have worked it. */
export const sheetFinding = (payroll: Payroll, sheet: Timesheet, seen: string) => ({
  person: workersOf(payroll, sheet)[0],
  reference: sheet.reference,
  seen,
  mend: toLookAt(sheet),
})

/** Shows a timesheet: the service has no operation that deletes one. */
export const toLookAt = ({ id, reference }: Timesheet): Mend => ({
  run:
    id === undefined
      ? ['timesheets', 'list', '--where', `subcontractorRef=${reference}`]
      : ['timesheets', 'get', id],
})

/** `-5 hours`; `-5 units` where the unit is no time, or its hours are not known. */
export const lessThanNone = ({ hours, units = 0 }: WorkedLine): string =>
  hours ? `${tidy(hours)} hours` : `${tidy(units)} units`

/** Whether two timesheets may be for the same work: not if they name two assignments. */
export const isSameWork = (one: Timesheet, other: Timesheet): boolean =>
  one.assignment === '' ||
  other.assignment === '' ||
  withoutLeadingZeros(keyOf(one.assignment)) === withoutLeadingZeros(keyOf(other.assignment))

/**
 * What tells the weeks of timesheets apart: that in which one of up to seven days ends, from Monday to
 * Sunday. Without days nothing says that two timesheets share a week.
 */
export function weekOf(sheet: Timesheet): string {
  const { first, last, id = '' } = sheet
  if (!hasDays(sheet)) return `${first} ${last} ${id}`
  return daysWorked(first, last) <= 7 ? dayAfter(last, (7 - weekdayOf(last)) % 7) : `${first} ${last}`
}

/**
 * The doubts about tax years and periods. assumed: a service where most periods of a country are far from their days counts
 * them in a way of its own, such as by calendar weeks: that is said once.
 */
export function* taxPeriodFindings(
  payroll: Payroll,
  remark: (text: string) => void,
): Generator<PersonFinding> {
  const judged = liveSheets(payroll)
    .flat()
    .flatMap((sheet) => {
      const worked = workersOf(payroll, sheet).map(({ country }) => country)
      // If only the people of one country were read, the timesheets of the other country have no known person.
      if (worked.length === 0 && !hasEverybody(payroll)) return []
      const { first: startDate, last: endDate, taxPeriod: taxPeriodConfig } = sheet
      // One or two digits alone may be the id of a year.
      const taxYear = /^\d{1,2}$/.test(textIn(sheet.taxYear)) ? null : sheet.taxYear
      const fields = { startDate, endDate, taxYear, taxPeriodConfig }
      const [doubt] = taxPeriodDoubts(fields, payroll.today, worked.length > 0 ? worked : undefined)
      return [{ sheet, country: worked[0], doubt }]
    })
  for (const own of groupBy(judged, ({ country }) => country?.id ?? '').values()) {
    const far = own.filter(({ doubt }) => doubt?.path === 'taxPeriodConfig')
    const counted = own.filter(({ sheet }) => readTaxPeriod(sheet.taxPeriod ?? null)?.unit !== undefined)
    const isOwnWay = far.length >= fewestForUsual && 2 * far.length > counted.length
    const [{ sheet, country, doubt } = {}] = isOwnWay ? far : []
    if (sheet && doubt && (!country || payroll.asked.includes(country.id)))
      remark(
        `tax-period was not checked for ${plural(far.length, 'timesheet')}: most are far from their days, so the service may count in a way of its own (${nameOfSheet(sheet)}: ${doubt.message})`,
      )
    for (const each of own)
      if (each.doubt && !(isOwnWay && far.includes(each)))
        yield sheetFinding(payroll, each.sheet, `${nameOfSheet(each.sheet)}: ${each.doubt.message}`)
  }
}

/** The hours of the timesheets of one week, if they are more than some limit allows: the surest limit is named. */
export function tooManyHours(sheets: readonly Timesheet[], payroll: Payroll): readonly PersonFinding[] {
  const [sheet] = sheets
  if (!sheet) return []
  const [person] = workersOf(payroll, sheet)
  const first = sheets.map((each) => each.first).sort()[0] ?? ''
  const last =
    sheets
      .map((each) => each.last)
      .sort()
      .at(-1) ?? ''
  const days = daysWorked(first, last)
  const hours = workedHours(sheets.flatMap(({ lines }) => lines))
  const weekly = hours / Math.max(1, days / 7)
  const { most, mayOptOut, restricted, young } =
    (person && payroll.facts.on('working-time', person.country.id, payroll.day)?.value) ?? {}
  const agreed = person ? textOf(person, workingTime) : ''
  const age = person && ageOn(textOf(person, payFields.birthday), first)
  // assumed: OPT_IN says that the limit applies. Where nothing is said, most people have agreed to more.
  const isHeld = mayOptOut === false || /^OPT_?IN/i.test(agreed)
  const limits: readonly (readonly [most: number | undefined | false, says: string, isSure?: true])[] = [
    [
      hasDays({ first, last }) && Math.min(7, days) * 24,
      `${plural(days, 'day')} ${agree(days, 'has')} ${days * 24}`,
      true,
    ],
    [
      young && age !== undefined && age < young.under && young.most,
      `under ${young?.under}, the law allows ${young?.most}`,
      true,
    ],
    [
      person?.values.get(restrictedHours) === true && restricted,
      `the hours are restricted: those of a student to ${restricted} in a term`,
    ],
    [
      (isHeld && most) || manyHours,
      agreed === '' || mayOptOut === false ? '' : `Working Time Regulations: ${agreed}`,
    ],
  ]
  const broken = limits.find(([limit]) => typeof limit === 'number' && weekly > limit)
  if (!broken) return []
  const [, says, isSure] = broken
  const per = days > 7 ? `, ${tidy(weekly)} a week` : ''
  const names = wordList([...new Set(sheets.map(nameOfSheet))], 'and')
  const seen = [`${tidy(hours)} hours${per}`, names, says].filter(Boolean).join('; ')
  return [
    {
      ...sheetFinding(payroll, sheet, seen),
      severity: isSure || weekly > mostHours ? 'likely-wrong' : 'look',
    },
  ]
}
