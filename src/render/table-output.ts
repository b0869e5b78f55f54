import Table, { type Cell, type HorizontalAlignment } from 'cli-table3'
import { askableColumns, columnReader } from '../files/formats/flat.ts'
import { asObject, isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { type Field, type Fields, type Section, sections } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { bothForms } from '../model/mapping/field-mapping.ts'
import { isUuid } from '../model/records/identity.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { json } from './json-output.ts'
import { knownColumns, namedColumns } from './named-columns.ts'
import type { ListType, Renderers, Writing } from './renderer.ts'
import { fieldText, isAmount, labelFor, shortIdLength, toText } from './text/format-field.ts'
import { safeReport } from './text/safe-text.ts'
import type { Style } from './text/style.ts'
import { valueInWords } from './text/value-in-words.ts'
import { cutText, putBeside, widthOf, wrapText } from './text/wrap-text.ts'

interface TableSpace {
  /** Without it, for a pipe or a file, nothing is cut. */
  readonly width?: number | undefined
  /** Whether ids may be shortened and the last columns left out: where a person has not asked for them. */
  readonly mayDrop?: boolean
  readonly redact?: Writing['redact']
}

const unchanged: Writing['redact'] = (text) => text

/** Rows as a table; without columns as values, and as cards where the terminal is too narrow. */
export function formatTable(
  rows: readonly Json[],
  columns: readonly string[],
  fields: Fields,
  style: Style,
  { width, mayDrop = false, redact = unchanged }: TableSpace = {},
): string {
  if (columns.length === 0) return rows.map((row) => `${toText(row)}\n`).join('')
  const allFields = inEitherForm(fields)
  const columnFields = columns.map((path) => fieldAt(allFields, path))
  const labels = columns.map((path, at) => labelFor(path, columnFields[at]))
  const readers = columns.map(columnReader)
  const values = rows.map((row) => readers.map((reader) => reader(row)))
  const cells = values.map((row) => row.map((value, at) => redact(fieldText(value, columnFields[at]))))
  // Whole ids, which can be copied, where there is room.
  const whole = labels.map((label, at) => widest([label, ...columnOf(cells, at)]))
  if (width !== undefined && mayDrop && !fitsWidth(whole, width)) shortenIds(columns, cells)
  const amounts = columns.map((_, at) => isAmounts(values, at, columnFields[at]))
  const grid = { columns, declared: columnFields, labels, cells, amounts }
  const widths = width === undefined ? undefined : widthsWithin(width, grid, mayDrop)
  if (width !== undefined && !widths) return cardsOf(labels, cells, style, width)
  const shown = widths ?? whole
  const heads = shown.map((own, at) => labelLines(labels[at] ?? '', own).map((text) => style.bold(text)))
  const texts = cells.map((row) => shown.map((own, at) => cutText(row[at] ?? '', own)))
  return drawTable({
    head: heads.map((lines) => lines.join('\n')),
    rows: texts,
    widths: shown,
    toRight: amounts.slice(0, shown.length),
  })
}

const columnOf = (cells: TextGrid['cells'], at: number) => cells.map((row) => row[at] ?? '')

const widest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0)

function labelLines(label: string, width: number): string[] {
  if (widthOf(label) <= width) return [label]
  return wrapText(label, width)
    .split('\n')
    .map((line) => cutText(line, width))
}

function isAmounts(rows: readonly (readonly Json[])[], at: number, field: Field | undefined): boolean {
  const amounts = rows
    .map((row) => row[at])
    .filter((value) => value !== null && value !== undefined && value !== '')
  return amounts.length > 0 && amounts.every((value) => isAmount(value, field))
}

/** An id without its last letters looks whole, and saves no room. */
const longestShortId = 18

/** Shortens UUIDs, as far as they still differ. A part of any other id may be the whole id of another record. */
function shortenIds(columns: readonly string[], cells: string[][]): void {
  for (const [at, path] of columns.entries()) {
    if (!/(^|\.)id$/i.test(path)) continue
    const ids = [...new Set(cells.map((row) => row[at] ?? ''))].filter((id) => id !== '')
    if (!ids.every(isUuid)) continue
    let length = shortIdLength
    while (new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length += 1
    if (length > longestShortId) continue
    for (const row of cells) row[at] = (row[at] ?? '').slice(0, length)
  }
}

function cardsOf(
  labels: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
  screen: number,
): string {
  const widths = { labels: Math.max(...labels.map(widthOf)), screen }
  const linesOf = (row: readonly string[]) =>
    row.flatMap((text, at) => (text === '' ? [] : putBeside(labels[at] ?? '', [text], widths, style)))
  return rows
    .map((row) =>
      linesOf(row)
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('\n')
}

interface Drawing {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly widths: readonly number[]
  readonly toRight: readonly boolean[]
}

const borderless = Object.fromEntries(
  ['top', 'bottom', 'left', 'mid', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat('middle', 'mid-mid')
    .map((part) => [part, '']),
)

/** How many rows are drawn as one table. The time that cli-table3 takes grows with the square of the rows. */
const rowsAtOnce = 100

function drawTable({ head, rows, widths, toRight }: Drawing): string {
  const colAligns = toRight.map((isRight): HorizontalAlignment => (isRight ? 'right' : 'left'))
  const headRow = head.map((content): Cell => ({ content, vAlign: 'bottom' }))
  const parts: string[] = []
  for (let from = 0; from === 0 || from < rows.length; from += rowsAtOnce) {
    const table = new Table({
      chars: { ...borderless, middle: ' '.repeat(gap) },
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      colWidths: [...widths],
      colAligns,
    })
    if (from === 0) table.push(headRow)
    for (const row of rows.slice(from, from + rowsAtOnce)) table.push([...row])
    // Only from the first blank of a run: otherwise a wide table takes the square of its width.
    parts.push(`${table.toString().replace(/(?<! ) +$/gm, '')}\n`)
  }
  return parts.join('')
}

const gap = 2

const leastColumn = 10

/** The first column and an id name the row, and are useless when cut: a UUID has 36 letters. */
const widestName = 40

/** Rather than cut a sentence below this, the last column is left out. */
const leastProse = 16

/** A longer word is cut as a sentence is; in the first column, which names the row, an even longer one. */
const longestWord = 44
const longestFirst = 64

/** Below this a table of several columns is no help. */
const leastTable = 60

interface TextGrid {
  readonly columns: readonly string[]
  readonly declared: readonly (Field | undefined)[]
  readonly labels: readonly string[]
  readonly cells: readonly (readonly string[])[]
  /** Which columns are of amounts: half of one would be read as another. */
  readonly amounts: readonly boolean[]
}

/**
 * Widths on a terminal; undefined where the columns cannot stand side by side. The widest are cut first. With
 * `mayDrop` the last ones may be left out. Labels go over several lines before anything is cut.
 */
function widthsWithin(
  width: number,
  { columns, declared, labels, cells, amounts }: TextGrid,
  mayDrop: boolean,
): readonly number[] | undefined {
  const narrow = labels.map((label, at) => widest([...label.split(' '), ...columnOf(cells, at)]))
  const mayLeaveOut = mayDrop && width >= leastTable
  const least = narrow.map((own, at) => {
    const isName = at === 0 || /(^|\.)id$/i.test(columns[at] ?? '')
    if (amounts[at]) return own
    if (!mayLeaveOut) return Math.min(own, isName ? widestName : leastColumn)
    const isLong =
      own > (at === 0 ? longestFirst : longestWord) ||
      cells.some((row) => isSentence(row[at] ?? '', declared[at]))
    return isLong ? Math.min(own, leastProse) : own
  })
  for (let count = columns.length; count > 0; count--) {
    const cutWidths = cutWidest(narrow.slice(0, count), least, width)
    if (cutWidths) return widenLabels(cutWidths, labels, width)
    if (!mayLeaveOut) return undefined
  }
  return undefined
}

/** Text of several words, which is still of use when it is cut. A date is not, and a line of hours is not. */
const isSentence = (text: string, field: Field | undefined) =>
  / /.test(text) && !field?.line && !/^\d{1,2} [A-Z][a-z]{2} \d{4}/.test(text)

function cutWidest(ideal: readonly number[], least: readonly number[], width: number): number[] | undefined {
  const widths = ideal.map((own, at) => Math.min(own, Math.max(width, least[at] ?? 0)))
  while (!fitsWidth(widths, width)) {
    const widest = Math.max(...widths.filter((own, at) => own > (least[at] ?? 0)))
    const at = widths.findLastIndex((own, place) => own === widest && own > (least[place] ?? 0))
    if (at < 0) return undefined
    widths[at] = widest - 1
  }
  return widths
}

/** Room that is left goes to the labels. */
function widenLabels(narrow: readonly number[], labels: readonly string[], width: number): number[] {
  const widths = [...narrow]
  for (const [at, old] of narrow.entries()) {
    widths[at] = Math.max(old, widthOf(labels[at] ?? ''))
    if (!fitsWidth(widths, width)) widths[at] = old
  }
  return widths
}

function fitsWidth(widths: readonly number[], width: number): boolean {
  return widths.reduce((sum, own) => sum + own + gap, -gap) <= width
}

/** A table of a list, and a card of a record, for a person. Sensitive fields are masked without --reveal. */
export const renderers: Renderers = {
  result(writing) {
    const { columns, style, width, redact, put } = writing
    const list = (rows: readonly Json[], type?: ListType) => writeTable(rows, writing, type)
    return {
      // A card shows all fields; the columns that were asked for are a table of one row.
      record: async (one, type) =>
        columns
          ? list([one], type)
          : put(
              formatCard(
                await maskUnlessRevealed(one, writing),
                type ?? { fields: {} },
                style,
                width,
                redact,
              ),
            ),
      list,
      value: async (one, text, mayPage) => {
        const shownText = text === undefined ? json(await maskUnlessRevealed(one, writing)) : safeReport(text)
        if (!mayPage || !(await writing.page?.(shownText, 'report'))) await put(shownText)
      },
      selected: async (result) =>
        Array.isArray(result) && result.every(isObject)
          ? list(result)
          : put(json(await maskUnlessRevealed(result, writing))),
    }
  },
}

async function maskUnlessRevealed<T extends Json>(
  value: T,
  { reveal }: Pick<Writing, 'reveal'>,
  fields?: Fields,
): Promise<T> {
  return reveal ? value : ((await import('./text/mask.ts')).maskFields(value, fields) as T)
}

async function writeTable(rows: readonly Json[], writing: Writing, type: ListType = {}): Promise<void> {
  const { columns, style, width, redact, put, page } = writing
  const { fields = {} } = type
  const objects = rows.map(asObject)
  const columnsToShow = columns && knownColumns(columns, askableColumns(objects), fields)
  if (rows.length === 0) return
  const isFilled = (path: string) => {
    const readColumn = columnReader(path)
    return rows.some((row) => readColumn(row) !== undefined)
  }
  const usual = { ...type, columns: namedColumns(type.columns ?? [], fields).paths(objects) }
  const tableColumns = columnsToShow ?? usualColumns(rows, usual, isFilled)
  const text = formatTable(await maskUnlessRevealed(rows, writing, fields), tableColumns, fields, style, {
    width,
    mayDrop: columnsToShow === undefined,
    redact,
  })
  if (!(await page?.(text, 'list'))) await put(text)
}

/** More columns than this is a spreadsheet, not a table. */
const mostColumns = 8

/** The columns of the type. A record that the interface does not show has its own fields instead. */
function usualColumns(
  rows: readonly Json[],
  { columns = [], documented = true, fields = {} }: ListType,
  hasValue: (path: string) => boolean,
): readonly string[] {
  const present = columns.filter(hasValue)
  if (documented && present.length > 0) return columns
  const allFields = inEitherForm(fields)
  // A section, such as the bank details, would be its JSON.
  const isSection = (name: string) => Object.hasOwn(allFields, name) && allFields[name]?.fields !== undefined
  const undeclared = rows.flatMap((row) =>
    isObject(row) ? Object.keys(row).filter((name) => !isSection(name)) : [],
  )
  return [...new Set([...present, ...undeclared])].slice(0, columns.length || mostColumns)
}

/** The fields as they are answered, and as they are sent: a service may use those names in its answers too. */
const inEitherForm = (fields: Fields): Fields => ({ ...bothForms(fields).sent, ...fields })

interface TableLine {
  readonly section: Section | undefined
  readonly label: string
  readonly values: readonly string[]
}

/** One record as a card, under the headings of the form, without what is empty. */
export function formatCard(
  record: JsonObject,
  { fields, currency = '' }: Pick<RecordType, 'fields' | 'currency'>,
  style: Style,
  screen?: number,
  redact: Writing['redact'] = unchanged,
): string {
  const lines = recordLines(record, inEitherForm(fields), currency)
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
          .flatMap(({ label, values }) => putBeside(label, values.map(redact), { labels, screen }, style))
          .map((line) => `${line}\n`)
          .join('')
      )
    })
    .join('\n')
}

function recordLines(
  record: JsonObject,
  fields: Fields,
  currency: string,
  above: { path: string; label?: string | undefined; section?: Section | undefined } = { path: '' },
): TableLine[] {
  return Object.entries(record).flatMap(([name, value]: [string, Json]) => {
    const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
    const section = field?.section ?? above.section
    const path = above.path + name
    if (isObject(value)) {
      const here = { path: `${path}.`, label: field?.label, section }
      return recordLines(value, field?.fields ?? {}, currency, here)
    }
    const texts =
      Array.isArray(value) && value.every(isObject)
        ? value.map((item, at) => `${at + 1}: ${valueInWords(item, field?.item, currency)}`)
        : [valueInWords(value, field, currency)]
    const values = texts.filter((text) => text !== '')
    // The ID of a record inside this one, such as a VAT code, would look like its own without the label.
    const isInside = field !== undefined && field.section === undefined && above.label !== undefined
    const label = isInside ? `${above.label}: ${field.label}` : labelFor(path, field)
    return values.length === 0 ? [] : [{ section, label, values }]
  })
}
