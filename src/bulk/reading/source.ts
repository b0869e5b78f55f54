import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { RecordType } from '../../api/contract/record.ts'
import { invalidInput, usage } from '../../errors.ts'
import { TooLong } from '../../formats/text.ts'
import type { Row } from '../row.ts'
import type { DateFormat } from './cell.ts'
import { type RejectsWriter, writeRejects } from './rejects.ts'

/** The columns of a file by the paths of the fields that they fill; null for a column to leave out. */
export type ColumnMap = Readonly<Record<string, string | null>>

/** A file of records. It is read once for each call of `rows`, a row at a time. */
export interface RowSource {
  readonly format: FileFormat
  /** As they stand in the file; undefined where every record names its fields itself. */
  readonly columns: readonly string[] | undefined
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string
  /** From the start, each time. Throws a Failure (exit 3) when the file is another than it was. */
  rows(): AsyncIterable<Row>
  /** A file in the form of this one, for the rows that were refused. Made when the first is added. */
  rejects(path: string): RejectsWriter
}

export type FileFormat = 'csv' | 'ndjson' | 'json' | 'xlsx'

export type { RejectsWriter } from './rejects.ts'

export interface SourceOptions {
  readonly type: RecordType
  /** YYYY-MM-DD */
  readonly today: string
  readonly map?: ColumnMap
  /** How a date is to be read that can be read in two ways. */
  readonly dateFormat?: DateFormat
  /** Of a text file that is not UTF-8: a name of the WHATWG Encoding standard. */
  readonly encoding?: string
}

/** What the reading of one form gives. */
export interface Reading {
  readonly columns: readonly string[] | undefined
  rows(): AsyncIterable<Row>
}

/** More is no list of people, and could not be looked up either. */
const mostRows = 1_000_000

/**
 * Opens a file of CSV, NDJSON, JSON or a workbook, whatever its name. Throws a Failure: exit 2 when it cannot be
 * read, exit 3 when its columns are not those of the record.
 */
export async function openSource(path: string, options: SourceOptions): Promise<RowSource> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw usage(`${path} cannot be read (${error.code}). Nothing was sent.`)
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw usage(`${path} is no file. Nothing was sent.`)
    const sha256 = await hashOf(file)
    const format = await formatOf(file)
    const reading = await readingOf(format, path, options)
    return {
      format,
      sha256,
      columns: reading.columns,
      rows,
      rejects: (to) => writeRejects(to, reading.columns),
    }

    async function* rows(): AsyncGenerator<Row> {
      await assertSame()
      let count = 0
      try {
        for await (const row of reading.rows()) {
          count += 1
          if (count > mostRows)
            throw invalidInput(`${path} has more than ${mostRows} rows. Nothing was sent.`, [])
          yield row
        }
      } catch (error) {
        if (!(error instanceof TooLong)) throw error
        throw invalidInput(`${path}: row ${error.row} is longer than 1 MiB. Nothing was sent.`, [])
      }
      await assertSame()
    }

    async function assertSame(): Promise<void> {
      const again = await open(path, 'r')
      try {
        const now = await again.stat()
        if (now.size === stats.size && now.mtimeMs === stats.mtimeMs && now.ino === stats.ino) return
      } finally {
        await again.close()
      }
      throw invalidInput(`${path} was changed while it was read.`, [], 'Run the same command again.')
    }
  } finally {
    await file.close()
  }
}

/** The first row of a table; undefined where every record names its fields itself. Throws as `openSource` does. */
export async function headerOf(path: string, encoding?: string): Promise<readonly string[] | undefined> {
  const file = await open(path, 'r')
  const format = await formatOf(file).finally(() => file.close())
  if (format === 'csv') return (await import('./csv.ts')).csvHeader(path, encoding)
  return format === 'xlsx' ? (await import('./xlsx.ts')).xlsxHeader(path) : undefined
}

async function hashOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk)
  return hash.digest('hex')
}

/** By how it begins: a name may say anything. */
async function formatOf(file: FileHandle): Promise<FileFormat> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  const start = buffer.subarray(0, bytesRead)
  if (start.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return 'xlsx'
  const text = start
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('[')) return 'json'
  return text.startsWith('{') ? 'ndjson' : 'csv'
}

async function readingOf(format: FileFormat, path: string, options: SourceOptions): Promise<Reading> {
  switch (format) {
    case 'csv':
      return (await import('./csv.ts')).readCsv(path, options)
    case 'xlsx':
      return (await import('./xlsx.ts')).readXlsx(path, options)
    default:
      return (await import('./records.ts')).readRecords(path, format, options)
  }
}
