import { readSteadily } from '../../api/pages.ts'
import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import { isNumber } from '../../files/json/numbers.ts'
import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { penceIn } from '../../model/fields/amounts.ts'
import { choice, number, text, type ValuesOf } from '../../model/fields/field.ts'
import { keyOf, nameKey, wordsOfName } from '../../model/natural-key.ts'
import { answerType } from '../../model/records/operation.ts'
import { isBlank } from '../../model/records/record-type.ts'
import { operations } from '../../model/resources/operations.ts'
import { whoseIs } from '../../model/whose.ts'
import {
  countryOfYear,
  eachPayslip,
  firstNumberIn,
  isBritishYear,
  type ListedSlip,
  periodIn,
} from '../../reading/payslips.ts'
import { groupBy } from '../../text/group-by.ts'
import { agree, capital, countOf, groupDigits, plural } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import { chooseOperation, payslipLists } from '../cli/target.ts'
import type { Verb } from '../cli/verb.ts'
import { listPeople } from '../kit/find/items-of-person.ts'
import { goOnWithout } from '../kit/find/search-lists.ts'
import { showProgress } from '../kit/show-progress.ts'
import { assertSeen } from '../kit/show-report.ts'

/** How a person changed, or an amount of somebody in both periods, in the order in which they are shown. */
const slipStates = ['changed', 'same', 'joined', 'left'] as const

const amountDetails = { money: true, nullable: true } as const

const comparedFields = {
  name: text('Person'),
  taxYear: text('Tax year'),
  state: choice('Change', slipStates, {
    help: 'joined: a payslip in the first period alone; left: in the other alone.',
  }),
  amount: text('Amount'),
  old: number('Old', amountDetails),
  new: number('New', amountDetails),
  difference: number('Difference', amountDetails),
  percent: number('Percent', {
    ...amountDetails,
    help: 'Of the old amount; null where that is missing or 0.',
  }),
}

type ComparedRow = ValuesOf<typeof comparedFields>

/** `payslips compare`: every amount of every person in two tax periods. Changes nothing. */
export const compare: Verb = {
  name: 'compare',
  summary: 'Compare the payslips of two tax periods: every amount of every person, old and new',
  options: ['period', 'with', 'taxYear', 'by', 'limit', 'legacy'],
  optionTexts: {
    limit: 'at most this many amounts',
    by: { value: 'percent', summary: 'only amounts that changed by so much or more' },
  },
  notes: [
    'People are matched by reference, or by name where their payslips show no reference. The period is in the latest tax year, or in --tax-year; the other period is in the same year, or in the year before where its number is higher. Weeks are compared with weeks and months with months, and the United Kingdom and Ireland separately. For people who are paid by the week alone: --period "week 3".',
    'People with the greatest change come first, then people who have a payslip in the first period alone, then those in the other alone: whether they joined or left, a payslip does not say. A table lists what differs and counts the rest; the other formats have every amount. The service may not show net pay. Of several payslips of one person in a period, an amount to date is the greatest, and the others are added up.',
    'Exit 10: an amount cannot be read, or a payslip has neither a name nor a reference.',
  ],
  examples: [
    'payroll payslips compare --period 3 --with 2',
    'payroll payslips compare --period 3 --with 2 --by 20',
    'payroll payslips compare --period 3 --with 2 --out compared.xlsx',
  ],
  answer: { prints: 'json', shapes: [{ list: true, fields: comparedFields }] },
  async run(context, { options }) {
    const { taxYear } = options
    const by = percentOf(options.by)
    const periods = periodsOf(options)
    const { slips: listed, years, dead, dated, undated } = await readSlips(context, options, periods)
    const slips = await underOneKey(context, listed)
    const unseen = `${plural(undated, 'payslip')} ${agree(undated, 'was')} not compared: no tax period is shown`
    const nameless = slips.filter(({ key }) => key === '').length
    if (nameless > 0)
      assertSeen('Nothing was compared.', [
        `${plural(nameless, 'payslip')} in these periods ${agree(nameless, 'has')} neither a name nor a reference`,
      ])
    const pairsOrReasons = yearsByCountry.flatMap(
      (isOfCountry) => pairIn(slips, [...years].filter(isOfCountry).sort(), periods) ?? [],
    )
    const pairs = pairsOrReasons.filter((each) => typeof each !== 'string')
    const missing = pairsOrReasons.filter((each) => typeof each === 'string')
    const [first = `There are no payslips${taxYear === undefined ? '' : ` for ${taxYear}`}`] = missing
    if (pairs.length === 0) {
      // Where others show theirs, a period that none has is not there.
      if (undated > 0 && dated === 0) assertSeen('Nothing was compared.', [unseen])
      throw new Failure('not-found', `${first}.`, {
        hint: 'Of an earlier year: --tax-year. To list the periods: payroll payslips list --sum --by taxPeriod',
      })
    }
    const comparisons = pairs.map((pair) => ({ pair, people: comparePeople(pair) }))
    const people = comparisons.flatMap((each) => each.people)
    const rows = people.flatMap((person) => person.rows)
    const isLarge = ({ state, percent }: ComparedRow) =>
      state !== 'same' && (percent === null || Math.abs(percent) >= (by ?? 0))
    const { isRead } = context.output
    const wanted = isRead || by ? rows.filter(isLarge) : rows
    const rowsShown = wanted.slice(0, options.limit)
    await context.output.list(isRead ? rowsShown.map(inWords) : rowsShown, {
      columns: ['name', 'amount', 'old', 'new', 'difference', 'percent', 'state', 'taxYear'],
      fields: comparedFields,
    })
    for (const text of missing) context.warn(`${text}.`)
    const lists = new Set(
      pairs.flatMap(({ now, before }) => [...now, ...before].flatMap((slip) => slip.lists)),
    )
    if (dead > 0)
      context.note(`${plural(dead, 'payslip')} ${agree(dead, 'was')} left out: cancelled, or the like.`)
    if (undated > 0) context.warn(`${unseen}.`)
    for (const list of lists) context.warn(`${list} is a list, and was not compared.`)
    for (const { doubt } of people) if (doubt !== undefined) context.warn(`${doubt}.`)
    const summaries = comparisons.map(({ pair, people }) => summaryOf(pair, people))
    for (const summary of summaries) context.note(summary)
    if (rowsShown.length < wanted.length) context.note(countOf(rowsShown.length, wanted.length, 'amount'))
    const hidden = rows.length - wanted.length
    if (hidden > 0)
      context.note(`${plural(hidden, 'amount')} not listed: the same${by ? ', or a smaller change' : ''}.`)
    assertSeen(
      summaries.join(' '),
      people.flatMap(({ unread }) => unread),
    )
  },
}

/** The two periods that the options name. Throws a usage failure where they cannot be compared. */
function periodsOf(options: Options): Periods {
  if (options.period === undefined || options.with === undefined)
    throw usage('Which periods? Name both, such as --period 33 --with 32.')
  const [{ period, unit }, other] = [periodOf('--period', options.period), periodOf('--with', options.with)]
  if (!isSameUnit(unit, other.unit)) throw usage('A week cannot be compared with a month.')
  if (period === other.period)
    throw usage(`--period ${options.period} and --with ${options.with} are the same period.`)
  return { period, other: other.period, unit: unit || other.unit, taxYear: options.taxYear }
}

/** The payslips of the two periods, the tax years of all, and how many were left out or show no period. */
async function readSlips(context: Context, options: Options, { period, other, unit }: Periods) {
  const client = await context.client()
  const operation = chooseOperation(payslipLists, options)
  const reading = readSteadily(async () => {
    const [slips, years] = [[] as ComparedSlip[], new Set<string>()]
    let [dead, dated, undated] = [0, 0, 0]
    await eachPayslip(client, operation, (slip, item) => {
      const isWanted = (slip.period === period || slip.period === other) && isSameUnit(slip.unit, unit)
      if (slip.isDead) {
        dead += Number(isWanted)
        return
      }
      years.add(slip.taxYear)
      if (Number.isNaN(slip.period)) undated += 1
      else dated += 1
      if (isWanted) slips.push(comparedSlip(slip, item))
    })
    return { slips, years, dead, dated, undated }
  })
  return showProgress(context, 'Reading the payslips', reading)
}

/**
 * The payslips with one key for each person, where a name has a key in one period that it lacks in another: one payslip
 * may have the reference and another the id, and only the lists of people tell.
 */
async function underOneKey(
  context: Context,
  slips: readonly ComparedSlip[],
): Promise<readonly ComparedSlip[]> {
  const periodsOf = (some: readonly ComparedSlip[]) => new Set(some.map(({ period }) => period)).size
  const isOfTwo = (own: readonly ComparedSlip[]) =>
    [...groupBy(own, ({ key }) => key).values()].some((some) => periodsOf(some) < periodsOf(own))
  if (![...groupBy(slips, ({ named }) => named || undefined).values()].some(isOfTwo)) return slips
  const everybody = await listPeople(context, {}).catch(
    goOnWithout(context, 'find out whether payslips of one name are of one person'),
  )
  if (!everybody) return slips
  const { whose } = whoseIs(everybody, slips)
  return slips.map((slip) => {
    const { people, doubt } = whose(slip)
    const [{ reference, id } = {}] = people
    const known = doubt === undefined ? (reference ?? id) : undefined
    return known === undefined ? slip : { ...slip, key: ofReference + keyOf(known) }
  })
}

/** How the key of a payslip begins that has a reference. */
const ofReference = 'reference '

interface ComparedSlip extends ListedSlip {
  /** What tells its person from others; empty where it says neither a reference nor a name. */
  readonly key: string
  /** The name alone, as it is the same in any order and with any title. */
  readonly named: string
  readonly values: ReadonlyMap<string, Json>
  /** The names of lists that have something in them: their amounts are not compared. */
  readonly lists: readonly string[]
}

const labelled = answerType(operations.payslips.list)?.fields

/** A whole number of percent, as `--by` takes it. Throws a usage failure for anything else. */
function percentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw usage(`--by ${text} is not a percentage: a whole number from 1.`, 'Write it such as --by 20')
}

function periodOf(option: string, text: string): ReturnType<typeof periodIn> {
  const typed = periodIn(text)
  if (!Number.isNaN(typed.period)) return typed
  throw usage(
    `${option} ${text} is not a tax period.`,
    `Write it such as ${option} 33, ${option} "week 33" or ${option} "month 8".`,
  )
}

/** A row as a person reads it. Whether somebody joined or left, a payslip does not say. */
const inWords = (row: ComparedRow) => ({
  ...row,
  amount: labelled?.[row.amount]?.label ?? row.amount,
  state: { changed: 'changed', same: 'same', joined: 'only now', left: 'only before' }[row.state],
})

/** Numbers that are not amounts. */
const noAmounts =
  /^(id|.*(Id|No|Number|Name|Ref)|(tax)?([pP]eriod|[yY]ear|[wW]eek|[mM]onth)|number|subcontractor|agency)$/

function comparedSlip(slip: ListedSlip, item: JsonObject): ComparedSlip {
  const { name, reference } = slip
  const values = new Map(valuesIn(item, ''))
  return {
    ...slip,
    key: reference === '' ? name && `name ${nameKey(name) || keyOf(name)}` : ofReference + keyOf(reference),
    named: wordsOfName(name).join(' '),
    values,
    lists: [...values].flatMap(([field, value]) => (Array.isArray(value) && value.length > 0 ? [field] : [])),
  }
}

function valuesIn(item: JsonObject, under: string): (readonly [string, Json])[] {
  return Object.entries(item).flatMap(([name, value]) => {
    if (noAmounts.test(name)) return []
    return isObject(value) ? valuesIn(value, `${under}${name}.`) : [[under + name, value] as const]
  })
}

interface Pair {
  readonly now: readonly ComparedSlip[]
  readonly before: readonly ComparedSlip[]
  /** `period 3 of 2026/27`, `week 2 of 2026/27` */
  readonly nowName: string
  readonly beforeName: string
}

const yearsByCountry = [isBritishYear, (year: string) => !isBritishYear(year)]

interface Periods {
  readonly period: number
  readonly other: number
  /** Which of them are meant, where a number may be a week or a month. */
  readonly unit: ListedSlip['unit']
  readonly taxYear: string | undefined
}

/** Pairs two periods within the tax years of one form; a sentence where one has no payslips. Undefined: no such year. */
function pairIn(
  slips: readonly ComparedSlip[],
  years: readonly string[],
  { period, other, unit, taxYear }: Periods,
): Pair | string | undefined {
  const year = taxYear === undefined ? years.at(-1) : years.find((each) => each === taxYear)
  if (year === undefined) return undefined
  const yearBefore =
    other < period ? year : years.findLast((each) => firstNumberIn(each) === firstNumberIn(year) - 1)
  const ofPeriod = (number: number, of = '') =>
    slips.filter((slip) => slip.period === number && slip.taxYear === of)
  const [now, before] = [ofPeriod(period, year), ofPeriod(other, yearBefore)]
  const nameOf = (number: number, of = `the year before ${year}`) =>
    `${unit || 'period'} ${number}${of && ` of ${of}`}`
  const [nowName, beforeName] = [nameOf(period, year), nameOf(other, yearBefore)]
  if (now.length > 0 && before.length > 0) return { now, before, nowName, beforeName }
  // Periods are numbered from another day in each country.
  const place = year && ` (${countryOfYear(year)?.place})`
  return `There are no payslips for ${now.length === 0 ? nowName : beforeName}${place}`
}

/** Whether two units may be one: a payslip without a unit may be of either. */
const isSameUnit = (one: ListedSlip['unit'], other: ListedSlip['unit']) =>
  one === other || one === '' || other === ''

interface ComparedPay {
  readonly name: string
  readonly state: ComparedRow['state']
  /** The greatest change of an amount, in percent. */
  readonly most: number
  readonly rows: readonly ComparedRow[]
  /** Sentences without a full stop: what could not be read, and whether the payslips are of one person. */
  readonly unread: readonly string[]
  readonly doubt: string | undefined
}

function comparePeople(pair: Pair): ComparedPay[] {
  const fields = amountFields([...pair.now, ...pair.before])
  const shared = new Set([...sharedKeys(pair.now), ...sharedKeys(pair.before)])
  const personOf = ({ key, named, unit }: ComparedSlip) => `${key} ${shared.has(key) ? named : ''} ${unit}`
  const [news, olds] = [groupBy(pair.now, personOf), groupBy(pair.before, personOf)]
  return [...new Set([...news.keys(), ...olds.keys()])]
    .map((key) => comparePerson(pair, news.get(key) ?? [], olds.get(key) ?? [], { fields, shared }))
    .sort(
      (one, two) =>
        slipStates.indexOf(one.state) - slipStates.indexOf(two.state) ||
        two.most - one.most ||
        one.name.localeCompare(two.name),
    )
}

/** The references that payslips of one period have with several names: those of several people. */
const sharedKeys = (slips: readonly ComparedSlip[]) =>
  [...groupBy(slips, ({ key }) => key)].flatMap(([key, own]) =>
    key.startsWith(ofReference) && new Set(own.flatMap(({ named }) => named || [])).size > 1 ? [key] : [],
  )

function comparePerson(
  pair: Pair,
  now: readonly ComparedSlip[],
  before: readonly ComparedSlip[],
  { fields, shared }: { readonly fields: readonly string[]; readonly shared: ReadonlySet<string> },
): ComparedPay {
  const [is, was] = [sumsOf(now, fields), sumsOf(before, fields)]
  const name = (now[0] ?? before[0])?.whose ?? ''
  const isBoth = now.length > 0 && before.length > 0
  const fieldsThere = fields.filter((field) => is.sums.has(field) || was.sums.has(field))
  const amounts = fieldsThere.map((amount) =>
    comparedAmount(amount, was.sums.get(amount), is.sums.get(amount)),
  )
  const changed = amounts.every(isUnchanged) ? 'same' : 'changed'
  const state = isBoth ? changed : before.length > 0 ? 'left' : 'joined'
  const unread = [...new Set([...is.unread, ...was.unread])]
  const isReadable = isBoth
    ? fieldsThere.some((field) => is.sums.has(field) && was.sums.has(field))
    : fieldsThere.length > 0
  return {
    name,
    state,
    most: Math.max(0, ...amounts.map(({ percent }) => Math.abs(percent ?? 0))),
    // An amount of somebody who changed may be the same.
    rows: amounts.map((amount) => ({
      name,
      taxYear: pair.now[0]?.taxYear ?? '',
      state: state === 'changed' && isUnchanged(amount) ? 'same' : state,
      ...amount,
    })),
    unread:
      unread.length > 0 || isReadable
        ? unread.map((field) => `${field} of ${name} is not an amount`)
        : [`no amount of ${name} can be read`],
    doubt: [...now, ...before].some(({ key }) => shared.has(key))
      ? `the reference of ${name} is that of another name too: each is compared alone`
      : doubtOfName(name, [now, before]),
  }
}

/** Whether payslips that are added up may be of two people: they have a name alone. */
function doubtOfName(name: string, periods: readonly (readonly ComparedSlip[])[]): string | undefined {
  const several = periods.find(({ length }) => length > 1) ?? []
  const [slip] = several
  if (!slip?.key.startsWith('name ')) return undefined
  return `${several.length} payslips of period ${slip.period} have the name ${name} and no reference: they were added up, and may be two people's`
}

/** A text with pence or cents, or with the sign of the money. One without them may be a code. */
const moneyInText = /[£€]|\d[.,]\d{1,2}\)?-?$/

/** The fields that hold an amount on at least one payslip. On the others they are read as amounts too. */
function amountFields(slips: readonly ComparedSlip[]): string[] {
  const isMoney = (path: string, value: Json) =>
    isNumber(value) ||
    (typeof value === 'string' &&
      (labelled?.[path]?.money === true || (moneyInText.test(value) && penceIn(value) !== undefined)))
  const fields = slips.flatMap(({ values }) => [...values].filter(([path, value]) => isMoney(path, value)))
  return [...new Set(fields.map(([path]) => path))]
}

/** assumed: what an amount since the beginning of a year is called. */
const isToDate = /ytd|to_?date|yearTo/i

function sumsOf(slips: readonly ComparedSlip[], fields: readonly string[]) {
  const [sums, unread] = [new Map<string, number>(), new Set<string>()]
  for (const { values } of slips) {
    for (const field of fields) {
      const value = values.get(field)
      const amount = penceIn(value)
      const before = sums.get(field)
      if (amount !== undefined && before !== undefined && isToDate.test(field))
        sums.set(field, Math.max(before, amount))
      else if (amount !== undefined) sums.set(field, (before ?? 0) + amount)
      else if (!isBlank(value)) unread.add(field)
    }
  }
  for (const field of unread) sums.delete(field)
  // Only the sum: three times half a penny is two pennies.
  for (const [field, sum] of sums) sums.set(field, Math.round(sum))
  return { sums, unread }
}

/** Whether two amounts are the same. One that a payslip does not have counts as zero. */
const isUnchanged = (amount: Pick<ComparedRow, 'old' | 'new'>) => (amount.old ?? 0) === (amount.new ?? 0)

function comparedAmount(amount: string, was: number | undefined, is: number | undefined) {
  const isBoth = was !== undefined && is !== undefined
  return {
    amount,
    old: was === undefined ? null : was / 100,
    new: is === undefined ? null : is / 100,
    difference: isBoth ? (is - was) / 100 : null,
    percent: isBoth && was !== 0 ? Math.round(((is - was) / Math.abs(was)) * 10_000) / 100 : null,
  }
}

/** How many changed and how many have one period alone, as a sentence. */
function summaryOf({ nowName, beforeName }: Pair, people: readonly ComparedPay[]): string {
  // Who joined, or left, is not known from payslips: one week without pay looks the same.
  const words = {
    changed: 'changed',
    same: 'same',
    joined: `only in ${nowName}`,
    left: `only in ${beforeName}`,
  }
  const counts = slipStates.flatMap((state) => {
    const { length } = people.filter((each) => each.state === state)
    return length === 0 ? [] : [`${groupDigits(length)} ${words[state]}`]
  })
  return `${capital(nowName)} with ${beforeName}: ${counts.join(', ')}.`
}
