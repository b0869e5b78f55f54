import type { FileRow } from '../files/table/row.ts'
import { keyOf } from '../model/natural-key.ts'
import type { RowFinding } from './findings.ts'
import type { Claim } from './shared-journal/claim.ts'

/**
 * The states of a row, whether it creates a record or changes one. They decide what is sent and how rows are counted:
 *
 *     ready ─ on the disk ─> sending ─ the service has it ────────> done
 *       ^                       ├───── the service refused it ────> refused
 *       ├── not sent, or asked  ├───── somebody must decide ──────> held
 *       │   to wait ────────────┤
 *       │                       └───── no clear answer ───────────> unclear
 *       ├── found not at all, or as it was, after one request ──────┤
 *       │                             found, and the same ────────> done
 *       │                             found, and not ─────────────> conflict
 *       │                             found more than once ───────> duplicate
 *       │                             not at all, after two ──────> unresolved
 *       └─ the record is as the row says ─────────────────────────> equal
 *
 * An unresolved, conflict or duplicate row can be looked up again. It is never sent again, unless it had one request and
 * only the look-up failed.
 */
export const states = [
  'ready',
  'sending',
  'done',
  'equal',
  'refused',
  'held',
  'unclear',
  'unresolved',
  'conflict',
  'duplicate',
] as const

/** Where a row of an import is at this moment. */
export type State = (typeof states)[number]

/** Where a row can go from each state, while it is planned and while it is sent. */
const moves: Readonly<Record<State, readonly State[]>> = {
  ready: ['ready', 'sending', 'done', 'equal', 'held', 'unclear', 'unresolved', 'conflict', 'duplicate'],
  sending: ['ready', 'done', 'refused', 'held', 'unclear'],
  // Its row may go on to change the record that it created.
  done: ['done', 'ready'],
  equal: [],
  refused: [],
  held: ['held'],
  unclear: ['ready', 'sending', 'done', 'equal', 'refused', 'held', 'unresolved', 'conflict', 'duplicate'],
  unresolved: ['ready', 'done', 'unresolved', 'conflict', 'duplicate'],
  conflict: ['done', 'unresolved', 'conflict', 'duplicate'],
  duplicate: ['done', 'unresolved', 'conflict', 'duplicate'],
}

/** Throws a TypeError for a move that cannot happen: a bug. */
export function assertMove({ writes, state }: Pick<ImportEntry, 'writes' | 'state'>, to: State): void {
  // A record that may exist is looked up before it is created again.
  const mayExist = (to === 'sending' && state !== 'ready') || (to === 'ready' && state === 'done')
  if ((writes === 'create' && mayExist) || !moves[state].includes(to))
    throw new TypeError(`a row that is ${state} cannot become ${to}`)
}

/** The only way to change the state of a row, with what else becomes of it. */
export function changeState(
  entry: ImportEntry,
  to: State,
  more: Partial<Omit<ImportEntry, 'state'>> = {},
): void {
  assertMove(entry, to)
  Object.assign(entry, more, { state: to })
}

/** The state of a row, and how often it was sent. */
export interface Standing {
  readonly state: State
  /** How many requests of what the row says now may have reached the service. */
  readonly requests: number
}

/**
 * At most two requests: the second only where the service shows that the first did nothing. Each further one
 * could create a person twice.
 */
export const mostRequestsOfRow = 2

/** Whether the request is over, but nobody knows whether the service stored it. */
export const isUnclear = ({ state }: Pick<Standing, 'state'>): boolean =>
  state === 'unclear' || state === 'unresolved' || state === 'conflict' || state === 'duplicate'

/**
 * The state of a row after complete lists were searched for it. `same`: the record in the list is the one
 * that was sent. Even a ready row may be found: its first request seemed lost, but arrived.
 */
export function stateAfterSearch(
  { state, requests }: Standing,
  { count, same }: { readonly count: number; readonly same: boolean },
): State {
  if (count > 1) return 'duplicate'
  if (count === 1) return same ? 'done' : 'conflict'
  const seenBefore = state === 'conflict' || state === 'duplicate'
  return requests < mostRequestsOfRow && !seenBefore ? 'ready' : 'unresolved'
}

/** How many requests of a row count after a move. One that was not sent, or was put off, does not. */
export function requestsAfter({ state, requests }: Standing, to: State): number {
  if (to === 'sending') return requests + 1
  return state === 'sending' && to === 'ready' ? requests - 1 : requests
}

/** Which user decided to leave a row as it is, and when, in milliseconds since 1970. */
export interface LeftRow {
  readonly by: string
  readonly at: number
}

/** A record of the file as the import keeps it in memory, with its row only while that has to be looked for. */
export interface ImportEntry {
  /** Equal for one record, however its reference is written: rows and records are matched by it. */
  readonly key: string
  /** The key as a person reads it: the reference of a person, the code of a rate. */
  readonly reference: string
  /** Row number in the file; 0 if only the journal still has it. */
  readonly row: number
  /** The numbers of the rows that make up the record, if several; `row` is the first of them. */
  readonly rows?: readonly number[] | undefined
  /** The digest of the row as it was checked. */
  readonly digest?: string | undefined
  /** The fingerprint of what we sent last or will send. */
  hash: string
  /** The fingerprint of the row in the file, if that is different. */
  editedHash: string | undefined
  /** The id of its record on the service. */
  id: string | undefined
  /** How many records the service had with this key before the run. */
  existing: number
  /** How many records the last list showed for it, where the journal says it. */
  listed?: ListedCount | undefined
  /** What the last list shows for it, where that is not what it should be. */
  mismatch?: CountMismatch | undefined
  /** The fields that the service stored differently from what was sent, or changed by itself. */
  storedOtherwise?: readonly string[]
  /** Set where a person decided to leave the row: it is neither looked up nor sent. */
  left?: LeftRow | undefined
  /** The run on another computer that is working on the row; this run does not send it. */
  elsewhere?: Claim | undefined
  /** The run on another computer whose requests are all that were sent for the row. */
  sentBy?: Claim | undefined
  /** Who created the record while this run was at work: `ann@office (process 4711) created it at …`. */
  createdBy?: string | undefined
  /** Whether it creates a record, or changes the one that the service has. */
  writes: 'create' | 'change'
  /** It is changed by `changeState` alone. */
  readonly state: State
  requests: number
  /** The results of the requests, as far as they are known. */
  tries: readonly Try[]
  /** The row, where it is unclear whether it was created: the import looks for it among the records of the service. */
  sent?: FileRow | undefined
  /** Whether an earlier run of this import did it. */
  isEarlier: boolean
  /** Why the row was held back or refused, or is unclear. */
  issues: readonly RowFinding[]
  change?: ChangeOfImportEntry | undefined
}

/** How many records a complete list showed for a row. It decides the row's id, and whether the record exists once. */
export interface ListedCount {
  /** How many records the service has with this key. */
  readonly count: number
  /** Its id, if there is one record and the list shows it. */
  readonly id?: string | undefined
  /** Whether the record already was as the row says. */
  readonly equal?: true | undefined
}

/** How many records there should be for a row, and those that there are. */
export interface CountMismatch {
  readonly expected: number
  readonly count: number
  readonly ids: readonly string[]
}

interface ChangeOfImportEntry {
  /** A digest of the record as it was seen; undefined where the row is held back. */
  readonly recordDigest?: string | undefined
  /** As the service has them. */
  readonly person?: string | undefined
  /** Why the row is held back until somebody agrees: it changes bank details. */
  readonly unasked?: readonly RowFinding[] | undefined
  /** When an earlier run sent it without learning what became of it, in milliseconds since 1970. */
  readonly sentAt?: number | undefined
  /** Whether the row is held back because it lacks lines of its record: somebody may decide what becomes of them. */
  readonly hasMissingLines?: boolean | undefined
}

/** A row that is to create its record. */
export const freshEntry = (
  row: Pick<ImportEntry, 'reference' | 'row' | 'rows' | 'digest'>,
  hash: string,
): ImportEntry => ({
  ...row,
  key: keyOf(row.reference),
  writes: 'create',
  state: 'ready',
  requests: 0,
  hash,
  editedHash: undefined,
  id: undefined,
  existing: 0,
  tries: [],
  isEarlier: false,
  issues: [],
})

/** Whether the import should create the record of the row. */
export const isReady = ({ writes, state, existing, row, elsewhere, left }: ImportEntry): boolean =>
  writes === 'create' && state === 'ready' && existing === 0 && row > 0 && !elsewhere && !left

/** Whether the row would create somebody who was not sent before. */
export const isNew = (entry: ImportEntry): boolean => isReady(entry) && entry.requests === 0

/** Whether the first request of the row seemed lost, and has arrived. */
export const hasArrived = ({ writes, state, requests, existing, createdBy }: ImportEntry): boolean =>
  writes === 'create' && state === 'ready' && requests > 0 && existing > 0 && createdBy === undefined

/** Whether the row will change its record, or may have. */
export const isToChange = ({ writes, state }: ImportEntry): boolean =>
  writes === 'change' && (state === 'ready' || state === 'unclear' || state === 'unresolved')

export const editedTooLate = 'this import created it with other values; --update changes the record'

/** Whether a row was edited after this import created it, and does not change its record. */
export const isEditedLater = ({ writes, state, editedHash, left }: ImportEntry): boolean =>
  writes === 'create' && state === 'done' && editedHash !== undefined && !left

/** Holds a row back before it is sent. The reasons are added to those it already has. */
export function hold(entry: ImportEntry, issues: readonly RowFinding[]): void {
  changeState(entry, 'held', { issues: [...(entry.state === 'held' ? entry.issues : []), ...issues] })
}

/** The fingerprint of a row as the file has it now. */
export const hashInFile = ({ hash, editedHash }: ImportEntry): string => editedHash ?? hash

/** What came of one request for a row; nothing is known where no answer came. */
export interface Try {
  /** Whether the service confirmed it. */
  readonly isAcknowledged?: true
  readonly http?: number | undefined
  /** The service's own message. Not for the journal: it may name a person. */
  readonly serviceMessage?: string | undefined
  /** Whether the answer was a refusal that some services also give after they stored the record: the row is looked up. */
  readonly isDenied?: boolean | undefined
}

const lostTry: Try = {}
const acknowledged: Try = { isAcknowledged: true }
/** One for all rows, of which there may be very many. */
const acknowledgedAtOnce = [acknowledged]

/** What an answer, or the list, tells of a row. */
export interface AnswerDetails extends Omit<Try, 'isAcknowledged'> {
  readonly id?: string | undefined
  readonly via?: 'answer' | 'list' | undefined
}

/** The tries of a row after a move. A request counts as sent until it is known that it was not. */
export function triesAfter(
  tries: readonly Try[],
  to: State,
  { http, via, serviceMessage, isDenied }: Omit<AnswerDetails, 'via'> & { readonly via?: unknown },
): readonly Try[] {
  const before = tries.slice(0, -1)
  if (to === 'sending') return [...tries, lostTry]
  // A look at the list says what is there, and nothing of the answer to the request.
  if (via === 'list' || via === 'person' || tries.at(-1) !== lostTry) return tries
  if (to === 'ready' && via !== 'answer') return tries
  // Ready without an answer: the row will only be sent again. An answer without a status: the request was
  // never sent.
  if (to === 'ready' && http === undefined) return before
  if (to === 'done') return before.length === 0 ? acknowledgedAtOnce : [...before, acknowledged]
  return [...before, { http, serviceMessage, isDenied }]
}

/** `it was sent twice: no answer came; then the service answered 500`. */
export function describeTries(tries: readonly Try[]): string {
  const times = ['', 'once', 'twice'][tries.length] ?? `${tries.length} times`
  if (tries.length === 0) return 'it was sent by an earlier run'
  return `it was sent ${times}: ${tries.map(describeTry).join('; then ')}`
}

/** Why it is not known what became of a row that creates a record, as a sentence without its end. */
export function describeDoubt({ row, state, tries, issues }: DoubtfulRow): string {
  const says: Partial<Record<State, string>> = {
    conflict: 'the service has another person under its reference',
    duplicate: 'the service has it more than once, and nothing was deleted',
    unresolved: ['the list does not show it', ...(issues ?? []).map(({ message }) => message)].join('; '),
    done: 'the list did not show it once at the end',
  }
  const removed = row === 0 ? '; it is no longer in the file' : ''
  return `${describeTries(tries)}; ${says[state] ?? 'it has not been checked yet'}${removed}`
}

type DoubtfulRow = Pick<ImportEntry, 'row' | 'state' | 'tries'> & Partial<Pick<ImportEntry, 'issues'>>

/** Whether the service once said that it has the row. */
export const isAcknowledged = (tries: readonly Try[]): boolean => tries.some((each) => each.isAcknowledged)

function describeTry({ isAcknowledged, http, serviceMessage }: Try): string {
  if (isAcknowledged) return 'the service acknowledged it'
  return serviceMessage ?? (http === undefined ? 'no answer came' : `the service answered ${http}`)
}
