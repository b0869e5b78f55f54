import { type Json, lastName } from '../files/json/path.ts'
import { numberIn } from '../model/fields/amounts.ts'
import type { Field, FieldType } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { keyInWords } from '../model/natural-key.ts'
import { isBankField } from '../model/records/bank-fields.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { isSensitive } from '../model/resources/sensitive.ts'
import { type Difference, withinList } from '../model/values/compare-stored.ts'
import { headingFor } from '../model/values/find-field.ts'
import { capital } from '../text/words.ts'
import { mostListed, type RowFinding } from './findings.ts'
import { changesOfLines, describeMatch, type LineMatch, type LineWords } from './lines.ts'

/** One field that a row of the file changes. */
export interface PlannedChange {
  readonly row: number
  /** The key of the record, as a person reads it. */
  readonly reference: string
  /** The name of the person or thing that the record is about; empty where it has none. */
  readonly name: string
  readonly path: string
  /** The field, as a person calls it. */
  readonly field: string
  readonly from: Json
  readonly to: Json
  /** What it is about: bank details and lines are shown in a way of their own. */
  readonly about: 'bank' | 'lines' | 'other'
}

/** Every change that a plan would make, counted. */
export type PlannedChanges = ReturnType<ReturnType<typeof createChangeTally>['end']>

/** How all fields of bank details are counted together. */
export const bankDetails = 'Bank'

/** A record that a row changes. */
export interface ChangedRecord {
  readonly row: number
  readonly reference: string
  readonly name: string
  readonly requested: readonly Difference[]
  readonly lines?: LineMatch | undefined
}

type FieldTally = ReturnType<typeof emptyTally>

/** The most people whose changes of bank details are kept to be shown. */
const mostBank = 10_000

/** One new value for fewer people than this is not reported. */
const fewest = 5

interface TallyOptions extends LineWords {
  /** The word for several such records. */
  readonly noun: string
  /** Whether all changes are kept, and not only the first hundred. */
  readonly keepsAll: boolean
}

/** Counts the changes of a plan. */
export function createChangeTally(type: RecordType, options: TallyOptions) {
  const { noun, keepsAll } = options
  const plannedChanges: PlannedChange[] = []
  const byPath = new Map<string, FieldTally>()
  const ofLines: RowFinding[] = []
  let [count, bankRecords, otherCount] = [0, 0, 0]

  function tallyOf(path: string): FieldTally {
    const tally = byPath.get(path) ?? emptyTally(type, path)
    byPath.set(path, tally)
    return tally
  }

  /** Each field that a record changes, and each of its lines, as a list of changes shows them. */
  function fieldsOf({ requested, lines }: Pick<ChangedRecord, 'requested' | 'lines'>) {
    const otherChanges = requested.filter(({ path }) => !lines || path !== type.lines?.path)
    return [
      ...otherChanges.flatMap(withinList).map(({ path, before, after }) => {
        const { heading: field, isBank } = tallyOf(path)
        const about: PlannedChange['about'] = isBank ? 'bank' : 'other'
        return { path, field, from: before ?? null, to: after ?? null, about }
      }),
      ...(lines ? changesOfLines(type, lines, options) : []).map(
        (change) => ({ ...change, about: 'lines' }) as const,
      ),
    ]
  }

  return {
    fieldsOf,
    add({ row, reference, name, requested, lines }: ChangedRecord): void {
      const isBank = requested.some(({ path }) => isBankField(type, path))
      if (isBank) bankRecords += 1
      const changes = fieldsOf({ requested, lines })
      if (lines && type.lines && changes.some(({ about }) => about === 'lines')) {
        const message = `${keyInWords(reference)}: ${describeMatch(type.lines, lines, options)}`
        ofLines.push({ row, path: type.lines.path, severity: 'note', message })
      }
      for (const field of changes) {
        const change = { row, reference, name, ...field }
        count += 1
        if (change.about === 'other') otherCount += 1
        const isShown =
          (change.about === 'bank' && bankRecords <= mostBank) ||
          (change.about === 'other' && otherCount <= mostListed)
        if (keepsAll || count <= mostListed || isShown) plannedChanges.push(change)
        countChange(tallyOf(change.path), change, isBank)
      }
    },
    end() {
      const tallies = [...byPath].filter(([, { records }]) => records > 0)
      const fields = tallies.flatMap(([, { heading, isBank, records, withBank }]) =>
        isBank ? [] : [{ field: heading, records, withBank }],
      )
      const bank = { field: bankDetails, records: bankRecords, withBank: bankRecords }
      return {
        /** What several such records are called: `people`. */
        noun,
        /** How many fields change, over all records. */
        count,
        /**
         * In the order of the file: the first hundred, the first hundred that are of neither bank details nor lines, and
         * those of bank details of the first ten thousand people; all of them where the tally was made with `keepsAll`.
         */
        listed: plannedChanges,
        /** How many people change their bank details, and how many changes are of neither bank details nor lines. */
        bankRecords,
        otherCount,
        /** For each record with lines: which of them stay, change, are added and are removed. */
        lines: ofLines,
        /**
         * How many records change each field, and how many of these their bank details too; the most frequent first. All
         * bank details count as one field, which comes first.
         */
        fields: [
          ...(bankRecords > 0 ? [bank] : []),
          ...fields.sort((one, other) => other.records - one.records),
        ],
        /** Changes that many rows make alike. They are probably mistakes. */
        shapes: tallies.flatMap(([path, tally]) => shapesOf(path, tally, noun)),
      }
    },
  }
}

const emptyTally = (type: RecordType, path: string) => ({
  heading: headingFor(type, path),
  declared: fieldAt(type.fields, path),
  isBank: isBankField(type, path),
  records: 0,
  withBank: 0,
  /** How many numbers fall to less than a half, and how many rise to more than double. */
  falls: 0,
  rises: 0,
  /** A few of the new and the old values: enough to see whether all of them are the same. */
  after: new Set<string>(),
  before: new Set<string>(),
})

function countChange(tally: FieldTally, { from, to }: PlannedChange, isWithBank: boolean): void {
  tally.records += 1
  if (isWithBank) tally.withBank += 1
  const isAmount = amountTypes.has(tally.declared?.type)
  const [old, now] = isAmount ? [numberIn(from), numberIn(to)] : []
  if (old !== undefined && now !== undefined && old > 0) {
    if (now < old / 2) tally.falls += 1
    if (now > old * 2) tally.rises += 1
  }
  if (tally.after.size < 2) tally.after.add(String(to))
  if (tally.before.size < 3) tally.before.add(String(from))
}

/** The changes of one field that many rows make alike, and probably nobody meant: doubts about the file, not about a row. */
function shapesOf(path: string, tally: FieldTally, noun: string): RowFinding[] {
  const { heading, declared, records, falls, rises, after, before } = tally
  const field = capital(heading)
  const isMany = (number: number) => number >= 2 && number > records / 2
  const messages: string[] = []
  if (isMany(falls)) messages.push(`${field} falls for ${falls} of ${records} ${noun} by more than half`)
  if (isMany(rises)) messages.push(`${field} rises for ${rises} of ${records} ${noun} to more than double`)
  if (records >= fewest && after.size === 1 && before.size > 2 && isOwn(declared)) {
    const [value] = after
    const display = isSensitive(lastName(path)) ? 'one value' : value
    messages.push(`${field} becomes ${display} for all ${records} ${noun}`)
  }
  return messages.map((message) => ({
    row: 0,
    path: '',
    severity: 'doubt',
    message,
    leads: true,
    isAllowed: true,
  }))
}

/** Whether people usually differ in a field: a code, a country or a yes is often one for all. */
function isOwn(field: Field | undefined): boolean {
  if (!field || field.exampleValues || field.codes) return false
  const isFree = ['string', 'number', 'lines', 'date'].includes(field.type)
  return isFree && field.standard !== 'tax-code' && field.standard !== 'ni-category'
}

/** The types whose values are amounts. Account numbers are texts, so they do not count. */
const amountTypes: ReadonlySet<FieldType | undefined> = new Set(['number', 'integer', 'decimal'])
