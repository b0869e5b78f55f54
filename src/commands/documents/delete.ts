import type { Context } from '../../context/context.ts'
import { asFailure, onFailure } from '../../errors.ts'
import { flag, text, type ValuesOf } from '../../model/fields/field.ts'
import { operations } from '../../model/resources/operations.ts'
import {
  classifyAnswer,
  describeAnswer,
  failWithOutcome,
  needsLook,
  outcomeOf,
  type Shown,
} from '../../write/judge.ts'
import { lookTwice } from '../../write/send-write.ts'
import type { Options } from '../cli/options.ts'
import { pathParameters } from '../cli/resource-verbs.ts'
import { expectWrite } from '../kit/command-line.ts'
import { confirmWrite, mustAsk } from '../kit/confirm.ts'
import type { FoundRecord } from '../kit/find/named-record.ts'
import { type ListedRecord, searchLists } from '../kit/find/search-lists.ts'
import { withRecord } from '../kit/find/with-record.ts'
import { describeDocument, withPerson } from './with-person.ts'

const { delete: operation, get, list } = operations.documents

export const deletedFields = { deleted: flag('Deleted'), id: text('Id of the record') }

/** Deletes one document. After an unclear answer, looks whether it is gone. */
export async function deleteDocument(context: Context, word: string, options: Options): Promise<void> {
  await mustAsk(context, `delete the document ${word}`, true)
  return withPerson(context, options, { writes: true, document: word }, (whose) => {
    const reference = { target: operation, list, typed: word, options: whose, writes: true }
    return withRecord(context, reference, (record) => deleteOne(context, record))
  })
}

async function deleteOne(context: Context, { id, options, name }: FoundRecord): Promise<void> {
  if (name !== id) context.writes.names.set(id, name)
  const request = { parameters: pathParameters(options, id) }
  const client = await context.client()
  // An invalid id is reported before the person is asked.
  client.prepare(operation, request)
  let named: string | undefined
  await confirmWrite(context, `delete the document ${id}`, true, async () => {
    named = await describeDocument(context, id, options)
    return named && `delete ${named}`
  })
  const lookUpCommand = await expectWrite(context, { operation, ...request })
  await client.call(operation, request).catch(async (error: unknown) => {
    const failure = asFailure(error)
    const answer = classifyAnswer(failure)
    if (!needsLook(answer)) throw failure
    const look = () => lookAfterwards(context, id, options)
    const { has, says } = await lookTwice(look, (seen) => seen.has === 'none', context.host.sleep).catch(
      onFailure(({ code, details }) => ({
        has: 'unseen' as const,
        says: `the service did not show whether it is there (${details.status ?? code})`,
      })),
    )
    const outcome = outcomeOf(answer, has)
    context.writes.noteOutcome(outcome)
    if (outcome === 'applied')
      return context.warn(`${describeAnswer(answer, failure)}, so the document was looked for: it is gone.`)
    const settled = failWithOutcome(
      failure,
      outcome,
      answer === 'denied' ? '' : `It was looked for: ${says}.`,
    )
    throw outcome === 'unknown'
      ? settled.with({ hint: `To check whether it still exists: ${lookUpCommand}` })
      : settled
  })
  // The output of a script may be a log, which gets no name.
  context.note(`Deleted ${named ?? `the document ${id}`}.`)
  const deleted: ValuesOf<typeof deletedFields> = { deleted: true, id }
  // A person has read it in the sentence above.
  const isSaid = context.host.stdout.isTTY && context.output.format.isForPerson
  if (!isSaid) await context.output.record(deleted)
}

/** A 404 does not prove that a record is gone, as the path is assumed: the list must lack it too. */
async function lookAfterwards(
  context: Context,
  id: string,
  options: Options,
): Promise<{ readonly has: Shown; readonly says: string }> {
  const client = await context.client()
  const parameters = pathParameters(options)
  const stillExists = await client.call(get, { parameters: { ...parameters, id } }).then(
    () => true,
    onFailure((failure) => {
      if (failure.code !== 'not-found') throw failure
      return false
    }),
  )
  if (stillExists) return { has: 'none', says: 'it is still there' }
  const isIt = (each: ListedRecord) => (each.id === id ? each : undefined)
  const records = await searchLists(context, [list], isIt, { parameters })
  if (records.length > 0) return { has: 'none', says: 'it is still in the list' }
  return { has: 'all', says: 'it is gone' }
}
