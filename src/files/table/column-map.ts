import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { usage } from '../../errors.ts'
import { normalizeName } from '../../model/fields/labels.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { dateOrders } from '../../model/values/date-order.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { parsedAs, privateJson } from '../local/private-json.ts'
import type { ColumnMap } from './column.ts'
import { ownHeader } from './file-columns.ts'
import { asOpenFailure } from './open-failure.ts'
import type { Matching } from './row-source.ts'

const usualForm = 'Write {"Your heading": "label or path of the field", "Notes": null}; null: not imported.'

const mapShape = z.record(z.string(), z.nullable(z.string()))

/** Reads a map from JSON: `{"Your column": "Surname", "Notes": null}`. Throws a usage failure. */
export async function readColumnMap(path: string): Promise<ColumnMap> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw asOpenFailure(path, error)
  })
  try {
    const map = parsedAs(mapShape, readJson(bytes))
    if (map) return map
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const names = error.issues.map((issue) => issue.path).join(', ')
    throw usage(`${path} is not a column map: ${error.message}${names && ` (${names})`}.`, usualForm)
  }
  throw usage(`${path} is not a column map.`, usualForm)
}

/** Throws a usage failure for a map that names no column: of another file, or the wrong way round. */
export function assertFits(header: readonly string[], map: ColumnMap, path: string): void {
  const names = new Set(header.map(normalizeName))
  if (Object.keys(map).some((name) => names.has(normalizeName(name)))) return
  const columns = header.filter((name) => name.trim() !== '').slice(0, 30)
  throw usage(`${path} names no column of this file.`, `${usualForm} The columns are: ${columns.join(', ')}.`)
}

/** How a file with this header was read the last time, if ever. */
export async function savedMatching(
  directory: string,
  type: RecordType,
  header: readonly string[],
): Promise<Matching | undefined> {
  return parsedAs(matchingShape, (await columnStore(directory).read())?.[matchingKey(type, header)])
}

/** Keeps how a file was read for the next one with its header: names of columns, and no data. */
export async function saveMatching(
  directory: string,
  type: RecordType,
  header: readonly string[],
  matching: Matching,
): Promise<void> {
  const [store, key] = [columnStore(directory), matchingKey(type, header)]
  if (isDeepStrictEqual((await store.read())?.[key], JSON.parse(JSON.stringify(matching)))) return
  await store.change((matchings) => ({ ...matchings, [key]: matching }))
}

/** By a digest of the kind of record and the header. */
const fileShape = z.record(z.string(), z.unknown())

/** A matching as it is stored. */
export const matchingShape = z.object({
  map: z.optional(mapShape),
  dateFormat: z.optional(z.enum(dateOrders)),
  encoding: z.optional(z.string()),
})

/** All that is remembered; nothing if the file is damaged. */
const columnStore = (directory: string) =>
  privateJson(join(directory, 'columns.json'), fileShape, { what: 'the memory of columns' })

/** The key of a matching: kind of record and header, whatever the encoding and a rejects file's columns. */
function matchingKey({ displayName }: RecordType, header: readonly string[]): string {
  const names = ownHeader(header).map((name) => name.replace(/[^\x20-\x7e]+/g, '?'))
  return createHash('sha256')
    .update(JSON.stringify([displayName, names]))
    .digest('hex')
}
