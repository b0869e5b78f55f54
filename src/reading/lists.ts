import type { CallRequest, Client } from '../api/client.ts'
import { fetchPages, lacksList, readSteadily } from '../api/pages.ts'
import { asFailure, type Failure } from '../errors.ts'
import { hasNoValue, isObject, type JsonObject } from '../files/json/path.ts'
import { placesOf, valueAtPlaces } from '../model/mapping/field-mapping.ts'
import { keyOf } from '../model/natural-key.ts'
import { idOf, isUuid, textIn } from '../model/records/identity.ts'
import type { Operation } from '../model/records/operation.ts'
import { neededForPay } from '../model/records/pay-needs.ts'
import type { RecordType } from '../model/records/record-type.ts'
import type { KnownBy } from '../model/whose.ts'

/** What several lists had, and those that could not be read: the service has none, or none for this key. */
interface ListsRead<L, T> {
  readonly read: readonly T[]
  readonly closed: readonly { readonly list: L; readonly failure: Failure }[]
}

/**
 * Reads several lists at once. One that is not needed may be missing or closed to the key; any other failure is thrown
 * once no list is read any more: a progress line would be drawn over the question that may follow.
 */
export async function readLists<L, T>(
  lists: readonly L[],
  readList: (list: L, noteAnswer: () => void) => Promise<T>,
  isNeeded: (list: L) => boolean = () => false,
): Promise<ListsRead<L, T>> {
  const closedLists: { list: L; failure: Failure }[] = []
  let failed: Failure | undefined
  let noteAnswer = () => {}
  const firstAnswer = new Promise<void>((resolve) => {
    noteAnswer = resolve
  })
  const items = await Promise.all(lists.map(readOne))
  if (failed) throw failed
  return { read: items.flat(1) as T[], closed: closedLists }

  async function readOne(list: L): Promise<readonly T[]> {
    // The other lists wait for the first answer, so that a refused key is sent only once.
    if (list !== lists[0]) await firstAnswer
    if (failed) return []
    try {
      return [await readList(list, noteAnswer)]
    } catch (error) {
      const failure = asFailure(error)
      if (lacksList(failure) && !isNeeded(list)) closedLists.push({ list, failure })
      else failed ??= failure
      return []
    } finally {
      noteAnswer()
    }
  }
}

/**
 * What was read of a list: the names of all its records, and those that were kept, each with its name. `isOfOther`: it has
 * what only the records of another list have.
 */
export interface NamedList<T> {
  readonly names: ReadonlySet<string>
  readonly kept: readonly (readonly [name: string, record: T, isOfOther?: boolean])[]
}

/**
 * What tells a record from others where lists of one service are compared. A number alone is a name in its own list
 * (`place`) only: each list may count from one.
 */
export function listedName({ id, reference, name }: KnownBy, place: string): string {
  const isTold = reference !== undefined || name !== undefined || (id !== undefined && isUuid(id))
  return JSON.stringify([isTold ? null : place, id, reference, name])
}

/**
 * The records of several lists, each once. assumed: a list that has all of another one and more is that of everybody, so
 * who is in the Irish list too is paid in Ireland. Of two lists that are the same, the record says which is its own.
 */
export function eachOnce<T>(lists: readonly NamedList<T>[]): T[] {
  const isPartOf = (one: NamedList<T>, { names }: NamedList<T>) =>
    one.names.size <= names.size && [...one.names].every((name) => names.has(name))
  const ofOthers = new Map(
    lists.map((list) => [list, new Set(list.kept.flatMap(([name, , isOfOther]) => (isOfOther ? name : [])))]),
  )
  return lists.flatMap((list) => {
    const parts = lists.filter((other) => other !== list && isPartOf(other, list))
    return list.kept.flatMap(([name, record, isOfOther]) => {
      // A record that seems to be of the other list in both stays in both, so that each person is in one at least.
      const isTwice = parts.some(
        (part) =>
          part.names.has(name) &&
          (part.names.size < list.names.size || (isOfOther && !ofOthers.get(part)?.has(name))),
      )
      return isTwice ? [] : [record]
    })
  })
}

/** Whether a record has tax details of another type, and none of its own: some lists have everybody. */
export function isTaxedElsewhere(item: JsonObject, own: RecordType, others: readonly RecordType[]): boolean {
  const hasDetails = (type: RecordType) =>
    neededForPay(type, 'tax').some((path) => !hasNoValue(valueAtPlaces(item, placesOf(type, path))))
  return others.some(hasDetails) && !hasDetails(own)
}

/** Passes each item of a list to `use`, page by page, because there may be too many to keep. */
export async function eachItem(
  client: Client,
  list: Operation,
  use: (item: JsonObject) => void,
  request?: CallRequest,
): Promise<void> {
  for await (const items of fetchPages(client, list, request))
    for (const item of items) if (isObject(item)) use(item)
}

/** A record that people name by a code, and the service by an id. */
export interface CodedRecord {
  readonly id: string
  readonly isAmbiguous?: boolean
}

/** The records of a list, by code and by id as `keyOf` writes them. Throws as a list does. */
export function readCoded<T extends CodedRecord>(
  client: Client,
  list: Operation,
  codeField: string,
  make: (item: JsonObject, id: string, code: string) => T,
): Promise<ReadonlyMap<string, T>> {
  return readSteadily(async () => {
    const byId = new Map<string, T>()
    await eachItem(client, list, (item) => {
      const id = idOf(item)
      if (id === undefined) return
      const code = textIn(item[codeField])
      const one = make(item, id, code)
      // Two records have this code, so it is not clear which is meant.
      for (const key of [code, id].filter((each) => each !== '').map(keyOf)) {
        const other = byId.get(key)
        byId.set(key, other && other.id !== id ? { ...one, isAmbiguous: true } : one)
      }
    })
    return byId
  })
}
