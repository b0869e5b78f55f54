import { type OptionName, standardInputNote } from '../declare/options.ts'
import { parameterOptions } from '../declare/path-parameters.ts'
import type { UpdateVerb } from '../declare/resource-verbs.ts'
import { incompleteOption } from '../declare/safety-options.ts'
import { type Target, variantOptions } from '../declare/target.ts'
import { idArgument, type Verb } from '../declare/verb.ts'

/**
 * `update <id>`: "reads the record, maps it back to the request's names, applies the change, shows the
 * difference, and refuses to lose a field silently".
 */
export function update(verb: UpdateVerb, list?: Target): Verb {
  const { operation, summary, examples } = verb
  return {
    name: 'update',
    writes: true,
    summary,
    notes: [standardInputNote('--edit')],
    examples,
    arguments: [idArgument],
    // Not before it is asked for: which ones there are depends on the fields, which a list does not load.
    get options(): readonly OptionName[] {
      return [
        ...variantOptions(operation),
        ...parameterOptions(operation),
        'file',
        'set',
        'unset',
        'edit',
        'dryRun',
        ...incompleteOption(operation),
        'mask',
      ]
    },
    run: async (context, { arguments: { id = '' }, options }) =>
      (await import('./run-update.ts')).runUpdate(context, { verb, list }, id, options),
  }
}
