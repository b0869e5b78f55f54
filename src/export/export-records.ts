import type { Client } from '../api/client.ts'
import type { Fields } from '../api/contract/fields/field.ts'
import { mappingOf } from '../api/contract/mapping/field-mapping.ts'
import { type MappedRecord, mapRecord } from '../api/contract/mapping/map-record.ts'
import { maskedFields } from '../api/contract/mapping/service-masks.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import { idOf } from '../api/contract/records/identity.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { fetchPages, type ListOptions } from '../api/pages.ts'
import { Failure } from '../errors.ts'
import { formatPath, isObject, type Json, type JsonObject } from '../json/path.ts'

/** How many single records to read at once, if the list does not have them whole. */
const mostAtOnce = 4

interface Source {
  readonly client: Client
  readonly list: Operation
  readonly create?: Operation | undefined
  readonly get?: Operation | undefined
  readonly reading: Pick<ListOptions, 'mustAgree' | 'asItComes'>
}

/** Called for what an export leaves out, once for each record. */
export interface Gaps {
  /** A field that no request has, so it could not be imported again. */
  readonly leftOut: (path: string) => void
  /** A section that the service did not return. */
  readonly absent: (section: string) => void
  /** A field that the service shows only masked. */
  readonly masked: (path: string) => void
}

/**
 * Every record of a list, page by page: in the format of the create request plus the service's `id`, or unchanged if the
 * contract has no create request for it. Throws a Failure (exit 10) for a record that cannot be mapped completely.
 */
export async function* exportedRecords(source: Source, gaps: Gaps): AsyncGenerator<readonly JsonObject[]> {
  const { client, list, create, reading } = source
  const type = mappingOf(create?.requestRecord)?.request
  for await (const items of fetchPages(client, list, {}, reading)) {
    const records = items.map((item) => (isObject(item) ? item : { value: item }))
    if (!type) {
      yield records
      continue
    }
    const whole = await mapInOrder(records, (record) => readWhole(source, type, record))
    yield whole.map((each) => asSent(type, each, gaps))
  }
}

interface Whole extends MappedRecord {
  readonly record: JsonObject
}

/** An item of the list, or the answer of `get` if the item lacks a section. */
async function readWhole({ client, get }: Source, type: RecordType, item: JsonObject): Promise<Whole> {
  const listed = { record: item, ...mapRecord(type, item) }
  const id = idOf(item)
  if (listed.absent.length === 0 || !get || id === undefined) return listed
  const record = (await client.record(get, { parameters: { id } })) ?? item
  return { record, ...mapRecord(type, record) }
}

function asSent(type: RecordType, { record, body, misfits, absent }: Whole, gaps: Gaps): JsonObject {
  if (misfits.length > 0) throw unmapped(type, idOf(record), misfits)
  for (const section of absent) gaps.absent(section)
  for (const path of maskedFields(type, body)) gaps.masked(path)
  return { ...(record.id !== undefined && { id: record.id }), ...declared(body, type.fields, gaps.leftOut) }
}

function unmapped(type: RecordType, id: string | undefined, misfits: MappedRecord['misfits']): Failure {
  const which = id === undefined ? type.displayName : `${type.displayName} (${id})`
  return new Failure(
    'invalid-response',
    `The service returned ${which} in a form that cannot be exported completely. The export stopped there.`,
    { issues: misfits, hint: 'To see records as the service returns them, use list or get with --json.' },
  )
}

/** Only the values that the request has a field for. */
function declared(
  record: JsonObject,
  fields: Fields,
  leftOut: (path: string) => void,
  above: readonly string[] = [],
): JsonObject {
  const exported = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const path = [...above, name]
    if (!field) leftOut(formatPath(path))
    if (!field) return []
    if (!field.fields || !isObject(value)) return [[name, value]]
    const inner = declared(value, field.fields, leftOut, path)
    return Object.keys(inner).length > 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(exported)
}

/** Works on a few items at once; returns the results in order. */
async function mapInOrder<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += mostAtOnce) {
    results.push(...(await Promise.all(items.slice(from, from + mostAtOnce).map(read))))
  }
  return results
}
