import type { Json } from '../files/json/path.ts'
import type { FieldType } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { isSensitive } from '../model/fields/sensitive.ts'
import { type Difference, withinList } from '../model/mapping/compare-stored.ts'
import { isBankField } from '../model/records/bank-fields.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { headingFor } from '../model/values/read-heading.ts'
import { capital } from '../text/words.ts'
import { mostListed, type Remark } from './findings.ts'
import { changesOfLines, describeMatch, type LineMatch, type LineWords } from './lines.ts'

/** One field that a row changes of a record. */
export interface PlannedChange {
  readonly row: number
  /** The key of the record, as a person reads it. */
  readonly reference: string
  /** The name of the record besides; empty where it has none. */
  readonly name: string
  readonly path: string
  /** The field, as a person calls it. */
  readonly field: string
  readonly from: Json
  readonly to: Json
}

/** All that would change, counted. */
export interface PlannedChanges {
  /** The word for several such records: `people`. */
  readonly noun: string
  /** How many fields of them. */
  readonly count: number
  /** The first hundred, in the order of the file. */
  readonly first: readonly PlannedChange[]
  /** All of them, where they are written to a file. */
  readonly all: readonly PlannedChange[]
  /** The changes of bank details of the first ten thousand people, and how many people there are. */
  readonly bank: readonly PlannedChange[]
  readonly bankRecords: number
  /** The lines of records that change: which stay, change, come and go. */
  readonly lines: readonly Remark[]
  /** Every field that changes, the most frequent first; bank details are one, and come before all others. */
  readonly fields: readonly FieldCount[]
  /** Changes that many rows make alike, and probably nobody meant. */
  readonly shapes: readonly Remark[]
}

/** How all fields of bank details are counted together. */
export const bankDetails = 'Bank'

interface FieldCount {
  readonly field: string
  readonly records: number
  /** How many of these change their bank details too. */
  readonly withBank: number
}

/** A record that a row changes. */
export interface ChangedRecord {
  readonly row: number
  readonly reference: string
  readonly name: string
  readonly asked: readonly Difference[]
  readonly lines?: LineMatch | undefined
  readonly isBank: boolean
}

interface FieldTally {
  readonly row: number
  records: number
  withBank: number
  /** How many numbers fall to less than a half, and how many rise to more than double. */
  falls: number
  rises: number
  /** The new values and the old ones, as far as they are needed to see whether all are one. */
  readonly after: Set<string>
  readonly before: Set<string>
}

const emptyTally = (row: number): FieldTally => ({
  row,
  records: 0,
  withBank: 0,
  falls: 0,
  rises: 0,
  after: new Set(),
  before: new Set(),
})

/** The most people whose changes of bank details are kept to be shown. */
const mostBank = 10_000

/** One value for fewer people than these is no sign of a mistake. */
const fewest = 5

/** Counts the changes of a plan. `noun`: what several records are called. */
export function createChangeTally(
  type: RecordType | undefined,
  noun = 'people',
  keepsAll = false,
  about: LineWords = {},
) {
  const first: PlannedChange[] = []
  const all: PlannedChange[] = []
  const bank: PlannedChange[] = []
  const byPath = new Map<string, FieldTally>()
  const headings = new Map<string, string>()
  const hours: Remark[] = []
  let [count, bankRecords] = [0, 0]

  const headingOf = (path: string) => {
    const known = headings.get(path) ?? (type ? headingFor(type, path) : path)
    headings.set(path, known)
    return known
  }

  /** Each field that a record changes, and each of its lines, as a list of changes shows them. */
  const fieldsOf = ({ asked, lines }: Pick<ChangedRecord, 'asked' | 'lines'>) => {
    const others = asked.filter(({ path }) => !lines || path !== type?.lines?.path)
    const inLines = lines && type?.lines ? changesOfLines({ ...type, lines: type.lines }, lines, about) : []
    return [
      ...others.flatMap(withinList).map(({ path, before, after }) => ({
        path,
        field: headingOf(path),
        from: before ?? null,
        to: after ?? null,
      })),
      ...inLines.map((each) => ({ ...each, from: each.from ?? null, to: each.to ?? null })),
    ]
  }

  return {
    fieldsOf,
    add({ row, reference, name, asked, lines, isBank }: ChangedRecord): void {
      if (isBank) bankRecords += 1
      const changes = fieldsOf({ asked, lines })
      if (lines && type?.lines && changes.some(({ path }) => path.startsWith(type.lines?.path ?? '')))
        hours.push({
          row,
          path: type.lines.path,
          message: `${reference}: ${describeMatch(type.lines, lines, about)}`,
        })
      for (const { path, field, from, to } of changes) {
        count += 1
        const change = { row, reference, name, path, field, from, to }
        if (first.length < mostListed) first.push(change)
        if (keepsAll) all.push(change)
        if (type && isBankField(type, path) && bankRecords <= mostBank) bank.push(change)
        tally({ row, isBank }, { path, before: from, after: to })
      }
    },
    end(): PlannedChanges {
      const others = [...byPath].filter(([path]) => !type || !isBankField(type, path))
      const fields = others.map(([path, { records, withBank }]) => ({
        field: headingOf(path),
        records,
        withBank,
      }))
      return {
        noun,
        count,
        first,
        all,
        bank,
        bankRecords,
        lines: hours,
        fields: [
          ...(bankRecords > 0 ? [{ field: bankDetails, records: bankRecords, withBank: bankRecords }] : []),
          ...fields.sort((one, other) => other.records - one.records),
        ],
        shapes: [...byPath].flatMap(([path, seen]) => shapesOf(path, seen)),
      }
    },
  }

  function tally({ row, isBank }: Pick<ChangedRecord, 'row' | 'isBank'>, change: Difference): void {
    const { path, before, after } = change
    const seen = byPath.get(path) ?? emptyTally(row)
    byPath.set(path, seen)
    seen.records += 1
    if (isBank) seen.withBank += 1
    const isAmount = amountTypes.has((type && fieldAt(type.fields, path))?.type)
    const [old, now] = isAmount ? [amountOf(before), amountOf(after)] : []
    if (old !== undefined && now !== undefined && old > 0) {
      if (now < old / 2) seen.falls += 1
      if (now > old * 2) seen.rises += 1
    }
    if (seen.after.size < 2) seen.after.add(String(after))
    if (seen.before.size < 3) seen.before.add(String(before))
  }

  function shapesOf(path: string, { row, records: of, falls, rises, after, before }: FieldTally): Remark[] {
    const field = capital(headingOf(path))
    const remark = (message: string): Remark => ({ row, path, message, leads: true })
    const found: Remark[] = []
    const isMany = (number: number) => number >= 2 && number > of / 2
    if (isMany(falls)) found.push(remark(`${field} falls for ${falls} of ${of} ${noun} by more than half`))
    if (isMany(rises)) found.push(remark(`${field} rises for ${rises} of ${of} ${noun} to more than double`))
    const [value = ''] = after
    if (of >= fewest && after.size === 1 && before.size > 2 && isOwn(path)) {
      const shown = isSensitive(path.split('.').at(-1) ?? '') ? 'one value' : value
      found.push(remark(`${field} becomes ${shown} for all ${of} ${noun}`))
    }
    return found
  }

  /** Whether people usually differ in it: a code, a country or a yes is often one for all. */
  function isOwn(path: string): boolean {
    const field = type && fieldAt(type.fields, path)
    if (!field) return false
    const hasCodes = field.exampleValues ?? field.codes
    const isFree =
      field.type === 'string' || field.type === 'number' || field.type === 'lines' || field.type === 'date'
    return isFree && !hasCodes && field.standard !== 'tax-code' && field.standard !== 'ni-category'
  }
}

/** An account number is no amount. */
const amountTypes: ReadonlySet<FieldType | undefined> = new Set(['number', 'integer', 'decimal'])

function amountOf(value: Json): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  if (typeof text === 'number') return text
  return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}
