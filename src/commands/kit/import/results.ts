import type { Context } from '../../../context/context.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { journalledOutcomes, rowResults, withResults } from '../../../import/results.ts'
import { keyInWords } from '../../../model/natural-key.ts'
import { inBatches } from '../../../text/group-by.ts'
import { plural } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import type { ImportVerb } from '../../cli/resource-verbs.ts'
import { importedJournal, openImport, takeFile } from './open.ts'

const batchSize = 500

/** Shows the outcome of each row from the journal, without asking the service. A terminal shows only keys. */
export async function importResults(
  context: Context,
  verb: ImportVerb,
  typedFile: string,
  options: Options,
): Promise<void> {
  const file = await takeFile(context, typedFile, options)
  const job = await openImport(context, verb, file, options, true)
  const { source, service } = job
  const outcomes = journalledOutcomes(await importedJournal(job))
  if (!context.output.format.isForPerson) {
    await context.output.pages(inBatches(withResults(source, service.kind, outcomes).objects(), batchSize))
    return
  }
  const rows: JsonObject[] = []
  const counts = new Map<string, number>()
  for await (const [row, result, key = ''] of rowResults(source, service.kind, outcomes)) {
    counts.set(result.outcome, (counts.get(result.outcome) ?? 0) + 1)
    rows.push({ row: row.row, key: keyInWords(key), ...result })
  }
  await context.output.list(rows)
  const counted = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  context.note(`${plural(rows.length, 'row')}: ${counted}.`)
}
