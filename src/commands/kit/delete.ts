import type { Parameters } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import { Failure, withHint } from '../../errors.ts'
import { flag, text, type ValuesOf } from '../../model/fields/field.ts'
import { describeSaid, isSettledBySight, outcomeOf, type Sight, saidOf } from '../../write/outcomes.ts'
import { settledFailure } from '../../write/settle.ts'
import type { Options } from '../cli/options.ts'
import { type DeleteVerb, pathParameters } from '../cli/resource-verbs.ts'
import { chooseOperation, type Target } from '../cli/target.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import type { FoundRecord } from './find-record.ts'
import { searchLists } from './search-lists.ts'
import { withRecord } from './with-reference.ts'

export const deletedFields = { deleted: flag('Deleted'), id: text('Id of the record') }

/** A deletion is asked about, or needs --yes, on every profile. Throws a usage failure without either. */
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
  const reference = { target, list, id: typed, options, anyCountry: false, writes: true }
  return withRecord(context, reference, deleteOne)

  async function deleteOne({ id, options }: FoundRecord): Promise<void> {
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
      const said = saidOf(error)
      if (!isSettledBySight(said)) throw error
      const { has, says } = await lookAfterwards(request.parameters, options)
      const outcome = outcomeOf(said, { has, isOld: false })
      if (outcome === 'applied') {
        context.warn(`${describeSaid(said, error)}, so ${noun} was looked for: it is gone.`)
        return context.writes.noteSettled('applied')
      }
      context.writes.noteSettled(outcome)
      const failure = settledFailure(error, outcome, said === 'denied' ? '' : `It was looked for: ${says}.`)
      throw outcome === 'unknown' ? withHint(failure, `To check whether it still exists: ${lookup}`) : failure
    })
    context.note(`Deleted ${noun} ${id}.`)
    const deleted: ValuesOf<typeof deletedFields> = { deleted: true, id }
    // A person has read it in the sentence above.
    const isSaid = context.host.stdout.isTTY && context.output.format.isForPerson
    if (!isSaid) await context.output.record(deleted)
  }

  /** A 404 does not prove that a record is gone, as the path is assumed: the list must lack it too. */
  async function lookAfterwards(
    parameters: Parameters,
    options: Options,
  ): Promise<{ readonly has: Sight['has']; readonly says: string }> {
    const client = await context.client()
    try {
      const isThere = await client.record(chooseOperation(reads, options), { parameters }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Failure && error.code === 'not-found') return false
          throw error
        },
      )
      if (isThere) return { has: 'none', says: 'it is still there' }
      if (!list) return { has: 'unseen', says: 'the service does not show it' }
      const { id, ...others } = parameters
      const lists = [{ operation: chooseOperation(list, options) }]
      const listed = await searchLists(context, lists, (each) => each.id === id, { parameters: others })
      if (listed.length > 0) return { has: 'none', says: 'it is still in the list' }
      return { has: 'all', says: 'it is gone' }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const says = `the service did not show whether it is there (${error.details.status ?? error.code})`
      return { has: 'unseen', says }
    }
  }
}
