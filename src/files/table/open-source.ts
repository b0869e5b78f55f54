import { basename } from 'node:path'
import { type Failure, invalidInput, usage } from '../../errors.ts'
import { resourceName } from '../../model/records/operation.ts'
import { encodingOf } from '../formats/text-encoding.ts'
import { fileInWords, type OpenedFile, openFile } from './open-bytes.ts'
import { readFormatNames, readFormats, readingOptions } from './read-formats.ts'
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
  // A script that goes through a folder meets them.
  if (/^(?:~\$|\.~lock\.)/.test(basename(path)))
    throw unfit(
      path,
      'it is what Excel or LibreOffice keeps beside a file that is open',
      'Name the file itself, once it is saved and closed.',
    )
  const file = piped ?? (await openFile(path))
  const format = detectFormat(file.start, path)
  assertEffect(format, options)
  return { ...(await readFormats[format].open(file, options, path)), format }
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
    // An OLE file: of Office 97, or a newer workbook that is encrypted.
    /^\xD0\xCF.\xE0/,
    'it is a workbook with a password, or a file of Office 97',
    'Open it in Excel, take the password away (File, Info, Protect Workbook), and save it as XLSX or as CSV UTF-8.',
  ],
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
  const text = new TextDecoder(encodingOf(bytes).label).decode(bytes).trimStart()
  return readFormatNames.find((name) => readFormats[name].isOf?.({ start, text, path })) ?? 'csv'
}

function unfit(path: string, why: string, hint?: string): Failure {
  return invalidInput(`${fileInWords(path)} cannot be imported: ${why}.`, [], hint)
}
