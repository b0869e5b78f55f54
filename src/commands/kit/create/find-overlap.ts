import type { Context } from '../../../context/context.ts'
import { onFailure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { freshEntry } from '../../../import/entry.ts'
import { overlappingDays } from '../../../import/overlapping-days.ts'
import { matchOf, scan } from '../../../import/scan.ts'
import { keyOf, readKey } from '../../../model/natural-key.ts'
import type { Overlap } from '../../../write/record-write.ts'
import type { Creation } from '../../cli/create-request.ts'
import { isUnreadable, withoutList } from '../find/search-lists.ts'
import { showProgress } from '../show-progress.ts'

/** Finds a record of the same work whose days overlap those of a new one. */
export async function findOverlap(
  context: Context,
  { verb: { overlaps: kind }, list, seenBefore }: Creation,
  body: JsonObject,
): Promise<Overlap | undefined> {
  const name = kind && readKey(body, kind.key.request)
  if (!kind || !list || name === undefined) return undefined
  const service = { client: await context.client(), list, kind }
  const reading = scan({ service, clock: context.host })
  const listed = await showProgress(context, 'Searching', reading).catch(
    onFailure((failure) => {
      if (!isUnreadable(failure)) throw failure
      context.warn(withoutList(`check for ${kind.noun} on the same days`, failure))
    }),
  )
  if (!listed) return undefined
  for (const id of matchOf(listed, keyOf(name)).ids) seenBefore.add(id)
  const entries = new Map([[keyOf(name), freshEntry({ reference: name, row: 1 }, '')]])
  return overlappingDays(kind, entries, listed).get(1)
}
