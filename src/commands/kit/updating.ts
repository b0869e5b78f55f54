import { correspondenceOf, notReturned, requestFrom } from '../../api/contract/correspondence.ts'
import { type Difference, differences } from '../../api/contract/differences.ts'
import type { Operation } from '../../api/contract/operation.ts'
import { type Json, type JsonObject, overlay, parsePath, valueAt } from '../../api/contract/path.ts'
import type { RecordType } from '../../api/contract/record.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { cell } from '../../render/cell.ts'
import { isSensitive, mask } from '../../render/mask.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { dryRun } from './dry-run.ts'
import { edited } from './edited.ts'
import { answerType } from './get.ts'
import { assertChange, assertChanged, givenRecord, wantsForm } from './input.ts'
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
  if (by === 'input') assertChange(type, given, options)
  const client = await context.client()
  if (!options.dryRun) await mustAsk(context, `update ${type.noun}`)
  const before = await read()
  const end = by === 'form' ? await askFor(context, operation, before) : undefined
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
    for (const change of changes) context.note(describe(change, context.options.reveal ?? false))
    warnOfLosses(context, operation, after)
  }
  const request = { parameters, body: after }
  if (end?.next === 'file') return writeWhole(end.path, `${JSON.stringify(after, null, 2)}\n`, false)
  if (options.dryRun || end?.next === 'dry-run') return dryRun(context, operation, request)
  if (changes.length === 0) return context.output.record(await current(), answerType(operation))
  for (const remark of newRemarks(context, type, before, after)) context.note(remark)
  // Whoever sends from the form has seen the record and where it goes.
  if (!end) await confirmWrite(context, `update ${type.noun}`)
  const record = await patiently(context, 'Updating', client.record(operation, request))
  context.note(`Updated ${type.noun} on ${(await context.profile()).name}.`)
  const shown = record ?? (await current().catch((error: unknown) => unread(context, error)))
  await context.output.record(shown ?? { updated: true, id }, answerType(operation))

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

function describe({ path, before, after }: Difference, reveal: boolean): string {
  const hide = isSensitive(path.split('.').at(-1) ?? '') && !reveal
  const show = (value: unknown) => {
    if (value === undefined) return '(nothing)'
    const text = cell(value)
    return text === '' ? '(empty)' : hide ? mask(text) : text
  }
  const [old, now] = [show(before), show(after)]
  return `  ${path}: ${old} → ${now}${old === now ? ' (changed; --reveal shows how)' : ''}`
}

async function askFor(context: Context, operation: Operation, before: JsonObject) {
  const { fillForm } = await import('../../prompts/form.ts')
  const end = await fillForm(context, operation, { before })
  if (end.next === 'draft') throw new TypeError('nobody keeps drafts here')
  return end
}
