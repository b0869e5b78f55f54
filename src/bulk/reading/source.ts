import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { check } from '../../api/contract/check.ts'
import { isObject, type Json, type JsonObject } from '../../api/contract/path.ts'
import type { RecordType } from '../../api/contract/record.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import { type Issue, usage } from '../../errors.ts'
import { NotJson, readJson } from '../../formats/json.ts'
import type { Row } from '../row.ts'

/** The columns of a file by the paths of the fields that they fill. */
export type ColumnMap = Readonly<Record<string, string>>

/** A file of records. It is read once for each call of `rows`, a row at a time. */
export interface RowSource {
  readonly format: 'csv' | 'ndjson' | 'json' | 'xlsx'
  readonly columns: readonly string[] | undefined
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string
  rows(): AsyncIterable<Row>
  /** A file in the form of this one, for the rows that were refused. Made when the first is added. */
  rejects(path: string): RejectsWriter
}

export interface RejectsWriter {
  add(row: Row, issues: readonly Issue[], outcome: string): Promise<void>
  close(): Promise<void>
}

export interface SourceOptions {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  readonly map?: ColumnMap
  readonly dateFormat?: 'dmy' | 'mdy' | 'ymd'
  readonly encoding?: string
}

/** Opens a file of NDJSON: one record a line. Throws a usage failure when it cannot be read. */
export async function openSource(path: string, { type, today }: SourceOptions): Promise<RowSource> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk)
  } catch (error) {
    throw usage(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}). Nothing was sent.`)
  }

  async function* rows(): AsyncGenerator<Row> {
    let row = 0
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      row += 1
      if (line.trim() !== '') yield read(row, line)
    }
  }

  function read(row: number, line: string): Row {
    let value: Json
    try {
      value = readJson(Buffer.from(line))
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      const issues = [{ path: '', message: `this is no record: ${error.message}` }]
      return { row, original: [line], record: {}, issues, warnings: [] }
    }
    const record: JsonObject = isObject(value) ? value : {}
    // Judged when somebody asks: the second reading of a file sends, and asks no more.
    return {
      row,
      original: record,
      record,
      get issues() {
        return check(type, value)
      },
      get warnings() {
        return warnings(type, record, today)
      },
    }
  }

  return { format: 'ndjson', columns: undefined, sha256: hash.digest('hex'), rows, rejects: writeRejects }
}

function writeRejects(path: string): RejectsWriter {
  let file: ReturnType<typeof open> | undefined
  return {
    async add({ original }) {
      file ??= open(path, 'wx', 0o600)
      await (await file).appendFile(`${JSON.stringify(original)}\n`)
    },
    async close() {
      if (!file) return
      await (await file).sync()
      await (await file).close()
    },
  }
}
