import { extname } from 'node:path'
import { usage } from '../../errors.ts'
import { type ExportFormat, formatNamedBy, formats } from '../../render/formats.ts'
import { wordList } from '../../text/words.ts'
import type { OpenedFile } from './open-bytes.ts'
import type { FileReading, Grid, SourceOptions } from './row-source.ts'

/** The options that say how a file is read. */
export const readingOptions = [
  'map',
  'ignoreColumn',
  'dateFormat',
  'encoding',
  'headingRow',
  'sheet',
] as const

interface FileStart {
  /** Its first bytes, as Latin-1. */
  readonly start: string
  /** Its first letters, without the byte order mark and blanks. */
  readonly text: string
  readonly path: string
}

/** All there is to know of a format that an import reads. */
interface ReadFormat {
  /** The words for a file in it: `an Excel workbook`. */
  readonly title: string
  /** Endings that such files come with, besides those of the output format. A file is known by its content. */
  readonly otherEndings?: readonly `.${string}`[]
  /** Rows of cells under a header: an import can ask what a column is. */
  readonly isTable: boolean
  /** Whether a person finds a cell by a name such as C7. */
  readonly hasCellNames?: true
  readonly options: readonly (typeof readingOptions)[number][]
  /** Whether a file has this format, by how it begins. CSV has no such test: it is any other file. */
  readonly isOf?: (file: FileStart) => boolean
  /** Loaded when it is used. */
  readonly open: (file: OpenedFile, options: SourceOptions, path: string) => Promise<FileReading>
}

/** How each format of an export is read again; the results of an import are written in its own. */
export const readFormats: Readonly<Record<ExportFormat, ReadFormat>> = {
  csv: {
    title: 'CSV',
    otherEndings: ['.tsv', '.txt'],
    isTable: true,
    options: ['map', 'ignoreColumn', 'dateFormat', 'encoding', 'headingRow'],
    open: async (file, options) =>
      openTableSource((await import('./csv-grid.ts')).csvGrid(file, options.encoding), options),
  },
  xlsx: {
    title: 'an Excel workbook',
    isTable: true,
    hasCellNames: true,
    options: ['map', 'ignoreColumn', 'dateFormat', 'headingRow', 'sheet'],
    isOf: ({ start }) => start.startsWith('PK\u0003\u0004'),
    open: async (file, options) =>
      openTableSource((await import('./xlsx-grid.ts')).xlsxGrid(file, options), options),
  },
  ndjson: {
    title: 'NDJSON',
    isTable: false,
    options: [],
    isOf: ({ text, path }) =>
      !isWholeJson(text) && (text.startsWith('{') || formatNamedBy(path, ['ndjson']) !== undefined),
    open: async (file, options) => (await import('./json-source.ts')).ndjsonSource(file, options),
  },
  json: {
    title: 'JSON',
    isTable: false,
    options: [],
    isOf: ({ text }) => isWholeJson(text),
    open: async (file, options, path) => (await import('./json-source.ts')).jsonSource(file, options, path),
  },
}

/** Whether a text is a list, or one record over several lines: of NDJSON each record stands on a line of its own. */
const isWholeJson = (text: string) => /^(?:\[|\{\s*[\r\n])/.test(text)

const openTableSource = async (grid: Grid, options: SourceOptions) =>
  (await import('./table-source.ts')).tableSource(grid, options)

/** The names of the formats. */
export const readFormatNames = Object.keys(readFormats) as readonly ExportFormat[]

/** Whether a file is a table by its ending: what is in it may be something else. */
export function isTableName(path: string): boolean {
  const tables = readFormatNames.filter((name) => readFormats[name].isTable)
  const otherEndings: readonly string[] = tables.flatMap((name) => readFormats[name].otherEndings ?? [])
  return formatNamedBy(path, tables) !== undefined || otherEndings.includes(extname(path).toLowerCase())
}

/** The format that the ending of a file names, if it names one. */
export const readFormatNamedBy = (path: string): ExportFormat | undefined =>
  formatNamedBy(path, readFormatNames)

/** The format that the ending of a file to be written names. Throws a usage failure if it names none. */
export function formatToWrite(path: string, what: 'A plan is' | 'The results are'): ExportFormat {
  const format = readFormatNamedBy(path)
  if (!format) throw usage(`${what} written as ${readEndings}: ${path} has another ending.`)
  return format
}

/** `CSV, an Excel workbook, NDJSON or JSON` */
export const readTitles = wordList(
  readFormatNames.map((name) => readFormats[name].title),
  'or',
)

/** The ending of a file in a format. */
export const usualEnding = (name: ExportFormat): string => formats[name].endings[0] ?? ''

/** `.csv, .xlsx, .ndjson or .json` */
export const readEndings = wordList(readFormatNames.map(usualEnding), 'or')
