import type { OptionName } from '../declare/options.ts'
import { parameterOptions } from '../declare/path-parameters.ts'
import type { ExportVerb } from '../declare/resource-verbs.ts'
import { variantOptions } from '../declare/target.ts'
import type { Verb } from '../declare/verb.ts'

const knownById = [
  '--since-last remembers the ids that it has exported. A record that is corrected later keeps its id, so it is not exported again.',
  'If you need corrections too, export everything, without --since-last.',
]

/** `export`: every record of a list, for a spreadsheet or for another program. */
export function exportVerb(verb: ExportVerb): Verb {
  const { list, goesOn, summary, examples } = verb
  const own: readonly OptionName[] = goesOn ? ['sinceLast', 'expectMin'] : ['expectMin']
  return {
    name: 'export',
    summary,
    examples,
    ...(goesOn && { notes: knownById }),
    options: [...variantOptions(list), ...parameterOptions(list), 'format', 'out', ...own],
    run: async (context, { options }) => (await import('./run-export.ts')).exportAll(context, verb, options),
  }
}
