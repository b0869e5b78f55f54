import type { ImportVerb } from '../declare/resource-verbs.ts'
import { incompleteOption } from '../declare/safety-options.ts'
import { variantOptions } from '../declare/target.ts'
import type { Verb } from '../declare/verb.ts'

/** `import <file>`: every row created once, however often the run is interrupted and started again. */
export function importVerb(verb: ImportVerb): Verb {
  const { operation, summary, examples } = verb
  return {
    name: 'import',
    summary,
    examples,
    arguments: [{ name: 'file', summary: 'one record per row: CSV, an Excel workbook, NDJSON or JSON' }],
    options: [
      ...variantOptions(operation),
      'dryRun',
      'map',
      'dateFormat',
      'encoding',
      'settle',
      'concurrency',
      'rejects',
      'resume',
      ...incompleteOption(operation),
    ],
    run: async (context, { arguments: { file = '' }, options }) =>
      (await import('./import-file.ts')).importFile(context, verb, file, options),
  }
}
