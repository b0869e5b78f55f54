import type { Operation } from '../../api/contract/operation.ts'
import { type Json, type JsonObject, valueAt } from '../../api/contract/path.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import { everyPage } from '../../api/pages.ts'
import type { Context } from '../../context.ts'
import { confirmWrite } from './confirm.ts'
import type { CreateVerb } from './create.ts'
import { dryRun } from './dry-run.ts'
import { answerType } from './get.ts'
import { givenBody, wantsForm } from './input.ts'
import type { Options } from './options.ts'
import { patiently } from './patiently.ts'
import { operationOf } from './variant.ts'

/** Creates one record and shows what the service answered. */
export async function creating(context: Context, verb: CreateVerb, options: Options): Promise<void> {
  const { operation: target, find } = verb
  const operation = operationOf(target, options)
  const type = operation.sends
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  const body = wantsForm(context, options)
    ? await askFor(context, operation)
    : await givenBody(context, type, options)
  if (options.dryRun) return dryRun(context, operation, { body })
  for (const { path, message } of warnings(type, body, context.today())) context.note(`${path}: ${message}`)
  await confirmWrite(context, `create ${type.noun}`)
  const client = await context.client()
  const record =
    operation.answers.kind === 'one'
      ? await patiently(context, 'Creating', client.record(operation, { body }))
      : await patiently(
          context,
          'Creating',
          client.call(operation, { body }).then(() => undefined),
        )
  const { name } = await context.profile()
  context.note(`Created ${type.noun} on ${name}.`)
  if (record) return context.output.record(record, answerType(operation))
  const found = find && options.find ? await lookUp(context, find, options, body) : undefined
  if (found) return context.output.record(found, answerType(operationOf(find?.operation ?? target, options)))
  context.note(`Created. The service returns no id for ${type.noun}; --find looks it up by its agencyRef.`)
  await context.output.record({ created: true, id: null })
}

/** The one item of the list with this record's own reference; undefined unless there is exactly one. */
async function lookUp(
  context: Context,
  { operation, key }: NonNullable<CreateVerb['find']>,
  options: Options,
  body: JsonObject,
): Promise<JsonObject | undefined> {
  const reference = valueAt(body, key.request.split('.'))
  if (reference === undefined) {
    context.warn(`It cannot be looked up, because it has no ${key.request}.`)
    return undefined
  }
  const client = await context.client()
  const matches: Json[] = []
  for await (const items of everyPage(client, operationOf(operation, options))) {
    matches.push(...items.filter((item) => valueAt(item, key.item.split('.')) === reference))
  }
  if (matches.length === 1) return matches[0] as JsonObject
  context.warn(`It was created, but the list holds ${matches.length} records with its ${key.item}.`)
  return undefined
}

async function askFor(context: Context, operation: Operation): Promise<JsonObject> {
  const { fillForm } = await import('../../prompts/form.ts')
  return fillForm(context, operation)
}
