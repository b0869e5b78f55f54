import { flag, text, type ValuesOf } from '../api/contract/fields/field.ts'
import { idOf } from '../api/contract/records/identity.ts'
import { isPlainNo } from '../api/outcome/status-failure.ts'
import type { Parameters } from '../api/route-path.ts'
import type { Options } from '../cli/options.ts'
import { type DeleteVerb, pathParameters } from '../cli/resource-verbs.ts'
import { chooseOperation, type Target } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { searchLists } from './search-lists.ts'
import { withReference } from './with-reference.ts'

export const deletedFields = { deleted: flag('Deleted'), id: text('Id of the record') }

/** A deletion is asked about, or needs --yes, on every profile: it cannot be undone. Throws a usage failure without either. */
export async function assertMayDelete(context: Context, { noun }: DeleteVerb, id: string): Promise<void> {
  await mustAsk(context, `delete ${noun} ${id}`, 'always')
}

/** Deletes one record. Where the answer is unclear, it looks whether the record is gone. */
export async function runDelete(
  context: Context,
  { verb, list }: { readonly verb: DeleteVerb; readonly list?: Target | undefined },
  typed: string,
  options: Options,
): Promise<void> {
  const { operation: target, reads, noun, describe } = verb
  await assertMayDelete(context, verb, typed)
  const about = { target, list, id: typed, options, anyCountry: false, writes: true }
  return withReference(context, about, deleteOne)

  async function deleteOne(id: string, options: Options): Promise<void> {
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
    const { expectWrite } = await import('./command-line.ts')
    const lookup = await expectWrite(context, { target, operation, ...request })
    await client.call(operation, request).catch(async (error: unknown) => {
      if (!(error instanceof Failure)) throw error
      const isNo = isPlainNo(error)
      if (!isNo && error.details.outcome !== 'unknown') throw error
      const sight = isNo || error.code === 'unknown' ? await lookAfterwards(request.parameters, options) : ''
      if (isNo && sight !== 'gone') throw error
      if (isNo) {
        const message = `${error.message} But it is not there: it was deleted anyway, or was not there before.`
        throw new Failure(error.code, message, { ...error.details, outcome: 'unknown' })
      }
      if (sight === 'gone') {
        const why = error.details.status === undefined ? 'the answer was lost' : 'the answer was unclear'
        context.warn(`${why}, so ${noun} was looked for: it is gone.`)
        return context.writes.confirm()
      }
      const message = sight ? `${error.message} It was looked for: ${sight}.` : error.message
      const hint = `To check whether it still exists: ${lookup}`
      throw new Failure(error.code, message, { ...error.details, hint })
    })
    context.note(`Deleted ${noun} ${id}.`)
    const deleted: ValuesOf<typeof deletedFields> = { deleted: true, id }
    await context.output.record(deleted)
  }

  /**
   * What the service shows of a record that was perhaps deleted: `gone`, or a sentence. A 404 alone does not prove that it
   * is gone, because the path of `get` is assumed: the list must lack it too.
   */
  async function lookAfterwards(parameters: Parameters, options: Options): Promise<string> {
    const client = await context.client()
    try {
      const isThere = await client.record(chooseOperation(reads, options), { parameters }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Failure && error.code === 'not-found') return false
          throw error
        },
      )
      if (isThere) return 'it is still there'
      if (!list) return 'the service does not show it'
      const { id, ...others } = parameters
      const lists = [{ operation: chooseOperation(list, options) }]
      const listed = await searchLists(context, lists, (item) => idOf(item) === id, { parameters: others })
      return listed.length === 0 ? 'gone' : 'it is still in the list'
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return `the service did not show whether it is there (${error.details.status ?? error.code})`
    }
  }
}
