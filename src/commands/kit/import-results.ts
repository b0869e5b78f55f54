import { fileOf } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { loggedOutcomes, openResults, resultObjects, rowResults } from '../../import/results.ts'
import { plural } from '../../text/words.ts'
import type { ImportVerb } from '../cli/resource-verbs.ts'
import type { Input } from '../cli/verb.ts'
import { importedJournal, openImported, realFile } from './import-open.ts'

/** So many rows are written at once. */
const batchSize = 500

/**
 * Says of each row of a file what became of it, as the journal of its import has it. Asks the service nothing. A
 * terminal shows the keys; a file and a script get the rows whole.
 */
export async function importResults(
  context: Context,
  verb: ImportVerb,
  given: string,
  input: Pick<Input, 'options' | 'typed'>,
): Promise<void> {
  const { columns, query, json, output } = context.options
  const out = fileOf(input.options.out)
  if (out !== undefined && (columns || query !== undefined || json || output))
    throw usage(
      '--out writes the rows whole, in the format of its ending: leave the other output options out.',
    )
  const job = await openImported(context, verb, { given, path: given }, input)
  const { source, service } = job
  const outcomes = loggedOutcomes((await importedJournal(job)).before)
  if (out !== undefined) {
    const file = await openResults(out, await realFile(given))
    try {
      await file?.write(source, service.kind, outcomes)
    } finally {
      await file?.discard()
    }
    return context.note(`Wrote ${out}.`)
  }
  if (!context.output.format.isForPerson) {
    await context.output.pages(batches(resultObjects(source, service.kind, outcomes)))
    return
  }
  const rows: JsonObject[] = []
  const counts = new Map<string, number>()
  for await (const [row, result, key = ''] of rowResults(source, service.kind, outcomes)) {
    counts.set(result.outcome, (counts.get(result.outcome) ?? 0) + 1)
    rows.push({ row: row.row, key, ...result })
  }
  await context.output.list(rows)
  const counted = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  context.note(`${plural(rows.length, 'row')}: ${counted}.`)
}

async function* batches(objects: AsyncIterable<JsonObject>): AsyncGenerator<readonly JsonObject[]> {
  let batch: JsonObject[] = []
  for await (const object of objects) {
    batch.push(object)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  yield batch
}
