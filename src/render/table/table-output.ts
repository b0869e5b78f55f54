import { type Field, type Fields, type Section, sections } from '../../api/contract/fields/field.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { pathsOf } from '../../formats/flat.ts'
import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import { valueName } from '../../values/read-code.ts'
import { json } from '../json-output.ts'
import type { ListType, Renderers, Writing } from '../renderer.ts'
import { fieldText, formatAmount, labelFor, readableItems } from '../text/format-field.ts'
import type { Style } from '../text/style.ts'
import { beside, widthOf } from '../text/wrap-text.ts'
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
      value: async (one, text, length) => {
        const shownText = text ?? json(await shown(one, writing))
        if (!(length && (await writing.page?.(shownText)))) await put(shownText)
      },
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

interface Line {
  readonly section: Section | undefined
  readonly label: string
  /** A list of records has a line for each. */
  readonly values: readonly string[]
}

/** What a card knows of its record. */
type CardType = Pick<RecordType, 'fields' | 'currency'>

/**
 * One record as a card: its values under the headings of the form, what is empty left out. `screen`: how wide the terminal
 * is, where one shows it.
 */
export function card(
  record: JsonObject,
  { fields, currency = '' }: CardType,
  style: Style,
  screen?: number,
): string {
  const textOf = (value: Json, field: Field | undefined) => cardText(value, field, currency)
  const lines = linesOf(record, fields, textOf)
  const labels = Math.max(0, ...lines.map(({ label }) => widthOf(label)))
  const order: (Section | undefined)[] = [...(Object.keys(sections) as Section[]), undefined]
  const groups = order.map((section) => lines.filter((line) => line.section === section))
  return groups
    .filter((group) => group.length > 0)
    .map((group) => {
      const heading = group[0]?.section ? `${style.bold(sections[group[0].section])}\n` : ''
      return (
        heading +
        group
          .flatMap(({ label, values }) => beside(label, values, { labels, screen }, style))
          .map((line) => `${line}\n`)
          .join('')
      )
    })
    .join('\n')
}

interface Place {
  /** The path of what holds the values, with a dot behind it. */
  readonly path: string
  readonly label?: string | undefined
  readonly section?: Section | undefined
}

/** The filled-in values of a record; a field that is not in the contract is shown under its own name. */
function linesOf(
  record: JsonObject,
  fields: Fields,
  textOf: (value: Json, field: Field | undefined) => string,
  above: Place = { path: '' },
): Line[] {
  return Object.entries(record).flatMap(([name, value]: [string, Json]) => {
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
    const section = field?.section ?? above.section
    const path = above.path + name
    if (isObject(value)) {
      const here = { path: `${path}.`, label: field?.label, section }
      return linesOf(value, field?.fields ?? {}, textOf, here)
    }
    const values = valuesOf(value, field, textOf)
    // Of a record inside this one, as the VAT code of a payment rate, an ID alone would look like its own.
    const isInside = field !== undefined && field.section === undefined && above.label !== undefined
    const label = isInside ? `${above.label}: ${field.label}` : labelFor(path, field)
    return values.length === 0 ? [] : [{ section, label, values }]
  })
}

/** A value in as many lines as it has records. */
function valuesOf(
  value: Json,
  field: Field | undefined,
  textOf: (value: Json, field: Field | undefined) => string,
): string[] {
  const texts =
    Array.isArray(value) && value.every(isObject)
      ? value.map((item, at) => `${at + 1}: ${textOf(item, field?.item)}`)
      : [textOf(value, field)]
  return texts.filter((text) => text !== '')
}

/** A value with room around it, in the words of the form: codes by their names, amounts with their currency, dates in full, lists by the labels of their fields. */
function cardText(value: Json, field: Field | undefined, currency: string): string {
  const items = readableItems(value, field, (inner, own) => cardText(inner, own, currency))
  if (items !== undefined) return items
  const name = field && typeof value === 'string' ? valueName(field, value) : undefined
  if (name !== undefined) return name
  const text = fieldText(value, field, 'long')
  return field?.money && currency ? formatAmount(text, currency) : text
}
