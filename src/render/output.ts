import type { Writable } from 'node:stream'
import type { Fields } from '../api/contract/field.ts'
import { isObject, type Json, type JsonObject } from '../api/contract/path.ts'
import type { RecordType } from '../api/contract/record.ts'
import { json } from './json.ts'
import { masked } from './mask.ts'
import { type Style, styleFor } from './style.ts'

export type Format = 'table' | 'json'

/** Where the answer goes, and in which form. */
export interface OutputOptions {
  readonly stream: Writable
  readonly format: Format
  readonly colour: boolean
  /** Show sensitive fields in full where a person reads them. */
  readonly reveal: boolean
}

/** The one writer of standard output: it decides the form; what is rendered is a value. */
export interface Output {
  readonly format: Format
  readonly style: Style
  record(record: JsonObject, type?: Pick<RecordType, 'fields'>): Promise<void>
  /** A whole list: an array as JSON, a table of the type's columns; where the rows have none of them, of their own. */
  list(rows: readonly Json[], type?: ListType): Promise<void>
  /** A value that is no record of the service: JSON in either form, `text` for a person where it is given. */
  value(value: Json, text?: string): Promise<void>
}

type ListType = Partial<Pick<RecordType, 'fields' | 'columns' | 'shown'>>

/** More columns than this is a spreadsheet, not a table. */
const mostColumns = 8

export function createOutput({ stream, format, colour, reveal }: OutputOptions): Output {
  const style = styleFor(colour)
  const seen = <T extends Json>(value: T) => (reveal ? value : (masked(value) as T))
  return {
    format,
    style,
    async record(record, type) {
      if (format === 'json') return write(stream, json(record))
      const { card } = await import('./card.ts')
      return write(stream, card(seen(record), type?.fields ?? {}, style))
    },
    async list(rows, type) {
      if (format === 'json') return write(stream, json(rows))
      if (rows.length === 0) return
      const { table, valueIn } = await import('./table.ts')
      const fields: Fields = type?.fields ?? {}
      const filled = (path: string) => rows.some((row) => valueIn(row, path) !== undefined)
      return write(stream, table(rows.map(seen), columnsFor(rows, type, filled), fields, style))
    },
    async value(value, text) {
      return write(
        stream,
        format === 'json' || text === undefined ? json(format === 'json' ? value : seen(value)) : text,
      )
    },
  }
}

/** Those of the type. Of a record that is not shown, those that its rows have, and other fields in their place. */
function columnsFor(rows: readonly Json[], type: ListType | undefined, filled: (path: string) => boolean) {
  const { columns = [], shown = true } = type ?? {}
  const present = columns.filter(filled)
  if (shown && present.length > 0) return columns
  return [...new Set([...present, ...columnsOf(rows)])].slice(0, columns.length || mostColumns)
}

function columnsOf(rows: readonly Json[]): string[] {
  return [...new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])))]
}

/** Resolves when the stream has taken the text: a slow pipe gets all of it. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
