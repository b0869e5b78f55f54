import { pathsOf } from '../../formats/flat.ts'
import { isObject, type Json } from '../../json/path.ts'
import { json } from '../json-output.ts'
import type { ListType, Renderers, Writing } from '../renderer.ts'
import { card } from './card.ts'
import { knownColumns } from './named-columns.ts'
import { table, valueIn } from './table.ts'

/** For a person: a table of a list, a card of a record. Without --reveal, what is sensitive is masked. */
export const renderers: Renderers = {
  result(writing) {
    const { columns, style, width, put } = writing
    const list = (rows: readonly Json[], type?: ListType) => writeTable(rows, writing, type)
    return {
      // A card shows all fields; the columns that were asked for are a table of one row.
      record: async (one, type) =>
        columns
          ? list([one], type)
          : put(card(await shown(one, writing), type ?? { fields: {} }, style, width)),
      list,
      value: async (one, text) => put(text ?? json(await shown(one, writing))),
      selected: async (result) =>
        Array.isArray(result) && result.every(isObject)
          ? list(result)
          : put(json(await shown(result, writing))),
    }
  },
}

/** What a person may see of a value. What is sensitive is looked up in every field there is: loaded if needed. */
async function shown<T extends Json>(value: T, { reveal }: Pick<Writing, 'reveal'>): Promise<T> {
  return reveal ? value : ((await import('../text/mask.ts')).masked(value) as T)
}

async function writeTable(rows: readonly Json[], writing: Writing, type: ListType = {}): Promise<void> {
  const { columns, style, width, put, page } = writing
  const { fields = {} } = type
  const objects = rows.map((row) => (isObject(row) ? row : { value: row }))
  const wanted = columns && knownColumns(columns, pathsOf(objects), fields)
  if (rows.length === 0) return
  const filled = (path: string) => rows.some((row) => valueIn(row, path) !== undefined)
  const chosen = wanted ?? usualColumns(rows, type, filled)
  const text = table(await shown(rows, writing), chosen, fields, style, {
    width,
    mayDrop: wanted === undefined,
  })
  if (!(await page?.(text))) await put(text)
}

/** More columns than this is a spreadsheet, not a table. */
const most = 8

/** Those of the type. Of a record that is not shown, those that its rows have, and other fields in their place. */
function usualColumns(
  rows: readonly Json[],
  { columns = [], documented = true }: ListType,
  filled: (path: string) => boolean,
): readonly string[] {
  const present = columns.filter(filled)
  if (documented && present.length > 0) return columns
  const own = rows.flatMap((row) => (isObject(row) ? Object.keys(row) : []))
  return [...new Set([...present, ...own])].slice(0, columns.length || most)
}
