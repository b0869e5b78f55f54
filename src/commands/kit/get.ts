import { answerType } from '../../model/records/operation.ts'
import { type GetVerb, named, parameterOptions, pathParameters } from '../cli/resource-verbs.ts'
import { chooseOperation, countryOptionsOf } from '../cli/target.ts'
import { idArgument, referenceNotes, type Verb } from '../cli/verb.ts'
import type { FoundRecord } from './find/named-record.ts'
import { withRecord } from './find/with-record.ts'

/** `get <id>`: one record, out of its envelope, every field as the service sent it. */
export function get(verb: GetVerb): Verb {
  const { operation: target, list, options: own = [], optionTexts, afterwards } = verb
  return {
    ...named('get', verb),
    answer: async () => (await import('./answers.ts')).answers.get(verb),
    // A name may have several words.
    arguments: [{ ...idArgument, variadic: true }],
    notes: list && referenceNotes,
    options: [...countryOptionsOf(target), ...parameterOptions(target), 'id', 'reference', ...own],
    optionTexts,
    async run(context, { arguments: { id: word = '' }, options }) {
      const client = await context.client()
      const reference = { target, list, typed: word, options, anyCountry: true as const, writes: false }
      const readRecord = async ({ id, options: chosen }: FoundRecord) => {
        const operation = chooseOperation(target, chosen)
        const { record = {} } = await client.call(operation, {
          parameters: pathParameters(chosen, id),
        })
        return { operation, record }
      }
      const { record, operation } = await withRecord(
        context,
        reference,
        readRecord,
        (result) => result.record,
      )
      const answer = afterwards ? await afterwards(context, record, options) : record
      if (answer !== undefined) await context.output.record(answer, answerType(operation))
    },
  }
}
