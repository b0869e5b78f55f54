import type { OptionName } from '../declare/options.ts'
import type { ImportVerb } from '../declare/resource-verbs.ts'
import { incompleteOption } from '../declare/safety-options.ts'
import { variantOptions } from '../declare/target.ts'
import type { Verb } from '../declare/verb.ts'

/** How the file is read. */
const reading: readonly OptionName[] = ['map', 'dateFormat', 'encoding']

/** `import <file>`: every row created once, however often the run is interrupted and started again. */
export function importVerb(verb: ImportVerb): Verb {
  const { operation, summary, examples } = verb
  return {
    name: 'import',
    writes: true,
    summary,
    examples,
    arguments: [{ name: 'file', summary: 'one record per row: CSV, an Excel workbook, NDJSON or JSON' }],
    // Not before it is asked for: which ones there are depends on the fields, which a list does not load.
    get options(): readonly OptionName[] {
      return [
        ...variantOptions(operation),
        'dryRun',
        'readyOnly',
        'results',
        ...reading,
        'settle',
        'concurrency',
        'rejects',
        'resume',
        ...incompleteOption(operation),
      ]
    },
    verbs: [resultsVerb(verb)],
    run: async (context, { arguments: { file = '' }, options }) =>
      (await import('./import-file.ts')).importFile(context, verb, file, options),
  }
}

/** `import results <file>`: what became of each row of an earlier import. */
function resultsVerb(verb: ImportVerb): Verb {
  const { operation, kind, examples } = verb
  const [, file = 'starters.csv'] = /import (\S+)/.exec(examples[0] ?? '') ?? []
  return {
    name: 'results',
    summary: 'Say what became of each row of a file that was imported',
    examples: [
      `payroll ${kind.noun} import results ${file}`,
      `payroll ${kind.noun} import results ${file} --out results.xlsx`,
    ],
    notes: [
      'Of each row: created, already there, refused, not sent or unknown; with the id of its record and the time.',
      'It reads the journal of the import on this computer, and asks the service nothing. To import a file that is called results, type ./results.',
    ],
    arguments: [{ name: 'file', summary: 'the file, as it was imported' }],
    options: [...variantOptions(operation), ...reading, 'out'],
    run: async (context, { arguments: { file = '' }, options }) =>
      (await import('./import-results.ts')).importResults(context, verb, file, options),
  }
}
