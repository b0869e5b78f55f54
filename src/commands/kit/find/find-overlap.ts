import type { Context } from '../../../context/context.ts'
import { onFailure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { freshEntry } from '../../../import/entry.ts'
import { overlappingDays } from '../../../import/overlapping-days.ts'
import { matchOf, type Scan, scan } from '../../../import/scan.ts'
import { keyOf, type RecordKind, readKey } from '../../../model/natural-key.ts'
import type { Operation } from '../../../model/records/operation.ts'
import type { Overlap } from '../../../write/record-write.ts'
import { showProgress } from '../show-progress.ts'
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
  const reading = scan({ service, sending: { clock: context.host } })
  const listed = await showProgress(context, 'Searching', reading).catch(
    onFailure((failure) => {
      if (!isUnreadable(failure)) throw failure
      context.warn(withoutList(`check for ${kind.noun} on the same days`, failure))
    }),
  )
  if (!listed) return undefined
  for (const id of matchOf(listed, keyOf(name)).ids) onSameKey(id)
  const entries = new Map([[keyOf(name), freshEntry({ reference: name, row: 1 }, '')]])
  const byKey = withoutRecord(listed.byKey, own)
  const numbers = withoutRecord(listed.numbers, own)
  return overlappingDays(kind, entries, { ...listed, byKey, numbers }).get(1)
}

/** The records of a list but for one. */
const withoutRecord = (records: Scan['byKey'], own: string | undefined): Scan['byKey'] =>
  own === undefined
    ? records
    : new Map([...records].filter(([, { ids }]) => ids.length !== 1 || ids[0] !== own))
