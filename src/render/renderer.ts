import type { FormColumn } from '../files/formats/xlsx/write-form.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import type { Fields } from '../model/fields/field.ts'
import type { RecordType } from '../model/records/record-type.ts'
import type { Style } from './text/style.ts'

/** What is known about the records of a list. */
export type ListType = Partial<Pick<RecordType, 'fields' | 'columns' | 'documented'>>

/** Where a result is written, and what was asked of it. */
export interface Writing {
  readonly style: Style
  /** How wide the terminal is, in columns; undefined where the result goes elsewhere. */
  readonly width?: number | undefined
  /** Show sensitive fields in full where a person reads them. */
  readonly reveal: boolean
  /** The fields to show: their paths. Undefined where none were chosen. */
  readonly columns?: readonly string[] | undefined
  /** CSV as Excel expects it. */
  readonly excel?: boolean | undefined
  /** Where lines wait that are more than memory should hold. */
  readonly spool?: OpenSpool | undefined
  /** Shows a text page by page if the screen has no room for it and the lines `below`; tells whether it did. */
  readonly page?: (text: string, below: number) => Promise<boolean>
  readonly put: (text: string | Uint8Array) => Promise<void>
  /** Without the characters of real text that a terminal would act on, if one shows the result. */
  readonly clean: (text: string) => string
}

/** A result in one format. Each of them throws a usage failure for a column that does not exist. */
export interface Renderer {
  record(one: JsonObject, type?: Pick<RecordType, 'fields' | 'currency'>): Promise<void>
  /** A whole list. */
  list(rows: readonly Json[], type?: ListType): Promise<void>
  /**
   * A list that comes in pages, and how many items it had. A format without it gets the list when all of it is there,
   * in memory.
   */
  pages?(pages: AsyncIterable<readonly Json[]>, type?: ListType): Promise<number>
  /** A value that is not a record of the service, such as the plan of a dry run. `text`: the same for a person; page by page where it is long, if `below` says how many lines follow. */
  value(one: Json, text?: string, below?: number): Promise<void>
  /** What --query selected. */
  selected(result: Json): Promise<void>
}

/** The records of an export. */
export interface ExportedRecords {
  /** All of them, some at a time. */
  batches(): AsyncIterable<readonly JsonObject[]>
  /** The paths that were chosen, or else those of all records. Throws a usage failure for one that does not exist. */
  columns(): readonly string[]
  /** The values of a record, by their paths. */
  cells(record: JsonObject): ReadonlyMap<string, Json>
  /** CSV as Excel expects it. */
  readonly excel: boolean
}

/** A file to fill in. */
interface BlankForm {
  readonly columns: readonly FormColumn[]
  /** Whether a row of sample data is wanted. */
  readonly hasExample: boolean
  /** The rows of a page that explains the columns. */
  readonly notes: readonly (readonly string[])[]
}

/** How a format writes what it can hold. */
export interface Renderers {
  readonly result: (writing: Writing) => Renderer
  /** A file to fill in, as a table; without it, `template` prints a record. */
  readonly form?: (form: BlankForm) => Promise<string | Uint8Array>
}

/** The same of a format that `import` reads: an export is imported again. */
export interface FileRenderers extends Renderers {
  readonly exported: (records: ExportedRecords) => AsyncIterable<string | Uint8Array>
}

/** A format of rows: a record, or a value that is no list, is a list of one. */
export function rowRenderer(write: (rows: readonly JsonObject[], fields: Fields) => Promise<void>): Renderer {
  const asRows = (value: Json) => writeRows(Array.isArray(value) ? value : [value])
  return {
    record: (one, type) => writeRows([one], type?.fields),
    list: (rows, type) => writeRows(rows, type?.fields),
    value: asRows,
    selected: asRows,
  }

  function writeRows(rows: readonly Json[], fields: Fields = {}): Promise<void> {
    return write(
      rows.map((row) => (isObject(row) ? row : { value: row })),
      fields,
    )
  }
}

/** Text that waits outside of memory, and comes out as it went in. */
interface TextSpool {
  add(text: string): Promise<void>
  /** Each piece is there until the next is asked for. */
  pieces(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

type OpenSpool = () => Promise<TextSpool>

/** The text of a list that is printed when it is whole, and not before. */
interface HeldText {
  add(text: string): Promise<void>
  /** All that was added, from its start. Each part is there until the next is asked for. */
  parts(): AsyncGenerator<string | Uint8Array>
  /** Deletes the file, if there was one. */
  close(): Promise<void>
}

/** So many characters stay in memory: most lists are shorter, and need no file. */
const mostInMemory = 256 * 1024

/** Memory does not grow with the text, except without a spool to open. */
export function holdText(open: OpenSpool | undefined): HeldText {
  let spool: TextSpool | undefined
  let held: string[] = []
  let size = 0
  return {
    async add(text) {
      held.push(text)
      size += text.length
      if (size < mostInMemory || !open) return
      spool ??= await open()
      await spool.add(held.join(''))
      held = []
      size = 0
    },
    async *parts() {
      if (spool) yield* spool.pieces()
      yield held.join('')
    },
    close: async () => spool?.close(),
  }
}
