import { type Target, variantOptions } from './variant.ts'
import type { Verb } from './verb.ts'

export interface ExportVerb {
  /** What lists the records. */
  readonly operation: Target
  /** Where an item of the list is not the whole record: how that is read, and what it is sent as. */
  readonly whole?: { readonly get: Target; readonly create: Target }
  readonly summary: string
  readonly examples: readonly string[]
}

/** `export`: every record, as a file that a spreadsheet opens and that can be imported again. */
export function exporting(verb: ExportVerb): Verb {
  const { operation, summary, examples } = verb
  return {
    name: 'export',
    summary,
    examples,
    options: [...variantOptions(operation), 'format', 'sinceLast', 'expectMin'],
    // What exporting needs, the writer of workbooks above all, is not loaded by a list.
    run: async (context, { options }) =>
      (await import('./export-records.ts')).exportRecords(context, verb, options),
  }
}
