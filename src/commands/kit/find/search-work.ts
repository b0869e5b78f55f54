import type { Context } from '../../../context/context.ts'
import { isObject, type Json, type JsonObject } from '../../../files/json/path.ts'
import { freshEntry } from '../../../import/entry.ts'
import { judgeWork, needsPeople } from '../../../import/judge-work.ts'
import { matchOf, type Scan, scan } from '../../../import/scan.ts'
import { firstPart, keyOf, type RecordKind, readKey } from '../../../model/natural-key.ts'
import type { Operation } from '../../../model/records/operation.ts'
import { collectSaid, personOn } from '../../../model/whose.ts'
import type { FoundWork } from '../../../write/record-write.ts'
import { showProgress } from '../show-progress.ts'
import { listPeople } from './items-of-person.ts'
import { goOnWithout } from './search-lists.ts'

/** Where the other records of a person's work are looked for. */
interface WorkSearch {
  readonly kind: RecordKind
  readonly list: Operation | undefined
  /** The id of the record itself, which the list has too. */
  readonly own?: string
  /** Is told the ids of records under the same key. */
  readonly onSameKey?: (id: string) => void
}

/** Says whose a record of work is that is to be written, and what of that person is there on its days. */
export async function searchWork(
  context: Context,
  { kind, list, own, onSameKey = () => {} }: WorkSearch,
  body: JsonObject,
): Promise<FoundWork | undefined> {
  const name = readKey(body, kind.key.request)
  if (!list || name === undefined) return undefined
  const service = { client: await context.client(), list, kind }
  const said = collectSaid()
  const onItem = (_key: string | undefined, item: Json) => isObject(item) && said.add(personOn(item))
  const reading = scan({ service, sending: { clock: context.host } }, { onItem })
  const listed = await showProgress(context, 'Searching', reading).catch(
    goOnWithout(context, `check for ${kind.noun} on the same days`),
  )
  if (!listed) return undefined
  for (const id of matchOf(listed, keyOf(name)).ids) onSameKey(id)
  const byKey = withoutRecord(listed.byKey, own)
  const numbers = withoutRecord(listed.numbers, own)
  const others = { ...listed, byKey, numbers }
  const who = `find out from the list of people who ${firstPart(name)} is`
  const people = needsPeople(kind, name, others)
    ? await listPeople(context, {}).catch(goOnWithout(context, who))
    : undefined
  const entries = new Map([[keyOf(name), freshEntry({ reference: name, row: 1 }, '')]])
  return judgeWork(kind, entries, { list: others, said: said.all(), people: people ?? [] }).get(1)
}

const withoutRecord = (records: Scan['byKey'], own: string | undefined): Scan['byKey'] =>
  own === undefined
    ? records
    : new Map([...records].filter(([, { ids }]) => ids.length !== 1 || ids[0] !== own))
