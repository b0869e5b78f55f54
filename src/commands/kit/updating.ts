import { correspondenceOf, notReturned } from '../../api/contract/correspondence.ts'
import { differences } from '../../api/contract/differences.ts'
import { requestFrom } from '../../api/contract/mapping/mapped.ts'
import type { Operation } from '../../api/contract/operation.ts'
import { type Json, type JsonObject, overlay, parsePath, valueAt } from '../../api/contract/path.ts'
import type { RecordType } from '../../api/contract/record.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import type { FormEnd } from '../../prompts/form.ts'
import { choosing, commandLine, nounOf } from './command-line.ts'
import { described } from './compared.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { dryRun } from './dry-run.ts'
import { edited } from './edited.ts'
import { answerType } from './get.ts'
import { assertChange, assertChanged, givenRecord, wantsForm } from './input.ts'
import type { Options } from './options.ts'
import { parametersOf } from './parameters.ts'
import { patiently } from './patiently.ts'
import { saved } from './saved.ts'
import { withSets } from './set.ts'
import type { UpdateVerb } from './update.ts'
import { operationOf } from './variant.ts'

/** Updates one record by reading it, changing it and sending it whole. */
export async function updating(
  context: Context,
  verb: UpdateVerb,
  id: string,
  options: Options,
): Promise<void> {
  const { operation: target, reads } = verb
  const operation = operationOf(target, options)
  const { sends: type } = operation
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const parameters = parametersOf(target, options, id)
  const by = options.edit ? 'editor' : wantsForm(context, options) ? 'form' : 'input'
  // What was given is judged before anything is asked of the service.
  const given = by === 'input' ? await givenRecord(context, options) : {}
  if (by === 'input') assertChange(type, given, options)
  const client = await context.client()
  if (!options.dryRun) await mustAsk(context, `update ${type.noun}`)
  const before = await read()
  // In the form there is still something to be done about it.
  if (by === 'form') warnOfLosses(context, operation, before)
  const end = by === 'form' ? await askFor(context, operation, before) : undefined
  if (end?.next === 'file') {
    return saved(context, { target, operation, parameters, verb: ['update', id] }, end.body, end.path)
  }
  const after: Json = end
    ? end.body
    : by === 'editor'
      ? await edited(context, before)
      : withSets(type, overlay(before, given) as JsonObject, options.set ?? [])
  assertChanged(type, before, after)
  const changes = differences(before, after)
  if (changes.length === 0) {
    context.note('Nothing differs from what the service holds.')
  } else {
    for (const change of changes) context.note(described(change, context.options.reveal ?? false))
    if (by !== 'form') warnOfLosses(context, operation, after)
  }
  const request = { parameters, body: after }
  if (options.dryRun || end?.next === 'dry-run') return dryRun(context, operation, request)
  if (changes.length === 0) return context.output.record(await current(), answerType(operation))
  for (const remark of newRemarks(context, type, before, after)) context.note(remark)
  // The form has named the place, and asked for the last word.
  if (by !== 'form') await confirmWrite(context, `update ${type.noun}`)
  const sent = client.record(operation, request).catch((error: unknown) => readBack(error))
  const record = await patiently(context, 'Updating', sent)
  context.note(`Updated ${type.noun} on ${(await context.profile()).name}.`)
  const shown = record ?? (await current().catch((error: unknown) => unread(context, error)))
  await context.output.record(shown ?? { updated: true, id }, answerType(operation))

  async function current(): Promise<JsonObject> {
    return (await client.record(operationOf(reads, options), { parameters })) ?? {}
  }

  /** Whether a change was made of which the answer was lost: what is there now says it, where it says it at all. */
  async function readBack(error: unknown): Promise<undefined> {
    if (!(error instanceof Failure) || error.code !== 'unknown') throw error
    const now = await read().catch(() => undefined)
    const isMade = now && changes.every(({ path, after: wanted }) => holds(now, path, wanted))
    if (isMade) {
      context.warn('the answer was lost; the record was read again, and holds the change.')
      return undefined
    }
    const look = await commandLine(
      context,
      nounOf(operation),
      'get',
      id,
      ...choosing(target, operation, parameters),
    )
    const hint = `Do not simply run it again: look first what the record says: ${look}`
    throw new Failure(error.code, error.message, { ...error.details, hint })
  }

  /** The record as it would be sent. */
  async function read(): Promise<JsonObject> {
    const record = await current()
    const correspondence = correspondenceOf(type)
    return correspondence ? requestFrom(correspondence, record) : record
  }
}

const holds = (record: JsonObject, path: string, wanted: Json) =>
  wanted !== undefined &&
  differences({ at: valueAt(record, parsePath(path) ?? []) }, { at: wanted }).length === 0

/** What the public standards say of a record now that they did not say of it before. */
function newRemarks(context: Context, type: RecordType, before: JsonObject, after: JsonObject): string[] {
  const remarks = (body: JsonObject) =>
    warnings(type, body, context.today()).map(({ path, message }) => `${path}: ${message}`)
  const old = new Set(remarks(before))
  return remarks(after).filter((remark) => !old.has(remark))
}

/** The update was carried out; that it cannot be shown is no reason to say that it failed. */
function unread(context: Context, error: unknown): undefined {
  if (!(error instanceof Failure)) throw error
  context.warn(
    `it was updated, and could not be read again afterwards (${error.details.status ?? error.code}).`,
  )
}

/** Names the fields that no answer returns and that this update does not give: nobody knows what becomes of them. */
function warnOfLosses(context: Context, operation: Operation, body: JsonObject): void {
  const correspondence = correspondenceOf(operation.sends)
  const unseen = correspondence ? notReturned(correspondence) : []
  const lost = unseen.filter((path) => valueAt(body, parsePath(path) ?? []) === undefined)
  if (lost.length === 0) return
  context.warn(
    `the service does not return these fields, so they are not sent and it may clear them: ${lost.join(', ')}. To be sure of one, set it again.`,
  )
}

/** A change is not kept as a draft: the record it was begun on may be another one by then. */
async function askFor(
  context: Context,
  operation: Operation,
  before: JsonObject,
): Promise<Exclude<FormEnd, { next: 'draft' }>> {
  const { fillForm } = await import('../../prompts/form.ts')
  const end = await fillForm(context, operation, { before })
  if (end.next !== 'draft') return end
  throw new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
}
