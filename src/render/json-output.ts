import type { Json } from '../files/json/path.ts'
import { stringifyJson } from '../files/json/stringify.ts'
import type { Fields } from '../model/fields/field.ts'
import {
  type ExportedRecords,
  type FileRenderers,
  holdText,
  type Pages,
  type Renderer,
  type TypeOfList,
  type Writing,
} from './renderer.ts'
import { safeJson } from './text/safe-text.ts'

/** One array, or one object. A list waits until all of it is there. */
export const jsonRenderers: FileRenderers = {
  result: (writing) => ({
    ...treeRenderer(writing, json),
    pages: async (pages, typeOf) => jsonPages(await pickedFrom(pages, writing, typeOf), writing),
  }),
  exported: arrayOfLines,
}

/** A line for each item, written as it comes. */
export const ndjsonRenderers: FileRenderers = {
  result: (writing) => ({
    ...treeRenderer(writing, jsonLine),
    async pages(pages, typeOf) {
      let count = 0
      for await (const items of await pickedFrom(pages, writing, typeOf)) {
        count += items.length
        await writing.put(lines(items))
      }
      return count
    },
    selected: (result) => writing.put(Array.isArray(result) ? lines(result) : jsonLine(result)),
  }),
  async *exported(records) {
    for await (const some of records.batches()) yield some.map(jsonLine).join('')
  },
}

/** A format that prints any value, nested as it is. */
export function treeRenderer({ columns, put }: Writing, print: (value: Json) => string): Renderer {
  return {
    record: async (one, type) => put(print((await pickColumns([one], { columns }, type?.fields))[0])),
    list: async (rows, type) => put(print(await pickColumns(rows, { columns }, type?.fields))),
    value: (one) => put(print(one)),
    selected: (result) => put(print(result)),
  }
}

async function pickColumns(
  rows: readonly Json[],
  { columns }: Pick<Writing, 'columns'>,
  fields: Fields = {},
): Promise<readonly Json[]> {
  if (!columns) return rows
  const { columnPicker } = await import('./named-columns.ts')
  const picker = columnPicker(columns, fields)
  const result = picker.pick(rows)
  picker.assertKnown()
  return result
}

async function pickedFrom(
  pages: Pages,
  { columns }: Pick<Writing, 'columns'>,
  typeOf: TypeOfList,
): Promise<Pages> {
  if (!columns) return pages
  const { columnPicker, pickedPages } = await import('./named-columns.ts')
  return pickedPages(pages, columnPicker(columns, typeOf()?.fields ?? {}))
}

/** Writes the items of all pages as one array, none before all are there, and returns how many. */
async function jsonPages(pages: Pages, writing: Writing): Promise<number> {
  const text = holdText(writing.spool)
  const itemAsText = itemText(writing)
  let count = 0
  try {
    for await (const items of pages) {
      if (items.length === 0) continue
      await text.add(`${count === 0 ? '[' : ','}${safeJson(itemAsText(items))}`)
      count += items.length
    }
    await text.add(count === 0 ? '[]\n' : '\n]\n')
    for await (const part of text.parts()) await writing.put(part)
    return count
  } finally {
    await text.close()
  }
}

/** How items stand in an array: indented on a terminal, and one to a line where a program reads them. */
function itemText({ width }: Pick<Writing, 'width'>): (items: readonly Json[]) => string {
  return width === undefined
    ? (items) => `\n${items.map((item) => stringifyJson(item ?? null)).join(',\n')}`
    : (items) => stringifyJson(items, 2).slice(1, -2)
}

async function* arrayOfLines({ batches }: ExportedRecords): AsyncGenerator<string> {
  let before = '['
  for await (const some of batches()) {
    let text = ''
    for (const record of some) {
      text += `${before}\n${jsonLine(record).trimEnd()}`
      before = ','
    }
    yield text
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** JSON as the service sent it, real values included: scripts need them. */
export function json(value: Json): string {
  return `${safeJson(stringifyJson(value ?? null, 2))}\n`
}

function jsonLine(value: Json): string {
  return `${safeJson(stringifyJson(value ?? null))}\n`
}

function lines(values: readonly Json[]): string {
  // Made safe together: a list is many short lines.
  return safeJson(values.map((value) => `${stringifyJson(value ?? null)}\n`).join(''))
}

/** A result as plain text: a string without quotes, the elements of a list one to a line, anything else as JSON. */
export function rawText(result: Json): string {
  const values = Array.isArray(result) ? result : [result]
  return values.map((value) => (typeof value === 'string' ? `${value}\n` : jsonLine(value))).join('')
}
