import { integer, text, type ValuesOf } from '../api/contract/fields/field.ts'
import type { Entry } from './ledger.ts'
import type { FilePlan } from './plan.ts'
import type { JournalRow } from './replay.ts'
import type { ChangeState, RowChange } from './row-change.ts'
import { isDoubtful } from './row-state.ts'
import type { Discrepancy } from './verify.ts'

/** What an import answers: how many rows of the file ended in each way. */
export const importFields = {
  rows: integer('Rows', { help: 'Each counts once: all other counts add up to it.' }),
  created: integer('Created by this run'),
  createdEarlier: integer('Created by an earlier run of this import'),
  updated: integer('Changed by this run'),
  updatedEarlier: integer('Changed by an earlier run of this import'),
  unchanged: integer('Equal already', {
    help: 'The service had all that the row says, and nothing was sent. Only with --update.',
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
    help: 'Somebody changed the record meanwhile, or its bank details would change.',
  }),
  rejects: text('Path of the rejects file', { nullable: true }),
}

/** How many rows of the file ended in each way: each row counts once, so all counts but `rows` add up to `rows`. */
export type Summary = ValuesOf<typeof importFields>

const counters = {
  created: 'created',
  'already there': 'existing',
  refused: 'refused',
  updated: 'updated',
  unchanged: 'unchanged',
  'held back': 'held',
  unknown: 'unresolved',
  left: 'left',
  'not sent': 'pending',
} as const satisfies Record<RowOutcome, keyof Summary>

/** Counts the rows of a file. `earlier`: those that an earlier run created. */
export function summarise(
  { entries, invalidRows }: Pick<FilePlan, 'entries' | 'invalidRows'>,
  discrepancies: readonly Discrepancy[],
  earlier: ReadonlySet<Entry>,
  rejects: string | null,
): Summary {
  const odd = new Set(discrepancies.map(({ entry }) => entry))
  const counts = {
    created: 0,
    createdEarlier: 0,
    updated: 0,
    updatedEarlier: 0,
    unchanged: 0,
    existing: 0,
    refused: 0,
    unresolved: 0,
    pending: 0,
    left: 0,
    held: 0,
  }
  let rows = invalidRows.size
  for (const entry of entries.values()) {
    if (entry.row === 0) continue
    const { rowCount = 1 } = entry
    rows += rowCount
    const outcome = outcomeOf(entry, { isOdd: odd.has(entry), wasThere: entry.existingCount > 0 })
    counts[counterOf(outcome, entry)] += rowCount
  }
  const { held, ...others } = counts
  return { rows, ...others, invalid: invalidRows.size, held, rejects }

  function counterOf(outcome: RowOutcome, entry: Entry): keyof typeof counts {
    if (outcome === 'created' && earlier.has(entry)) return 'createdEarlier'
    return outcome === 'updated' && entry.change?.isEarlier ? 'updatedEarlier' : counters[outcome]
  }
}

/** What became of a row, as a results file says it. */
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

const changeOutcomes: Readonly<Record<ChangeState, RowOutcome>> = {
  equal: 'unchanged',
  planned: 'not sent',
  sending: 'unknown',
  applied: 'updated',
  refused: 'refused',
  held: 'held back',
  unknown: 'unknown',
}

/**
 * The outcome of a row. `isOdd`: the list shows it more or fewer times than it should. `wasThere`: the service had it
 * before the import.
 */
export function outcomeOf(
  {
    state,
    attempt,
    change,
    left,
  }: Pick<Entry | JournalRow, 'state' | 'attempt'> & {
    readonly change?: Pick<RowChange, 'state'>
    readonly left?: Entry['left']
  },
  { isOdd, wasThere }: { readonly isOdd: boolean; readonly wasThere: boolean },
): RowOutcome {
  if (left) return 'left'
  if (change && !isOdd) return changeOutcomes[change.state]
  if (isOdd || state === 'intent' || isDoubtful({ state, attempt })) return 'unknown'
  if (state === 'created' || state === 'refused') return state
  return wasThere ? 'already there' : 'not sent'
}
