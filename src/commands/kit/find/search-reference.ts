import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, type Outcome } from '../../../errors.ts'
import { hasKey, keyOf, keyOfFields, keyValues, readKey } from '../../../model/natural-key.ts'
import type { Operation } from '../../../model/records/operation.ts'
import { utcMinute } from '../../../text/duration.ts'
import { readHistory } from '../../../write/history/history.ts'
import type { GuardFinding } from '../../../write/record-write.ts'
import type { ReadyCreation } from '../../cli/create-request.ts'
import { operationsFor } from '../../cli/target.ts'
import { lookUpCommand } from '../command-line.ts'
import {
  isUnreadable,
  type ListedRecord,
  type Sought,
  searchLists,
  unreadableFailure,
  withoutList,
} from './search-lists.ts'

/** The reference of a new record; undefined if it has none, or its kind has none of its own. */
export function ownReference({ verb, type, body }: ReadyCreation): string | undefined {
  return verb.unique && type.reference ? readKey(body, [type.reference]) : undefined
}

/**
 * Why a record would not be the only one with a reference; undefined where it is. All countries are read, as `get` does;
 * another country's list may be missing or closed.
 */
async function whyTaken(
  context: Context,
  { type, verb: { list }, operation, parameters, seenBefore, own }: Sought,
  reference: string,
): Promise<Failure | undefined> {
  const key = keyOfFields(type, [type.reference ?? ''])
  let [isFilled, showsKey] = [false, false]
  const pick = (record: ListedRecord) => {
    isFilled ||= record.list.country === operation.country
    // Null or an empty text: the service shows references, and this record has none yet.
    showsKey ||= keyValues(record.item, key).every((value) => value !== undefined)
    return hasKey(record.item, key, reference) && (own === undefined || record.id !== own)
      ? record
      : undefined
  }
  const matches = await searchLists(context, list ? operationsFor(list, {}) : [], pick, {
    parameters,
    isNeeded: ({ country }) => country === operation.country,
    mustAgree: true,
  })
  if (isFilled && !showsKey)
    throw new Failure('invalid-response', `The list does not show ${key.item}.`, { outcome: 'not-sent' })
  for (const { id } of matches) if (id !== undefined) seenBefore?.add(id)
  const taken = (message: string, issue: string, hint: string) =>
    new Failure('refused', `${reference} ${message}.`, {
      outcome: 'not-sent',
      issues: [{ path: type.reference ?? '', message: issue }],
      hint,
    })
  const [match] = matches
  if (match) {
    const each = matches.map(({ id = 'without an id', name, kind }) =>
      name === undefined ? `${kind} already (${id})` : `${name} already (${kind}, ${id})`,
    )
    const command = await lookUpCommand(context, {
      operation: match.list,
      parameters: { ...parameters, ...(match.id !== undefined && { id: match.id }) },
    })
    return taken(`is ${each.join(', and ')}`, 'another record has this reference', `To see it: ${command}`)
  }
  for await (const entry of newRecordsSentLately(context, operation)) {
    if (keyOf(entry.reference) !== keyOf(reference)) continue
    const command = await lookUpCommand(context, { operation, parameters: { id: reference } })
    const issue = 'another record may have this reference'
    return taken(describeSentLately(entry), issue, `Look for it in ten minutes: ${command}`)
  }
  return undefined
}

const whetherTaken = (reference: string) => `find out whether ${reference} exists already`

/** `--unique`: throws exit 6 if a record has the reference, and a Failure if that cannot be found out. Nothing is sent. */
export async function assertUnique(
  context: Context,
  creation: ReadyCreation,
  reference: string,
): Promise<void> {
  for (const finding of await searchReference(context, creation, reference))
    if (finding.does === 'hold') throw finding.failure
}

/** Finds that another record has the reference, or that this cannot be told. Without a `question` it holds. */
export async function searchReference(
  context: Context,
  sought: Sought,
  reference: string,
  question?: string,
): Promise<readonly GuardFinding[]> {
  const findingOf = (failure: Failure): GuardFinding =>
    question === undefined
      ? { does: 'hold', failure }
      : { does: 'ask', warning: failure.message, question, otherwise: failure }
  try {
    const failure = await whyTaken(context, sought, reference)
    return failure ? [findingOf(failure)] : []
  } catch (error) {
    const failure = asFailure(error)
    if (question !== undefined && isUnreadable(failure))
      return [{ does: 'warn', message: withoutList(whetherTaken(reference), failure) }]
    return [findingOf(unreadableFailure(whetherTaken(reference), failure))]
  }
}

/** assumed: a list shows a new record within this time. */
const longestListLagMs = 10 * 60_000

interface SentLately {
  readonly reference: string
  readonly at: number
  readonly outcome: Outcome
  readonly command: string
}

/** The new records that this computer sent a moment ago, the last first: the list may not show them yet. */
export async function* newRecordsSentLately(
  context: Context,
  { id, method }: Operation,
): AsyncGenerator<SentLately> {
  const { kind, origin } = await context.profile()
  // The sandbox shows a record at once, and after `sandbox reset` the history still has those that are gone.
  if (kind === 'sandbox' || method !== 'POST') return
  const { sharedJournalAddress } = await import('../../../context/shared-journal.ts')
  // The claims of references say more: who has each, and since when.
  if (await sharedJournalAddress(context)) return
  const since = context.host.now() - longestListLagMs
  try {
    for await (const entry of readHistory(await context.directory())) {
      if (entry.at < since) return
      const { key, reference, outcome } = entry
      const name = key ?? reference
      const isIt = entry.origin === origin && entry.operation === id
      if (isIt && name !== undefined && (outcome === 'applied' || outcome === 'unknown'))
        yield { ...entry, reference: name }
    }
  } catch (error) {
    // Where the history cannot be read, the write says so.
    if (!(error instanceof Failure)) throw error
  }
}

/** `was created from this computer at 2026-04-14 09:30 UTC, and the list does not show it yet` */
export const describeSentLately = ({ at, outcome }: SentLately): string =>
  `${outcome === 'applied' ? 'was' : 'may have been'} created from this computer at ${utcMinute(at)}, and the list does not show it yet`
