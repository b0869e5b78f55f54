import { basename, extname } from 'node:path'
import { type Failure, invalidInput, usage } from '../../errors.ts'
import { resourceName } from '../../model/records/operation.ts'
import { encodingOf } from '../formats/text-encoding.ts'
import { fileInWords, type OpenedFile, openFile, readWhole } from './open-bytes.ts'
import { readFormatNames, readFormats, readingOptions } from './read-formats.ts'
import type { FileRow } from './row.ts'
import type { RowSource, SourceOptions } from './row-source.ts'

/**
 * Opens a file of records by its content: CSV, XLSX, NDJSON or a JSON array. `piped`: what was piped in, where the path
 * is `-`. Throws a usage failure if it cannot be read, and exit 3 with every column that cannot be used.
 */
export async function openSource(
  path: string,
  options: SourceOptions,
  piped?: OpenedFile,
): Promise<RowSource> {
  const nameOfOpenFile = /^(?:~\$|\.~lock\.)(.+?)#?$/.exec(basename(path))?.[1]
  if (nameOfOpenFile !== undefined)
    throw unfit(
      path,
      `it is what Excel or LibreOffice keeps beside ${nameOfOpenFile} while that is open`,
      `Name ${nameOfOpenFile} itself, once it is saved and closed.`,
    )
  const file = piped ?? (await openFile(path))
  if (Buffer.from(file.start).toString('latin1').startsWith('\u00D0\u00CF\u0011\u00E0'))
    throw await unfitWorkbook(path, file)
  const format = detectFormat(file.start, path)
  assertEffect(format, options)
  const reading = await readFormats[format].open(file, options, path)
  return { ...reading, format, rows: (isWanted) => limitRows(reading.rows(isWanted)) }
}

/** Throws a usage failure for an option that says how a file is read, and has no effect on this one. */
function assertEffect(format: RowSource['format'], source: SourceOptions): void {
  const given = { ...source, map: source.help?.mapFile }
  const { title, options } = readFormats[format]
  const idle = readingOptions.filter((name) => given[name] !== undefined && !options.includes(name))
  if (idle.length === 0) return
  const words = idle.map((name) => `--${resourceName(name)}`).join(' and ')
  throw usage(`The file is ${title}, so ${words} would have no effect.`)
}

/** Files that are no table, by their first bytes as Latin-1, and what to do. */
const otherFiles: readonly (readonly [begins: RegExp, why: string, hint: string])[] = [
  [
    /^(?:%PDF|\x89PNG|\xFF\xD8\xFF|GIF8|\{\\rtf)/,
    'it is a PDF, a picture or a text with its layout (RTF)',
    'Copy its table into a spreadsheet, and save that as XLSX or as CSV UTF-8.',
  ],
  [
    /^(?:ï»¿)?\s*<(?:!doctype\s+html|html|table|head|body|style|\?xml|\?mso-application)\b/i,
    'it is a web page or XML, whatever its name says',
    'Open it in Excel or LibreOffice, and save it as XLSX or as CSV UTF-8.',
  ],
]

/** Goes by the first bytes, because the file name may be wrong. */
function detectFormat(bytes: Uint8Array, path: string): RowSource['format'] {
  if (bytes.length === 0)
    throw unfit(path, 'it is empty', 'Save it again where it comes from, or name another file.')
  const start = Buffer.from(bytes).toString('latin1')
  const other = otherFiles.find(([begins]) => begins.test(start))
  if (other) throw unfit(path, other[1], other[2])
  const { label } = encodingOf(bytes)
  if (label !== 'utf-8' && /^\s*[{[]/.test(new TextDecoder(label).decode(bytes))) {
    throw unfit(
      path,
      'it is JSON in UTF-16, as > of PowerShell 5.1 writes it',
      'Write it with --out instead, or save it as UTF-8.',
    )
  }
  const first = start.replace(/^ï»¿/, '').trim().charAt(0)
  const about = { start, first, ending: extname(path).toLowerCase() }
  return readFormatNames.find((name) => readFormats[name].isOf?.(about)) ?? 'csv'
}

/** The failure for an OLE file: a workbook of Excel 97, or one with a password (EncryptedPackage). */
async function unfitWorkbook(path: string, file: OpenedFile): Promise<Failure> {
  const whole = Buffer.from(await readWhole(file))
  if (whole.includes(Buffer.from('EncryptedPackage', 'utf16le')))
    return unfit(
      path,
      'it is a workbook with a password',
      'Take the password away in Excel (File, Info, Protect Workbook), or save it as CSV UTF-8.',
    )
  return unfit(path, 'it is a workbook or a document of Office 97', 'Save it as XLSX or as CSV UTF-8.')
}

function unfit(path: string, why: string, hint?: string): Failure {
  return invalidInput(`${fileInWords(path)} cannot be imported: ${why}.`, [], hint)
}

/** A file with more rows is not a list of people. */
const mostRows = 1_000_000

/** Passes the rows on. Throws a Failure (exit 3) if there are more than one import may have. */
async function* limitRows(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow> {
  let count = 0
  for await (const row of rows) {
    count += 1
    if (count > mostRows) {
      throw invalidInput('The file has more than a million rows.', [], 'Send it in parts.')
    }
    yield row
  }
}
