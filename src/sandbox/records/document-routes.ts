import type { Context } from 'hono'
import type { Json, JsonObject } from '../../files/json/path.ts'
import { countries } from '../../model/countries/countries.ts'
import type { Operation } from '../../model/records/operation.ts'
import { operations } from '../../model/resources/operations.ts'
import type { Database } from '../database/database.ts'
import type { StoredRecord } from '../database/record-table.ts'
import { readBody, readPaging, refusal, type SandboxRoute } from '../requests.ts'
import { applyUpdate, documentedPage, pathId, requireRecord, type Service } from './resource-routes.ts'

/** The documents on an employee's profile. assumed: an employee is a candidate, UK or Irish. */
export function documentRoutes({ database, now }: Service): SandboxRoute[] {
  const { documents, documentContents } = database.tables
  const { create, list, get, update, delete: remove } = operations.documents

  const employeeOf = (c: Context) => {
    const id = c.req.param('employeeId') ?? ''
    const { find } = database.tables.candidates
    return requireRecord(
      countries.map((country) => find(country.id, id)).find((record) => record !== undefined),
    ).id
  }
  const documentOf = (c: Context) => requireRecord(documents.find(employeeOf(c), pathId(c)))
  const bodyOf = async (c: Context, { requestRecord }: Operation) => {
    const body = await readBody(c.req.raw, requestRecord)
    checkContent(body.content)
    return body
  }

  return [
    {
      operation: create,
      async handle(c) {
        const employee = employeeOf(c)
        const body = await bodyOf(c, create)
        const record = database.transaction(() => addDocument(database, employee, body, now()))
        return c.json({ data: answerDocument(record), success: true }, 201)
      },
    },
    {
      operation: list,
      handle(c) {
        const { records, total } = documents.page(employeeOf(c), readPaging(c.req.query()))
        return c.json(documentedPage(records.map(answerDocument), total))
      },
    },
    {
      operation: get,
      handle(c) {
        const record = documentOf(c)
        const { content = null } = requireRecord(documentContents.find('', record.id)).body
        return c.json({ data: { ...answerDocument(record), content }, success: true })
      },
    },
    {
      operation: update,
      async handle(c) {
        const { content, ...changes } = await bodyOf(c, update)
        const record = database.transaction(() => {
          const { id, body } = documentOf(c)
          const at = now()
          const size = content === undefined ? (body.size ?? null) : sizeOf(content)
          documents.replace(id, { ...applyUpdate(body, changes), size }, at)
          if (content !== undefined) documentContents.replace(id, { content }, at)
          return documentOf(c)
        })
        return c.json({ data: answerDocument(record), success: true })
      },
    },
    {
      operation: remove,
      handle(c) {
        database.transaction(() => {
          const { id } = documentOf(c)
          documents.remove(id)
          documentContents.remove(id)
        })
        return c.body(null, 204)
      },
    },
  ]
}

/** Stores a document and, separately, its content, so that a list need not read it. Call it inside a transaction. */
export function addDocument(
  { tables }: Database,
  employee: string,
  { content, ...described }: JsonObject,
  at: number,
): StoredRecord {
  const record = tables.documents.insert(employee, { ...described, size: sizeOf(content) }, at)
  tables.documentContents.insert('', content === undefined ? {} : { content }, at, record.id)
  return record
}

/** assumed: a list has everything but the content, which would make it too large. */
function answerDocument({ id, body, createdAt, updatedAt }: StoredRecord): JsonObject {
  return { name: null, contentType: null, description: null, ...body, id, createdAt, updatedAt }
}

/** assumed: `content` is the bytes as base64. The size comes from it; nothing else in the body is checked. */
function checkContent(content: Json | undefined): void {
  // Look for wrong characters: a pattern for valid content would need a stack as long as the content.
  const isBase64 =
    typeof content === 'string' && content.length % 4 === 0 && !/[^A-Za-z0-9+/=]|=[^=]|===/.test(content)
  if (content !== undefined && !isBase64) {
    throw refusal(400, 'The content cannot be used', [{ path: 'content', message: 'must be base64' }])
  }
}

/** The size in bytes of checked base64; null for a document without content. */
function sizeOf(content: Json | undefined): number | null {
  return typeof content === 'string' ? Buffer.byteLength(content, 'base64') : null
}
