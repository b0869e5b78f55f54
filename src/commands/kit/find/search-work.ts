import type { Context } from '../../../context/context.ts'
import { isObject, type Json } from '../../../files/json/path.ts'
import { freshEntry } from '../../../import/entry.ts'
import { judgeWork, needsPeople } from '../../../import/judge-work.ts'
import { matchOf, type Scan, scan } from '../../../import/scan.ts'
import { firstPart, keyOf, readKey } from '../../../model/natural-key.ts'
import { collectSaid, personOn } from '../../../model/whose.ts'
import type { FoundWork } from '../../../write/record-write.ts'
import { showProgress } from '../show-progress.ts'
import { listPeople } from './items-of-person.ts'
import { goOnWithout, type Sought } from './search-lists.ts'

/** Says whose a record of work is that is to be written, and what of that person is there on its days. */
export async function searchWork(
  context: Context,
  { verb, list, body, seenBefore, own }: Sought,
): Promise<FoundWork | undefined> {
  const { workKind: kind } = verb
  const name = kind && readKey(body, kind.key.request)
  if (!kind || !list || name === undefined) return undefined
  const service = { client: await context.client(), list, kind }
  const said = collectSaid()
  const onItem = (_key: string | undefined, item: Json) => isObject(item) && said.add(personOn(item))
  const reading = scan({ service, sending: { clock: context.host } }, { onItem })
  const listed = await showProgress(context, 'Searching', reading).catch(
    goOnWithout(context, `check for ${kind.noun} on the same days`),
  )
  if (!listed) return undefined
  for (const id of matchOf(listed, keyOf(name)).ids) seenBefore?.add(id)
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
