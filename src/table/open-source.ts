import { extname } from 'node:path'
import { type Failure, invalidInput, usage } from '../errors.ts'
import { openFile } from './open-bytes.ts'
import type { RowSource, SourceOptions } from './row-source.ts'

export type { ColumnMap } from './file-columns.ts'
export type { RejectsWriter } from './reject-lines.ts'
export type { RowSource, SourceOptions } from './row-source.ts'

/**
 * Opens a file of records and reads its header. Its content decides between CSV, XLSX, NDJSON and a JSON array. Throws
 * a usage failure if it cannot be read, and a Failure (exit 3) that lists every column that cannot be used.
 */
export async function openSource(path: string, options: SourceOptions): Promise<RowSource> {
  const file = await openFile(path)
  const format = formatOf(file.start, path)
  assertEffect(format, options)
  switch (format) {
    case 'xlsx':
      return (await import('./xlsx-source.ts')).xlsxSource(file, options)
    case 'json':
      return (await import('./json-source.ts')).jsonSource(file, options)
    case 'ndjson':
      return (await import('./json-source.ts')).ndjsonSource(file, options, path)
    case 'csv':
      return (await import('./csv-source.ts')).csvSource(file, options)
  }
}

/** Throws a usage failure for an option that says how a table is read, of a file that is none. */
function assertEffect(format: RowSource['format'], { help, map, dateFormat, encoding }: SourceOptions): void {
  const isTable = format === 'csv' || format === 'xlsx'
  const idle = [
    !isTable && (map || help?.mapFile !== undefined) && '--map',
    !isTable && dateFormat && '--date-format',
    format !== 'csv' && encoding !== undefined && '--encoding',
  ].filter((option) => typeof option === 'string')
  if (idle.length === 0) return
  const what = format === 'xlsx' ? 'a workbook' : 'JSON'
  throw usage(`The file is ${what}, so ${idle.join(' and ')} would have no effect.`)
}

/** Goes by the first bytes, because the file name may be wrong. */
function formatOf(start: Uint8Array, path: string): RowSource['format'] {
  const bytes = Buffer.from(start)
  if (bytes.length === 0) throw unfit(path, 'it is empty')
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return 'xlsx'
  if (bytes.subarray(0, 4).toString('hex') === 'd0cf11e0') {
    throw unfit(
      path,
      'it is a workbook of Excel 97, or one with a password',
      'Save it as XLSX or as CSV UTF-8.',
    )
  }
  if (bytes.subarray(0, 4).toString('latin1') === '%PDF') throw unfit(path, 'it is a PDF')
  const first = bytes.toString('latin1').replace(/^ï»¿/, '').trim().charAt(0)
  if (first === '[') return 'json'
  return first === '{' || /^\.(ndjson|jsonl)$/i.test(extname(path)) ? 'ndjson' : 'csv'
}

function unfit(path: string, why: string, hint?: string): Failure {
  return invalidInput(`${path} cannot be imported: ${why}.`, [], hint)
}
