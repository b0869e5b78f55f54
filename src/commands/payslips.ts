import { choice, number, text, type ValuesOf } from '../api/contract/fields/field.ts'
import { operations } from '../api/contract/operations/operations.ts'
import { fetchPages, readSteadily } from '../api/pages.ts'
import type { Verb } from '../cli/verb.ts'
import type { Context } from '../context/context.ts'
import { Failure, usage } from '../errors.ts'
import { capital, foldText, grouped, plural, wordList } from '../formats/words.ts'
import { isNumber } from '../json/numbers.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { resource } from '../verbs/resource.ts'
import { showProgress } from '../verbs/show-progress.ts'

/** The fields of both forms of the list. assumed: the reference, which some services show. */
const person = { name: ['subcontractorName', 'subcontractor'], reference: ['subcontractorRef'] }

const common = resource({
  list: {
    operation: { current: operations.payslips.list, legacy: operations.payslips.listLegacy },
    person,
    summary: 'List payslips: all, or those of one person',
    examples: [
      'payroll payslips list',
      'payroll payslips list SANDBOX-UK-01',
      'payroll payslips list Amélie Sample',
      'payroll payslips list --where "taxPeriod=3" --out april.xlsx',
      'payroll payslips list --legacy --json > payslips.json',
    ],
  },
  export: {
    list: { current: operations.payslips.list, legacy: operations.payslips.listLegacy },
    goesOn: true,
    person,
    summary: 'Export payslips to a file: all, only the new ones, or those of one person',
    examples: [
      'payroll payslips export --out payslips.xlsx',
      'payroll payslips export SANDBOX-UK-01 --out payslips.xlsx',
      'payroll payslips export --since-last nightly --quiet --out new.csv',
      'payroll payslips export --since-last friday --expect-min 200 -o ndjson',
    ],
  },
})

/** What became of a person from one period to the other, in the order in which it is shown; and of an amount of somebody in both. */
const states = ['changed', 'same', 'joined', 'left'] as const

const amountDetails = { money: true, nullable: true } as const

/** One amount of one person in two periods. */
const comparedFields = {
  name: text('Person'),
  taxYear: text('Tax year'),
  state: choice('Change', states),
  amount: text('Amount'),
  old: number('Old', amountDetails),
  new: number('New', amountDetails),
  difference: number('Difference', amountDetails),
  percent: number('Percent', {
    ...amountDetails,
    help: 'Of the old amount; null where that is none or nothing.',
  }),
}

type Row = ValuesOf<typeof comparedFields>

const compare: Verb = {
  name: 'compare',
  summary: 'Compare the payslips of two tax periods: every amount of every person, old and new',
  options: ['period', 'with', 'by', 'legacy'],
  notes: [
    'People are known by their reference, or by their name where the payslips say none; several payslips of one person in a period are added up. The period is that of the latest tax year that has it, and the other the latest before it; the United Kingdom and Ireland are compared apart.',
    'The greatest change comes first, then who joined, then who left. The service does not tell net pay.',
  ],
  examples: [
    'payroll payslips compare --period 3 --with 2',
    'payroll payslips compare --period 3 --with 2 --by 20',
    'payroll payslips compare --period 3 --with 2 --out compared.xlsx',
  ],
  answer: { prints: 'json', shapes: [{ list: true, fields: comparedFields }] },
  async run(context, { options }) {
    const { period, with: other, by } = options
    if (period === undefined || other === undefined)
      throw usage('Which periods? Name both, such as --period 33 --with 32.')
    if (period === other) throw usage(`--period ${period} and --with ${other} are one period.`)
    const client = await context.client()
    const operation = options.legacy ? operations.payslips.listLegacy : operations.payslips.list
    const slips = await showProgress(
      context,
      'Reading the payslips',
      readSteadily(async () => {
        const found: Slip[] = []
        for await (const items of fetchPages(client, operation))
          for (const item of items) if (isObject(item)) found.push(...slipOf(item, [period, other]))
        return found
      }),
    )
    const pairs = pairsOf(slips, period, other)
    const rows = pairs.flatMap((pair) => rowsOf(slips, pair))
    const isLarge = ({ state, percent }: Row, least: number) =>
      state !== 'same' && (percent === null || Math.abs(percent) >= least)
    const shown = by ? rows.filter((row) => isLarge(row, by)) : rows
    const { isForPerson } = context.output.format
    const isRead = isForPerson && context.options.query === undefined
    await context.output.list(isRead ? shown.map(withLabel) : shown, {
      columns: ['name', 'amount', 'old', 'new', 'difference', 'percent', 'state', 'taxYear'],
      fields: comparedFields,
    })
    sayWhat(context, rows, shown, pairs, isRead)
  },
}

export const payslips = { ...common, verbs: [...common.verbs, compare] }

/** What is kept of a payslip. Amounts are in pence or cents. */
interface Slip {
  readonly key: string
  readonly name: string
  readonly year: string
  readonly period: number
  readonly amounts: ReadonlyMap<string, number>
}

const { response } = operations.payslips.list
const labelled = response.kind === 'page' ? response.type?.fields : undefined

/** The amount by the label of its field, as the columns of `payslips list` name it. */
const withLabel = (row: Row): Row => ({ ...row, amount: labelled?.[row.amount]?.label ?? row.amount })

/** Fields that are numbers, and no amounts. */
const noAmounts = /^(id|.*Id|taxPeriod|taxYear|incrementId|number|.*Number)$/

/** The payslip, where it is of one of these periods. assumed: the fields seen for this kind of service. */
function slipOf(item: JsonObject, periods: readonly number[]): Slip[] {
  const period = Number(/\d+/.exec(textOf(item.taxPeriod))?.[0])
  if (!periods.includes(period)) return []
  const [name, reference] = [textOf(item.subcontractorName), textOf(item.subcontractorRef)]
  const amounts = Object.entries(item).flatMap(([field, value]) => {
    const amount = noAmounts.test(field) ? undefined : amountOf(value)
    return amount === undefined ? [] : [[field, Math.round(amount * 100)] as const]
  })
  return [
    {
      key: foldText(reference || name).replaceAll(/[^\p{L}\p{N}]+/gu, ''),
      name: [name, reference && name ? `(${reference})` : reference].filter(Boolean).join(' '),
      year: textOf(item.taxYear),
      period,
      amounts: new Map(amounts),
    },
  ]
}

const textOf = (value: Json) =>
  typeof value === 'string' ? value.trim() : isNumber(value) ? String(value) : ''

/** A text with pence or cents, and with a comma between thousands or none. One without them may be a code. */
const amountInText = /^-?[£€]?(?:\d+|\d{1,3}(?:,\d{3})+)\.\d{1,2}$/

function amountOf(value: Json): number | undefined {
  if (isNumber(value)) return Number(value)
  if (typeof value !== 'string' || !amountInText.test(value)) return undefined
  return Number(value.replaceAll(/[£€,]/g, ''))
}

/** Two periods that are compared, each of a tax year. */
interface Pair {
  readonly now: { readonly year: string; readonly period: number }
  readonly before: { readonly year: string; readonly period: number }
}

/** A tax year of the UK has two years in its name: `2026/27`. */
const forms = [(year: string) => /\D/.test(year), (year: string) => !/\D/.test(year)]

/** One pair for each form of tax year. Throws a Failure (exit 5) where a period has no payslips. */
function pairsOf(slips: readonly Slip[], period: number, other: number): Pair[] {
  const pairs = forms.flatMap((isOfForm): Pair[] => {
    const yearsOf = (each: number) =>
      [
        ...new Set(
          slips.filter((slip) => slip.period === each && isOfForm(slip.year)).map(({ year }) => year),
        ),
      ].sort()
    const year = yearsOf(period).at(-1)
    if (year === undefined) return []
    const years = yearsOf(other)
    const yearBefore =
      years.findLast((each) => each < year || (each === year && other < period)) ?? years.at(-1)
    return yearBefore === undefined
      ? []
      : [{ now: { year, period }, before: { year: yearBefore, period: other } }]
  })
  if (pairs.length > 0) return pairs
  const missing = [period, other].filter((each) => !slips.some((slip) => slip.period === each))
  const which =
    missing.length === 0
      ? `${period} and ${other} in one form of tax year`
      : wordList(missing.map(String), 'or')
  throw new Failure('not-found', `There are no payslips of period ${which}.`, {
    hint: 'Which periods there are: payroll payslips list --sort -taxPeriod --limit 5',
  })
}

function rowsOf(slips: readonly Slip[], { now, before }: Pair): Row[] {
  const sumsOf = ({ year, period }: Pair['now']) => {
    const people = new Map<string, { name: string; amounts: Map<string, number> }>()
    for (const slip of slips) {
      if (slip.year !== year || slip.period !== period) continue
      const person = people.get(slip.key) ?? { name: slip.name, amounts: new Map<string, number>() }
      for (const [field, amount] of slip.amounts)
        person.amounts.set(field, (person.amounts.get(field) ?? 0) + amount)
      people.set(slip.key, person)
    }
    return people
  }
  const [news, olds] = [sumsOf(now), sumsOf(before)]
  const people = [...new Set([...news.keys(), ...olds.keys()])].map((key) => {
    const [is, was] = [news.get(key), olds.get(key)]
    const fields = [...new Set([...(is?.amounts.keys() ?? []), ...(was?.amounts.keys() ?? [])])]
    const amounts = fields.map((amount) =>
      compared(amount, was?.amounts.get(amount), is?.amounts.get(amount)),
    )
    const isChanged = !amounts.every(isSame)
    const state = !was ? 'joined' : !is ? 'left' : isChanged ? 'changed' : 'same'
    const most = Math.max(0, ...amounts.map(({ percent }) => Math.abs(percent ?? 0)))
    return { name: (is ?? was)?.name ?? '', state, most, amounts } as const
  })
  people.sort(
    (one, two) =>
      states.indexOf(one.state) - states.indexOf(two.state) ||
      two.most - one.most ||
      one.name.localeCompare(two.name),
  )
  return people.flatMap(({ name, state, amounts }) =>
    amounts.map((amount) => ({
      name,
      taxYear: now.year,
      // Of somebody with other hours the margin may be the same.
      state: state === 'changed' && isSame(amount) ? 'same' : state,
      ...amount,
    })),
  )
}

/** An amount that a payslip does not have is none. */
const isSame = (amount: Pick<Row, 'old' | 'new'>) => (amount.old ?? 0) === (amount.new ?? 0)

function compared(amount: string, was: number | undefined, is: number | undefined) {
  const isBoth = was !== undefined && is !== undefined
  return {
    amount,
    old: was === undefined ? null : was / 100,
    new: is === undefined ? null : is / 100,
    difference: isBoth ? (is - was) / 100 : null,
    percent: isBoth && was !== 0 ? Math.round(((is - was) / Math.abs(was)) * 10_000) / 100 : null,
  }
}

/** More people than these are counted, and not named. */
const mostNamed = 10

/** @param namesPeople whether who joined and who left is named: where a table is too wide, its last columns are left out */
function sayWhat(
  context: Context,
  rows: readonly Row[],
  shown: readonly Row[],
  pairs: readonly Pair[],
  namesPeople: boolean,
): void {
  for (const { now, before } of pairs) {
    const rowsOfPair = rows.filter(({ taxYear }) => taxYear === now.year)
    // Somebody is the same of whom every amount is.
    const stateOf = new Map<string, Row['state']>()
    for (const { name, state } of rowsOfPair)
      if (state !== 'same' || !stateOf.has(name)) stateOf.set(name, state)
    const peopleOf = (state: Row['state']) =>
      [...stateOf].flatMap(([name, each]) => (each === state ? [name] : []))
    const counts = states.flatMap((state) => {
      const people = peopleOf(state).length
      return people === 0 ? [] : [`${grouped(people)} ${state}`]
    })
    context.note(
      `Period ${now.period} of ${now.year} with period ${before.period} of ${before.year}: ${counts.join(', ')}.`,
    )
    if (!namesPeople) continue
    for (const state of ['joined', 'left'] as const) {
      const people = peopleOf(state)
      const more = people.length - mostNamed
      const names = people.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${grouped(more)} more` : '')
      if (people.length > 0) context.note(`${capital(state)} (${grouped(people.length)}): ${names}.`)
    }
  }
  const countChanged = (of: readonly Row[]) => of.filter(({ state }) => state === 'changed').length
  const hidden = countChanged(rows) - countChanged(shown)
  if (hidden > 0) context.note(`${plural(hidden, 'smaller change')} not shown (--by).`)
}
