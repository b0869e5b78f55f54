import { Failure } from '../../errors.ts'
import { parameterOptions, pathParameters } from './declare/path-parameters.ts'
import { chooseOperation, type Target, variantOptions } from './declare/target.ts'
import type { Verb } from './declare/verb.ts'
import { idArgument } from './get.ts'
import { commandLine, nounOf, targetFlags } from './lookup/command-line.ts'
import { confirmWrite } from './steps/confirm.ts'

export interface DeleteVerb {
  readonly operation: Target
  /** As a sentence names it: "a document". */
  readonly noun: string
  readonly summary: string
  readonly examples: readonly string[]
}

/** `delete <id>`: asks, or needs --yes, on every profile: what is deleted is gone. */
export function remove({ operation: target, noun, summary, examples }: DeleteVerb): Verb {
  return {
    name: 'delete',
    summary,
    examples,
    arguments: [idArgument],
    options: [...variantOptions(target), ...parameterOptions(target)],
    async run(context, { arguments: { id = '' }, options }) {
      const operation = chooseOperation(target, options)
      const request = { parameters: pathParameters(target, options, id) }
      const client = await context.client()
      // An identifier that is none is named before anybody is asked.
      client.prepare(operation, request)
      await confirmWrite(context, `delete ${noun}`, 'always')
      await client.call(operation, request).catch(async (error: unknown) => {
        if (!(error instanceof Failure) || error.details.outcome !== 'unknown') throw error
        const words = [nounOf(operation), 'get', id, ...targetFlags(target, operation, request.parameters)]
        const hint = `Look whether it is still there: ${await commandLine(context, ...words)}`
        throw new Failure(error.code, error.message, { ...error.details, hint })
      })
      context.note(`Deleted ${noun}.`)
      await context.output.record({ deleted: true, id })
    },
  }
}
