import type { Options } from '../cli/options.ts'
import { type DeleteVerb, parameterOptions, pathParameters } from '../cli/resource-verbs.ts'
import { chooseOperation, type Target, variantOptions } from '../cli/target.ts'
import { idArgument, type Verb } from '../cli/verb.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors.ts'
import { expectWrite } from './command-line.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { withReference } from './with-reference.ts'

/** `delete <id>`: asks, or needs --yes, on every profile: a deletion cannot be undone. */
export function remove(
  { operation: target, noun, describe, summary, examples }: DeleteVerb,
  list?: Target,
): Verb {
  return {
    name: 'delete',
    writes: true,
    summary,
    examples,
    arguments: [idArgument],
    options: [...variantOptions(target), ...parameterOptions(target)],
    run: (context, { arguments: { id = '' }, options }) =>
      withReference(context, { target, list, id, options, anyCountry: false }, (known, chosen) =>
        deleteOne(context, known, chosen),
      ),
  }

  async function deleteOne(context: Context, id: string, options: Options): Promise<void> {
    const operation = chooseOperation(target, options)
    const request = { parameters: pathParameters(target, options, id) }
    const client = await context.client()
    // An invalid id is reported before the person is asked.
    client.prepare(operation, request)
    const what = `delete ${noun} ${id}`
    // A person is asked by name; a script with --yes sends no request for it.
    const isAsked = await mustAsk(context, what, 'always')
    const named = isAsked ? await describe?.(context, id, options) : undefined
    await confirmWrite(context, named ? `delete ${named}` : what, 'always')
    const lookup = await expectWrite(context, { target, operation, ...request })
    await client.call(operation, request).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.details.outcome !== 'unknown') throw error
      const hint = `To check whether it still exists: ${lookup}`
      throw new Failure(error.code, error.message, { ...error.details, hint })
    })
    context.note(`Deleted ${noun} ${id}.`)
    await context.output.record({ deleted: true, id })
  }
}
