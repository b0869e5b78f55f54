import { countryById, countryIds } from '../api/contract/countries/countries.ts'
import { choice, date, number, text, type ValuesOf } from '../api/contract/fields/field.ts'
import type { Payroll, Timesheet } from '../check/payroll.ts'
import { closedList, readPayroll } from '../check/read-payroll.ts'
import { activePeople, dayAfter, numberAt, textOf, timesheetsOf } from '../check/rule.ts'
import { fieldsOfEveryRule, weekEnding } from '../check/rules.ts'
import { countriesOf, type Options } from '../cli/options.ts'
import type { Context } from '../context/context.ts'
import { usage } from '../errors.ts'
import { plural } from '../formats/words.ts'
import { readDay } from './read-day.ts'
import { showProgress } from './show-progress.ts'

/** So many days before the week are looked at. */
const daysBefore = 28

const [hourlyRate, salary, joined, mobile, email] = [
  'generalSetting.rateHour',
  'generalSetting.annualSalary',
  'generalSetting.dateOfJoining',
  'generalSetting.mobile',
  'generalSetting.email',
] as const

/** Somebody who has no timesheet. */
export const missingFields = {
  reference: text('Person', { nullable: true }),
  name: text('Name', { nullable: true }),
  country: choice('Country', countryIds),
  lastWorked: date('Last worked', { nullable: true }),
  hours: number('Hours then', { nullable: true }),
  mobile: text('Mobile', { nullable: true }),
  email: text('Email', { nullable: true }),
  id: text('Id', { nullable: true }),
}

/**
 * Lists who has no timesheet in a week: whoever is paid by the hour or worked in the four weeks before, has started, and
 * has not left. Throws a usage failure without a week, and as a list does.
 */
export async function listMissing(context: Context, options: Options): Promise<void> {
  const { weekEnding: written } = options
  if (written === undefined) throw usage('Which week? Name its last day: --week-ending 2026-04-26.')
  const week = weekEnding(await readDay(context, '--week-ending', written))
  const client = await context.client()
  const payroll = await showProgress(
    context,
    'Reading people and timesheets',
    readPayroll(client, {
      day: week.last,
      today: context.today(),
      week,
      days: { first: dayAfter(week.first, -daysBefore), last: week.last },
      countries: countriesOf(options).map(({ id }) => id),
      lists: new Set(['timesheets'] as const),
      needs: () => [],
      reads: [...fieldsOfEveryRule, hourlyRate, salary, mobile, email],
      onClosed: (id) => context.warn(`${closedList(id, 'looked at')}.`),
    }),
  )
  const rows = [...missingIn(payroll, week.first, week.last)]
  // A person reads the name of the country, and a program its id.
  const isRead = context.output.format.isForPerson && context.options.query === undefined
  const shown = rows.map((row) => ({
    ...row,
    country: isRead ? countryById[row.country].place : row.country,
  }))
  await context.output.list(shown, {
    columns: ['reference', 'name', 'country', 'lastWorked', 'hours', 'mobile', 'email'],
    fields: missingFields,
  })
  const days = `from ${week.first} to ${week.last}`
  const who = `${plural(rows.length, 'person')} ${rows.length === 1 ? 'has' : 'have'}`
  context.note(rows.length === 0 ? `Nobody is missing ${days}.` : `${who} no timesheet ${days}.`)
}

function* missingIn(
  payroll: Payroll,
  first: string,
  last: string,
): Generator<ValuesOf<typeof missingFields>> {
  for (const person of activePeople(payroll, first)) {
    const sheets = timesheetsOf(payroll, person)
    const isOfWeek = (sheet: Timesheet) => sheet.last >= first && sheet.first <= last
    const start = textOf(person, joined).slice(0, 10)
    if (sheets.some(isOfWeek) || start > last) continue
    const isSalaried = (numberAt(person, salary) ?? 0) > 0 && !((numberAt(person, hourlyRate) ?? 0) > 0)
    if (isSalaried && sheets.length === 0) continue
    const latest = [...sheets].sort((one, other) => (one.last < other.last ? 1 : -1))[0]
    yield {
      reference: person.reference ?? null,
      name: person.name ?? null,
      country: person.country.id,
      lastWorked: latest?.last ?? null,
      hours: latest
        ? Number(latest.lines.reduce((sum, line) => sum + (line.hours ?? 0), 0).toFixed(2))
        : null,
      mobile: textOf(person, mobile) || null,
      email: textOf(person, email) || null,
      id: person.id ?? null,
    }
  }
}
