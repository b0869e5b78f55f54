import type { FormColumn } from '../files/formats/xlsx/write-form.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import type { Fields } from '../model/fields/field.ts'
import type { RecordType } from '../model/records/record-type.ts'
import type { Style } from './text/style.ts'

/** The facts about the records of a list. */
export type ListType = Partial<Pick<RecordType, 'fields' | 'columns' | 'documented'>>

/** The items of a list, a page at a time. */
export type Pages = AsyncIterable<readonly Json[]> | Iterable<readonly Json[]>

/** They are asked for only where a format needs them: the fields of a person take longer to load than the list to print. */
export type TypeOfList = () => ListType | undefined

/** A text that may be longer than the screen: a list, what was found or planned, or what is about to be sent. */
export type PagedText = 'list' | 'report' | 'plan'

/** Where a result is written, and what was asked of it. */
export interface Writing {
  readonly style: Style
  /** How wide the terminal is, in columns; undefined where the result goes elsewhere. */
  readonly width?: number | undefined
  readonly reveal: boolean
  /** Takes the secrets of this run out of a text, where it may be cut or broken over lines before it is written. */
  readonly redact: (text: string) => string
  readonly columns?: readonly string[] | undefined
  readonly excel?: boolean | undefined
  readonly spool?: OpenSpool | undefined
  /** Shows a text page by page if the screen has no room for it and what follows it; tells whether it did. */
  readonly page?: (text: string, what: PagedText) => Promise<boolean>
  readonly put: (text: string | Uint8Array) => Promise<void>
  readonly clean: (text: string) => string
}

/** A result in one format. Each of them throws a usage failure for a column that does not exist. */
export interface Renderer {
  record(one: JsonObject, type?: Pick<RecordType, 'fields' | 'currency'>): Promise<void>
  /** Writes a whole list, where the format has no `pages`. */
  list(rows: readonly Json[], type?: ListType): Promise<void>
  /** Writes pages and returns how many items they had. */
  pages?(pages: Pages, typeOf: TypeOfList): Promise<number>
  /** A value that is not a record, such as the plan of a dry run. `mayPage`: its text may be longer than the screen. */
  value(one: Json, text: string | undefined, mayPage: boolean): Promise<void>
  selected(result: Json): Promise<void>
}

/** The records of an export. */
export interface ExportedRecords {
  batches(): AsyncIterable<readonly JsonObject[]>
  /** The chosen paths, or those of all records, and what a record has there. Throws a usage failure for one that does not exist. */
  table(): { readonly columns: readonly string[]; readonly row: (record: JsonObject) => readonly Json[] }
  readonly excel: boolean
  readonly fields: Fields
  /** What an import of the file takes; undefined where there is none. */
  readonly sent: RecordType | undefined
}

interface BlankForm {
  readonly columns: readonly FormColumn[]
  readonly excel: boolean
  readonly hasExample: boolean
  readonly notes: readonly (readonly string[])[]
}

/** How a format writes what it can hold. */
export interface Renderers {
  readonly result: (writing: Writing) => Renderer
  /** A file to fill in, as a table; without it, `template` prints a record. */
  readonly form?: (form: BlankForm) => Promise<string | Uint8Array>
}

/** The renderers of a format that `import` reads, too: an export is imported again. */
export interface FileRenderers extends Renderers {
  readonly exported: (records: ExportedRecords) => AsyncIterable<string | Uint8Array>
}

/** A format of rows: a record, or a value that is not a list, is a list of one. */
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

/** How many characters stay in memory. Most lists are shorter, and need no file. */
const mostInMemory = 256 * 1024

/** Holds a text until it is written, a long one in a spool where there is one. */
export function holdText(open: OpenSpool | undefined) {
  let spool: TextSpool | undefined
  let parts: string[] = []
  let size = 0
  return {
    async add(text: string) {
      parts.push(text)
      size += text.length
      if (size < mostInMemory || !open) return
      spool ??= await open()
      await spool.add(parts.join(''))
      parts = []
      size = 0
    },
    /** From the start. Each part is there until the next is asked for. */
    async *parts(): AsyncGenerator<string | Uint8Array> {
      if (spool) yield* spool.pieces()
      yield parts.join('')
    },
    close: async () => spool?.close(),
  }
}
