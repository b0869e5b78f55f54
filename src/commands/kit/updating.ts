import { correspondenceOf, notReturned, requestFrom } from '../../api/contract/correspondence.ts'
import { type Difference, differences } from '../../api/contract/differences.ts'
import type { Operation } from '../../api/contract/operation.ts'
import { type JsonObject, overlay, parsePath, valueAt } from '../../api/contract/path.ts'
import type { Context } from '../../context.ts'
import { cell } from '../../render/cell.ts'
import { isSensitive, mask } from '../../render/mask.ts'
import { confirmWrite } from './confirm.ts'
import { dryRun } from './dry-run.ts'
import { edited } from './edited.ts'
import { answerType } from './get.ts'
import { givenRecord, wantsForm, withGivenSets } from './input.ts'
import type { Options } from './options.ts'
import { parametersOf } from './parameters.ts'
import { patiently } from './patiently.ts'
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
  if (by === 'input') withGivenSets(type, given, options)
  const client = await context.client()
  const before = await read()
  const after =
    by === 'form'
      ? await askFor(context, operation, before)
      : by === 'editor'
        ? await edited(context, type, before)
        : withSets(type, overlay(before, given) as JsonObject, options.set ?? [])
  const changes = differences(before, after)
  const request = { parameters, body: after as JsonObject }
  if (options.dryRun) return dryRun(context, operation, request)
  if (changes.length === 0) {
    context.note('Nothing differs from what the service holds. Nothing was sent.')
    return context.output.record(await current(), answerType(operation))
  }
  for (const change of changes) context.note(describe(change, context.options.reveal ?? false))
  warnOfLosses(context, operation, request.body)
  await confirmWrite(context, `update ${type.noun}`)
  const record = await patiently(context, 'Updating', client.record(operation, request))
  await context.output.record(record ?? (await current()), answerType(operation))

  async function current(): Promise<JsonObject> {
    return (await client.record(operationOf(reads, options), { parameters })) ?? {}
  }

  /** The record as it would be sent. */
  async function read(): Promise<JsonObject> {
    const record = await current()
    const correspondence = correspondenceOf(type)
    return correspondence ? requestFrom(correspondence, record) : record
  }
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

function describe({ path, before, after }: Difference, reveal: boolean): string {
  const hide = isSensitive(path.split('.').at(-1) ?? '') && !reveal
  const show = (value: unknown) =>
    value === undefined ? '(nothing)' : hide ? mask(value) : cell(value) || '(empty)'
  return `  ${path}: ${show(before)} → ${show(after)}`
}

async function askFor(context: Context, operation: Operation, before: JsonObject): Promise<JsonObject> {
  const { fillForm } = await import('../../prompts/form.ts')
  return fillForm(context, operation, before)
}
