import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { addNumbers, type ExactNumber } from '../../../files/json/numbers.ts'
import { hasNoValue, isObject, type Json, type JsonObject } from '../../../files/json/path.ts'
import { exactIn } from '../../../model/fields/amounts.ts'
import { anything, type Fields, integer, object } from '../../../model/fields/field.ts'
import { fieldAt } from '../../../model/fields/field-tree.ts'
import { keyOf } from '../../../model/natural-key.ts'
import { deadStateOf } from '../../../model/records/dead-state.ts'
import { idOf, textIn } from '../../../model/records/identity.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { isSensitive } from '../../../model/resources/sensitive.ts'
import { isBritishYear } from '../../../reading/payslips.ts'
import { agree, plural } from '../../../text/words.ts'
import { toListFields } from '../../cli/record-types.ts'
import { type ChosenField, chooseField, noField } from './where.ts'

/** The answer of `list --sum`: one row for each value of `--by`; without it, one row for all. */
export const sumFields = {
  by: anything('By', { nullable: true }),
  count: integer('Items'),
  sum: anything('Totals, by field'),
} satisfies Fields

/** The fields to add up, and the field to group by. */
interface Sums {
  readonly fields: readonly ChosenField[]
  /** Whether they were named: those of the table are added up where the service has them. */
  readonly areNamed: boolean
  readonly by: ChosenField | undefined
}

/** Shows the totals of these fields, or of the amounts among the columns. Throws a usage failure for other fields. */
export function sumPrinter(
  type: RecordType | undefined,
  names: string | true,
  by: string | undefined,
): (context: Context, pages: AsyncIterable<readonly Json[]>) => Promise<number> {
  const summing = chooseSums(type, names, by)
  return async (context, pages) => {
    const { fields, rows, remarks, mixed } = await sumItems(pages, summing)
    await context.output.list(rows, {
      fields: sumType(fields, summing.by),
      columns: [...(summing.by ? ['by'] : []), 'count', ...fields.map((field) => `sum.${totalName(field)}`)],
      documented: true,
    })
    for (const remark of remarks) context.note(remark)
    // A script may run quietly for a year, and its totals be right until the next one begins.
    for (const each of mixed) context.warn(each)
    return rows.reduce((count, row) => count + Number(row.count), 0)
  }
}

function chooseSums(type: RecordType | undefined, names: string | true, by: string | undefined): Sums {
  const declaredFields = type?.fields ?? {}
  const paths = names === true ? amountColumns(type) : names.split(',').map((name) => name.trim())
  if (paths.length === 0) throw usage('--sum needs the name of a field here.', toListFields(type?.fields))
  const fields = paths.map((name) => chooseField(declaredFields, name))
  if (new Set(fields.map(totalName)).size < fields.length)
    throw usage('--sum: two totals would have one name. Add them up apart.')
  const other = fields.find(({ field }) => field && !canBeAmount(field))
  if (other) throw usage(`--sum ${other.name}: it holds no amounts and no hours, so it has no total.`)
  return {
    fields,
    areNamed: names !== true,
    by: by === undefined ? undefined : chooseField(declaredFields, by),
  }
}

const isAmountField = ({ type, money }: Fields[string]) =>
  type === 'number' || type === 'decimal' || money === true

/** Whether what a field holds may be added up. The number of an account or a telephone cannot, and no reference. */
const canBeAmount = (field: Fields[string]) => isAmountField(field) || field.type === 'unknown'

function amountColumns(type: RecordType | undefined): readonly string[] {
  return (type?.columns ?? []).filter((path) => {
    const field = fieldAt(type?.fields ?? {}, path)
    return field !== undefined && isAmountField(field)
  })
}

interface Total {
  readonly by: Json
  count: number
  readonly sum: Map<string, number | ExactNumber>
  readonly years: Set<string>
  readonly references: Set<string>
}

/** Adds up digit for digit. Throws exit 2 for a field that no item has, exit 10 for a value that is not a number. */
async function sumItems(pages: AsyncIterable<readonly Json[]>, { fields, areNamed, by }: Sums) {
  const totals = new Map<string, Total>()
  const empty = new Map<string, number>()
  let [count, ungrouped] = [0, 0]
  let dead = 0
  const hasMoney = fields.some(({ field }) => field?.money)
  for await (const items of pages) {
    count += items.length
    for (const item of items) add(item)
  }
  const isNowhere = ({ name, field }: ChosenField) =>
    !(field && areNamed) && count > 0 && empty.get(name) === count
  const there = fields.filter((field) => !isNowhere(field))
  const missing = areNamed || there.length === 0 ? fields.find(isNowhere) : undefined
  const unknown = by && !by.field && count > 0 && ungrouped === count ? by : missing
  if (unknown) throw noField(unknown)
  const groups = [...totals.values()].sort((one, other) => compare(String(one.by), String(other.by)))
  return {
    fields: there,
    rows: groups.map(({ by: value, count, sum }) => ({
      by: value ?? null,
      count,
      sum: Object.fromEntries(there.map(totalName).map((name) => [name, sum.get(name)])),
    })),
    remarks: [
      ...[...empty].map(([name, items]) => `${plural(items, 'item')} ${agree(items, 'has')} no ${name}.`),
      // A total of all that the list shows has those too that will not be paid.
      ...(dead > 0
        ? [`${plural(dead, 'item')} in these totals ${agree(dead, 'is')} cancelled, or the like.`]
        : []),
    ],
    mixed: mixRemarks(by, hasMoney, groups),
  }

  function add(item: Json): void {
    const value = by?.read(item)
    const group = hasNoValue(value) ? undefined : value
    if (group === undefined) ungrouped += 1
    const key = JSON.stringify(group) ?? ''
    const total: Total = totals.get(key) ?? {
      by: group,
      count: 0,
      sum: new Map(fields.map((each) => [totalName(each), 0])),
      years: new Set(),
      references: new Set(),
    }
    totals.set(key, total)
    total.count += 1
    if (isObject(item) && deadStateOf(item) !== undefined) dead += 1
    const { taxYear, subcontractorRef }: JsonObject = isObject(item) ? item : {}
    if (textIn(taxYear)) total.years.add(textIn(taxYear))
    if (textIn(subcontractorRef)) total.references.add(keyOf(textIn(subcontractorRef)))
    for (const field of fields) {
      const values = [field.read(item)].flat().filter((each) => !hasNoValue(each))
      const name = totalName(field)
      if (values.length === 0) empty.set(field.name, (empty.get(field.name) ?? 0) + 1)
      for (const each of values)
        total.sum.set(name, addNumbers(total.sum.get(name) ?? 0, summand(field, each, item)))
    }
  }
}

/** The name of a total: `units` of `rates.units`. */
const totalName = ({ name, paths }: ChosenField) => paths[0]?.at(-1) ?? name

const { compare } = new Intl.Collator('en', { numeric: true })

/** An amount: a number, or a text in any form that other commands read. */
function summand({ name }: ChosenField, value: Json, item: Json): number | ExactNumber {
  const number = exactIn(value)
  if (number !== undefined) return number
  const id = idOf(item)
  throw new Failure(
    'invalid-response',
    `The ${name}${id === undefined ? '' : ` of ${id}`} is not a number, so the total would not be right.`,
    { hint: `To see such items: add --where ${name}!= and leave --sum out.` },
  )
}

/** Sentences where one total has pounds and euros, or periods of several tax years, or several people of one name. */
function mixRemarks(by: ChosenField | undefined, hasMoney: boolean, totals: readonly Total[]): string[] {
  const has = (isMixed: (british: number, other: number) => boolean) =>
    totals.some(({ years }) => {
      const british = [...years].filter(isBritishYear).length
      return isMixed(british, years.size - british)
    })
  const name = by?.paths[0]?.at(-1) ?? ''
  const namesakes = totals.find(({ references }) => references.size > 1)
  return [
    ...(hasMoney && has((british, other) => british > 0 && other > 0)
      ? ['Pounds and euros are added up in one total here. Add --where taxYear=<year>.']
      : []),
    ...(/^taxPeriod(Config)?$/.test(name) && has((british, other) => british > 1 || other > 1)
      ? ['Periods of several tax years are added up here. Add --where taxYear=<year>.']
      : []),
    ...(name === 'subcontractorName' && namesakes
      ? [`${namesakes.by} is the name of several people, in one total here. Use --by subcontractorRef.`]
      : []),
  ]
}

/** The fields of a sum with a heading for each total, for a table. */
const sumType = (fields: Sums['fields'], by: Sums['by']): Fields => ({
  ...sumFields,
  by: anything(by?.field?.label ?? by?.name ?? 'By', {
    nullable: true,
    ...(by && isSensitive(by.paths[0]?.at(-1) ?? by.name) && { sensitive: true }),
  }),
  sum: object(
    'Total',
    Object.fromEntries(
      fields.map((field) => [totalName(field), anything(field.field?.label ?? field.name, { money: true })]),
    ),
  ),
})
