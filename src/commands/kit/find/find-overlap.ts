import type { Context } from '../../../context/context.ts'
import { onFailure } from '../../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../../files/json/path.ts'
import { freshEntry } from '../../../import/entry.ts'
import { overlappingDays } from '../../../import/overlapping-days.ts'
import { matchOf, type Scan, scan } from '../../../import/scan.ts'
import { firstPart, keyOf, type RecordKind, readKey } from '../../../model/natural-key.ts'
import type { Operation } from '../../../model/records/operation.ts'
import { collectSaid, type ItemPerson, nameWithReference, personOn, whoseIs } from '../../../model/whose.ts'
import type { Overlap } from '../../../write/record-write.ts'
import { showProgress } from '../show-progress.ts'
import { listPeople } from './items-of-person.ts'
import { isUnreadable, withoutList } from './search-lists.ts'

/** Where records are looked for whose days overlap. */
interface OverlapSearch {
  readonly kind: RecordKind
  readonly list: Operation | undefined
  /** The id of the record itself, which the list has too. */
  readonly own?: string
  /** Is told the ids of records under the same key. */
  readonly onSameKey?: (id: string) => void
}

/** Finds a record of the same work whose days overlap those of this one. */
export async function findOverlap(
  context: Context,
  { kind, list, own, onSameKey = () => {} }: OverlapSearch,
  body: JsonObject,
): Promise<Overlap | undefined> {
  const name = readKey(body, kind.key.request)
  if (!list || name === undefined) return undefined
  const service = { client: await context.client(), list, kind }
  const said = collectSaid()
  const onItem = (_key: string | undefined, item: Json) => isObject(item) && said.add(personOn(item))
  const reading = scan({ service, sending: { clock: context.host } }, { onItem })
  const listed = await showProgress(context, 'Searching', reading).catch(
    onFailure((failure) => {
      if (!isUnreadable(failure)) throw failure
      context.warn(withoutList(`check for ${kind.noun} on the same days`, failure))
    }),
  )
  if (!listed) return undefined
  for (const id of matchOf(listed, keyOf(name)).ids) onSameKey(id)
  const byKey = withoutRecord(listed.byKey, own)
  const numbers = withoutRecord(listed.numbers, own)
  const overlapOf = (name: string) => {
    const entries = new Map([[keyOf(name), freshEntry({ reference: name, row: 1 }, '')]])
    return overlappingDays(kind, entries, { ...listed, byKey, numbers }).get(1)
  }
  const written: ItemPerson = { reference: firstPart(name), isNumber: false, name: '' }
  // Where the list has others under this name, it is what the service calls the person.
  const isListed = said.all().some(({ reference }) => keyOf(reference) === keyOf(written.reference))
  if (isListed || listed.byKey.size + listed.numbers.size === 0) return overlapOf(name)
  const people = await listPeople(context, {}).catch(
    onFailure((failure) => {
      if (!isUnreadable(failure)) throw failure
    }),
  )
  const { whose } = whoseIs(people ?? [], said.all())
  const others = whose(written).people.flatMap((person) =>
    [person.reference ?? '', person.id ?? '']
      .filter((other) => keyOf(other) !== keyOf(written.reference))
      .filter((other) => whose({ ...written, reference: other }).people.includes(person))
      .map((other) => ({ other, who: nameWithReference(person) })),
  )
  for (const { other, who } of others) {
    const found = overlapOf(readKey({ ...body, [kind.key.request[0] ?? '']: other }, kind.key.request) ?? '')
    if (found) return { ...found, message: `${found.message}: ${other} is ${who} too` }
  }
  return overlapOf(name)
}

/** The records of a list but for one. */
const withoutRecord = (records: Scan['byKey'], own: string | undefined): Scan['byKey'] =>
  own === undefined
    ? records
    : new Map([...records].filter(([, { ids }]) => ids.length !== 1 || ids[0] !== own))
