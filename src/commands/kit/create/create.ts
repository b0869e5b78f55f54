import { type OptionName, standardInputNote } from '../declare/options.ts'
import { parameterOptions } from '../declare/path-parameters.ts'
import type { CreateVerb } from '../declare/resource-verbs.ts'
import { safetyOptions } from '../declare/safety-options.ts'
import { type Target, variantOptions } from '../declare/target.ts'
import type { Verb } from '../declare/verb.ts'

/** `create`: from the form, a file or a pipe; checked, shown or sent, and answered with the record. */
export function create(verb: CreateVerb, list?: Target): Verb {
  const { operation, summary, examples, find, copies } = verb
  const others = [...(copies ? ['--from'] : []), ...(verb.from ? ['--upload'] : [])]
  return {
    name: 'create',
    writes: true,
    summary,
    notes: [standardInputNote(...others)],
    examples,
    // Not before it is asked for: which ones there are depends on the fields, which a list does not load.
    get options(): readonly OptionName[] {
      return [
        ...variantOptions(operation),
        ...parameterOptions(operation),
        ...(verb.options ?? []),
        'file',
        ...(copies ? (['from'] as const) : []),
        'set',
        'unset',
        'dryRun',
        'mask',
        ...(find ? (['find'] as const) : []),
        ...safetyOptions(verb),
      ]
    },
    // What creating needs, the checks above all, is not loaded by a list.
    run: async (context, { options }) =>
      (await import('./run-create.ts')).runCreate(context, { verb, list }, options),
  }
}
