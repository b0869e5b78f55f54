import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, onFailure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { mapRecord } from '../../../model/mapping/map-record.ts'
import { labelOf } from '../../../model/mapping/record-name.ts'
import { hasKey, keyOfFields, type NaturalKey, readKey } from '../../../model/natural-key.ts'
import { idOf } from '../../../model/records/identity.ts'
import { compareCreated } from '../../../model/values/compare-stored.ts'
import { isOfRecord } from '../../../model/values/person-likeness.ts'
import { formatChange } from '../../../render/text/format-change.ts'
import { type AnswerKind, describeAnswer, failWithOutcome, judgeCreation } from '../../../write/judge.ts'
import { lookTwice } from '../../../write/send-write.ts'
import type { Creation, ReadyCreation } from '../../cli/create-request.ts'
import { chooseOperation } from '../../cli/target.ts'
import { type ListedRecord, searchLists, whyUnread } from '../find/search-lists.ts'

/**
 * Looks for a new record after an unclear answer. It was created if it is there once with all that was sent: then it is
 * returned. Throws a Failure with the outcome `refused` or `unknown`.
 */
export async function settleCreate(
  context: Context,
  creation: ReadyCreation,
  { answerKind, failure }: { readonly answerKind: AnswerKind; readonly failure: Failure },
): Promise<JsonObject> {
  const { type, operation, options, verb, seenBefore, body } = creation
  const key = keyOfFields(type, verb.claims ?? (type.reference ? [type.reference] : []))
  const ownKey = readKey(body, key.request)
  const items = creation.list && ownKey ? await listedAs(context, creation, key, ownKey) : undefined
  const name = items && ownKey && (seenBefore.size > 0 ? `another ${ownKey}` : ownKey)
  const found = Array.isArray(items)
    ? await Promise.all(items.map((item) => compareWithSent(context, creation, item)))
    : undefined
  const { outcome, why } = judgeCreation(answerKind, found, name)
  context.writes.noteOutcome(outcome)
  const [only] = found ?? []
  if (outcome === 'applied' && only) {
    const wasMissing = options.unique === true || seenBefore.size > 0
    const since = wasMissing ? '' : ': it was created now, or was there before'
    context.remark(
      `${describeAnswer(answerKind, failure)}, so ${type.displayName} was looked for: ${why}${since}.`,
    )
    const knowledge = await context.knowledge()
    knowledge.noteCreated(operation, body, idOf(only.record))
    return only.record
  }
  if (outcome === 'refused' && answerKind === 'denied') throw failure
  const sentence = found
    ? `It was looked for${found.length === 0 ? ' twice' : ''}: ${why}.`
    : items instanceof Failure
      ? `It could not be looked for, because ${why} (${whyUnread(items)}).`
      : ''
  const issues = found?.length === 1 && outcome !== 'refused' ? only?.issues : []
  throw failWithOutcome(failure, outcome === 'refused' ? outcome : 'unknown', sentence, issues)
}

/** The records of this name, which the list may show a moment later. */
async function listedAs(
  context: Context,
  { list, parameters, seenBefore }: Creation,
  key: NaturalKey,
  name: string,
): Promise<readonly JsonObject[] | Failure> {
  if (!list) return []
  const pick = ({ item, id = '' }: ListedRecord) =>
    hasKey(item, key, name) && !seenBefore.has(id) ? item : undefined
  const isTooEarly = (result: readonly JsonObject[] | Failure) => Array.isArray(result) && result.length === 0
  const look = () => searchLists(context, [list], pick, { parameters }).catch(asFailure)
  return lookTwice(look, isTooEarly, context.host.sleep)
}

/** Looks a new record up by its reference, which an older person may have too. Failures only warn. */
export async function findToShow(context: Context, creation: ReadyCreation): Promise<JsonObject | undefined> {
  const { type, verb, body } = creation
  const { reference = '' } = type
  const name = readKey(body, [reference])
  const warnOf = (why: string) => void context.warn(`the record was created, and cannot be shown: ${why}.`)
  if (name === undefined) return warnOf(`it has no ${reference} to be found by`)
  const key = keyOfFields(type, [reference])
  const result = await listedAs(context, creation, key, name)
  if (result instanceof Failure) return warnOf(`the list cannot be read (${whyUnread(result)})`)
  const [only] = result
  if (result.length !== 1 || !only)
    return warnOf(`the list has ${result.length} records with its ${key.item}`)
  if (!verb.people || isOfRecord(verb.people, body, only)) return only
  const whose = `${labelOf(type, only) ?? 'another record'} (${idOf(only)})`
  return warnOf(`the list shows somebody else with its ${key.item}: ${whose}`)
}

/** Compares a record that has the key of the new one with what was sent: read whole, where that is possible. */
async function compareWithSent(
  context: Context,
  { type, verb: { get }, options, parameters, body }: ReadyCreation,
  item: JsonObject,
) {
  const id = idOf(item)
  const client = await context.client()
  const read = async () =>
    get && id !== undefined
      ? (await client.call(chooseOperation(get, options), { parameters: { ...parameters, id } })).record
      : undefined
  const record = (await read().catch(onFailure(() => undefined))) ?? item
  const there = mapRecord(type, record)
  const compared = compareCreated(type, body, there)
  const isInSection = (path: string) =>
    there.sectionsNotReturned.some((section) => path.startsWith(`${section}.`))
  const other = compared.other.filter(({ isAlike }) => !isAlike)
  // A field that the service never returns is not expected here either.
  const notReturned = [...compared.old.map(({ path }) => path), ...compared.notReturned.filter(isInSection)]
  const issues =
    other.length > 0
      ? other.map((each) => ({
          path: each.path,
          message: `sent, and there: ${formatChange(each, context.reveal)}`,
        }))
      : notReturned.map((path) => ({ path, message: 'sent, and not shown' }))
  return { record, differs: other.length > 0, isWhole: notReturned.length === 0, issues }
}
