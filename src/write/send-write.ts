import type { CallRequest, Client } from '../api/client.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import { readWholeRecord, type WholeRecord } from '../api/whole-record.ts'
import { asFailure, Failure } from '../errors.ts'
import { isEmpty, type JsonObject } from '../files/json/path.ts'
import { neverReturned } from '../model/mapping/field-mapping.ts'
import { mapRecord, withNulls } from '../model/mapping/map-record.ts'
import type { Operation } from '../model/records/operation.ts'
import {
  compareStored,
  type Difference,
  isAsAsked,
  type StoredValues,
} from '../model/values/compare-stored.ts'
import {
  type AnswerKind,
  classifyAnswer,
  countLacking,
  judgeChange,
  needsLook,
  type WriteOutcome,
} from './judge.ts'
import type { Change, NoteSeen, RecordTarget } from './record-write.ts'
import { processedLater, type ServiceKnowledge } from './service-knowledge.ts'

/** The change of a record that was read, which changes nothing yet. */
export const beginChange = (
  target: RecordTarget,
  record: WholeRecord,
  names: Pick<Change, 'typed' | 'key' | 'undoes'>,
): Change => ({ kind: 'change', target, seen: record, wanted: record.body, changes: [], ...names })

/** A change that is ready to be sent: `seen` is the record as it was read right before. */
export interface ReadyChange extends Change {
  /** Every difference in what is sent, for the history, where `changes` has only those that were requested. */
  readonly differences?: readonly Difference[]
  /** Whether a field was known to be hidden before this was sent. */
  readonly isHidden: (path: string) => boolean
}

/** What one write and the rows of an import do differently. */
export interface Sender {
  readonly client: Client
  /** Notes on the disk that the request is sent now. */
  readonly announce?: () => Promise<void>
  /** Called right before the request leaves, which it may stop. */
  readonly beforeSending?: (() => void) | undefined
  /** Called when the request has ended, before the record is read again. */
  readonly onEnd?: (failure: Failure | undefined) => void
}

type Sleep = (ms: number) => Promise<void>

/** How long a service may take to show what it stored, in milliseconds, before a write is judged. */
const secondLookMs = 2_000

/** Looks for what was written, and once more a moment later where that may have been too early. */
export async function lookTwice<T>(
  look: () => Promise<T>,
  isTooEarly: (seen: T) => boolean,
  sleep: Sleep,
): Promise<T> {
  const first = await look()
  if (!isTooEarly(first)) return first
  await sleep(secondLookMs)
  return look()
}

export interface SentRequest {
  readonly answerKind: AnswerKind
  /** The failure of the request; undefined where it was acknowledged. */
  readonly failure: Failure | undefined
  readonly status: number | undefined
  /** The record as the answer shows it. */
  readonly answer?: JsonObject | undefined
}

/** Sends the request of a write once. A create, an update, an undo and an import all send here; `payroll api` does not. */
export async function sendWrite(
  operation: Operation,
  request: CallRequest,
  { client, announce, beforeSending, onEnd }: Sender,
): Promise<SentRequest> {
  await announce?.()
  const ended = await client.call(operation, { ...request, beforeSending }).catch(asFailure)
  const failure = ended instanceof Failure ? ended : undefined
  onEnd?.(failure)
  const answerKind = classifyAnswer(failure)
  return ended instanceof Failure
    ? { answerKind, failure, status: ended.details.status }
    : { answerKind, failure, status: ended.status, answer: ended.record }
}

export interface JudgedChange extends SentRequest, WriteOutcome {
  /** The record as it was read again. */
  readonly now?: WholeRecord | undefined
  /** What the service stored compared with what was requested, as far as it was seen. */
  readonly stored?: StoredValues | undefined
  /** Why the record could not be seen again, as the end of a sentence. */
  readonly unread?: string | undefined
}

/**
 * Sends a change once, and judges what became of it. A plain refusal stands, and so does an answer that shows
 * every requested value; otherwise the record is read again once. Every change is sent here: of an update, an
 * undo, or an import.
 */
export async function sendChange(
  change: ReadyChange,
  sender: Sender & {
    /** How to wait for a second look; an import, which has a way of its own, looks once, whatever the answer shows. */
    readonly sleep: Sleep | undefined
    readonly knowledge: Pick<ServiceKnowledge, 'noteChanged'>
    readonly noteSeen: NoteSeen
  },
): Promise<JudgedChange> {
  const { target, seen, wanted, changes, undoes } = change
  const sent = await sendWrite(
    target.operation,
    {
      parameters: target.parameters,
      body: withNulls(wanted, seen),
      changes: change.differences ?? changes,
      undoes: undoes?.ids,
      ifMatch: seen.etag,
    },
    sender,
  )
  const result = await judgeSent(change, sent, sender)
  const { outcome, stored } = result
  if (outcome === 'unknown' && stored && countLacking(stored) > 0)
    sender.noteSeen(target.id, outcome, { seenWithout: true })
  if (outcome === 'applied' && result.status !== processedLater) {
    sender.knowledge.noteChanged(target, wanted, result.now?.record)
    const { other = [], unrequested = [] } = stored ?? {}
    const made = [...other, ...unrequested].flatMap(({ path, after, isOwnForm }) =>
      isOwnForm ? [{ path, value: after }] : [],
    )
    if (made.length > 0) sender.noteSeen(target.id, outcome, { made })
  }
  return result
}

/** Judges a change by its answer, and where that does not show all of it, by the record. */
async function judgeSent(
  change: ReadyChange,
  sent: SentRequest,
  { client, sleep }: Pick<Sender, 'client'> & { readonly sleep: Sleep | undefined },
): Promise<JudgedChange> {
  const { target, wanted, changes: requested, undoes, isHidden } = change
  const { answerKind, failure, answer } = sent
  const judgedBy = (stored?: StoredValues): JudgedChange => {
    return { ...judgeChange(answerKind, requested, stored), ...sent, stored }
  }
  if (failure && !needsLook(answerKind)) return judgedBy()
  const answerRecord = answer && mapRecord(target.type, answer, target.allowedMissing)
  const first =
    answerRecord?.misfits.length === 0
      ? compareStored(target.type, requested, wanted, answerRecord, isHidden)
      : undefined
  // What the answer does not show, the record may. An undo takes no answer's word for it that a value is gone.
  // One without an id may be the request itself.
  const isShown =
    answeredIds(target.type, answer).length > 0 &&
    first?.notReturned.every((path) => neverReturned(target.type).includes(path)) &&
    (undoes === undefined || !requested.some(({ after }) => isEmpty(after)))
  if (sleep && first && isAsAsked(first) && isShown) return judgedBy(first)
  const look = () => lookAgain(change, client)
  const again = await (sleep
    ? lookTwice(look, ({ stored }) => stored !== undefined && stored.old.length > 0, sleep)
    : look())
  // A record that was read, even in another form, says more than an answer with part of it.
  const comparison = again.stored ?? (first && !again.now ? keepShown(first) : undefined)
  return { ...again, ...judgedBy(comparison) }
}

/** Reads the record after the write and compares it with what was sent, or says why that is impossible. */
async function lookAgain(
  { target, changes, wanted, isHidden }: ReadyChange,
  client: Client,
): Promise<Pick<JudgedChange, 'now' | 'stored' | 'unread'>> {
  const now = await readWholeRecord(client, target).catch(asFailure)
  if (now instanceof Failure)
    return { unread: `could not be read again afterwards (${now.details.status ?? now.code})` }
  if (now.misfits.length === 0)
    return { now, stored: compareStored(target.type, changes, wanted, now, isHidden) }
  return { now, unread: 'came back in a form that cannot be compared with what was sent' }
}

/** Drops the fields that an answer lacks: it may show only part of the record, so they are not a difference. */
function keepShown({ old, other, unrequested, notReturned }: StoredValues): StoredValues {
  const keepReturned = <T extends Difference>(list: readonly T[]) =>
    list.filter(({ after }) => after !== undefined)
  return {
    old: keepReturned(old),
    other: keepReturned(other),
    unrequested: keepReturned(unrequested),
    notReturned,
  }
}
