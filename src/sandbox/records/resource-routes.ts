import type { Context } from 'hono'
import { isObject, type JsonObject } from '../../files/json/path.ts'
import type { Operation } from '../../model/records/operation.ts'
import type { Database, TableName } from '../database/database.ts'
import type { StoredRecord } from '../database/record-table.ts'
import { readBody, readPaging, refusal, type SandboxRoute } from '../requests.ts'

/** The database and the clock, which every handler gets. */
export interface Service {
  readonly database: Database
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A kind of record: where it is stored, and how it is answered. */
export interface SandboxResource {
  readonly operations: {
    readonly create?: Operation
    readonly list: Operation
    readonly get?: Operation
    readonly update?: Operation
  }
  readonly table: TableName
  /** The candidates of each country are a list of their own. Other resources have one list and no country. */
  readonly country?: string
  /** Throws a refusal for a body that cannot be stored. The types are checked before. */
  readonly check?: (body: JsonObject, database: Database) => void
  /** By default as it was sent, with the fields that the service sets. */
  readonly answer?: (record: StoredRecord, database: Database) => JsonObject
  /** The content of `data` for one record; by default the record itself. */
  readonly data?: (answer: JsonObject) => JsonObject
  /** The shape of a page; by default the documented one. */
  readonly page?: (items: readonly JsonObject[], total: number) => JsonObject
}

/** The routes of a resource: those of create, list, get and update that it has. */
export function resourceRoutes(resource: SandboxResource, { database, now }: Service): SandboxRoute[] {
  const { operations, country = '', check, data = (record) => record, page = documentedPage } = resource
  const answer = (record: StoredRecord) => {
    const { id, body, createdAt, updatedAt } = record
    return resource.answer?.(record, database) ?? { ...body, id, createdAt, updatedAt }
  }
  const { create, list, get, update } = operations
  const table = database.tables[resource.table]
  const envelope = (record: StoredRecord) => ({ data: data(answer(record)), success: true })

  const routes: (SandboxRoute | undefined)[] = [
    create && {
      operation: create,
      async handle(c) {
        const body = await readBody(c.req.raw, create.requestRecord)
        check?.(body, database)
        const record = table.insert(country, body, now())
        // assumed: 201 where the status is not shown, as for the creates where it is.
        const status = 201
        // "201, no body", so no content type either.
        return create.response.kind === 'nothing' ? c.body(null, status) : c.json(envelope(record), status)
      },
    },
    {
      operation: list,
      handle(c) {
        const { records, total } = table.page(country, readPaging(c.req.query()))
        return c.json(page(records.map(answer), total))
      },
    },
    get && {
      operation: get,
      handle: (c) => c.json(envelope(requireRecord(table.find(country, pathId(c))))),
    },
    update && {
      operation: update,
      async handle(c) {
        const changes = await readBody(c.req.raw, update.requestRecord)
        check?.(changes, database)
        const record = database.transaction(() => {
          const { id, body } = requireRecord(table.find(country, pathId(c)))
          table.replace(id, applyUpdate(body, changes), now())
          return requireRecord(table.find(country, id))
        })
        return c.json(envelope(record))
      },
    },
  ]
  return routes.filter((route) => route !== undefined)
}

/** "`{ data: array, totalDocs: integer }`". */
export function documentedPage(data: readonly JsonObject[], totalDocs: number): JsonObject {
  return { data, totalDocs }
}

/** The id in the path of a request. */
export const pathId = (c: Context): string => c.req.param('id') ?? ''

/** The record. Throws a refusal if there is none: 404. */
export function requireRecord(record: StoredRecord | undefined): StoredRecord {
  if (record === undefined) throw refusal(404, 'No record has this id')
  return record
}

/** The record after an update. assumed: only fields in the body change; objects are merged, lists replaced. */
export function applyUpdate(record: JsonObject, changes: JsonObject): JsonObject {
  const replaced = Object.entries(changes).map(([name, value]) => {
    const old = Object.hasOwn(record, name) ? record[name] : undefined
    return [name, isObject(old) && isObject(value) ? applyUpdate(old, value) : value]
  })
  return { ...record, ...Object.fromEntries(replaced) }
}
