import { dirname } from 'node:path'
import { Failure, type FailureCode, type Issue } from '../errors.ts'
import {
  describeAttempts,
  type Entry,
  isAcknowledged,
  isDoubtful,
  isEditedLater,
  type State,
} from './entry.ts'
import type { Summary } from './outcomes.ts'
import type { StoredOtherwise } from './row-change.ts'
import { rowLabel, type Stop } from './running.ts'
import type { Discrepancy } from './settle.ts'

/** The result of a run. */
export interface Result {
  readonly summary: Summary
  readonly entries: ReadonlyMap<string, Entry>
  /** Why rows were refused: the first ten thousand reasons. */
  readonly refusals: readonly Issue[]
  /** How many reasons there are. */
  readonly refusalCount: number
  /** Paths of the journals of this service, that of this file first. */
  readonly journals: readonly string[]
  readonly discrepancies: readonly Discrepancy[]
  /** Why the list could not be read at the end. */
  readonly unverified?: Failure | undefined
  /** Records that the service has otherwise than they were sent. */
  readonly otherwise: readonly StoredOtherwise[]
  readonly stop: Stop | undefined
}

/** The commands that a failure names. */
export interface NextCommands {
  /** Lists the records. */
  readonly lookUp: string
  /** Says what became of a row in doubt: `name`, its number in the file or its reference. */
  readonly resolve: (name: string, verdict: '--send-again' | '--leave') => string
  /** Lists the rows in doubt. */
  readonly listDoubts: string
  /** Imports the rejects. */
  readonly correct: (rejects: string, more: readonly string[]) => string
}

/** The failure of a run; if there are several, the worst: `8 > 9 > 6 > 7`. Undefined if every row is as it should be. */
export function failureOf(result: Result, commands: NextCommands): Failure | undefined {
  const { summary, discrepancies, unverified, stop } = result
  const { lookUp, correct } = commands
  const { refused, pending, invalid, held, rejects } = summary
  const all = [...result.entries.values()]
  const doubtful = all.filter((entry) => !entry.left && (isDoubtful(entry) || entry.state === 'sending'))
  const doubts = doubtful.flatMap((each) =>
    each.writes === 'create' ? unknownRowIssue(each) : reasonsOf(each),
  )
  const odd = discrepancies.map(discrepancyIssue)
  const changed = all.filter(isEditedLater)
  const left = pending > 0 ? ` ${rows(pending)} ${pending === 1 ? 'waits' : 'wait'} to be sent.` : ''
  // What failed may have sent nothing itself, after rows of this run were sent.
  const hasSent = summary.created + summary.updated + refused > 0
  if (stop?.why === 'disk')
    return failureOfStop(stop, 'bug', 'The disk failed, so nothing more was sent.', left, hasSent)
  if (doubts.length + odd.length > 0 || stop?.why === 'doubts') {
    const gone =
      discrepancies.some(({ count }) => count === 0) || doubtful.some(({ tries }) => isAcknowledged(tries))
    const open = [
      ...doubtful,
      ...discrepancies.flatMap(({ entry }) => (entry.state === 'ready' ? [] : [entry])),
    ]
    return unknownFailure(stop, [...doubts, ...odd], left, {
      lookUp,
      settle: settleHint(open, commands),
      journals: gone ? result.journals : [],
    })
  }
  if (stop) return stopFailure(stop, left, lookUp, hasSent)
  if (unverified) {
    return new Failure(
      'invalid-response',
      `Every answer of the service is accounted for, but its list could not be read afterwards. ${unverified.message}`,
      {
        outcome: 'applied',
        hint: 'Run the same command again: it sends nothing twice and reads the list again.',
      },
    )
  }
  const rejected = refused + invalid + held
  if (rejected + changed.length === 0) return undefined
  const sentences = [
    refused > 0 && `${rows(refused)} ${were(refused)} refused`,
    invalid > 0 &&
      `${rows(invalid)} ${were(invalid)} not sent, because something is wrong with ${them(invalid)}`,
    held > 0 && `${rows(held)} ${were(held)} held back`,
    changed.length > 0 &&
      `${rows(changed.length)} ${were(changed.length)} edited after ${changed.length === 1 ? 'it was' : 'they were'} created`,
  ].filter((each) => each !== false)
  const edited = changed.map((entry) => ({
    path: rowLabel(entry),
    message: 'it was created before it was edited; --update changes the record',
  }))
  const heldRows = all.filter(({ state }) => state === 'held')
  const heldBack = heldRows.flatMap(reasonsOf)
  // Every row that is held back would have to pass by it.
  const ways = [...new Set(heldRows.flatMap(({ issues }) => issues.flatMap(({ way }) => way ?? [])))]
  return new Failure('partial', `${sentences.join('. ')}.`, {
    outcome: 'refused',
    issues: [...result.refusals, ...edited, ...heldBack],
    issueCount: result.refusalCount + edited.length + heldBack.length,
    ...(rejects !== null && {
      hint:
        held === rejected
          ? `Look at the ${rejected === 1 ? 'row' : rows(rejected)} in ${rejects}, then:`
          : `Put the ${rejected === 1 ? 'row' : rows(rejected)} right in ${rejects}, then:`,
      resume: correct(rejects, ways),
    }),
  })
}

function unknownFailure(
  stop: Stop | undefined,
  issues: readonly Issue[],
  left: string,
  {
    lookUp,
    settle,
    journals,
  }: { readonly lookUp: string; readonly settle: string; readonly journals: readonly string[] },
): Failure {
  const many = issues.length
  const tripped = stop?.why === 'doubts' ? 'The service left too many requests without a clear answer. ' : ''
  const hidden = stop?.entry ? `${hiddenRow(stop.entry)} Nothing more was sent. ` : ''
  const what = many > 0 ? `${rows(many)} must be checked.` : 'Every row that was sent is accounted for.'
  const look = `Look for ${many === 1 ? 'it' : 'them'} first: ${lookUp}. ${settle}Or run the same command again: it checks ${many === 1 ? 'the row' : 'these rows'} again before it sends anything.`
  const files = journals.length > 3 ? `the journals in ${dirname(journals[0] ?? '')}` : journals.join(' and ')
  const reset =
    journals.length > 0 ? ` If they were deleted at the service on purpose, delete ${files} first.` : ''
  const message = `${tripped}${hidden}${what}${left}`
  if (many > 0) return new Failure('unknown', message, { outcome: 'unknown', issues, hint: look + reset })
  const hint = 'When the service works again, run the same command again.'
  return new Failure('partial', message, { outcome: 'applied', issues, hint })
}

/** How a person says what became of the first of these rows, and how to see the others. */
function settleHint([first, ...others]: readonly Entry[], { resolve, listDoubts }: NextCommands): string {
  if (!first) return ''
  const name = String(first.row === 0 ? first.name : first.row)
  const more = others.length === 0 ? '' : ` The others: ${listDoubts}.`
  // Of a row that is no longer in the file there is nothing to send.
  const canBeSent = first.state !== 'conflict' && first.state !== 'duplicate' && first.row > 0
  const created = first.writes === 'change' ? '' : ' If it was created, with --created and its id instead.'
  const ways = canBeSent
    ? `${first.writes === 'change' ? 'To send it again' : 'If it is not there'}: ${resolve(name, '--send-again')}.${created} To leave it, with --leave.`
    : `To leave it: ${resolve(name, '--leave')}.${created}`
  return `${ways}${more} `
}

/** The failure of a run that stopped before the end of the file. */
function stopFailure(stop: Stop, left: string, lookUp: string, hasSent: boolean): Failure {
  const { why, failure } = stop
  const again = 'Run the same command again: it continues where it stopped.'
  switch (why) {
    case 'busy':
      return new Failure('temporary', `The service is too busy${untilWhen(stop)}.${left}`, {
        retryable: true,
        hint: again,
      })
    case 'unreachable':
      return new Failure('temporary', `The service cannot be reached.${left}`, {
        retryable: true,
        hint: again,
      })
    case 'hidden':
      return new Failure(
        'invalid-response',
        `${stop.entry ? hiddenRow(stop.entry) : ''} A row whose answer is lost could not be found again, so nothing more was sent.${left}`,
        {
          outcome: 'applied',
          hint: `Look for it: ${lookUp}. When the list shows it, run the same command again. If the list is only slow, use a longer --settle.`,
        },
      )
    case 'key':
      return failureOfStop(stop, 'auth', 'The service refused the key.', left, hasSent)
    default:
      return failureOfStop(stop, failure?.code ?? 'bug', 'The import had to stop.', left, hasSent)
  }
}

const again = 'run the same command again'

function failureOfStop(
  { failure }: Stop,
  code: FailureCode,
  otherwise: string,
  left: string,
  hasSent: boolean,
): Failure {
  const { outcome, hint, ...details } = failure?.details ?? {}
  const said = hasSent && outcome === 'not-sent' ? undefined : outcome
  return new Failure(failure?.code ?? code, `${failure?.message ?? otherwise}${left}`, {
    ...details,
    ...(said && { outcome: said }),
    hint: hint?.includes(again)
      ? hint
      : `${hint ? `${hint} ` : ''}Then ${again}: it continues where it stopped.`,
  })
}

function hiddenRow(entry: Entry): string {
  return `${capital(rowLabel(entry))} was created, but the list does not show its key.`
}

function unknownRowIssue(entry: Entry): Issue {
  const sent = describeAttempts(entry.tries)
  const removed = entry.row === 0 ? '. It is no longer in the file' : ''
  const says: Partial<Record<State, string>> = {
    conflict: `${sent}. The service has a record with this key, but it is another person`,
    duplicate: `${sent}. The service has it more than once; nothing was deleted`,
    unresolved: `${sent}. The list does not show it; ${entry.issues[0]?.message ?? 'it is not sent again automatically'}`,
  }
  const message = says[entry.state] ?? `${sent}. It has not been checked yet`
  return { path: rowLabel(entry), message: `${message}${removed}.` }
}

/** Why a row was held back, or why it is not known whether its change was applied. */
function reasonsOf(entry: Entry): Issue[] {
  const path = rowLabel(entry)
  if (entry.issues.length === 0)
    return [{ path, message: 'it was sent by an earlier run, and has not been checked yet.' }]
  return [...new Set(entry.issues.map(({ message }) => message))].map((message) => ({
    path,
    message: /[.?!]$/.test(message) ? message : `${message}.`,
  }))
}

function discrepancyIssue({ entry, expected, count, ids }: Discrepancy): Issue {
  const which = ids.length > 0 ? ` (${ids.join(', ')})` : ''
  const sent = entry.createdBy ?? describeAttempts(entry.tries)
  const message =
    count === 0
      ? `${sent}. The list does not show it${isAcknowledged(entry.tries) ? '' : ' any more'}, and it was not sent again.`
      : expected === 0
        ? `this import did not create it, but the service has it${which}.`
        : `${sent}. The service has it ${count} times instead of ${expected === 1 ? 'once' : expected}${which}; nothing was deleted.`
  return { path: rowLabel(entry), message }
}

/** `, and asks to wait 45 minutes`. */
function untilWhen({ retryAfterMs }: Stop): string {
  if (retryAfterMs === undefined) return ', and does not recover'
  const seconds = Math.ceil(retryAfterMs / 1000)
  const time = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return `, and asks to wait ${time}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
const them = (count: number) => (count === 1 ? 'it' : 'them')
const were = (count: number) => (count === 1 ? 'was' : 'were')
