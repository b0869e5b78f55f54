import type { Operation } from '../../api/contract/operations/operation.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import type { Context } from '../../context/context.ts'
import type { JsonObject } from '../../json/path.ts'
import type { OptionName, Options } from './declare/options.ts'
import { parameterOptions, pathParameters } from './declare/path-parameters.ts'
import { chooseOperation, type Target, variantOptions } from './declare/target.ts'
import type { Argument, Verb } from './declare/verb.ts'

export interface GetVerb {
  readonly operation: Target
  readonly summary: string
  readonly examples: readonly string[]
  /** Options of this resource alone, and what they make of the record before it is shown. */
  readonly options?: readonly OptionName[]
  readonly afterwards?: (context: Context, record: JsonObject, options: Options) => Promise<JsonObject>
}

export const idArgument: Argument = { name: 'id', summary: 'the identifier, as a list shows it' }

/** `get <id>`: one record, out of its envelope, every field as the service sent it. */
export function get({ operation: target, summary, examples, options: own = [], afterwards }: GetVerb): Verb {
  return {
    name: 'get',
    summary,
    examples,
    arguments: [idArgument],
    options: [...variantOptions(target), ...parameterOptions(target), ...own],
    async run(context, { arguments: { id = '' }, options }) {
      const operation = chooseOperation(target, options)
      const client = await context.client()
      const record = await client.record(operation, { parameters: pathParameters(target, options, id) })
      const shown = afterwards ? await afterwards(context, record ?? {}, options) : (record ?? {})
      await context.output.record(shown, answerType(operation))
    },
  }
}

/** The type of the record that an operation answers, where one is declared. */
export function answerType({ answers }: Operation): RecordType | undefined {
  return answers.kind === 'nothing' ? undefined : answers.type
}
