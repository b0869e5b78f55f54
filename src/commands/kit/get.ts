import type { Operation } from '../../api/contract/operation.ts'
import type { RecordType } from '../../api/contract/record.ts'
import { operationOf, type Target, variantOptions } from './variant.ts'
import type { Argument, Verb } from './verb.ts'

export interface GetVerb {
  readonly operation: Target
  readonly summary: string
  readonly examples: readonly string[]
}

export const idArgument: Argument = { name: 'id', summary: 'the identifier, as a list shows it' }

/** `get <id>`: one record, out of its envelope, every field as the service sent it. */
export function get({ operation: target, summary, examples }: GetVerb): Verb {
  return {
    name: 'get',
    summary,
    examples,
    arguments: [idArgument],
    options: variantOptions(target),
    async run(context, { arguments: { id = '' }, options }) {
      const operation = operationOf(target, options)
      const client = await context.client()
      const record = await client.record(operation, { parameters: { id } })
      await context.output.record(record ?? {}, answerType(operation))
    },
  }
}

/** The type of the record that an operation answers, where one is declared. */
export function answerType({ answers }: Operation): RecordType | undefined {
  return answers.kind === 'nothing' ? undefined : answers.type
}
