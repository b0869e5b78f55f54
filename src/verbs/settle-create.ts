import {
  compareStored,
  type Difference,
  differences,
  isMovedOn,
} from '../api/contract/mapping/compare-stored.ts'
import { answerPath, mappingOf } from '../api/contract/mapping/field-mapping.ts'
import { mapRecord } from '../api/contract/mapping/map-record.ts'
import { idOf } from '../api/contract/records/identity.ts'
import type { Creation } from '../cli/create-request.ts'
import { chooseOperation } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import { Failure, type Issue } from '../errors.ts'
import { type NaturalKey, nameIn } from '../import/natural-key.ts'
import type { JsonObject } from '../json/path.ts'
import { formatChange } from './compare-with-response.ts'
import { hasKey } from './same-reference.ts'
import { searchLists, whyUnread } from './search-lists.ts'

/** How long a record that is not in the list yet may take to get there. In milliseconds. */
const secondLookMs = 2_000

/**
 * Looks for a record whose create was answered unclearly, or not at all. Returns it if the list has it once and it holds
 * all that was sent: a record that was there before under the same reference is not the one that was sent, unless
 * it is equal. Throws the doubt again otherwise (exit 8), with what was seen.
 */
export async function settleCreate(
  context: Context,
  creation: Creation,
  body: JsonObject,
  doubt: Failure,
): Promise<JsonObject> {
  const key = keyOfCreation(creation)
  const name = nameIn(body, key.request)
  if (!creation.list || name === undefined || name === '') throw doubt
  const { type } = creation
  const items = await findByKey(context, creation, key, name).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const why = whyUnread(error)
    throw withFinding(doubt, `It could not be looked for, because the list was not read (${why}).`)
  })
  const [item] = items
  if (!item) throw withFinding(doubt, `It was looked for twice: the list does not show ${name}.`)
  if (items.length > 1) throw withFinding(doubt, `It was looked for: ${items.length} records are ${name}.`)
  const record = (await readWhole(context, creation, item)) ?? item
  const { other, notShown } = compareWithSent(creation, body, record)
  if (other.length > 0) {
    const reveal = context.options.reveal ?? false
    const issues = other.map((each) => ({
      path: each.path,
      message: `sent, and there: ${formatChange(each, reveal)}`,
    }))
    throw withFinding(doubt, `${name} is there, but with other values, so it may be an older record.`, issues)
  }
  if (notShown.length > 0) {
    const sight = `${name} is there, but it is not shown whole, so it may be an older record.`
    throw withFinding(
      doubt,
      sight,
      notShown.map((path) => ({ path, message: 'sent, and not shown' })),
    )
  }
  const why = doubt.details.status === undefined ? 'the answer was lost' : 'the answer was unclear'
  context.warn(`${why}, so ${type.displayName} was looked for: ${name} is there, once, with what was sent.`)
  context.writes.confirm()
  return record
}

/**
 * The failure of a create that was answered with a plain no, after a look at the list: nothing was applied, unless the
 * list has the record with all that was sent. Then it may have been applied anyway, or been there before.
 */
export async function checkRefusal(
  context: Context,
  creation: Creation,
  body: JsonObject,
  refusal: Failure,
): Promise<Failure> {
  const key = keyOfCreation(creation)
  const name = nameIn(body, key.request)
  if (!creation.list || name === undefined || name === '') return refusal
  const items = await findByKey(context, creation, key, name, 1).catch((error: unknown) => {
    if (error instanceof Failure) return []
    throw error
  })
  for (const item of items) {
    const { other } = compareWithSent(creation, body, (await readWhole(context, creation, item)) ?? item)
    if (other.length > 0) continue
    const sight = `But ${name} is there, with what was sent: it was applied anyway, or was there before.`
    const { code, message, details } = withFinding(refusal, sight)
    return new Failure(code, message, { ...details, outcome: 'unknown' })
  }
  return refusal
}

function keyOfCreation({ verb, type }: Creation): NaturalKey {
  const request = verb.claims ?? (type.reference ? [type.reference.request] : [])
  const mapping = mappingOf(type)
  return { request, item: mapping ? request.map((path) => answerPath(mapping, path)) : request }
}

async function findByKey(
  context: Context,
  { list, options, parameters }: Creation,
  key: NaturalKey,
  name: string,
  looks: 1 | 2 = 2,
): Promise<readonly JsonObject[]> {
  if (!list) return []
  const lists = [{ operation: chooseOperation(list, options) }]
  const look = async () => {
    const matches = await searchLists(context, lists, (item) => hasKey(item, key, name), { parameters })
    return matches.map(({ item }) => item)
  }
  const first = await look()
  if (first.length > 0 || looks === 1) return first
  await context.host.sleep(secondLookMs)
  return look()
}

/** The record by its id: an item of a list may be a part of it. Undefined where it cannot be read. */
async function readWhole(
  context: Context,
  { verb: { reads }, options, parameters }: Creation,
  item: JsonObject,
): Promise<JsonObject | undefined> {
  const id = idOf(item)
  if (!reads || id === undefined) return undefined
  const client = await context.client()
  const request = { parameters: { ...parameters, id } }
  return client.record(chooseOperation(reads, options), request).catch((error: unknown) => {
    if (error instanceof Failure) return undefined
    throw error
  })
}

/** What of a body that was sent is otherwise in a record, and what of it the record does not show. */
function compareWithSent(
  { type }: Creation,
  body: JsonObject,
  record: JsonObject,
): { readonly other: readonly Difference[]; readonly notShown: readonly string[] } {
  const there = mapRecord(type, record)
  const held = compareStored(type, differences({}, body), body, there)
  const isAbsent = (path: string) => there.absent.some((section) => path.startsWith(`${section}.`))
  return {
    other: held.other.filter(({ path, before, after }) => !isMovedOn(type, path, before, after)),
    // What no answer returns, as the document says, is not expected here either.
    notShown: [...held.old.map(({ path }) => path), ...held.notReturned.filter(isAbsent)],
  }
}

/** The doubt, with what was seen. */
function withFinding({ code, message, details }: Failure, sight: string, issues?: readonly Issue[]): Failure {
  return new Failure(code, `${message} ${sight}`, { ...details, ...(issues && { issues }) })
}
