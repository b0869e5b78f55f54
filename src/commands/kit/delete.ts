import type { Context } from '../../context/context.ts'
import { asFailure, onFailure, withHint } from '../../errors.ts'
import { flag, text, type ValuesOf } from '../../model/fields/field.ts'
import { failWithOutcome } from '../../write/judge.ts'
import {
  classifyAnswer,
  describeAnswer,
  type LookResult,
  needsLook,
  outcomeOf,
} from '../../write/outcomes.ts'
import type { Options } from '../cli/options.ts'
import { type DeleteVerb, pathParameters } from '../cli/resource-verbs.ts'
import { chooseOperation, type Target } from '../cli/target.ts'
import { expectWrite } from './command-line.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import type { FoundRecord } from './find/find-record.ts'
import { withRecord } from './find/named-record.ts'
import { type ListedRecord, searchLists } from './find/search-lists.ts'

export const deletedFields = { deleted: flag('Deleted'), id: text('Id of the record') }

/** Deletes one record. After an unclear answer, looks whether the record is gone. */
export async function runDelete(
  context: Context,
  { verb, list }: { readonly verb: DeleteVerb; readonly list?: Target | undefined },
  typed: string,
  options: Options,
): Promise<void> {
  await mustAsk(context, `delete ${verb.noun} ${typed}`, 'always')
  const reference = { target: verb.operation, list, typed, options, writes: true }
  return withRecord(context, reference, (found) => deleteOne(context, verb, list, found))
}

async function deleteOne(
  context: Context,
  verb: DeleteVerb,
  list: Target | undefined,
  { id, options, name }: FoundRecord,
): Promise<void> {
  const { operation: target, noun, describe } = verb
  if (name !== id) context.writes.names.set(id, name)
  const operation = chooseOperation(target, options)
  const request = { parameters: pathParameters(target, options, id) }
  const client = await context.client()
  // An invalid id is reported before the person is asked.
  client.prepare(operation, request)
  const what = `delete ${noun} ${id}`
  await confirmWrite(context, what, 'always', async () => {
    const named = await describe?.(context, id, options)
    return named && `delete ${named}`
  })
  const lookUpCommand = await expectWrite(context, { target, operation, ...request })
  await client.call(operation, request).catch(async (error: unknown) => {
    const failure = asFailure(error)
    const answer = classifyAnswer(failure)
    if (!needsLook(answer)) throw failure
    const { has, says } = await lookAfterwards(context, verb, list, { id, options }).catch(
      onFailure(({ code, details }) => ({
        has: 'unseen' as const,
        says: `the service did not show whether it is there (${details.status ?? code})`,
      })),
    )
    const outcome = outcomeOf(answer, { has, isOld: false })
    context.writes.noteOutcome(outcome)
    if (outcome === 'applied')
      return context.warn(`${describeAnswer(answer, failure)}, so ${noun} was looked for: it is gone.`)
    const settled = failWithOutcome(
      failure,
      outcome,
      answer === 'denied' ? '' : `It was looked for: ${says}.`,
    )
    throw outcome === 'unknown'
      ? withHint(settled, `To check whether it still exists: ${lookUpCommand}`)
      : settled
  })
  context.note(`Deleted ${noun} ${id}.`)
  const deleted: ValuesOf<typeof deletedFields> = { deleted: true, id }
  // A person has read it in the sentence above.
  const isSaid = context.host.stdout.isTTY && context.output.format.isForPerson
  if (!isSaid) await context.output.record(deleted)
}

/** A 404 does not prove that a record is gone, as the path is assumed: the list must lack it too. */
async function lookAfterwards(
  context: Context,
  { operation: target, get }: DeleteVerb,
  list: Target | undefined,
  { id, options }: Pick<FoundRecord, 'id' | 'options'>,
): Promise<{ readonly has: LookResult['has']; readonly says: string }> {
  const client = await context.client()
  const others = pathParameters(target, options)
  const stillExists = await client
    .call(chooseOperation(get, options), { parameters: { ...others, id } })
    .then(
      () => true,
      onFailure((failure) => {
        if (failure.code !== 'not-found') throw failure
        return false
      }),
    )
  if (stillExists) return { has: 'none', says: 'it is still there' }
  if (!list) return { has: 'unseen', says: 'the service does not show it' }
  const lists = [{ operation: chooseOperation(list, options) }]
  const isIt = (each: ListedRecord) => (each.id === id ? each : undefined)
  const listed = await searchLists(context, lists, isIt, { parameters: others })
  if (listed.length > 0) return { has: 'none', says: 'it is still in the list' }
  return { has: 'all', says: 'it is gone' }
}
