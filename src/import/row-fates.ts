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
export type RowOutcome =
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'already there'
  | 'refused'
  | 'held back'
  | 'not sent'
  | 'unknown'
  | 'left'

/** How each place says where a row stands. */
interface FateWords {
  /** What the plan says after a count of such rows; undefined where the plan cannot say it. */
  readonly plan?: string | undefined
  /** What the summary at the end says after a count of such rows. */
  readonly end: string
  readonly counts: Counter
  readonly file: RowOutcome
  /** What the file of a plan says is done with such a row; undefined: it is not in that file. */
  readonly action?: 'create' | 'change' | 'held back' | 'put right' | undefined
}

/** One text for the plan and for the end. */
const both = (says: string) => ({ plan: says, end: says })

const waits = { end: 'not sent yet', counts: 'pending', file: 'not sent' } as const

const fates = {
  create: { ...waits, plan: 'to create', action: 'create' },
  change: { ...waits, plan: 'to change', action: 'change' },
  created: { end: 'created', counts: 'created', file: 'created' },
  createdEarlier: { ...both('created by an earlier run'), counts: 'createdEarlier', file: 'created' },
  updated: { end: 'changed', counts: 'updated', file: 'updated' },
  updatedEarlier: { ...both('changed by an earlier run'), counts: 'updatedEarlier', file: 'updated' },
  unchanged: { ...both('already as the file says'), counts: 'unchanged', file: 'unchanged' },
  createdElsewhere: { ...both('created by another run'), counts: 'existing', file: 'already there' },
  existing: { ...both('already on the service'), counts: 'existing', file: 'already there' },
  refused: { end: 'refused', counts: 'refused', file: 'refused' },
  unknown: {
    plan: 'to look for on the service',
    end: 'to check by hand',
    counts: 'unresolved',
    file: 'unknown',
    action: 'create',
  },
  left: { ...both('left in doubt'), counts: 'left', file: 'left', action: 'held back' },
  elsewhere: { ...waits, plan: 'left to another run', action: 'held back' },
  invalid: { ...both('to put right'), counts: 'invalid', file: 'not sent', action: 'put right' },
  held: { ...both('held back'), counts: 'held', file: 'held back', action: 'held back' },
} as const satisfies Readonly<Record<string, FateWords>>

/** What became of a row, or would become of it. */
export type RowFate = keyof typeof fates

/** Everything that can become of a row, in the order in which the plan and the summary list it. */
export const rowFates: Readonly<Record<RowFate, FateWords>> = fates

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

/** How many rows of a file have each fate, and how many records those rows make. */
export interface FateCounts {
  readonly rows: Readonly<Record<RowFate, number>>
  readonly records: Readonly<Record<RowFate, number>>
}

/** Counts the rows of the file by fate. `invalid` is the number of wrong rows, which have no entry. */
export function countFates(
  entries: Iterable<ImportEntry>,
  { invalid, fate }: { readonly invalid: number; readonly fate: (entry: ImportEntry) => RowFate },
): FateCounts {
  const [rows, records] = [zeros<RowFate>(rowFates), zeros<RowFate>(rowFates)]
  for (const entry of entries) {
    if (entry.row === 0) continue
    rows[fate(entry)] += entry.rows?.length ?? 1
    records[fate(entry)] += 1
  }
  return { rows: { ...rows, invalid }, records: { ...records, invalid } }
}

const zeros = <Name extends string>(names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, 0])) as Record<Name, number>

/** `6 (3 timesheets)` of several rows that make one record, in two parts. */
export const withRecords = (says: string, rows: number, records: number, noun: string) => ({
  count: rows,
  says: says + (rows === records ? '' : ` (${plural(records, singular(noun))})`),
})

/** The counts in words, in the order of the table: `3 to create`, `4 to put right`. Fates with the same words are one count. */
export function countsInWords(when: 'plan' | 'end', { rows, records }: FateCounts, noun: string) {
  const sums = new Map<string, { rows: number; records: number }>()
  for (const [fate, { [when]: says }] of Object.entries(rowFates) as [RowFate, FateWords][]) {
    if (says === undefined || rows[fate] === 0) continue
    const sum = sums.get(says) ?? { rows: 0, records: 0 }
    sums.set(says, { rows: sum.rows + rows[fate], records: sum.records + records[fate] })
  }
  return [...sums].map(([says, sum]) => withRecords(says, sum.rows, sum.records, noun))
}

/** `2 rows: 1 created, 1 refused.` `about`: what else is said of the rows. */
export function countLine(
  rows: number,
  counts: readonly { readonly count: number; readonly says: string }[],
  about = '',
): string {
  const parts = counts.map(({ count, says }) => `${count} ${says}`)
  return `${[plural(rows, 'row') + about, parts.join(', ')].filter(Boolean).join(': ')}.`
}

/** The summary of an import that has ended. */
export function summaryOf({ rows }: FateCounts, rejects: string | null): Summary {
  const summary = zeros<Counter | 'rows'>(importFields)
  for (const [name, count] of Object.entries(rows) as [RowFate, number][]) {
    summary[rowFates[name].counts] += count
    summary.rows += count
  }
  return { ...summary, rejects }
}

/** `2 rows: 1 created, 1 refused. See starters.rejects.csv.` */
export function summaryLine({ rows, rejects }: Summary, counts: FateCounts, noun: string): string {
  const see = rejects === null ? '' : ` See ${rejects}.`
  return countLine(rows, countsInWords('end', counts, noun)) + see
}
