import { parameterOptions, pathParameters } from './declare/path-parameters.ts'
import type { GetVerb } from './declare/resource-verbs.ts'
import { answerType, chooseOperation, type Target, variantOptions } from './declare/target.ts'
import { idArgument, type Verb } from './declare/verb.ts'
import { withReference } from './lookup/with-reference.ts'

/** `get <id>`: one record, out of its envelope, every field as the service sent it. */
export function get(
  { operation: target, summary, examples, options: own = [], afterwards }: GetVerb,
  list?: Target,
): Verb {
  return {
    name: 'get',
    summary,
    examples,
    arguments: [idArgument],
    options: [...variantOptions(target), ...parameterOptions(target), ...own],
    async run(context, { arguments: { id = '' }, options }) {
      const client = await context.client()
      const about = { target, list, id, options, anyCountry: true }
      const { record, operation } = await withReference(context, about, async (known, chosen) => {
        const operation = chooseOperation(target, chosen)
        const parameters = pathParameters(target, chosen, known)
        return { operation, record: await client.record(operation, { parameters }) }
      })
      const shown = afterwards ? await afterwards(context, record ?? {}, options) : (record ?? {})
      await context.output.record(shown, answerType(operation))
    },
  }
}
