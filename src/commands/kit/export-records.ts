import type { Client } from '../../api/client.ts'
import { type Correspondence, correspondenceOf } from '../../api/contract/correspondence.ts'
import type { Fields } from '../../api/contract/field.ts'
import { requestFrom } from '../../api/contract/mapping/mapped.ts'
import type { Operation } from '../../api/contract/operation.ts'
import { formatPath, isObject, type Json, type JsonObject } from '../../api/contract/path.ts'
import { everyPage } from '../../api/pages.ts'

/** How many records are read at once where the list does not hold them whole. */
const atOnce = 4

interface Source {
  readonly client: Client
  readonly list: Operation
  readonly create?: Operation | undefined
  readonly get?: Operation | undefined
}

/**
 * Every record of a list, page by page: as it would be sent to create it, under the `id` that the service gave it;
 * where nobody says how it is sent, as the service answers it. `leftOut` is told each field that the request does
 * not have: it could not be imported again.
 */
export async function* exportedRecords(
  source: Source,
  leftOut: (path: string) => void,
): AsyncGenerator<readonly JsonObject[]> {
  const { client, list, create } = source
  const correspondence = correspondenceOf(create?.sends)
  for await (const items of everyPage(client, list)) {
    const records = items.map((item) => (isObject(item) ? item : { value: item }))
    if (!correspondence) {
      yield records
      continue
    }
    const whole = await inTurn(records, (record) => readWhole(source, correspondence, record))
    yield whole.map((record) => asSent(correspondence, record, leftOut))
  }
}

/** An item of the list, or what `get` answers where the item lacks a part that a record has. */
async function readWhole(
  { client, get }: Source,
  { answer }: Correspondence,
  item: JsonObject,
): Promise<JsonObject> {
  const parts = Object.entries(answer.fields).filter(([, field]) => field.type === 'object')
  const isWhole = parts.every(([name]) => Object.hasOwn(item, name)) || isObject(item.generalSetting)
  if (isWhole || !get || typeof item.id !== 'string') return item
  return (await client.record(get, { parameters: { id: item.id } })) ?? item
}

function asSent(
  { request, ...names }: Correspondence,
  answer: JsonObject,
  leftOut: (path: string) => void,
): JsonObject {
  const body = requestFrom({ request, ...names }, answer)
  const record = declared(body, request.fields, leftOut)
  return { ...(answer.id !== undefined && { id: answer.id }), ...record }
}

/**
 * Only what the request has a field for. assumed: null in an answer is a field that was never given; to send it
 * could mean something else.
 */
function declared(
  record: JsonObject,
  fields: Fields,
  leftOut: (path: string) => void,
  above: readonly string[] = [],
): JsonObject {
  const kept = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const path = [...above, name]
    if (!field) leftOut(formatPath(path))
    if (!field || value === null) return []
    if (!field.fields || !isObject(value)) return [[name, value]]
    const inner = declared(value, field.fields, leftOut, path)
    return Object.keys(inner).length > 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(kept)
}

/** The results in the order of the items, a few at once. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))))
  }
  return results
}
