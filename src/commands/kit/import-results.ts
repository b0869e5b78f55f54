import { fileOf } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { loggedOutcomes, openResults, resultObjects, rowResults } from '../../import/results.ts'
import { plural } from '../../text/words.ts'
import type { ImportVerb } from '../cli/resource-verbs.ts'
import type { Input } from '../cli/verb.ts'
import { asImported, importedJournal, openImport, realFile } from './import-open.ts'

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
  const { options } = input
  const { columns, query, json, output } = context.options
  const out = fileOf(options.out)
  if (out !== undefined && (columns || query !== undefined || json || output)) {
    throw usage(
      '--out writes the rows whole, in the format of its ending: leave the other output options out.',
    )
  }
  const job = await openImport(context, verb, given, await asImported(context, verb, given, input), true)
  const { source, service } = job
  const { before } = await importedJournal(job, given)
  const { kind } = service
  if (out !== undefined) {
    const file = await openResults(out, await realFile(given))
    try {
      await file?.write(source, kind, loggedOutcomes(before))
    } finally {
      await file?.discard()
    }
    context.note(`Wrote ${out}.`)
    return
  }
  const counts = new Map<string, number>()
  const outcomes = loggedOutcomes(before)
  if (!context.output.format.isForPerson) {
    await context.output.pages(batches(resultObjects(source, kind, outcomes)))
    return
  }
  const rows: JsonObject[] = []
  for await (const [row, result, key = ''] of rowResults(source, kind, outcomes)) {
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
