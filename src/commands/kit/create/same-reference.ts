import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, invalidInput, type Outcome } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { hasKey, keyOf, readKey } from '../../../model/natural-key.ts'
import type { Operation } from '../../../model/operations/operation.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { utcMinute } from '../../../text/duration.ts'
import { readHistory } from '../../../write/history/history.ts'
import type { GuardFinding } from '../../../write/record-write.ts'
import type { Creation } from '../../cli/create-request.ts'
import { chooseOperation, type Target } from '../../cli/target.ts'
import { lookUpCommand } from '../command-line.ts'
import {
  isUnreadable,
  type ListedRecord,
  listsOf,
  type SearchedList,
  searchLists,
  unreadableFailure,
  whyUnread,
} from '../find/search-lists.ts'

/** The reference of a new record; undefined if it has none, or its kind has none of its own. */
export function ownReference({ verb, type }: Creation, body: JsonObject): string | undefined {
  return verb.unique && type.reference ? readKey(body, [type.reference.request]) : undefined
}

type ReferenceSearch = Pick<Creation, 'type' | 'list' | 'target' | 'operation' | 'parameters'>

function hasReference({ reference }: RecordType, record: JsonObject, name: string): boolean {
  const { request, item } = reference ?? { request: '', item: '' }
  return hasKey(record, { request: [request], item: [item] }, name)
}

/**
 * The records with a reference in the lists of all countries, because `get` looks in all of them. Throws if a
 * list cannot be read or changes, except that another country's list may be missing or closed.
 */
function searchReference(
  context: Context,
  { type, list, target, operation, parameters }: ReferenceSearch,
  reference: string,
): Promise<readonly ListedRecord[]> {
  const pick = (record: ListedRecord) => (hasReference(type, record.item, reference) ? record : undefined)
  return searchLists(context, list ? listsOf(list, {}) : [], pick, {
    parameters,
    isNeeded: (each) => operationFor(target, each) === operation,
    mustAgree: true,
  })
}

const operationFor = (target: Target, { country }: SearchedList): Operation =>
  chooseOperation(target, country ? { [country.id]: true } : {})

/** `IE-1042 is Aoife Ní Shampla already (an Irish candidate, 4f1c…)`, for each record with the reference. */
function describeTaken(reference: string, matches: readonly ListedRecord[]): string {
  const each = matches.map(({ id = 'without an id', name, kind }) =>
    name === undefined ? `${kind} already (${id})` : `${name} already (${kind}, ${id})`,
  )
  return `${reference} is ${each.join(', and ')}`
}

const unknownIfTaken = (reference: string, why = '') =>
  `payroll could not find out whether ${reference} exists already${why}.`

/**
 * `--unique`: throws exit 6 if a record has the reference, and a Failure if that cannot be found out. Nothing is sent.
 */
export async function assertUnique(context: Context, creation: Creation, body: JsonObject): Promise<void> {
  const { type } = creation
  const reference = ownReference(creation, body)
  if (reference === undefined) {
    throw invalidInput('The record has no reference that --unique could look for.', [
      { path: type.reference?.request ?? '', message: '--unique needs it' },
    ])
  }
  const matches = await searchReference(context, creation, reference).catch((error: unknown) => {
    throw unreadableFailure(unknownIfTaken(reference), asFailure(error))
  })
  if (matches.length > 0) throw await takenFailure(context, creation, reference, matches)
  const sent = await findSentLately(context, creation, reference)
  if (sent) throw sent
}

/** assumed: a list shows a new record within this time. */
const longestLagMs = 10 * 60_000

/** Exit 6 where this computer sent a new record with the reference a moment ago. */
async function findSentLately(
  context: Context,
  { type, target, operation }: ReferenceSearch,
  reference: string,
): Promise<Failure | undefined> {
  for await (const entry of newRecordsSentLately(context, operation)) {
    if (keyOf(entry.reference) !== keyOf(reference)) continue
    const look = await lookUpCommand(context, { target, operation, parameters: { id: reference } })
    return new Failure('refused', `${reference} ${describeSentLately(entry)}.`, {
      outcome: 'not-sent',
      issues: [{ path: type.reference?.request ?? '', message: 'another record may have this reference' }],
      hint: `Look for it in ten minutes: ${look}`,
    })
  }
  return undefined
}

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
  const since = context.host.now() - longestLagMs
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

/** Exit 6: another record has the reference. */
async function takenFailure(
  context: Context,
  { type, parameters, target }: ReferenceSearch,
  reference: string,
  matches: readonly ListedRecord[],
): Promise<Failure> {
  const [match] = matches
  const id = match?.id
  const look = await lookUpCommand(context, {
    target,
    operation: match ? operationFor(target, match.list) : chooseOperation(target, {}),
    parameters: { ...parameters, ...(id !== undefined && { id }) },
  })
  return new Failure('refused', `${describeTaken(reference, matches)}.`, {
    outcome: 'not-sent',
    issues: [{ path: type.reference?.request ?? '', message: 'another record has this reference' }],
    hint: `To see it: ${look}`,
  })
}

/** A question where another record than `id` has the reference, or that cannot be told; exit 6 in a script. */
export async function findTaken(
  context: Context,
  comparison: ReferenceSearch,
  reference: string,
  { id, question }: { readonly id?: string; readonly question: string },
): Promise<readonly GuardFinding[]> {
  const matches = await searchReference(context, comparison, reference).catch(asFailure)
  if (matches instanceof Failure) {
    const otherwise = unreadableFailure(unknownIfTaken(reference), matches)
    if (!isUnreadable(matches)) return [{ does: 'ask', warning: otherwise.message, question, otherwise }]
    const why = `: the list cannot be read (${whyUnread(matches)})`
    return [{ does: 'warn', message: unknownIfTaken(reference, why) }]
  }
  const others = matches.filter((match) => id === undefined || match.id !== id)
  if (others.length === 0) {
    const otherwise = await findSentLately(context, comparison, reference)
    return otherwise ? [{ does: 'ask', warning: otherwise.message, question, otherwise }] : []
  }
  const warning = `${describeTaken(reference, others)}.`
  const otherwise = await takenFailure(context, comparison, reference, others)
  return [{ does: 'ask', warning, question, otherwise }]
}
