import { answeredAt, type FieldPaths } from '../../../api/contract/mapping/either-name.ts'
import { everyPage } from '../../../api/pages.ts'
import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import { type Json, type JsonObject, valueAt } from '../../../json/path.ts'
import type { CreateVerb } from '../create/create.ts'
import type { Creation } from '../create/create-request.ts'
import type { Options } from '../declare/options.ts'
import { chooseOperation } from '../declare/target.ts'
import { commandLine, nounOf, targetFlags } from './command-line.ts'

/**
 * The command that shows whether a record is there: by the first of its own references that was given, else the
 * whole list.
 */
export async function lookUpCommand(context: Context, creation: Creation, body: JsonObject): Promise<string> {
  const { verb, operation, parameters } = creation
  const keys: FieldPaths[] = [...(verb.find ? [verb.find.key] : []), ...(verb.keys ?? [])]
  const given = keys
    .map((paths) => ({ paths, value: valueAt(body, paths.request.split('.')) }))
    // What cannot be seen cannot be copied from a screen, and of backslashes JMESPath has several opinions.
    .find(({ value }) => typeof value === 'string' && value !== '' && !/[\p{C}\\]/u.test(value))
  const query = given && ['--json', '--query', queryFor(given.paths, String(given.value))]
  const list = [nounOf(operation), 'list', ...targetFlags(verb.operation, operation, parameters)]
  return commandLine(context, ...list, ...(query ?? []))
}

/** The items that have a value in a field, whichever of its two names the list uses. */
function queryFor({ item, request }: FieldPaths, value: string): string {
  const paths = item === request ? [item] : [item, request]
  const text = value.replaceAll("'", "\\'")
  return `[?${paths.map((path) => `${path}=='${text}'`).join(' || ')}]`
}

/**
 * The one item of the list with this record's own reference; undefined unless there is exactly one. That a list
 * cannot be read is no failure of the creation that went before: it must not be told as one.
 */
export async function found(
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
    for await (const items of everyPage(client, chooseOperation(operation, options))) {
      matches.push(...items.filter((item) => answeredAt(item, key) === reference))
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
