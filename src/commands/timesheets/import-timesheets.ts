import type { Client } from '../../api/client.ts'
import type { Context } from '../../context/context.ts'
import { isObject, type JsonObject } from '../../files/json/path.ts'
import { digestOf } from '../../files/table/fingerprint.ts'
import type { RowSource } from '../../files/table/open-source.ts'
import { LazyRow, type RowIssue, type SheetRow } from '../../files/table/row.ts'
import { inColumn } from '../../files/table/row-source.ts'
import { namePartsIn } from '../../files/table/table-rows.ts'
import { countryById, countryIds } from '../../model/countries/countries.ts'
import type { Facts } from '../../model/facts/facts.ts'
import { isDay } from '../../model/fields/field.ts'
import { keyOf, nameKey, readKey, timesheetKind } from '../../model/natural-key.ts'
import { operations } from '../../model/operations/operations.ts'
import { bareReference } from '../../model/person-likeness.ts'
import { isBlank } from '../../model/records/record-type.ts'
import { judgePay, payFields } from '../../model/standards/minimum-wage.ts'
import { daysWorked, mostWeeklyHours } from '../../model/standards/plausible.ts'
import { textAt } from '../../model/standards/warning.ts'
import { spelledOut } from '../../model/values/read-date.ts'
import { otherCurrency } from '../../model/values/read-value.ts'
import {
  byReference,
  closedSentence,
  fieldsOfEveryone,
  hasLeft,
  nameWithReference,
  type Person,
  paidPerson,
  readPeople,
  textOf,
} from '../../reading/people.ts'
import { dayAfter, numberIn } from '../../reading/values.ts'
import { hoursPerUnit } from '../../reading/work.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { groupBy } from '../../text/group-by.ts'
import { capital, groupDigits, nameSome, plural, wordList } from '../../text/words.ts'
import type { GatherOptions } from '../cli/resource-verbs.ts'
import {
  type CodedRecord,
  readCoded,
  readOrWarn,
  readVatCodes,
  sharedCode,
  type VatCode,
} from '../kit/coded-records.ts'
import { commandLine } from '../kit/command-line.ts'
import { type PayDay, payDayOf, settlePeriod } from '../kit/list/tax-period.ts'
import { openPrompts } from '../kit/open-prompts.ts'
import { weekdays } from '../kit/read-day.ts'
import { showProgress } from '../kit/show-progress.ts'

const joined = 'generalSetting.dateOfJoining'

/** The lists of the service. One that the key may not read is undefined. */
interface Known {
  readonly today: string
  readonly asks: boolean
  readonly facts: Facts
  readonly payDay: PayDay
  readonly people: People | undefined
  readonly rates: ReadonlyMap<string, PaymentRate> | undefined
  readonly vatCodes: ReadonlyMap<string, VatCode> | undefined
  readonly named: NamedPeople
  /** Says of a weekday, 0 for Sunday, why it is strange that a week of this sheet ends on it. */
  readonly strangeEnd?: ((weekday: number) => string | undefined) | undefined
}

/** By the `nameKey` of a name in the sheet: the person that the user chose; null where the user said that it is none. */
type NamedPeople = ReadonlyMap<string, Person | null>

interface People {
  readonly byReference: ReadonlyMap<string, readonly Person[]>
  /** By the reference without zeros, dashes and spaces, which a spreadsheet may have dropped. */
  readonly byBareReference: ReadonlyMap<string, readonly Person[]>
  /** By `nameKey` of forename and surname, in both orders. */
  readonly byName: ReadonlyMap<string, readonly Person[]>
}

interface PaymentRate extends CodedRecord {
  readonly code: string
  /** Its code and description. */
  readonly name: string
  /** Hours in one unit; undefined where the unit is not time. */
  readonly hours: number | undefined
}

/**
 * Joins the rows of one person and week into one timesheet, and fills in start, tax year and tax period.
 * Checks people, rates and VAT codes with the service before anything is sent. JSON stays as it is. Throws as
 * a list does, but only warns where the key may not read a list.
 */
export async function gatherTimesheets(
  context: Context,
  source: RowSource,
  { isDone, options }: GatherOptions,
): Promise<RowSource> {
  if (source.columns === undefined) return source
  const payDay = isDone ? {} : await payDayOf(context, options)
  const asks = isDone || (context.interactive && !context.options.yes && !options.strict)
  const about = { today: context.today(), asks, facts: await context.facts(), payDay }
  const known = isDone ? { ...nothing, ...about } : { ...about, ...(await readKnown(context, source)) }
  const first = await readTogether(source, (row) => readLine(row, source, known), known.rates)
  const { together, periods, total, strangeEnd } = first
  const read = (row: SheetRow) => readLine(row, source, { ...known, strangeEnd })
  return {
    ...source,
    ...(await saidOfPeriods(context, source, periods, payDay)),
    total: isDone ? undefined : total,
    nameRate: (id) => known.rates?.get(keyOf(id))?.code,
    fileRows: () => source.rows(),
    async *rows() {
      const waiting = new Map<readonly number[], SheetLine[]>()
      for await (const row of source.rows()) {
        const numbers = together.get(row.row) ?? [row.row]
        const lines = [...(waiting.get(numbers) ?? []), read(row)]
        waiting.set(numbers, lines)
        if (lines.length < numbers.length) continue
        waiting.delete(numbers)
        yield asTimesheet(lines, source, known)
      }
    },
    rejects(path) {
      const writer = source.rejects(path)
      return {
        async add(row, issues, outcome) {
          for (const part of row.parts ?? [row]) await writer.add(part, issues, outcome)
        },
        close: () => writer.close(),
      }
    },
  }
}

const nothing = { people: undefined, rates: undefined, vatCodes: undefined, named: new Map() }

/** Says in which tax periods the rows are paid, and why. A missing pay date is a doubt. */
async function saidOfPeriods(
  context: Context,
  { remarks = [], doubts = [] }: RowSource,
  periods: ReadonlyMap<string, number>,
  payDay: PayDay,
): Promise<Pick<RowSource, 'remarks' | 'doubts'>> {
  const all = [...periods].map(([period, count]) => `${period} (${plural(count, 'row')})`)
  if (all.length === 0) return {}
  const says = `tax period: ${nameSome(all, mostPeriods)}`
  const { date, weekday } = payDay
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
  const message = `${says}, by the last day of the week, because no pay date is known: add --pay-date with the day of pay${kept}`
  return { doubts: [...doubts, { row: 0, message }] }
}

const mostPeriods = 4

/** The rows that are one timesheet, by each of their numbers; how many rows have each tax period that was filled in; the totals. */
async function readTogether(source: RowSource, read: (row: SheetRow) => SheetLine, rates: Known['rates']) {
  const byKey = new Map<string, number[]>()
  const periods = new Map<string, number>()
  const ends = new Map<number, number>()
  const totals = startTotals(rates)
  for await (const row of source.rows()) {
    const line = read(row)
    const { record, period } = line
    if (period !== undefined) periods.set(period, (periods.get(period) ?? 0) + 1)
    const end = endOfWeek(record)
    if (end !== undefined) ends.set(end, (ends.get(end) ?? 0) + 1)
    const name = readKey(record, timesheetKind.key.request)
    const key = name && keyOf(name)
    totals.add(line, key)
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), row.row])
  }
  const together = new Map([...byKey.values()].flatMap((rows) => rows.map((row) => [row, rows] as const)))
  return { together, periods, total: totals.inWords(), strangeEnd: strangeEndIn(ends) }
}

/** `ends`: how many weeks of the sheet end on each weekday. A few that end on another one than most were probably mistyped. */
function strangeEndIn(ends: ReadonlyMap<number, number>): Known['strangeEnd'] {
  const [[usual, most] = [0, 0]] = [...ends].toSorted(([, one], [, other]) => other - one)
  return (weekday) => {
    if (2 * (ends.get(weekday) ?? 0) > most) return undefined
    const [day, other] = [weekday, usual].map((each) => capital(weekdays[each] ?? ''))
    return `the week ends on a ${day}, and in ${plural(most, 'other row')} on a ${other}: is the day right?`
  }
}

/** The weekday on which a whole week ends, 0 for Sunday; undefined for other days. */
function endOfWeek(record: JsonObject): number | undefined {
  const [first, last] = daysOf(record)
  const isWeek = isDay(first) && isDay(last) && dayAfter(first, 6) === last
  return isWeek ? new Date(last).getUTCDay() : undefined
}

async function readKnown(
  context: Context,
  source: RowSource,
): Promise<Pick<Known, 'people' | 'rates' | 'vatCodes' | 'named'>> {
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
  for (const id of found?.closed ?? []) context.warn(`${closedSentence(id, 'looked at')}.`)
  const all = found?.people
  const people = all && {
    byReference: byReference(all),
    byBareReference: groupBy(all, ({ reference }) => reference && bareReference(reference)),
    byName: groupBy(all, namesOf),
  }
  const named = people ? await askNames(context, source, people) : new Map()
  return { people, rates, vatCodes, named }
}

/** The name of a person in both orders. */
const namesOf = ({ forename, surname }: Person) => [nameKey(forename + surname), nameKey(surname + forename)]

const readRates = (client: Client) =>
  readCoded(client, operations.paymentRates.list, 'code', (item, id, code): PaymentRate => {
    const about = [code, textAt(item, 'description')].filter(Boolean).join(', ')
    return { id, code: code || id, name: about || id, hours: hoursPerUnit(item) }
  })

/** The payment rates of the service; none where the key may not read them. */
export async function namedRates(context: Context): Promise<readonly { code: string; name: string }[]> {
  const rates = await readOrWarn(context, 'payment rates', readRates(await context.client()))
  return [...new Set(rates?.values())].filter(({ isShared }) => !isShared)
}

/** Asks a person whom the names without a reference are; without a terminal nobody is guessed. */
async function askNames(context: Context, source: RowSource, { byName }: People): Promise<NamedPeople> {
  const named = new Map<string, Person | null>()
  if (!context.interactive) return named
  const names = new Map<string, string>()
  for await (const { record } of source.rows()) {
    const { name } = nameOfRow(record)
    if (name !== '' && textAt(record, 'subcontractorRef') === '') names.set(nameKey(name), name)
  }
  const only = [...names].flatMap(([key, name]) => {
    const [person, other] = byName.get(key) ?? []
    return person && !other ? [{ key, name, person }] : []
  })
  if (only.length > 0) {
    context.note(`These have a name and no reference:`)
    for (const { name, person } of only) context.note(safeText(`  ${name}: ${nameWithReference(person)}`))
    const right = await askWhoIsRight(context, only)
    for (const each of only) named.set(each.key, right.includes(each) ? each.person : null)
  }
  for (const [key, name] of names) {
    const people = byName.get(key) ?? []
    if (people.length < 2) continue
    const ask = await openPrompts(context)
    const person = await ask.choose<Person | null>({
      message: safeText(`${name}: which of ${people.length} people is it?`),
      choices: [
        ...people.map((each) => ({ value: each, name: `${nameWithReference(each)}, ${each.country.place}` })),
        { value: null, name: 'None of them, or not known' },
      ],
    })
    named.set(key, person)
  }
  return named
}

interface NamedPerson {
  readonly key: string
  readonly name: string
  readonly person: Person
}

/** Asks whether these are the people, and of which name not, until the others are right. */
async function askWhoIsRight(
  context: Context,
  people: readonly NamedPerson[],
): Promise<readonly NamedPerson[]> {
  const ask = await openPrompts(context)
  for (let right = people; right.length > 0; ) {
    const isFirst = right === people
    const [one, several] = isFirst
      ? ['Is this the person?', `Are these the ${right.length} people?`]
      : ['Is the other one right?', `Are the other ${right.length} right?`]
    if (await ask.confirm({ message: right.length === 1 ? one : several, default: false })) return right
    if (right.length === 1) break
    const wrong = await ask.choose<NamedPerson | null>({
      message: 'Which one is wrong?',
      help: 'The rows of that name are left out. The others are asked about once more.',
      choices: [
        { value: null, name: 'All of them, or not known' },
        ...right.map((each) => ({
          value: each,
          name: safeText(`${each.name}: ${nameWithReference(each.person)}`),
        })),
      ],
    })
    if (!wrong) break
    right = right.filter((each) => each !== wrong)
  }
  return []
}

interface SheetLine {
  readonly row: SheetRow
  readonly record: JsonObject
  readonly issues: readonly RowIssue[]
  readonly doubts: readonly RowIssue[]
  readonly person: Person | undefined
  /** The tax period that was filled in, as a person reads it. */
  readonly period?: string | undefined
}

/**
 * Collects findings with their cells. Without `asks`, what would be asked is wrong, and holds the row back.
 */
function collectIssues(source: RowSource, row: number, asks: boolean) {
  const [issues, doubts]: [RowIssue[], RowIssue[]] = [[], []]
  const addTo =
    (found: RowIssue[], more: Partial<RowIssue> = {}) =>
    (path: string, message: string) =>
      void found.push({ ...inColumn(source, { path, message }), row, ...more })
  return {
    issues,
    doubts,
    hasColumn: (path: string) => source.columnFor?.(path) !== undefined,
    wrong: addTo(issues),
    leave: addTo(issues, { isLeftOut: true }),
    doubt: addTo(doubts),
    ask: addTo(asks ? doubts : issues),
  }
}

type RowIssues = ReturnType<typeof collectIssues>

function readLine(row: SheetRow, source: RowSource, known: Known): SheetLine {
  const found = collectIssues(source, row.row, known.asks)
  const { personName, personForename, personSurname, taxWeek, taxMonth, ...record } = structuredClone(
    row.record,
  )
  const person = personOf(record, nameOfRow(row.record), known, found)
  if (person?.reference !== undefined) record.subcontractorRef = person.reference
  const isUnread = (path: string) => row.issues.some((issue) => issue.path === path)
  const [start, end] = [textAt(record, 'startDate'), textAt(record, 'endDate')]
  if (start === '' && isDay(end)) record.startDate = dayAfter(end, -6)
  if (end === '' && isDay(start)) record.endDate = dayAfter(start, 6)
  if (start === '' && end === '' && !isUnread('endDate'))
    found.wrong('endDate', 'no week ending: which week was worked?')
  const last = textAt(record, 'endDate')
  const paid =
    person && isDay(last)
      ? {
          country: person.country,
          isMonthly: /month/i.test(textOf(person, payFields.frequency)),
          payDay: known.payDay,
          last,
        }
      : undefined
  const period = settlePeriod(record, { week: taxWeek, month: taxMonth }, paid, found)
  checkWeek(record, person, known, found)
  const lines = workedLines(record, found)
  record.rates = lines.map(({ rate }) => rate)
  if (lines.length === 0 && !row.issues.some(({ path }) => /^rates\[\d+\]\.units$/.test(path)))
    found.wrong('rates[0].units', 'no hours')
  for (const line of lines) checkRate(line, { person, isUnread }, known, found)
  for (const [path, written] of row.currencies ?? []) {
    const flaw = otherCurrency(written, person?.country.currency)
    if (flaw !== undefined) found.wrong(path, flaw)
  }
  return { row, record, issues: found.issues, doubts: found.doubts, person, period }
}

/** A line of a row: `at` is its place in `rates`. */
interface WorkedLine {
  readonly rate: JsonObject
  readonly at: number
}

/** The hours of several kinds that were worked. A multiple of the basic rate becomes a rate. */
function workedLines({ rates }: JsonObject, { wrong }: RowIssues): WorkedLine[] {
  const all = Array.isArray(rates) ? rates.flatMap((rate, at) => (isObject(rate) ? [{ rate, at }] : [])) : []
  const basic = numberIn(all.find(({ at }) => at === 0)?.rate.rate)
  const isOfSeveral = all.length > 1 || all.some(({ at }) => at > 0)
  const hasHours = ({ rate: { units } }: WorkedLine) => !isBlank(units) && numberIn(units) !== 0
  return all
    .filter((line) => !isOfSeveral || hasHours(line))
    .map(({ rate: { multiple, ...rate }, at }) => {
      if (typeof multiple !== 'number') return { rate, at }
      if (basic === undefined)
        wrong(`rates[${at}].units`, `the row has no basic rate to pay it ${multiple} times`)
      return { rate: basic === undefined ? rate : { ...rate, rate: timesRate(basic, multiple) }, at }
    })
}

/** Rounded, so that floating point leaves no remainder: 14.2 × 1.5 is 21.3. */
const timesRate = (basic: number, multiple: number) => {
  const rate = Number((basic * multiple).toFixed(4))
  return Number.isInteger(rate * 100) ? rate.toFixed(2) : String(rate)
}

const rateLines = ({ rates }: JsonObject): JsonObject[] =>
  Array.isArray(rates) ? rates.filter(isObject) : []

/** The name in a row, without a title, and the field of its column; empty where the row has no name. */
interface NameOfRow {
  readonly name: string
  readonly path: string
}

function nameOfRow(record: JsonObject): NameOfRow {
  const whole = textAt(record, 'personName').trim()
  const [forename, surname] = ['personForename', 'personSurname'].map((path) => textAt(record, path).trim())
  const parts = whole === '' ? { forename, surname } : namePartsIn(whole)
  const name = [parts.forename, parts.surname].filter(Boolean).join(' ')
  return { name, path: whole === '' && surname ? 'personSurname' : 'personName' }
}

/** Who worked: by the reference, or by a name that the user confirmed. */
function personOf(
  record: JsonObject,
  { name, path }: NameOfRow,
  { people, named }: Known,
  { wrong, leave, ask, hasColumn }: RowIssues,
): Person | undefined {
  if (!people) return undefined
  const reference = textAt(record, 'subcontractorRef')
  if (reference === '') {
    const person = named.get(nameKey(name))
    if (person) return person
    const write = hasColumn('subcontractorRef')
      ? 'write the reference of the person'
      : 'add a column Reference, with the reference of the person'
    if (name === '') wrong('subcontractorRef', 'no reference: who worked?')
    else if (person === null)
      leave(path, `you said that this is not ${whoAre(name, people)}: ${write}, or leave the row out`)
    else wrong(path, whoIsCalled(name, people, write))
    return undefined
  }
  const [person, ...others] = people.byReference.get(keyOf(reference)) ?? []
  if (!person || others.length > 0) {
    wrong(
      'subcontractorRef',
      person
        ? `${others.length + 1} people on the service have this reference`
        : whoIsMeant(reference, people),
    )
    return undefined
  }
  const names = namesOf(person)
  if (name !== '' && names[0] !== '' && !names.includes(nameKey(name)))
    ask(path, `the service has ${person.name} under this reference`)
  return person
}

function whoIsCalled(name: string, people: People, write: string): string {
  const who = whoAre(name, people)
  return who === ''
    ? `nobody on the service has this name: ${write}`
    : `${write}, because a name counts only once somebody at a terminal said who it is: ${who}?`
}

const whoAre = (name: string, { byName }: People) =>
  wordList((byName.get(nameKey(name)) ?? []).slice(0, 3).map(nameWithReference), 'or')

function whoIsMeant(reference: string, { byName, byBareReference }: People): string {
  const [called] = byName.get(nameKey(reference)) ?? []
  if (called) return `this is a name: write the reference of the person. ${nameWithReference(called)}?`
  const [similar] = byBareReference.get(bareReference(reference)) ?? []
  const suggestion = similar ? `: did you mean ${nameWithReference(similar)}?` : ''
  return `nobody on the service has this reference${suggestion}`
}

const mostDaysAhead = 366

function checkWeek(
  record: JsonObject,
  person: Person | undefined,
  { today, strangeEnd }: Known,
  { wrong, doubt, ask, hasColumn }: RowIssues,
): void {
  const [first, last] = daysOf(record)
  if (!isDay(first) || !isDay(last)) return
  if (last < first) wrong('endDate', `it is before ${spelledOut(first)}, the first day`)
  else if (first > dayAfter(today, mostDaysAhead))
    ask('endDate', 'more than a year ahead: is the date right?')
  else if (first > today) doubt('endDate', `the week begins on ${spelledOut(first)}, after today`)
  const end = endOfWeek(record)
  const strange = end === undefined ? undefined : strangeEnd?.(end)
  if (strange !== undefined) doubt(hasColumn('endDate') ? 'endDate' : 'startDate', strange)
  if (!person) return
  const start = textOf(person, joined).slice(0, 10)
  const left = textOf(person, 'dateLeft').slice(0, 10)
  if (isDay(start) && start > last)
    wrong('subcontractorRef', `${nameWithReference(person)} starts on ${spelledOut(start)}, after this week`)
  if (hasLeft(person, first))
    wrong(
      'subcontractorRef',
      `${nameWithReference(person)} left${left ? ` on ${spelledOut(left)}` : ''}, before this week`,
    )
}

/** Replaces the codes of rate and VAT with their ids, and reports what is wrong with them. */
function checkRate(
  { rate, at }: WorkedLine,
  { person, isUnread }: { readonly person: Person | undefined; readonly isUnread: (path: string) => boolean },
  { rates, vatCodes }: Known,
  { wrong, doubt, ask, hasColumn }: RowIssues,
): void {
  const path = (name: string) => `rates[${at}].${name}`
  const units = numberIn(rate.units)
  if ((isBlank(rate.units) && !isUnread(path('units'))) || units === 0) wrong(path('units'), 'no hours')
  else if (units !== undefined && units < 0) ask(path('units'), 'negative hours')
  const code = textAt(rate, 'rateId')
  const paymentRate = rates?.get(keyOf(code))
  if (code !== '' && rates && !paymentRate) {
    const codes = [...new Set([...rates.values()].map(({ code }) => code))]
    const list = codes.length > 0 && codes.length <= 8 ? ` (${codes.join(', ')})` : ''
    wrong(path('rateId'), `the service has no such payment rate${list}`)
  }
  if (paymentRate?.isShared) wrong(path('rateId'), sharedCode('payment rates'))
  else if (paymentRate) rate.rateId = paymentRate.id
  const pay = numberIn(rate.rate)
  if (pay !== undefined && pay < 0) ask(path('rate'), 'negative pay rate')
  else if (pay === 0) doubt(path('rate'), 'a pay rate of 0')
  else if (pay !== undefined && pay > mostForAnHour(paymentRate)) ask(path('rate'), 'more than 500 an hour')
  else if (code === '' && isBlank(rate.rate) && !isUnread(path('rate'))) {
    // For basic hours the service knows the pay. For other hours, an empty cell was probably forgotten.
    const says = at > 0 && (hasColumn(path('rate')) || hasColumn(path('rateId'))) ? ask : doubt
    says(path('rate'), 'neither a pay rate nor a rate code says what is paid')
  }
  const vat = textAt(rate, 'vatID')
  const vatCode = vatCodes?.get(keyOf(vat))
  if (vat !== '' && vatCodes && !vatCode) wrong(path('vatID'), 'the service has no such VAT code')
  if (vatCode?.isShared) wrong(path('vatID'), sharedCode('VAT codes'))
  else if (vatCode) rate.vatID = vatCode.id
  if (vatCode?.country && person && vatCode.country !== person.country.id) {
    const { place } = countryById[vatCode.country]
    wrong(
      path('vatID'),
      `${vatCode.name} is a VAT code of ${place}, and ${person.name} is paid ${person.country.inPlace}`,
    )
  }
}

/** The most that is paid for a unit without a question, as for people; a unit that is not time, such as a bonus, may be any amount. */
const mostForAnHour = (rate: PaymentRate | undefined): number =>
  rate && !rate.hours ? Number.POSITIVE_INFINITY : 500 * Math.max(1, rate?.hours ?? 1)

/** The rows of one timesheet as one row, with findings about all its hours. */
function asTimesheet(lines: readonly SheetLine[], source: RowSource, known: Known): SheetRow {
  const [{ row, record: first, person }] = lines as readonly [SheetLine, ...SheetLine[]]
  const record: JsonObject = { ...first, rates: lines.flatMap((line) => rateLines(line.record)) }
  const ofAll = collectIssues(source, row.row, true)
  checkHours(record, { person, rowCount: lines.length }, known, ofAll)
  const repeated = repeatedLines(lines, source)
  const issues = [...lines.flatMap((line) => line.issues), ...ofAll.issues, ...repeated.issues]
  const doubts = [...lines.flatMap((line) => line.doubts), ...ofAll.doubts, ...repeated.doubts]
  const wrongCells = new Set(issues.map((issue) => `${issue.row} ${issue.path}`))
  const ofRows = (kind: 'issues' | 'warnings') =>
    lines.flatMap((line) => line.row[kind].map((issue) => ({ ...issue, row: line.row.row })))
  return new LazyRow(
    {
      ...(lines.length > 1 && { parts: lines.map((line) => line.row) }),
      row: row.row,
      original: row.original,
      record,
      notes: lines.flatMap((line) => line.row.notes ?? []),
      ...(row.cleared && { cleared: row.cleared }),
    },
    {
      issues: () => [...ofRows('issues'), ...issues],
      warnings: () => [
        // Too many hours are said of all lines together, and not of one.
        ...ofRows('warnings').filter(
          (each) => !wrongCells.has(`${each.row} ${each.path}`) && !/ hours$/.test(each.message),
        ),
        ...doubts,
      ],
      digest: () =>
        lines.length === 1 ? row.digest : digestOf(lines.map((line) => line.row.digest).join(' ')),
    },
  )
}

/** Compares the hours of a timesheet with its days, and the pay with the minimum wage. */
function checkHours(
  record: JsonObject,
  { person, rowCount }: { readonly person: Person | undefined; readonly rowCount: number },
  { rates, facts }: Known,
  { wrong, doubt }: RowIssues,
): void {
  const work = workIn(record, rates)
  const hours = work.reduce((sum, each) => sum + each.hours, 0)
  const [first, last] = daysOf(record)
  const days = daysWorked(first, last)
  const sum = `${Number(hours.toFixed(2))} hours${rowCount > 1 ? ` in ${plural(rowCount, 'row')}` : ''}`
  const span = days === 7 ? 'a week has' : `${plural(days, 'day')} ${days === 1 ? 'has' : 'have'}`
  const units = unitsOf(record, rates)
  if (hours > days * 24) wrong('rates[0].units', `${sum}: ${span} ${days * 24}${units}`)
  else if (hours > mostWeeklyHours && days <= 7)
    doubt('rates[0].units', `${sum}: more than ${mostWeeklyHours} in a week${units}`)
  const hourly = work.flatMap((each) => each.hourly ?? [])
  if (!person || hourly.length === 0 || ![first, last, textOf(person, payFields.birthday)].every(isDay))
    return
  const low = judgePay(paidPerson(person), Math.min(...hourly), { first, last, hours }, facts)?.seen
  if (low) doubt('rates[0].rate', low)
}

/** The first and the last day of a timesheet, as it says them. */
const daysOf = (record: JsonObject) =>
  [textAt(record, 'startDate').slice(0, 10), textAt(record, 'endDate').slice(0, 10)] as const

/** The hours and pay of a line. A unit that is not time has no hours; without a rate the pay is unknown. */
interface Work {
  readonly hours: number
  readonly hourly: number | undefined
  readonly pence: number | undefined
}

function workIn(record: JsonObject, rates: Known['rates']): readonly Work[] {
  return rateLines(record).map(({ rateId, rate, units }) => {
    const known = rates?.get(keyOf(String(rateId ?? '')))
    const perUnit = known ? (known.hours ?? 0) : 1
    const [count = 0, paid] = [numberIn(units), numberIn(rate)]
    return {
      hours: count * perUnit,
      hourly: paid !== undefined && paid > 0 && perUnit > 0 ? paid / perUnit : undefined,
      // Rounded first, because floating point would round half a penny down.
      pence: paid === undefined ? undefined : Math.round(Number((count * paid * 100).toPrecision(12))),
    }
  })
}

/** Adds up a sheet, to compare with the sender's total: `12 timesheets, 452.5 hours, £9,876.00`. */
function startTotals(rates: Known['rates']) {
  const pence = new Map<string, number>()
  const names = new Set<string>()
  let [hours, unpaid] = [0, 0]
  return {
    add({ record, person, row }: SheetLine, name: string | undefined): void {
      names.add(name ?? `row ${row.row}`)
      const currency = person?.country.currency ?? ''
      for (const work of workIn(record, rates)) {
        hours += work.hours
        if (work.pence === undefined) unpaid += 1
        else pence.set(currency, (pence.get(currency) ?? 0) + work.pence)
      }
    },
    inWords(): string {
      const amounts = [...pence].map(([currency, sum]) => `${currency}${groupDigits((sum / 100).toFixed(2))}`)
      const without =
        unpaid === 0
          ? ''
          : ` without ${plural(unpaid, 'line')} that ${unpaid === 1 ? 'has' : 'have'} no pay rate`
      return [
        plural(names.size, 'timesheet'),
        `${groupDigits(Number(hours.toFixed(2)))} hours`,
        ...(amounts.length > 0 ? [`${wordList(amounts, 'and')}${without}`] : []),
      ].join(', ')
    },
  }
}

/** ` (22.5 DAY of 7.5 hours and 15 NIGHT of 10 hours: are they hours already?)`, where a unit is not an hour. */
function unitsOf(record: JsonObject, rates: Known['rates']): string {
  const lines = rateLines(record).map(({ rateId, units }) => ({
    units,
    rate: rates?.get(keyOf(String(rateId ?? ''))),
  }))
  if (!lines.some(({ rate }) => rate?.hours !== undefined && rate.hours !== 1)) return ''
  const parts = lines.map(({ units, rate }) => {
    const each = rate ? (rate.hours ?? 0) : 1
    const name = rate ? ` ${rate.code}` : ''
    return `${units ?? 'no'}${name} of ${each === 1 ? '1 hour' : `${each} hours`}`
  })
  return ` (${wordList(parts, 'and')}: are they hours already?)`
}

/** Finds rows of one timesheet that repeat another one. */
function repeatedLines(lines: readonly SheetLine[], source: RowSource): Pick<RowIssues, 'issues' | 'doubts'> {
  const [seen, codes] = [new Map<string, number>(), new Map<string, number>()]
  const found = { issues: [] as RowIssue[], doubts: [] as RowIssue[] }
  for (const { row, record } of lines) {
    const { wrong, doubt, issues, doubts } = collectIssues(source, row.row, true)
    const whole = JSON.stringify(rateLines(record))
    const code = JSON.stringify(rateLines(record).map(({ rateId, rate }) => [rateId, rate]))
    const [twice, alike] = [seen.get(whole), codes.get(code)]
    const path = 'rates[0].units'
    if (twice !== undefined) wrong(path, `the same person, week, rate and hours are in row ${twice} already`)
    else if (alike !== undefined)
      doubt(path, `row ${alike} has hours at the same rate for this person and week: both are paid`)
    found.issues.push(...issues)
    found.doubts.push(...doubts)
    seen.set(whole, row.row)
    codes.set(code, row.row)
  }
  return found
}
