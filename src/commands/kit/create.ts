import { type Target, variantOptions } from './variant.ts'
import type { Verb } from './verb.ts'

export interface CreateVerb {
  readonly operation: Target
  readonly summary: string
  readonly examples: readonly string[]
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
    options: [...variantOptions(operation), 'file', 'set', 'dryRun', ...(find ? (['find'] as const) : [])],
    // What creating needs, the checks above all, is not loaded by a list.
    run: async (context, { options }) => (await import('./creating.ts')).creating(context, verb, options),
  }
}
