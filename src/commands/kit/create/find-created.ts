import { valueInResponse } from '../../../api/contract/mapping/either-name.ts'
import { fetchPages } from '../../../api/pages.ts'
import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import { type Json, type JsonObject, valueAt } from '../../../json/path.ts'
import type { Options } from '../declare/options.ts'
import type { CreateVerb } from '../declare/resource-verbs.ts'
import { chooseOperation } from '../declare/target.ts'

/**
 * The one item of the list with this record's own reference; undefined unless there is exactly one. A list that
 * cannot be read is only a warning: the record was created, and must not look as if it was not.
 */
export async function findCreated(
  context: Context,
  { operation, key }: NonNullable<CreateVerb['find']>,
  options: Options,
  body: JsonObject,
): Promise<JsonObject | undefined> {
  const reference = valueAt(body, key.request.split('.'))
  if (reference === undefined) {
    context.warn(`the new record cannot be looked up, because it has no ${key.request}.`)
    return undefined
  }
  const client = await context.client()
  const matches: Json[] = []
  try {
    for await (const items of fetchPages(client, chooseOperation(operation, options))) {
      matches.push(...items.filter((item) => valueInResponse(item, key) === reference))
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    context.warn(
      `the record was created, but could not be looked up afterwards (${error.details.status ?? error.code}).`,
    )
    return undefined
  }
  if (matches.length === 1) return matches[0] as JsonObject
  context.warn(`the record was created, but the list has ${matches.length} records with its ${key.item}.`)
  return undefined
}
