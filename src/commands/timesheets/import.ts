import type { Context } from '../../context/context.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { isOfShift } from '../../files/table/file-columns.ts'
import { rowDigest } from '../../files/table/fingerprint.ts'
import { type FileRow, type RowIssue, rowWith } from '../../files/table/row.ts'
import type { RowSource } from '../../files/table/row-source.ts'
import { countryIds } from '../../model/countries/countries.ts'
import { keyOf, nameKey, readKey, timesheetKind } from '../../model/natural-key.ts'
import { timesheet } from '../../model/resources/timesheet.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { daysWorked } from '../../model/standards/plausible.ts'
import { textAt } from '../../model/standards/warning.ts'
import { valueComparer } from '../../model/values/compare-stored.ts'
import { closedSentence, fieldsOfEveryone, readPeople } from '../../reading/people.ts'
import { type Rates, rateLines, rateOf, readRates } from '../../reading/work.ts'
import { toText } from '../../render/text/format-field.ts'
import { spelledOut, weekdays } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { capital, nameSome, plural } from '../../text/words.ts'
import type { GatherOptions } from '../cli/resource-verbs.ts'
import { readOrWarn, readVatCodes } from '../kit/coded-records.ts'
import { commandLine } from '../kit/command-line.ts'
import { type PayDay, payDayOf } from '../kit/pay-day.ts'
import { payFacts } from '../kit/pay-facts.ts'
import { showProgress } from '../kit/show-progress.ts'
import { addUpDays, checkDayWorked, daysAreJoined } from './day-worked.ts'
import { collectLineFindings } from './findings.ts'
import { checkHours, endOfWeek, firstAndLastDay, startTotals } from './hours.ts'
import { type Background, type RateCells, readTimesheetRow, type TimesheetRow } from './read-line.ts'
import { askNames, indexPeople, nameWithoutReference } from './who-worked.ts'

/**
 * Joins the rows of one person and week into one timesheet, and fills in start, tax year and tax period.
 * Checks people, rates and VAT codes with the service before anything is sent. Throws as a list does, but
 * only warns where the key may not read a list.
 */
export async function gatherTimesheets(
  context: Context,
  source: RowSource,
  { isDone, findNamed, options }: GatherOptions,
): Promise<RowSource> {
  const payDay = isDone ? {} : await payDayOf(context, options)
  const asks = isDone || (context.interactive && !context.options.yes && !options.strict)
  const about = { today: context.today(), asks, facts: await payFacts(context), payDay, findNamed }
  let background: Background = isDone ? about : { ...about, ...(await readServiceLists(context)) }
  let sheet = await readSheet(source, background)
  const { people } = background
  const named = people && (await askNames(context, sheet.names, people))
  if (named && named.size > 0) {
    background = { ...background, people: { ...people, named } }
    sheet = await readSheet(source, background)
  }
  const { together, periods, total, strangeEnd } = sheet
  const read = sheet.hasDays ? { ...source, remarks: [...(source.remarks ?? []), daysAreJoined] } : source
  return {
    ...read,
    ...(await saidOfPeriods(context, read, periods, payDay)),
    total: isDone ? undefined : total,
    named: sheet.named,
    ...(background.people && { people: background.people.all }),
    nameRate: (id) => background.rates?.get(keyOf(id))?.code,
    fileRows: () => source.rows(),
    async *rows() {
      const waiting = new Map<readonly number[], TimesheetRow[]>()
      for await (const row of source.rows()) {
        const numbers = together.get(row.row) ?? [row.row]
        const lines = [
          ...(waiting.get(numbers) ?? []),
          readTimesheetRow(row, source, { ...background, strangeEnd }),
        ]
        waiting.set(numbers, lines)
        if (lines.length < numbers.length) continue
        waiting.delete(numbers)
        yield asTimesheet(lines, source, background)
      }
    },
  }
}

/** Says in which tax periods the rows are paid, and why. A missing pay date is a doubt. */
async function saidOfPeriods(
  context: Context,
  { remarks = [], doubts = [] }: RowSource,
  periods: ReadonlyMap<string, number>,
  { date, weekday }: PayDay,
): Promise<Pick<RowSource, 'remarks' | 'doubts'>> {
  const all = [...periods].map(([period, count]) => `${period} (${plural(count, 'row')})`)
  if (all.length === 0) return {}
  const says = `tax period: ${nameSome(all, mostPeriods)}`
  if (date !== undefined) return { remarks: [...remarks, `${says}, by the pay date ${spelledOut(date)}`] }
  if (weekday !== undefined)
    return {
      remarks: [...remarks, `${says}, by the ${capital(weekday)} after each week, on which it is paid`],
    }
  const { kind, name } = await context.profile()
  const kept =
    kind === 'stored'
      ? `, or keep the weekday with ${await commandLine(context, 'profiles', 'set', name, '--pay-day', 'friday')}`
      : ''
  const message = `${says}, by the last day of the week, because no pay date is known: add --pay-date with the day of pay${kept}. A timesheet that is on the service keeps its own`
  return { doubts: [...doubts, { row: 0, message }] }
}

const mostPeriods = 4

/**
 * The names that have no reference, and whose rows those are; the rows that are one timesheet, by each of their
 * numbers; how many rows have each tax period that was filled in; the totals; whether a row is about one day.
 */
async function readSheet(source: RowSource, background: Background) {
  const names = new Map<string, string>()
  const byKey = new Map<string, number[]>()
  const named = new Map<string, string>()
  const periods = new Map<string, number>()
  const ends = new Map<number, number>()
  const totals = startTotals(background.rates)
  let hasDays = false
  for await (const row of source.rows()) {
    const alone = nameWithoutReference(row.record)
    if (alone !== undefined) names.set(nameKey(alone), alone)
    const { record, person, period, day } = readTimesheetRow(row, source, background)
    hasDays ||= day !== undefined
    if (person?.reference && textAt(row.record, 'subcontractorRef') === '')
      named.set(row.digest, person.reference)
    if (period !== undefined) periods.set(period, (periods.get(period) ?? 0) + 1)
    const end = endOfWeek(record)
    if (end !== undefined) ends.set(end, (ends.get(end) ?? 0) + 1)
    const name = readKey(record, timesheetKind.key.request)
    const key = name && keyOf(name)
    totals.add(record, person, key ?? `row ${row.row}`)
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), row.row])
  }
  const together = new Map([...byKey.values()].flatMap((rows) => rows.map((row) => [row, rows] as const)))
  return {
    names,
    named,
    together,
    periods,
    total: totals.inWords(),
    hasDays,
    strangeEnd: strangeEndIn(ends),
  }
}

/** `ends`: how many weeks of the sheet end on each weekday. A few that end on another one than most were probably mistyped. */
function strangeEndIn(ends: ReadonlyMap<number, number>): Background['strangeEnd'] {
  const [[usual, most] = [0, 0]] = [...ends].toSorted(([, one], [, other]) => other - one)
  return (weekday) => {
    if (2 * (ends.get(weekday) ?? 0) > most) return undefined
    const [day, other] = [weekday, usual].map((each) => capital(weekdays[each] ?? ''))
    return `the week ends on a ${day}, and in ${plural(most, 'other row')} on a ${other}: is the day right?`
  }
}

async function readServiceLists(context: Context) {
  const client = await context.client()
  const everybody = showProgress(
    context,
    'Reading people, rates and VAT codes',
    readPeople(client, {
      countries: countryIds,
      needs: () => [],
      paths: [...fieldsOfEveryone, ...Object.values(payFields)],
    }),
  )
  const [found, rates, vatCodes] = await Promise.all([
    readOrWarn(context, 'people', everybody),
    readOrWarn(context, 'payment rates', readRates(client)),
    readOrWarn(context, 'VAT codes', readVatCodes(client)),
  ])
  for (const id of found?.closed.keys() ?? []) context.warn(`${closedSentence(id, 'looked at')}.`)
  return { people: found && indexPeople(found.people), rates, vatCodes }
}

/** The rows of one timesheet as one row, with findings about all its hours. */
function asTimesheet(lines: readonly TimesheetRow[], source: RowSource, background: Background): FileRow {
  const [{ row, record: first, person, guessed }] = lines as readonly [TimesheetRow, ...TimesheetRow[]]
  const days = groupBy(lines, ({ day }) => day)
  const all = lines.flatMap((line) => rateLines(line.record))
  const record: JsonObject = { ...first, rates: days.size > 0 ? addUpDays(all, isSameRate) : all }
  const ofAll = collectLineFindings(source, row.row, background.asks)
  const ofDays = [...days].map(([day, rows]) => {
    const found = collectLineFindings(source, (rows.at(-1)?.row ?? row).row, background.asks)
    checkDayWorked(day, rows, background.rates, found)
    return found
  })
  const isUnread = lines.some((line) => line.row.issues.some(({ path }) => path.startsWith('rates')))
  if (all.length === 0 && days.size > 0 && !isUnread)
    ofAll.wrong('rates[0].units', ofAll.noHours(' in the whole week'))
  for (const path of ['taxYear', 'taxPeriodConfig']) {
    const other = lines.find((line) => !isSame(path, line.record[path], first[path]))
    if (other)
      ofAll.hold(
        path,
        `row ${other.row.row} of the same timesheet has ${toText(other.record[path])}, and this one ${toText(first[path])}`,
      )
  }
  checkHours(record, { person, rowCount: lines.length }, background, ofAll)
  const found = [...lines, ofAll, ...ofDays, ...findRepeats(lines, source, background)]
  const [issues, doubts] = [found.flatMap((each) => each.issues), found.flatMap((each) => each.doubts)]
  const wrongCells = new Set(issues.map((issue) => `${issue.row} ${issue.path}`))
  const ofRow = (line: TimesheetRow, issues: readonly RowIssue[]) =>
    issues.map((issue) => ({ ...issue, row: line.row.row }))
  return rowWith(
    {
      ...row,
      ...(person && { person }),
      ...(lines.length > 1 && { parts: lines.map((line) => line.row) }),
      record,
      ...(guessed.length > 0 && { guessed }),
      ...(days.size > 0 &&
        days.size < daysWorked(...firstAndLastDay(record)) && { days: [...days].map(dayInWords).sort() }),
      notes: lines.flatMap((line) => line.row.notes ?? []),
      otherNames: background.rates && namesOfRates(all, background.rates),
    },
    {
      issues: () => [...lines.flatMap((line) => ofRow(line, line.row.issues)), ...issues],
      warnings: () => [
        ...lines
          .flatMap((line) => ofRow(line, line.row.warnings))
          .filter(({ row, path }) => !wrongCells.has(`${row} ${path}`)),
        ...doubts,
      ],
      digest: () =>
        lines.length === 1 ? row.digest : rowDigest(lines.map((line) => line.row.digest).join(' ')),
    },
  )
}

/** By what lines name their payment rates by: the id and the code of each, where no other rate has the code. */
function namesOfRates(lines: readonly JsonObject[], rates: Rates): ReadonlyMap<string, readonly string[]> {
  return new Map(
    lines.flatMap((line): [string, string[]][] => {
      const rate = rateOf(line, rates)
      const isAlone = rate && rateOf({ rateId: rate.code }, rates)?.id === rate.id
      return isAlone ? [[toText(line.rateId).trim(), [rate.id, rate.code]]] : []
    }),
  )
}

const dayInWords = ([day, rows]: readonly [string, readonly TimesheetRow[]]) =>
  rows.some(({ lines }) => lines.length > 0) ? day : `${day} of rest`

/** Finds rows of one timesheet, or of one day of it, that repeat another one, or a line of it. */
function findRepeats(rows: readonly TimesheetRow[], source: RowSource, { asks }: Background) {
  const times = (source.columns ?? []).flatMap((name, at) => (isOfShift(name) ? [at] : []))
  const shiftOf = ({ row: { original } }: TimesheetRow) =>
    Array.isArray(original) ? times.map((at) => original[at]?.trim()).join('\n') : ''
  return rows.map((own, at) => {
    const { row, lines, day } = own
    const found = collectLineFindings(source, row.row, asks)
    const isOfDay = (each: TimesheetRow) => day !== undefined && each.day !== undefined
    const earlier = rows.slice(0, at).filter((each) => !isOfDay(each) || each.day === day)
    const isOtherShift = (each: TimesheetRow) => isOfDay(each) && shiftOf(each) !== shiftOf(own)
    const twice =
      lines.length > 0
        ? earlier.find((each) => isSameRow(each.lines, lines) && !isOtherShift(each))
        : undefined
    if (twice) {
      // Two shifts of a day may be as long, and their times not in the sheet.
      const [report, span] = isOfDay(twice) ? [found.hold, 'day'] : [found.wrong, 'week']
      report('rates[0].units', `the same person, ${span}, rate and hours are in row ${twice.row.row} already`)
      return found
    }
    for (const line of lines) {
      const alike = earlier.find(
        (each) =>
          !isOfDay(each) &&
          each.lines.some(({ rate }) => haveSameValues(rate, line.rate, ['rateId', 'rate'])),
      )
      if (!alike) continue
      const same = alike.lines.some(({ rate }) => haveSameValues(rate, line.rate))
        ? 'the same hours'
        : 'hours'
      // A row without a day is often the sum of the others.
      const report = (day === undefined) === (alike.day === undefined) ? found.doubt : found.hold
      report(
        `rates[${line.at}].units`,
        `row ${alike.row.row} has ${same} at the same rate for this person and week: both are paid`,
      )
    }
    return found
  })
}

const isSameRow = (one: readonly RateCells[], other: readonly RateCells[]) =>
  one.length === other.length &&
  other.every(({ rate }) => one.some((each) => haveSameValues(each.rate, rate)))

const isSameRate = (one: JsonObject, other: JsonObject) =>
  haveSameValues({ ...one, units: null }, { ...other, units: null })

/** Whether two lines are one in these fields, or in all that they have. */
const haveSameValues = (
  one: JsonObject,
  other: JsonObject,
  names: readonly string[] = Object.keys({ ...one, ...other }),
) => names.every((name) => isSame(`rates[0].${name}`, one[name], other[name]))

const isSame = valueComparer(timesheet)
