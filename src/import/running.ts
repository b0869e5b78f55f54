import { Failure } from '../errors.ts'
import type { FileRow } from '../files/table/row.ts'
import { keyInWords, keyOf } from '../model/natural-key.ts'
import type { ReadyChange } from '../write/send-write.ts'
import { claimOutcomeOf } from './adopt-claims.ts'
import {
  type AnswerDetails,
  assertMove,
  changeState,
  hashInFile,
  type ImportEntry,
  requestsAfter,
  type State,
  triesAfter,
} from './entry.ts'
import type { RowFinding } from './findings.ts'
import type { ImportJob } from './job.ts'
import type { Plan } from './plan.ts'
import { changeLine, createLine, type ListedRow, listedRowLine } from './read-journal.ts'
import { ClaimImpossible } from './shared-journal/claim.ts'
import type { Throttle } from './throttle.ts'
import type { JournalWriter } from './write-journal.ts'

/** The functions that are told what an import does. */
export interface Watcher {
  /** A row moved from the state `from` into the one that it has now. */
  readonly onMove: (entry: ImportEntry, from: State) => void
  /** Says in words what the import does besides sending; undefined once it sends again. */
  readonly onDoing: (text: string | undefined) => void
}

/** An import under way: what its steps share. */
export interface Run extends Watcher {
  readonly job: ImportJob
  readonly plan: Plan
  readonly journal: JournalWriter
  readonly throttle: Throttle
  /** The changes that were sent without a clear answer. */
  readonly openChanges: Map<ImportEntry, ReadyChange>
  /** How long a list last took to show a new row, in milliseconds; -Infinity where none was seen to. */
  shownAfterMs: number
  hasMoved: boolean
  /** Why the last request that reached nobody did not. */
  unreached?: Failure
  /** When a request was last left without an answer, in milliseconds of the monotonic clock. */
  unclearSince: number
  /**
   * How long a request without an answer may still be on its way, in milliseconds: one of this run, or of a
   * run whose rows it took over.
   */
  settleMs: number
}

/**
 * Moves a row to a state. While rows are sent nothing else may change a row's state; before that, the plan
 * and the claims of other runs set it. Resolves once the journal has it on the disk. `renewed`: the row
 * starts again, as the file has it now.
 */
export async function move(
  run: Pick<Run, 'journal' | 'onMove' | 'job'> & { hasMoved: boolean },
  entry: ImportEntry,
  state: State,
  told: AnswerDetails & { readonly issues?: readonly RowFinding[]; readonly renewed?: true } = {},
): Promise<void> {
  assertMove(entry, state)
  const { id = entry.id, issues = [], renewed, via } = told
  const requests = renewed ? 0 : requestsAfter(entry, state)
  const { reference, writes, state: from } = entry
  const hash = renewed || writes === 'change' ? hashInFile(entry) : entry.hash
  const to = { state, requests }
  await run.journal.append(
    writes === 'create'
      ? createLine({ reference, hash }, to, { http: told.http, via, id })
      : changeLine({ reference, hash }, to),
  )
  const { shared } = run.job.sending
  if (shared && writes === 'create' && state !== 'sending')
    await shared.writeOutcome(keyOf(reference), claimOutcomeOf({ ...to, id }))
  const tries = triesAfter(entry.tries, state, { ...told, via })
  changeState(entry, state, { requests, id, issues, tries })
  if (writes === 'create') entry.hash = hash
  if (state === 'sending') entry.sentBy = undefined
  if (renewed) entry.editedHash = undefined
  run.hasMoved = true
  run.onMove(entry, from)
}

/** Notes that a list showed a row that had just been created: also for the runs on other computers. */
export async function recordShown({ journal, job }: Run, shown: ListedRow): Promise<void> {
  await journal.append(listedRowLine(shown))
  await job.sending.shared?.writeShown(keyOf(shown.reference), shown.afterMs)
}

/**
 * Why an import sends no more rows, and whether its list may be read then: not where the service cannot
 * answer, or must not be asked. `shared-journal`: it was lost, so nothing more can be claimed. `others`: the
 * rows that are left are theirs.
 */
const stops = {
  key: 'unreadable',
  route: 'readable',
  busy: 'readable',
  unreachable: 'unreadable',
  unclear: 'readable',
  disk: 'unreadable',
  failed: 'readable',
  interrupted: 'unreadable',
  hidden: 'unreadable',
  bug: 'unreadable',
  'shared-journal': 'unreadable',
  others: 'readable',
} as const

/** Why the import sends no more rows. */
export interface Stop {
  readonly why: keyof typeof stops
  readonly failure?: Failure | undefined
  /** The row that the list does not show. */
  readonly entry?: ImportEntry
  /** How long the service asks clients to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/**
 * Stops the import after one of its journals could not be written. An error that is not a Failure is a bug.
 * The `outcome` of a statement that failed is dropped: the run may have sent rows.
 */
export function stopOfJournal(error: unknown): Stop {
  if (!(error instanceof Failure)) return { why: 'bug' }
  // The run may have sent rows before that statement.
  return error instanceof ClaimImpossible
    ? { why: 'shared-journal', failure: error.with({ outcome: undefined }) }
    : { why: 'disk', failure: error }
}

/** Whether the list may be read after the rows were sent. */
export const mayReadAfter = (stop: Stop | undefined): boolean => !stop || stops[stop.why] === 'readable'

/** `row 3, A-3`; only the key where the row is no longer in the file. `word`: as it begins a sentence. */
export const rowLabel = (
  { row, reference }: Pick<ImportEntry, 'row' | 'reference'>,
  word: 'row' | 'Row' = 'row',
) => (row === 0 ? keyInWords(reference) : `${word} ${row}, ${keyInWords(reference)}`)

export interface Task {
  readonly entry: ImportEntry
  readonly row: FileRow
}
