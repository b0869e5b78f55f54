import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, onFailure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { mapRecord } from '../../../model/mapping/map-record.ts'
import { labelOf } from '../../../model/mapping/record-name.ts'
import { hasKey, keyOfFields, type NaturalKey, readKey } from '../../../model/natural-key.ts'
import { idOf } from '../../../model/records/identity.ts'
import { compareCreated, type Difference } from '../../../model/values/compare-stored.ts'
import { isOfRecord } from '../../../model/values/person-likeness.ts'
import { formatChange } from '../../../render/text/format-change.ts'
import { type CreatedSearch, lookTwice } from '../../../write/send-write.ts'
import type { Creation } from '../../cli/create-request.ts'
import { chooseOperation } from '../../cli/target.ts'
import { type ListedRecord, searchLists, whyUnread } from '../find/search-lists.ts'

/** Looks for a record that was to be created, by its key. Undefined where it has none, or nothing lists such records. */
export async function findAfterDoubt(
  context: Context,
  creation: Creation,
  body: JsonObject,
): Promise<CreatedSearch | undefined> {
  const { reveal } = context
  const key = keyOfCreation(creation)
  const ownKey = readKey(body, key.request)
  if (!creation.list || !ownKey) return undefined
  const name = creation.seenBefore.size > 0 ? `another ${ownKey}` : ownKey
  const items = await listedAs(context, creation, key, ownKey)
  if (items instanceof Failure) return { name, unread: whyUnread(items) }
  const candidates = await Promise.all(
    items.map(async (item) => {
      const record = (await readFoundRecord(context, creation, item)) ?? item
      const { other, notReturned } = compareWithSent(creation, body, record)
      const differs = other.length > 0
      const issues = differs
        ? other.map((each) => ({
            path: each.path,
            message: `sent, and there: ${formatChange(each, reveal)}`,
          }))
        : notReturned.map((path) => ({ path, message: 'sent, and not shown' }))
      return { record, differs, isWhole: notReturned.length === 0, issues }
    }),
  )
  return { name, found: candidates }
}

const keyOfCreation = ({ verb, type }: Creation): NaturalKey =>
  keyOfFields(type, verb.claims ?? (type.reference ? [type.reference] : []))

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
export async function findToShow(
  context: Context,
  creation: Creation,
  body: JsonObject,
): Promise<JsonObject | undefined> {
  const { type, verb } = creation
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

async function readFoundRecord(
  context: Context,
  { verb: { get }, options, parameters }: Creation,
  item: JsonObject,
): Promise<JsonObject | undefined> {
  const id = idOf(item)
  if (!get || id === undefined) return undefined
  const client = await context.client()
  const request = { parameters: { ...parameters, id } }
  const reply = await client.call(chooseOperation(get, options), request).catch(onFailure(() => undefined))
  return reply?.record
}

function compareWithSent(
  { type }: Creation,
  body: JsonObject,
  record: JsonObject,
): { readonly other: readonly Difference[]; readonly notReturned: readonly string[] } {
  const there = mapRecord(type, record)
  const { old, other, notReturned } = compareCreated(type, body, there)
  const isInSection = (path: string) =>
    there.sectionsNotReturned.some((section) => path.startsWith(`${section}.`))
  return {
    other: other.filter(({ isAlike }) => !isAlike),
    // A field that the service never returns is not expected here either.
    notReturned: [...old.map(({ path }) => path), ...notReturned.filter(isInSection)],
  }
}
