import { Failure } from '../errors.ts'
import { plural } from '../formats/words.ts'
import type { JsonObject } from '../json/path.ts'
import type { Bookmark } from './since-last.ts'

/** Passes on the new records and counts them. Throws a Failure (exit 10) at the end if there were too few. */
export function countRecords(
  all: AsyncIterable<readonly JsonObject[]>,
  bookmark: Bookmark | undefined,
  expectMin = 0,
): { readonly records: AsyncIterable<readonly JsonObject[]>; readonly count: () => number } {
  let count = 0
  async function* fresh() {
    for await (const some of all) {
      const unseen = bookmark ? some.filter((record) => bookmark.isNew(record)) : some
      count += unseen.length
      if (unseen.length > 0) yield unseen
    }
    if (count < expectMin) {
      throw new Failure(
        'invalid-response',
        `Found ${plural(count, bookmark ? 'new record' : 'record')}, but at least ${expectMin} were expected. Nothing was written.`,
        { hint: 'The next run will include them.' },
      )
    }
  }
  return { records: fresh(), count: () => count }
}
