import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { check } from '../../api/contract/check.ts'
import { isObject, type Json, type JsonObject } from '../../api/contract/path.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import { invalidInput } from '../../errors.ts'
import { NotJson, readJson } from '../../formats/json.ts'
import { longestRow, TooLong } from '../../formats/text.ts'
import type { Row } from '../row.ts'
import { rejectColumns } from './columns.ts'
import type { Reading, SourceOptions } from './source.ts'

/** Records that name their fields themselves: one a line, or all in one list. */
export async function readRecords(
  path: string,
  format: 'json' | 'ndjson',
  options: SourceOptions,
): Promise<Reading> {
  if (format === 'json') return { columns: undefined, rows: () => inList(path, options) }
  return { columns: undefined, rows: () => inLines(path, options) }
}

async function* inLines(path: string, options: SourceOptions): AsyncGenerator<Row> {
  let row = 0
  for await (const line of linesOf(path)) {
    row += 1
    if (line.toString('latin1').trim() !== '') yield rowOf(row, line, options)
  }
}

/** Bytes, because only whole lines can be told to be UTF-8. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let row = 1
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      if (end > longestRow) throw new TooLong(row)
      yield rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      row += 1
    }
    if (rest.length > longestRow) throw new TooLong(row)
  }
  if (rest.length > 0) yield rest
}

async function* inList(path: string, options: SourceOptions): AsyncGenerator<Row> {
  let list: Json
  try {
    list = readJson(await readFile(path))
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw invalidInput(`${path} holds no list: ${error.message}. Nothing was sent.`, [])
  }
  for (const [at, value] of (list as Json[]).entries()) yield judged(at + 1, value, options)
}

function rowOf(row: number, line: Buffer, options: SourceOptions): Row {
  try {
    return judged(row, readJson(line), options)
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const issues = [{ path: '', message: `this is no record: ${error.message}` }]
    return { row, original: [line.toString()], record: {}, issues, warnings: [] }
  }
}

function judged(row: number, value: Json, { type, today }: SourceOptions): Row {
  const original: JsonObject = isObject(value) ? value : {}
  const record = ownFields(original)
  const body = isObject(value) ? record : value
  return {
    row,
    original,
    record,
    // Judged when somebody asks: the second reading of a file sends, and asks no more.
    get issues() {
      return check(type, body)
    },
    get warnings() {
      return warnings(type, record, today)
    },
  }
}

/** Without what a file of rejects, or an export, has added. */
function ownFields(record: JsonObject): JsonObject {
  const { id: _given, ...rest } = record
  if (!rejectColumns.every((name) => Object.hasOwn(record, name))) return rest
  const { field: _field, message: _message, outcome: _outcome, ...own } = rest
  return own
}
