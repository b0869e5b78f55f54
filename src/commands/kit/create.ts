import type { JsonObject } from '../../api/contract/path.ts'
import type { Context } from '../../context.ts'
import type { OptionName, Options } from './options.ts'
import { parameterOptions } from './parameters.ts'
import { type Target, variantOptions } from './variant.ts'
import type { Verb } from './verb.ts'

export interface CreateVerb {
  readonly operation: Target
  readonly summary: string
  readonly examples: readonly string[]
  /** Options of this resource alone, and the body that they make; `undefined` when they were not used. */
  readonly options?: readonly OptionName[]
  readonly from?: (context: Context, options: Options) => Promise<JsonObject | undefined>
  /** How a record is found again when the service returns no id. */
  readonly find?: {
    readonly operation: Target
    /** The field that is the record's own reference, in the request and in an item of the list. */
    readonly key: { readonly request: string; readonly item: string }
  }
}

/** `create`: from the form, a file or a pipe; checked, shown or sent, and answered with the record. */
export function create(verb: CreateVerb): Verb {
  const { operation, summary, examples, find } = verb
  return {
    name: 'create',
    summary,
    examples,
    options: [
      ...variantOptions(operation),
      ...parameterOptions(operation),
      ...(verb.options ?? []),
      'file',
      'set',
      'dryRun',
      ...(find ? (['find'] as const) : []),
    ],
    // What creating needs, the checks above all, is not loaded by a list.
    run: async (context, { options }) => (await import('./creating.ts')).creating(context, verb, options),
  }
}
