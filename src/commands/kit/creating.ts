import type { Operation } from '../../api/contract/operation.ts'
import { type Json, type JsonObject, valueAt } from '../../api/contract/path.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import { everyPage } from '../../api/pages.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../errors.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { confirmWrite } from './confirm.ts'
import type { CreateVerb } from './create.ts'
import { dryRun } from './dry-run.ts'
import { answerType } from './get.ts'
import { givenBody, wantsForm } from './input.ts'
import type { Options } from './options.ts'
import { parametersOf } from './parameters.ts'
import { patiently } from './patiently.ts'
import { operationOf } from './variant.ts'

/** Creates one record and shows what the service answered. */
export async function creating(context: Context, verb: CreateVerb, options: Options): Promise<void> {
  const { operation: target, find } = verb
  const operation = operationOf(target, options)
  const type = operation.sends
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const parameters = parametersOf(target, options)
  // Whoever has no key learns it before the form, not after.
  const client = await context.client()
  const base = verb.from && (await verb.from(context, options))
  const byForm = !base && wantsForm(context, options)
  const end = byForm
    ? await askFor(context, operation)
    : { next: 'send' as const, body: await givenBody(context, type, options, base) }
  const { body } = end
  const request = { parameters, body }
  if (end.next === 'file') return writeWhole(end.path, `${JSON.stringify(body, null, 2)}\n`, false)
  if (options.dryRun || end.next === 'dry-run') return dryRun(context, operation, request)
  // The form has shown them beside the record.
  const remarks = byForm ? [] : warnings(type, body, context.today())
  for (const { path, message } of remarks) context.note(`${path}: ${message}`)
  // Whoever sends from the form has seen the record and where it goes.
  if (!byForm) await confirmWrite(context, `create ${type.noun}`)
  const answered = operation.answers.kind === 'one'
  const sent = answered
    ? client.record(operation, request)
    : client.call(operation, request).then(() => undefined)
  const record = await patiently(context, 'Creating', sent)
  context.note(`Created ${type.noun} on ${(await context.profile()).name}.`)
  if (record) return context.output.record(record, answerType(operation))
  if (answered) context.warn('the service says that it was created, and its answer holds no record.')
  const found = find && (options.find || answered) ? await lookUp(context, find, options, body) : undefined
  if (found) return context.output.record(found, answerType(operationOf(find?.operation ?? target, options)))
  if (find && !options.find)
    context.note('The service returns no id; --find looks the record up by its agencyRef.')
  await context.output.record({ created: true, id: null })
}

/**
 * The one item of the list with this record's own reference; undefined unless there is exactly one. That a list
 * cannot be read is no failure of the creation that went before: it must not be told as one.
 */
async function lookUp(
  context: Context,
  { operation, key }: NonNullable<CreateVerb['find']>,
  options: Options,
  body: JsonObject,
): Promise<JsonObject | undefined> {
  const reference = valueAt(body, key.request.split('.'))
  if (reference === undefined) {
    context.warn(`it cannot be looked up, because it has no ${key.request}.`)
    return undefined
  }
  const client = await context.client()
  const matches: Json[] = []
  try {
    for await (const items of everyPage(client, operationOf(operation, options))) {
      matches.push(...items.filter((item) => valueAt(item, key.item.split('.')) === reference))
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.warn(
      `it was created, and could not be looked up afterwards (${error.details.status ?? error.code}).`,
    )
    return undefined
  }
  if (matches.length === 1) return matches[0] as JsonObject
  context.warn(`it was created, but the list holds ${matches.length} records with its ${key.item}.`)
  return undefined
}

async function askFor(context: Context, operation: Operation) {
  const { fillForm } = await import('../../prompts/form.ts')
  const end = await fillForm(context, operation)
  if (end.next === 'draft') throw new TypeError('nobody keeps drafts here')
  return end
}
