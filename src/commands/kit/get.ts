import { parameterOptions, pathParameters } from './declare/path-parameters.ts'
import { answerType, chooseOperation, variantOptions } from './declare/target.ts'
import { idArgument, type Verb } from './declare/verb.ts'
import type { GetVerb } from './declare/verbs.ts'

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
