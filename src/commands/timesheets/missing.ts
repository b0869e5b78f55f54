import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import { countryById, countryIds } from '../../model/countries/countries.ts'
import { choice, date, number, text, type ValuesOf } from '../../model/fields/field.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { type ItemsOfPeople, itemsOf } from '../../model/whose.ts'
import {
  closedSentence,
  fieldsOfEveryone,
  gapSentences,
  gapsOf,
  isPaidByHour,
  type Person,
  readPeople,
  textOf,
} from '../../reading/people.ts'
import {
  hasUnits,
  noTimesheet,
  readWork,
  type Timesheet,
  weekEnding,
  whyMissing,
} from '../../reading/work.ts'
import { type Days, dayAfter, fromTo } from '../../text/day.ts'
import { agree, plural } from '../../text/words.ts'
import { countriesOf, type Options } from '../cli/options.ts'
import { readDay } from '../kit/read-day.ts'
import { showProgress } from '../kit/show-progress.ts'
import { assertPeopleShown, assertSomebody } from '../kit/show-report.ts'

const daysBefore = 28

const { hourlyRate, salary, start } = payFields
const [mobile, email] = ['generalSetting.mobile', 'generalSetting.email'] as const

export const missingFields = {
  reference: text('Person', { nullable: true }),
  name: text('Name', { nullable: true }),
  country: choice('Country', countryIds),
  lastWorked: date('Last worked', { nullable: true }),
  hours: number('Hours then', { nullable: true }),
  mobile: text('Mobile', { nullable: true }),
  email: text('Email', { nullable: true }),
  id: text('Id', { nullable: true }),
  why: text('Why'),
}

/** Lists who has no timesheet in a week, of people paid by the hour or who worked in the four weeks before. */
export async function listMissing(context: Context, options: Options): Promise<void> {
  const { weekEnding: written } = options
  if (written === undefined) throw usage('Which week? Name its last day: --week-ending "last sunday".')
  const week = weekEnding(await readDay(context, '--week-ending', written))
  const client = await context.client()
  const reading = Promise.all([
    readPeople(client, {
      // A timesheet may be of the person in another country who has the same reference.
      countries: countryIds,
      needs: () => [],
      paths: [...fieldsOfEveryone, hourlyRate, salary, mobile, email],
    }),
    readWork(client, { first: dayAfter(week.first, -daysBefore), last: week.last }),
  ])
  const [{ people: everybody, closed }, listed] = await showProgress(
    context,
    'Reading people and timesheets',
    reading,
  )
  const wanted = countriesOf(options).map(({ id }) => id)
  const people = everybody.filter(({ country }) => wanted.includes(country.id))
  assertSomebody(context, people.length, 'looked at')
  const work = itemsOf(everybody, listed)
  const rows = people.flatMap((person) => withoutTimesheet(person, week, work) ?? [])
  // A table shows the country's name, JSON its id.
  const shown = rows.map((row) => ({
    ...row,
    country: context.output.isRead ? countryById[row.country].place : row.country,
  }))
  await context.output.list(shown, {
    columns: ['reference', 'name', 'country', 'lastWorked', 'hours', 'mobile', 'email', 'why'],
    fields: missingFields,
  })
  for (const id of wanted.filter((each) => closed.has(each)))
    context.warn(`${closedSentence(id, 'looked at')}.`)
  const unread = gapsOf(people, () => ['dateLeft', start, hourlyRate]).filter(({ why }) => why !== 'hidden')
  for (const text of gapSentences(unread, 'used')) context.warn(`${text}.`)
  const days = fromTo(week)
  const who = `${plural(rows.length, 'person')} ${agree(rows.length, 'has')}`
  const what = rows.every(({ why }) => why === noTimesheet) ? 'no timesheet' : 'no timesheet that counts'
  context.note(rows.length > 0 ? `${who} ${what} ${days}.` : `Nobody is missing ${days}.`)
  if (week.last >= context.today()) context.note('The week is not over yet: timesheets may still come.')
  await assertPeopleShown(context, options, closed, 'looked at')
}

function withoutTimesheet(
  person: Person,
  week: Days,
  work: ItemsOfPeople<Person, Timesheet>,
): ValuesOf<typeof missingFields> | undefined {
  const why = whyMissing(person, week, work)
  if (why === undefined) return undefined
  const worked = work
    .of(person)
    .filter((sheet) => sheet.dead === undefined && hasUnits(sheet) && work.whose(sheet).doubt !== 'id')
  if (!isPaidByHour(person) && worked.length === 0) return undefined
  const latest = [...worked].sort((one, other) => (one.last < other.last ? 1 : -1))[0]
  return {
    reference: person.reference ?? null,
    name: person.name ?? null,
    country: person.country.id,
    lastWorked: latest?.last || null,
    hours: latest?.hours === undefined ? null : Number(latest.hours.toFixed(2)),
    mobile: textOf(person, mobile) || null,
    email: textOf(person, email) || null,
    id: person.id ?? null,
    why,
  }
}
