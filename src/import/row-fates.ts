import { integer, text, type ValuesOf } from '../model/fields/field.ts'
import { plural, singular } from '../text/words.ts'
import { type ImportEntry, isUnclear } from './entry.ts'

/** The answer of an import: how many rows of the file ended in each way. */
export const importFields = {
  rows: integer('Rows', { help: 'Each counts once: all other counts add up to it.' }),
  created: integer('Created by this run'),
  createdEarlier: integer('Created by an earlier run of this import', {
    help: 'With --update such a row is compared with its record, and is changed or equal already.',
  }),
  updated: integer('Changed by this run'),
  updatedEarlier: integer('Changed by an earlier run of this import that was cut short', {
    help: 'It could not say so: this run saw that the request had arrived.',
  }),
  unchanged: integer('Equal already', {
    help: 'The service had all that the row says, and this run sent nothing. Only with --update.',
  }),
  existing: integer('Already on the service before the import'),
  refused: integer('Refused'),
  unresolved: integer('Unknown', {
    help: 'The outcome is unknown, or the service has something other than what was sent.',
  }),
  pending: integer('Not sent'),
  left: integer('Left in doubt by a person: import resolve --leave'),
  invalid: integer('Not sent, because something is wrong with them: with --ready-only'),
  held: integer('Held back, because a person has to decide', {
    help: 'Somebody changed the record meanwhile, its bank details would change, or it may be another person.',
  }),
  rejects: text('Path of the rejects file', { nullable: true }),
}

/** How many rows of the file ended in each way: each row counts once, so all counts but `rows` add up to `rows`. */
export type Summary = ValuesOf<typeof importFields>

type Counter = Exclude<keyof Summary, 'rows' | 'rejects'>

/** The outcome of a row, in the words of a results file. */
export const rowOutcomes = [
  'created',
  'updated',
  'unchanged',
  'already there',
  'refused',
  'held back',
  'not sent',
  'unknown',
  'left',
] as const

export type RowOutcome = (typeof rowOutcomes)[number]

/** How each place says where a row stands. */
interface FateWords {
  /** What the plan says after a count of such rows; undefined where the plan cannot say it. */
  readonly plan?: string | undefined
  /** What the summary at the end says after a count of such rows. */
  readonly end: string
  readonly counts: Counter
  readonly file: RowOutcome
  /** Whether the summary names the rejects file for these rows. */
  readonly inRejects?: true | undefined
}

/** The same words in the plan and at the end. */
const both = (says: string) => ({ plan: says, end: says })

const waits = { end: 'not sent yet', counts: 'pending', file: 'not sent' } as const

/** Everything that can become of a row. The plan and the summary list it in this order. */
export const rowFates = {
  create: { ...waits, plan: 'to create' },
  change: { ...waits, plan: 'to change' },
  created: { end: 'created', counts: 'created', file: 'created' },
  createdEarlier: { ...both('created by an earlier run'), counts: 'createdEarlier', file: 'created' },
  updated: { end: 'changed', counts: 'updated', file: 'updated' },
  updatedEarlier: { ...both('changed by an earlier run'), counts: 'updatedEarlier', file: 'updated' },
  unchanged: { ...both('already as the file says'), counts: 'unchanged', file: 'unchanged' },
  createdElsewhere: { ...both('created by another run'), counts: 'existing', file: 'already there' },
  existing: { ...both('already on the service'), counts: 'existing', file: 'already there' },
  refused: { end: 'refused', counts: 'refused', file: 'refused', inRejects: true },
  unknown: {
    plan: 'to look for on the service',
    end: 'to check by hand',
    counts: 'unresolved',
    file: 'unknown',
  },
  left: { ...both('outcome unknown, closed by hand'), counts: 'left', file: 'left' },
  elsewhere: { ...waits, plan: 'another run works on it' },
  invalid: {
    plan: 'to put right',
    end: 'not sent, to be put right',
    counts: 'invalid',
    file: 'not sent',
    inRejects: true,
  },
  held: { ...both('held back'), counts: 'held', file: 'held back', inRejects: true },
} as const satisfies Readonly<Record<string, FateWords>>

type RowFate = keyof typeof rowFates

/** `rowFates` with its members as `FateWords`, for loops over it. */
const fateWords: Readonly<Record<RowFate, FateWords>> = rowFates

/** The members of an entry that decide its fate. */
type Decisive = Pick<ImportEntry, 'writes' | 'state' | 'existing' | 'isEarlier'> & {
  readonly [Name in 'left' | 'elsewhere' | 'mismatch' | 'createdBy']?: unknown
}

/** Tells what became of a row. */
export function fateOf(entry: Decisive): RowFate {
  const { writes, state, existing, isEarlier, left, elsewhere, mismatch, createdBy } = entry
  if (left) return 'left'
  if (mismatch || state === 'sending' || isUnclear({ state })) return 'unknown'
  switch (state) {
    case 'done':
      if (writes === 'create') return isEarlier ? 'createdEarlier' : 'created'
      return isEarlier ? 'updatedEarlier' : 'updated'
    case 'equal':
      return 'unchanged'
    case 'refused':
    case 'held':
      return state
    default:
      if (writes === 'change') return 'change'
      if (existing > 0) return createdBy ? 'createdElsewhere' : 'existing'
      return elsewhere ? 'elsewhere' : 'create'
  }
}

/** How many rows, or records, of a file have each fate. */
export type FateCounts = Readonly<Record<RowFate, number>>

/** Counts the rows of the file by fate. `invalid` is the number of wrong rows, which have no entry. */
export function countEntries(
  entries: Iterable<ImportEntry>,
  {
    each,
    invalid,
    fate,
  }: { each: 'records' | 'rows'; invalid: number; fate: (entry: ImportEntry) => RowFate },
): FateCounts {
  const counts = zeros<RowFate>(rowFates)
  for (const entry of entries) {
    if (entry.row === 0) continue
    counts[fate(entry)] += each === 'rows' ? (entry.rows?.length ?? 1) : 1
  }
  return { ...counts, invalid }
}

const zeros = <Name extends string>(names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as Record<Name, number>

/** ` (6 timesheets)` behind a count of rows, where several of them make one record. */
export const inRecords = (rows: number, records: number, noun: string): string =>
  rows === records ? '' : ` (${plural(records, singular(noun))})`

/** The counts that a plan shows, in their order: `3 to create`, `3 to create (2 timesheets)`. */
export const planLines = (rows: FateCounts, records: FateCounts, noun: string) =>
  (Object.entries(fateWords) as [RowFate, FateWords][]).flatMap(([name, { plan }]) =>
    plan === undefined
      ? []
      : [{ name, count: rows[name], says: plan + inRecords(rows[name], records[name], noun) }],
  )

/** `2 rows: 1 created, 1 refused (see starters.rejects.csv).` `records`: the summary of the records that the rows make. */
export function summaryLine(summary: Summary, records: Summary, noun: string): string {
  const { created, createdEarlier, updated, updatedEarlier, unchanged, held, left, rejects } = summary
  // Where nothing was done, the line says `0 created`, unless the import is about changes.
  const isOfChanges = updated + updatedEarlier + unchanged + held + left > 0
  const saysNone = created + createdEarlier === 0 && !isOfChanges
  let see = rejects === null ? '' : ` (see ${rejects})`
  const parts: string[] = []
  for (const { counts, end, inRejects } of new Map(
    Object.values(fateWords).map((each) => [each.counts, each]),
  ).values()) {
    const count = summary[counts]
    if (count === 0 && !(counts === 'created' && saysNone)) continue
    parts.push(`${count} ${end}${inRecords(count, records[counts], noun)}${inRejects ? see : ''}`)
    if (inRejects) see = ''
  }
  return `${plural(summary.rows, 'row')}: ${parts.join(', ')}.`
}

/** The summary of an import that has ended. */
export function summaryOf(counts: FateCounts, rejects: string | null): Summary {
  const summary = zeros<Counter | 'rows'>(importFields)
  for (const [name, count] of Object.entries(counts) as [RowFate, number][]) {
    summary[rowFates[name].counts] += count
    summary.rows += count
  }
  return { ...summary, rejects }
}
