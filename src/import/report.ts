import { dirname } from 'node:path'
import { Failure, type Issue } from '../errors.ts'
import { formatDuration } from '../text/duration.ts'
import { agree, plural } from '../text/words.ts'
import {
  describeDoubt,
  describeTries,
  editedTooLate,
  type ImportEntry,
  isAcknowledged,
  isEditedLater,
  isUnclear,
} from './entry.ts'
import { type FateCounts, rowFates, type Summary } from './row-fates.ts'
import { rowLabel, type Stop } from './running.ts'

/** How a run ended. */
export interface RunResult {
  readonly summary: Summary
  readonly counts: FateCounts
  readonly entries: ReadonlyMap<string, ImportEntry>
  /** Paths of the journals of this service, that of this file first. */
  readonly journals: readonly string[]
  /** Why the list could not be read at the end. */
  readonly unverified?: Failure | undefined
  readonly stop: Stop | undefined
  /** Why the results file could not be written. */
  readonly notWritten?: unknown
  /** The file was changed, so its rejected rows could not be copied. */
  readonly noRejects?: Failure
}

/** The commands that a failure tells the user to run. */
export interface NextCommands {
  readonly lookUp: string
  /** Lists the rows in doubt; with a row (its number or its reference) and an option that says how, decides it. */
  readonly resolve: (row?: string) => string
  /** The SQL that sets rows of the shared journal free; undefined without one. */
  readonly freeSql?: ((keys: readonly string[]) => string) | undefined
  /** Imports the rejects. */
  readonly correct: (rejects: string, more: readonly string[]) => string
}

/** How a run ended, and what is wrong with the rows that it did not send, where nothing has said that yet. */
type ReportedRun = RunResult & { readonly wrongCells: readonly Issue[] }

/** The failure of a run; if there are several, the worst: `8 > 9 > 6 > 7`. Undefined if every row is as it should be. */
export function runFailure(result: ReportedRun, commands: NextCommands): Failure | undefined {
  const { summary, unverified, stop } = result
  const { refused, pending } = summary
  const all = [...result.entries.values()]
  const doubtful = all.filter((entry) => !entry.left && (isUnclear(entry) || entry.state === 'sending'))
  const left = pending > 0 ? ` ${plural(pending, 'row')} ${agree(pending, 'waits')} to be sent.` : ''
  // The request that failed may not have been sent, but others of this run were.
  const hasSent = summary.created + summary.updated + refused > 0
  const stopped = stop && stopFailure(stop, left, hasSent, commands.lookUp)
  if (stop?.why === 'disk') return stopped
  const mismatched = all.filter((entry) => entry.mismatch)
  if (doubtful.length + mismatched.length > 0)
    return unknownFailure(result, doubtful, mismatched, left, commands)
  if (stopped) return stopped
  if (unverified)
    return new Failure(
      'invalid-response',
      `Every row that was sent was answered, but the list could not be read again to check that. ${unverified.message}`,
      {
        outcome: 'applied',
        hint: 'Run the same command again: it sends nothing twice and reads the list again.',
      },
    )
  return rejectedFailure(result, all, commands)
}

/** The failure for rows that were refused, held back, left out or edited too late (exit 9); undefined if none were. */
function rejectedFailure(
  { summary, counts: { rows }, wrongCells }: ReportedRun,
  all: readonly ImportEntry[],
  { correct }: NextCommands,
): Failure | undefined {
  const { rejects } = summary
  const edited = all.filter(isEditedLater)
  const heldRows = all.filter(({ state }) => state === 'held')
  const inRejects = ['refused', 'invalid', 'held'] as const
  const counts = [
    ...inRejects.map((fate) => [rows[fate], rowFates[fate].end] as const),
    [edited.length, 'created with other values'] as const,
  ].filter(([count]) => count > 0)
  if (counts.length === 0) return undefined
  const issues = [
    ...all.flatMap((entry) => (entry.state === 'refused' ? reasonsIn(entry) : [])),
    ...edited.map((entry) => ({ path: rowLabel(entry), message: editedTooLate })),
    ...heldRows.flatMap(issuesIn),
    ...wrongCells,
  ]
  // All options that are needed to let every held row through.
  const ways = heldRows.flatMap((entry) => entry.issues.flatMap(({ way }) => way ?? []))
  const hint =
    rejects !== null
      ? `Look at ${rejects} and put right what is wrong, then:`
      : 'To have them in a file, with the reason, add --rejects <file> to the same command: what is done is not sent again.'
  const says = counts.map(([count, end]) => `${count} ${end}`).join(', ')
  return new Failure('partial', `Not every row is done: ${says}.`, {
    outcome: 'refused',
    issues,
    issueCount: issues.length,
    hint: inRejects.some((fate) => rows[fate] > 0) ? hint : undefined,
    resume: rejects !== null ? correct(rejects, [...new Set(ways)]) : undefined,
  })
}

const tooManyDoubts = 'The service gave too many unclear answers, so the import stopped. '

/** The failure for rows that somebody has to check, because nobody knows what became of them (exit 8). */
function unknownFailure(
  { stop, journals }: RunResult,
  doubtful: readonly ImportEntry[],
  mismatched: readonly ImportEntry[],
  left: string,
  commands: NextCommands,
): Failure {
  const doubts = doubtful.flatMap((each) =>
    each.writes === 'create' ? { path: rowLabel(each), message: `${describeDoubt(each)}.` } : issuesIn(each),
  )
  // A row can be in both lists.
  const many = new Set([...doubtful, ...mismatched]).size
  const open = [...doubtful, ...mismatched.filter(({ state, createdBy }) => state !== 'ready' && !createdBy)]
  const gone = [
    ...mismatched.filter(({ mismatch }) => mismatch?.count === 0),
    ...doubtful.filter(({ tries }) => isAcknowledged(tries)),
  ]
  const tripped = stop?.why === 'unclear' ? tooManyDoubts : ''
  const hidden = stop?.entry ? `${hiddenRow(stop.entry)} Nothing more was sent. ` : ''
  const [first] = open
  const resolves = first && [
    `Then say what you found, with --created and its id, --send-again or --leave: ${commands.resolve(String(first.row || first.reference))}`,
    `To list the rows in doubt: ${commands.resolve()}`,
  ]
  return new Failure('unknown', `${tripped}${hidden}${plural(many, 'row')} must be checked.${left}`, {
    outcome: 'unknown',
    issues: [...doubts, ...mismatched.flatMap(mismatchIssues)],
    resume: [
      `Look for ${agree(many, 'it')} first: ${commands.lookUp}`,
      ...(resolves ?? []),
      'Or run the same command again: it looks once more before it sends anything.',
      ...howToReset(gone, journals, commands),
    ],
  })
}

const mostFreed = 20

/** Tells how records are created again that were deleted on purpose. A row that another run created is in the shared journal alone. */
function howToReset(
  gone: readonly ImportEntry[],
  journals: readonly string[],
  { freeSql }: NextCommands,
): readonly string[] {
  if (gone.length === 0) return []
  const files = journals.length > 3 ? `the journals in ${dirname(journals[0] ?? '')}` : journals.join(' and ')
  const sql = freeSql?.(gone.slice(0, mostFreed).map(({ key }) => key))
  const others = gone.length > mostFreed ? ', and so for the others' : ''
  const free = sql && `the owner of the shared journal sets them free: ${sql}${others}`
  const isElsewhere = gone.every(({ createdBy }) => createdBy !== undefined)
  const says = !free ? `delete ${files} first.` : isElsewhere ? free : `${free}. Then delete ${files}.`
  return [`If they were deleted at the service on purpose, ${says}`]
}

/** The failure of a run that stopped before the end of the file. `left`: a sentence about the rows that wait, if any do. */
function stopFailure(stop: Stop, left: string, hasSent: boolean, lookUp: string): Failure {
  const { why, failure, entry } = stop
  if (why === 'busy' || why === 'unreachable') {
    const because = why === 'unreachable' && failure?.message
    const says = because || `The service is too busy${untilWhen(stop)}.`
    const hint = 'Run the same command again: it continues where it stopped.'
    return new Failure('temporary', says + left, { retryable: true, hint })
  }
  if (why === 'unclear')
    return new Failure('partial', `${tooManyDoubts}The outcome of every row that was sent is known.${left}`, {
      outcome: 'applied',
      hint: 'When the service works again, run the same command again.',
    })
  if (why === 'hidden')
    return new Failure(
      'invalid-response',
      `${entry ? hiddenRow(entry) : ''} A row whose answer is lost could not be found again, so nothing more was sent.${left}`,
      {
        outcome: 'applied',
        hint: `Look for it: ${lookUp}. When the list shows it, run the same command again. If the list is only slow, use a longer --settle.`,
      },
    )
  const { code, message } = failure ?? { code: 'bug', message: 'The import had to stop.' }
  const { outcome, hint, ...details } = failure?.details ?? {}
  const goOn = `${hint ? `${hint.replace(/[^.?!]$/, '$&.')} ` : ''}Then ${again}: it continues where it stopped.`
  return new Failure(code, message + left, {
    ...details,
    outcome: hasSent && outcome === 'not-sent' ? undefined : outcome,
    hint: hint?.includes(again) ? hint : goOn,
  })
}

const again = 'run the same command again'

const hiddenRow = (entry: ImportEntry) =>
  `${rowLabel(entry, 'Row')} was created, but the list does not show it.`

/** Why a row was held back, or why it is not known whether its change was applied. */
function issuesIn(entry: ImportEntry): Issue[] {
  const path = rowLabel(entry)
  if (entry.issues.length === 0)
    return [{ path, message: 'it was sent by an earlier run, and has not been checked yet.' }]
  return [...new Set(entry.issues.map(({ message }) => message))].map((message) => ({
    path,
    message: /[.?!]$/.test(message) ? message : `${message}.`,
  }))
}

const reasonsIn = (entry: ImportEntry): Issue[] =>
  entry.issues.map(({ path, message }) => ({
    path: [rowLabel(entry), path].filter(Boolean).join(', '),
    message,
  }))

function mismatchIssues(entry: ImportEntry): Issue[] {
  if (!entry.mismatch) return []
  const { expected, count, ids } = entry.mismatch
  const which = ids.length > 0 ? ` (${ids.join(', ')})` : ''
  const sent = entry.createdBy ?? describeTries(entry.tries)
  const message =
    count === 0
      ? `${sent}. The list does not show it, and it was not sent again.`
      : expected === 0
        ? `this import did not create it, but the service has it${which}.`
        : `${sent}. The service has it ${count} times instead of ${expected === 1 ? 'once' : expected}${which}; nothing was deleted.`
  return [{ path: rowLabel(entry), message }]
}

/** `, and asks to wait 45 minutes`. */
const untilWhen = ({ retryAfterMs }: Stop) =>
  retryAfterMs === undefined ? ', and does not recover' : `, and asks to wait ${formatDuration(retryAfterMs)}`
