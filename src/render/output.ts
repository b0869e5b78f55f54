import type { Writable } from 'node:stream'
import type { Fields } from '../api/contract/fields/field.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { usage } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { holdText, type OpenSpool } from './held-text.ts'
import { json, line, lines, rawText } from './json-output.ts'
import { safeJson, safeLines } from './text/safe-text.ts'
import { type Style, styleFor } from './text/style.ts'

export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'yaml', 'xlsx'] as const

export type Format = (typeof outputFormats)[number]

/** Where the result goes, and in which form. */
interface OutputOptions {
  readonly stream: Writable
  /** The stream takes no more. Throws unless the run is to go on anyway. */
  readonly onUnwritable?: (error: Error) => void
  readonly format: Format
  readonly colour: boolean
  /** Whether a terminal shows the result, and would act on control characters in it. */
  readonly terminal?: boolean
  /** How wide the terminal is, in columns; undefined where the result goes elsewhere. */
  readonly width?: number | undefined
  /** Shows a long table page by page; tells whether it did. */
  readonly page?: (text: string) => Promise<boolean>
  /** Show sensitive fields in full where a person reads them. */
  readonly reveal: boolean
  /** The columns of a table or of CSV: field paths. */
  readonly columns?: readonly string[] | undefined
  /** JMESPath, over the whole result. */
  readonly query?: string | undefined
  /** The text of a string without quotes, and each string of a list on a line of its own. */
  readonly raw?: boolean | undefined
  /** CSV as Excel expects it. */
  readonly excel?: boolean | undefined
  /** Where lines wait that are more than memory should hold. */
  readonly spool?: OpenSpool | undefined
}

/** The one writer of standard output: it decides the form; what is rendered is a value. */
export interface Output {
  readonly format: Format
  readonly style: Style
  readonly stream: Writable
  record(record: JsonObject, type?: Pick<RecordType, 'fields' | 'currency'>): Promise<void>
  /** A whole list: an array as JSON, a table of the type's columns; where the rows have none of them, of their own. */
  list(rows: readonly Json[], type?: ListType): Promise<void>
  /**
   * A list that comes in pages, and how many items it had. As NDJSON they are written as they come, and otherwise
   * when all are there: a list that breaks off must not look complete. JSON and CSV wait in a file, YAML and a table
   * in memory.
   */
  pages(pages: AsyncIterable<readonly Json[]>, type?: ListType): Promise<number>
  /** A value that is not a record of the service: JSON unless YAML is wanted, `text` for a person where it is given. */
  value(value: Json, text?: string): Promise<void>
}

export function createOutput(options: OutputOptions): Output {
  const { format, colour, reveal } = options
  const style = styleFor(colour)
  /** What a person may see of a value. What is sensitive is looked up in every field there is: loaded if needed. */
  const seen = async <T extends Json>(value: T): Promise<T> =>
    reveal ? value : ((await import('./text/mask.ts')).masked(value) as T)
  const output: Output = { format, style, stream: options.stream, record, list, pages, value }
  return output

  function put(text: string | Uint8Array): Promise<void> {
    return write(options.stream, text).catch(options.onUnwritable)
  }

  /** The characters of real text go into a file; a terminal would act on some of them. */
  function clean(text: string): string {
    return options.terminal ? safeLines(text) : text
  }

  async function record(one: JsonObject, type?: Pick<RecordType, 'fields' | 'currency'>): Promise<void> {
    if (options.query !== undefined) return queried(one)
    // A card shows all fields; the columns that were asked for are a table of one row.
    if (format === 'csv' || (format === 'table' && options.columns) || format === 'xlsx')
      return rowsOut([one], type)
    if (format !== 'table') return valueOut((await picked([one], type?.fields))[0])
    const { card } = await import('./table/card.ts')
    return put(card(await seen(one), type ?? { fields: {} }, style, options.width))
  }

  async function list(rows: readonly Json[], type?: ListType): Promise<void> {
    if (options.query !== undefined) return queried(rows)
    if (format === 'ndjson') return put(lines(await picked(rows, type?.fields)))
    return rowsOut(rows, type)
  }

  async function pages(all: AsyncIterable<readonly Json[]>, type?: ListType): Promise<number> {
    if (format === 'csv' && options.query === undefined) {
      const { csvPages } = await import('./csv-pages.ts')
      const { columns, excel, spool } = options
      return csvPages(all, {
        columns,
        excel,
        spool,
        fields: type?.fields ?? {},
        clean,
        write: put,
      })
    }
    if ((format === 'json' || format === 'ndjson') && options.query === undefined) {
      const pages = await pickedFrom(all, type?.fields)
      return format === 'json' ? jsonPages(pages, { spool: options.spool, write: put }) : linePages(pages)
    }
    const rows: Json[] = []
    let count = 0
    for await (const items of all) {
      count += items.length
      for (const item of items) rows.push(item)
    }
    await list(rows, type)
    return count
  }

  async function linePages(pages: AsyncIterable<readonly Json[]>): Promise<number> {
    let count = 0
    for await (const items of pages) {
      count += items.length
      await put(lines(items))
    }
    return count
  }

  /** The rows with the columns that were asked for, if any were. */
  async function picked(rows: readonly Json[], fields: Fields = {}): Promise<readonly Json[]> {
    if (!options.columns) return rows
    const { columnPicker } = await import('./table/pick-columns.ts')
    const picker = columnPicker(options.columns, fields)
    const result = picker.pick(rows)
    picker.assertKnown()
    return result
  }

  async function pickedFrom(all: AsyncIterable<readonly Json[]>, fields: Fields = {}) {
    if (!options.columns) return all
    const { columnPicker, pickedPages } = await import('./table/pick-columns.ts')
    return pickedPages(all, columnPicker(options.columns, fields))
  }

  async function rowsOut(rows: readonly Json[], type?: ListType): Promise<void> {
    const fields: Fields = type?.fields ?? {}
    const objects = rows.map((row) => (isObject(row) ? row : { value: row }))
    if (format === 'csv') {
      const [{ pathsOf }, { writeCsv }] = await Promise.all([
        import('../formats/flat.ts'),
        import('../formats/write-csv.ts'),
      ])
      const there = pathsOf(objects)
      return put(clean(writeCsv(objects, (await asked(there, fields)) ?? there, options.excel ?? false)))
    }
    if (format === 'xlsx') {
      const { workbook } = await import('./record-workbook.ts')
      return put(await workbook(objects, options.columns, fields))
    }
    if (format !== 'table') return valueOut(await picked(rows, fields))
    const wanted =
      options.columns && (await asked((await import('../formats/flat.ts')).pathsOf(objects), fields))
    if (rows.length === 0) return
    const { table, valueIn } = await import('./table/table.ts')
    const filled = (path: string) => rows.some((row) => valueIn(row, path) !== undefined)
    const columns = wanted ?? columnsFor(rows, type, filled)
    const space = { width: options.width, mayDrop: wanted === undefined }
    const text = table(await seen(rows), columns, fields, style, space)
    if (!(await options.page?.(text))) await put(text)
  }

  /** The paths of the columns that were asked for, of those that the rows have. */
  async function asked(there: readonly string[], fields: Fields): Promise<readonly string[] | undefined> {
    const { columns } = options
    return columns && (await import('./table/named-columns.ts')).knownColumns(columns, there, fields)
  }

  async function value(one: Json, text?: string): Promise<void> {
    if (options.columns) throw usage('--columns selects fields of records. For this result use --query.')
    return options.query === undefined ? valueOut(one, text) : queried(one)
  }

  async function valueOut(one: Json, text?: string): Promise<void> {
    if (format === 'csv' || format === 'xlsx') return rowsOut(Array.isArray(one) ? one : [one])
    if (format === 'ndjson') return put(line(one))
    if (format === 'yaml') {
      const { yaml } = await import('./yaml-output.ts')
      return put(yaml(one))
    }
    if (format === 'table') return put(text ?? json(await seen(one)))
    return put(json(one))
  }

  /** The result of an expression, in the format that was asked for. */
  async function queried(answer: Json): Promise<void> {
    const { query } = await import('./query.ts')
    const result = query(options.query ?? '')(format === 'table' ? await seen(answer) : answer)
    if (options.raw) return put(clean(rawText(result)))
    const isTable = Array.isArray(result) && result.every(isObject)
    if (isTable && (format === 'table' || format === 'csv' || format === 'xlsx')) return rowsOut(result)
    if (format === 'csv' || format === 'xlsx') return rowsOut(Array.isArray(result) ? result : [result])
    if (Array.isArray(result) && format === 'ndjson') return put(lines(result))
    return valueOut(result)
  }
}

/** Resolves when the stream has taken the text: a slow pipe gets all of it. */
export function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

interface JsonOptions {
  readonly spool: OpenSpool | undefined
  readonly write: (text: string | Uint8Array) => Promise<void>
}

/** The items of all pages as one JSON array, and how many they are. Nothing is written before all are there. */
async function jsonPages(
  pages: AsyncIterable<readonly Json[]>,
  { spool, write }: JsonOptions,
): Promise<number> {
  const text = holdText(spool)
  let count = 0
  try {
    for await (const items of pages) {
      if (items.length === 0) continue
      // A page is an array of its own: without its brackets, its items stand as they do in the whole.
      const page = safeJson(stringifyJson(items, 2)).slice(1, -2)
      await text.add(`${count === 0 ? '[' : ','}${page}`)
      count += items.length
    }
    await text.add(count === 0 ? '[]\n' : '\n]\n')
    for await (const part of text.parts()) await write(part)
    return count
  } finally {
    await text.close()
  }
}

/** What is known about the records of a list. */
type ListType = Partial<Pick<RecordType, 'fields' | 'columns' | 'documented'>>

/** More columns than this is a spreadsheet, not a table. */
const most = 8

/** Those of the type. Of a record that is not shown, those that its rows have, and other fields in their place. */
function columnsFor(
  rows: readonly Json[],
  type: ListType = {},
  filled: (path: string) => boolean,
): readonly string[] {
  const { columns = [], documented = true } = type
  const present = columns.filter(filled)
  if (documented && present.length > 0) return columns
  const own = rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []))
  return [...new Set([...present, ...own])].slice(0, columns.length || most)
}
