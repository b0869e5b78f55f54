import type { Section } from '../../../api/contract/fields/sections.ts'
import type { FieldPaths } from '../../../api/contract/mapping/either-name.ts'
import type { Context } from '../../../context/context.ts'
import type { JsonObject } from '../../../json/path.ts'
import type { OptionName, Options } from '../declare/options.ts'
import { parameterOptions } from '../declare/path-parameters.ts'
import { type Target, variantOptions } from '../declare/target.ts'
import type { Verb } from '../declare/verb.ts'

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
    readonly key: FieldPaths
  }
  /** What else a record is found by, by a person who has to look: the first that was given. */
  readonly keys?: readonly FieldPaths[]
  /** How another record is read to start from, and what of it is taken over. */
  readonly copies?: {
    readonly operation: Target
    /** The parts of the form whose fields are taken over; all of them where none are named. */
    readonly sections?: readonly Section[]
    /** Fields that belong to the one record alone. */
    readonly without: readonly string[]
  }
}

/** `create`: from the form, a file or a pipe; checked, shown or sent, and answered with the record. */
export function create(verb: CreateVerb): Verb {
  const { operation, summary, examples, find, copies } = verb
  return {
    name: 'create',
    summary,
    examples,
    options: [
      ...variantOptions(operation),
      ...parameterOptions(operation),
      ...(verb.options ?? []),
      'file',
      ...(copies ? (['from'] as const) : []),
      'set',
      'dryRun',
      ...(find ? (['find'] as const) : []),
    ],
    // What creating needs, the checks above all, is not loaded by a list.
    run: async (context, { options }) => (await import('./run-create.ts')).runCreate(context, verb, options),
  }
}
