import { extname } from 'node:path'
import { jsonRenderers, ndjsonRenderers } from './json-output.ts'
import type { FileRenderers, Renderers } from './renderer.ts'

/** How an error is printed. */
export const errorForms = ['text', 'json'] as const

/** All there is to know of an output format. */
export interface OutputFormat {
  readonly summary: string
  /** The usual ending first; none where it is not for files. */
  readonly endings: readonly `.${string}`[]
  /** It is for reading: sensitive fields are masked, fields may be left out, and remarks follow a list. */
  readonly isForPerson: boolean
  /** Each item is written as it arrives. The other formats write a list whole or not at all. */
  readonly streams: boolean
  readonly isTable: boolean
  readonly isBinary: boolean
  readonly takesExcel: boolean
  readonly errors: 'text' | 'json'
  readonly load: () => Promise<{ readonly renderers: Renderers }>
}

/** The names that -o of an export takes: `import` reads these formats. */
export const exportFormats = ['json', 'ndjson', 'csv', 'xlsx'] as const

/** The name of a format that an export writes. */
export type ExportFormat = (typeof exportFormats)[number]

interface FileFormat extends OutputFormat {
  readonly load: () => Promise<{ readonly renderers: FileRenderers }>
}

/** Other words for a format, which -o takes too. */
export const formatAliases: Readonly<Record<string, string>> = { jsonl: 'ndjson' }

const usualFormat = {
  isForPerson: false,
  streams: false,
  isTable: false,
  isBinary: false,
  takesExcel: false,
  errors: 'text',
} as const

const entries = {
  table: {
    ...usualFormat,
    summary: 'columns, or a card for each record where they do not fit',
    endings: [],
    isForPerson: true,
    isTable: true,
    load: () => import('./table-output.ts'),
  },
  json: {
    ...usualFormat,
    summary: 'every field as the service sent it; a list is one array. --json is the same',
    endings: ['.json'],
    errors: 'json',
    load: async () => ({ renderers: jsonRenderers }),
  },
  ndjson: {
    ...usualFormat,
    summary: 'one JSON object on each line, written as it arrives',
    endings: ['.ndjson', '.jsonl'],
    streams: true,
    errors: 'json',
    load: async () => ({ renderers: ndjsonRenderers }),
  },
  csv: {
    ...usualFormat,
    summary: 'a header and a row for each record; --excel adds what Excel expects',
    endings: ['.csv'],
    isTable: true,
    takesExcel: true,
    load: () => import('./csv-output.ts'),
  },
  yaml: {
    ...usualFormat,
    summary: 'the same content as json',
    endings: ['.yaml', '.yml'],
    load: () => import('./yaml-output.ts'),
  },
  xlsx: {
    ...usualFormat,
    summary: 'a workbook, with --out',
    endings: ['.xlsx'],
    isTable: true,
    isBinary: true,
    load: () => import('./workbook-output.ts'),
  },
} as const satisfies Readonly<Record<string, OutputFormat>>

/** The name of an output format. */
export type Format = keyof typeof entries

/** Every output format by its name. */
export const formats: Readonly<Record<ExportFormat, FileFormat>> & Readonly<Record<Format, OutputFormat>> =
  entries

/** The names that -o takes. */
export const outputFormats = Object.keys(formats) as readonly Format[]

/** The format whose files have the ending of a path, if one of these has. */
export function formatNamedBy<Name extends Format>(path: string, names: readonly Name[]): Name | undefined {
  const ending = extname(path).toLowerCase()
  return names.find((name) => formats[name].endings.some((each) => each === ending))
}

/** The endings of the files of these formats. */
export function endingsOf(names: readonly Format[] = outputFormats): readonly string[] {
  return names.flatMap((name) => formats[name].endings)
}
