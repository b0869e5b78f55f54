import type { CallRequest, Client } from '../api/client.ts'
import { readWholeRecord, type WholeRecord } from '../api/whole-record.ts'
import { asFailure, Failure, type Issue, joinHints, type Outcome, withHint } from '../errors.ts'
import { type Json, type JsonObject, withValueAt } from '../files/json/path.ts'
import { compareStored, differences, isAsAsked, type StoredValues } from '../model/mapping/compare-stored.ts'
import { mapRecord, withNulls } from '../model/mapping/map-record.ts'
import { formatChange } from '../render/text/format-change.ts'
import { mayMove, startAgain } from './guards.ts'
import { isSettledBySight, type Said, saidOf } from './outcomes.ts'
import type { Change, NewRecord, RecordTarget } from './record-write.ts'
import { type Lookalike, settleChange, settleCreation, settledFailure } from './settle.ts'

/** Who sends a change, and is told of it. */
interface Sender {
  readonly client: Client
  /** Asks the guards of the stage `read again`: throws where nothing may be sent. */
  readonly passAgain: (now: WholeRecord) => Promise<void>
  /** Told what a look at the record made of the write. */
  readonly onSettled: (outcome: Outcome, id: string) => void
  /** Tells which fields of the record the service hides. */
  readonly hidden: (place: RecordTarget, record: JsonObject) => Promise<(path: string) => boolean>
  readonly reveal: boolean
}

/** A change that was applied. */
export interface Changed {
  /** The record as it is now; undefined where it cannot be shown. */
  readonly record: JsonObject | undefined
  /** The values that the service holds beside those asked for, as far as they were seen. */
  readonly stored?: StoredValues | undefined
  /** A sentence to say: why the record was read again, or why it was not seen. */
  readonly remark?: string
}

/** Reads a record that is changed. Throws as a read does. */
export const readPlace = (
  client: Client,
  { reads, type, parameters, leftOut }: RecordTarget,
): Promise<WholeRecord> => readWholeRecord(client, reads, type, { parameters, leftOut, unambiguous: true })

/** A change that was sent. */
interface Sent {
  readonly write: Change
  /** The record as it was read right before. */
  readonly before: WholeRecord
  readonly body: JsonObject
  /** Whether a field was known to be hidden before this was sent. */
  readonly isHidden: (path: string) => boolean
}

/**
 * Sends a changed record, once, if it is still as it was seen, and compares what the service has afterwards with what was
 * asked. Throws a Failure with the outcome: refused, or unknown.
 */
export async function changeOne(write: Change, sender: Sender): Promise<Changed> {
  const { place, seen, wanted, changes, undoes } = write
  const { client } = sender
  const before = await readPlace(client, place)
  await sender.passAgain(before)
  // A field that changes by itself is sent as it is now.
  const moved = differences(seen.body, before.body).filter(
    (each) => mayMove(place.type, each) && !changes.some(({ path }) => path === each.path),
  )
  const body = moved.reduce<Json>(
    (whole, { path, after }) => withValueAt(whole, path.split('.'), after),
    wanted,
  ) as JsonObject
  const sent: Sent = { write, before, body, isHidden: await sender.hidden(place, before.record) }
  let status: number | undefined
  const request: CallRequest = {
    parameters: place.parameters,
    body: withNulls(body, before),
    changes,
    ...(undoes && { undoes: undoes.ids }),
    ...(before.etag !== undefined && { ifMatch: before.etag }),
    onHead: (head) => {
      status = head.status
    },
  }
  let answer: JsonObject | undefined
  try {
    answer = await client.record(place.operation, request)
  } catch (error) {
    const said = saidOf(error)
    if (!(error instanceof Failure) || !isSettledBySight(said)) throw error
    return settleFailed(sent, sender, said, error)
  }
  return settleAcknowledged(sent, sender, answer, status)
}

/** Settles a change that was not acknowledged: the record decides. */
async function settleFailed(sent: Sent, sender: Sender, said: Said, failure: Failure): Promise<Changed> {
  const { place, changes } = sent.write
  const { id } = place
  const { status } = failure.details
  const { now, stored, unread } = await lookAgain(sent, sender)
  const { outcome, why } = settleChange(said, changes, stored)
  sender.onSettled(outcome, id)
  if (outcome === 'applied') {
    const unclear =
      status === undefined
        ? 'the response was lost'
        : 'the response did not say whether the update was applied'
    const says = said === 'unclear' ? unclear : `the service said no (${status})`
    const remark = `${says}; the record was read again and has the change.`
    return { record: now?.record, stored, remark }
  }
  if (outcome !== 'refused') {
    const issues = stored ? issuesOf(stored, sender.reveal) : []
    const sight = `${id} ${unread ?? `was read again: ${why}`}.`
    const hint = `Do not run it again before you have checked the record: ${await place.look()}`
    throw withHint(settledFailure(failure, 'unknown', sight, issues), hint)
  }
  if (said === 'denied') throw failure
  const refusal = settledFailure(failure, 'refused', `${id} was read again: ${why}.`)
  const isAsBefore = now !== undefined && differences(sent.before.body, now.body).length === 0
  throw status === 412 && isAsBefore
    ? conditionFailure(sent, refusal)
    : withHint(refusal, await startAgain(place))
}

/** A 412 of a record that nobody changed: the service does not know the ETag that it gave. */
function conditionFailure(
  { write, before }: Sent,
  { details: { outcome: _, ...details } }: Failure,
): Failure {
  const what =
    before.etag === undefined ? 'asks for a condition' : 'refused the ETag that it gave a moment before'
  const { place, undoes } = write
  const dryRun = undoes ? undefined : place.again?.('--dry-run', '--json')
  return new Failure(
    'refused',
    `The service ${what} (412), and the record ${write.place.id} did not change meanwhile.`,
    {
      ...details,
      outcome: 'refused',
      hint: joinHints(
        'Run the same command again',
        dryRun &&
          `If it ends so each time, send the record without an ETag. Save .body of what this prints as a file: ${dryRun}`,
        dryRun && `Then: payroll api PUT ${details.path} --file <file>`,
      ),
    },
  )
}

/**
 * Settles a change that was acknowledged: by the answer, or by reading the record again where the answer does not show all of it.
 * Throws a Failure (exit 8) where the record still holds an old value.
 */
async function settleAcknowledged(
  sent: Sent,
  sender: Sender,
  answer: JsonObject | undefined,
  status: number | undefined,
): Promise<Changed> {
  const { place, changes } = sent.write
  const answered = answer && mapRecord(place.type, answer, place.leftOut)
  const first =
    answered?.misfits.length === 0
      ? compareStored(place.type, changes, sent.body, answered, sent.isHidden)
      : undefined
  if (first && isAsAsked(first)) return { record: answer, stored: first }
  const { now, stored: read, unread } = await lookAgain(sent, sender)
  const remark = unread === undefined ? {} : { remark: `the record was updated, but ${unread}.` }
  if (now && !read) return { record: now.record, ...remark }
  const stored = read ?? (first && onlyShown(first))
  const { outcome } = settleChange('done', changes, stored)
  if (outcome === 'applied' || !stored) return { record: now?.record ?? answer, stored, ...remark }
  sender.onSettled(outcome, place.id)
  const { old } = stored
  const which =
    old.length === changes.length
      ? 'the record still has the old values'
      : `the record still has the old value of ${old.length} of ${changes.length} fields`
  const said = status === undefined ? 'The update was sent' : `The service answered ${status}`
  throw new Failure('unknown', `${said}, but ${which}. The update may take effect later.`, {
    outcome: 'unknown',
    ...(status !== undefined && { status }),
    issues: issuesOf({ ...stored, notReturned: [] }, sender.reveal),
    hint: `Check the record before you run this again: ${await place.look()}`,
  })
}

/** The record after the write, compared with what was sent; or why it cannot be seen, as the end of a sentence. */
interface SeenAgain {
  readonly now?: WholeRecord
  readonly stored?: StoredValues
  readonly unread?: string
}

async function lookAgain(
  { write: { place, changes }, body, isHidden }: Sent,
  { client }: Sender,
): Promise<SeenAgain> {
  const { reads, type, parameters, leftOut } = place
  const now = await readWholeRecord(client, reads, type, { parameters, leftOut }).catch(asFailure)
  if (now instanceof Failure)
    return { unread: `could not be read again afterwards (${now.details.status ?? now.code})` }
  if (now.misfits.length === 0) return { now, stored: compareStored(type, changes, body, now, isHidden) }
  return { now, unread: 'came back in a form that cannot be compared with what was sent' }
}

/** A response may show only part of the record: a field that it lacks is not a difference. */
function onlyShown({ old, other, unrequested, notReturned }: StoredValues): StoredValues {
  const shown = (all: StoredValues['old']) => all.filter(({ after }) => after !== undefined)
  return { old: shown(old), other: shown(other), unrequested: shown(unrequested), notReturned }
}

/** Each field that is not as it was asked for, with what was asked for and what the service has. */
function issuesOf({ old, other, unrequested, notReturned }: StoredValues, reveal: boolean): Issue[] {
  const listed = (all: StoredValues['old'], words: string) =>
    all.map((each) => ({ path: each.path, message: `${words}: ${formatChange(each, reveal)}` }))
  return [
    ...listed(old, 'asked for, and found'),
    ...listed(other, 'stored differently'),
    ...listed(unrequested, 'changed although you did not ask'),
    ...notReturned.map((path) => ({ path, message: 'asked for, and not shown' })),
  ]
}

/** A record that may be the one that was to be created. */
export interface FoundRecord extends Lookalike {
  readonly record: JsonObject
  /** The fields that differ from what was sent, or are not shown. */
  readonly issues: readonly Issue[]
}

/** The records that have the name of one that was to be created; why they cannot be seen, where the list was not read. */
export interface SeenByName {
  readonly name: string
  readonly found?: readonly FoundRecord[]
  readonly unread?: string
}

/** Who sends a new record, and looks for it. */
interface CreationSender {
  readonly client: Client
  /** Called right before the request leaves, which it may stop. */
  readonly beforeSending?: (() => void) | undefined
  /** Looks for the record; undefined where it has nothing that it could be found by, or no list shows such records. */
  readonly find: () => Promise<SeenByName | undefined>
  readonly onSettled: (outcome: Outcome) => void
}

/** A record that was created. */
export interface Created {
  /** As the service answered it, or as it was found; undefined where it was neither. */
  readonly record: JsonObject | undefined
  /** Why it was looked for. */
  readonly remark?: string
}

/**
 * Sends a new record, once. Where the answer leaves open whether it was created, it is looked for: it was, if it is there once and
 * holds all that was sent. Throws a Failure with the outcome: refused, or unknown with what was seen.
 */
export async function createOne({ place, wanted }: NewRecord, sender: CreationSender): Promise<Created> {
  const { operation, parameters } = place
  const { client, beforeSending, find, onSettled } = sender
  const request: CallRequest = { parameters, body: wanted, ...(beforeSending && { beforeSending }) }
  try {
    if (operation.response.kind === 'one') return { record: await client.record(operation, request) }
    await client.call(operation, request)
    return { record: undefined }
  } catch (error) {
    const said = saidOf(error)
    if (!(error instanceof Failure) || !isSettledBySight(said)) throw error
    const seen = await find()
    const { found } = seen ?? {}
    const { outcome, why } = settleCreation(said, found, seen?.name)
    onSettled(outcome)
    const [only] = found ?? []
    const { status } = error.details
    if (outcome === 'applied' && only) {
      const unclear = status === undefined ? 'the answer was lost' : 'the answer was unclear'
      const [says, doubt] =
        said === 'unclear'
          ? [unclear, '']
          : [`the service said no (${status})`, ': it was created now, or was there before']
      const remark = `${says}, so ${place.type.displayName} was looked for: ${why}${doubt}.`
      return { record: only.record, remark }
    }
    if (outcome === 'refused' && said === 'denied') throw error
    const looked = found
      ? `It was looked for${found.length === 0 ? ' twice' : ''}: ${why}.`
      : seen && `It could not be looked for, because ${why} (${seen.unread}).`
    const issues = found?.length === 1 && outcome !== 'refused' ? only?.issues : []
    throw settledFailure(error, outcome === 'refused' ? outcome : 'unknown', looked ?? '', issues)
  }
}
