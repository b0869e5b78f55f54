import { strToU8, zipSync } from 'fflate'
import { openXlsx } from '../src/files/formats/xlsx/open-xlsx.ts'
import type { CellRow } from '../src/files/formats/xlsx/sheet-rows.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** What a test says of a workbook; the rest is as openpyxl writes it. */
export interface Parts {
  /** Between `<sheetData>` and its end. */
  readonly rows?: string
  /** In the place of the whole sheet. */
  readonly sheet?: string | Uint8Array
  /** Ranges of cells that are shown as one: C2:C4. */
  readonly merged?: readonly string[]
  /** Before `<sheetData>`. */
  readonly columns?: string
  /** Between `<sst>` and its end. */
  readonly strings?: string | Uint8Array
  /** In `<workbook>`, behind the sheets. */
  readonly book?: string
  /** Patterns of formats; the style of the first is 1. */
  readonly formats?: readonly string[]
  /** Attributes of the sheet in the list of sheets. */
  readonly state?: string
  /** Parts more, or instead of those above. */
  readonly more?: Readonly<Record<string, Uint8Array>>
}

export const xml = (inside: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>\n${inside}`)

/** A workbook of one sheet, `Starters`, written by hand. */
export function workbook(parts: Parts): Uint8Array {
  return zipSync(workbookParts(parts), { level: 1 })
}

const mergeCells = (ranges: readonly string[]) =>
  ranges.length === 0
    ? ''
    : `<mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`

export function workbookParts({
  rows = '',
  columns = '',
  merged = [],
  sheet = `<worksheet xmlns="${main}">${columns}<sheetData>${rows}</sheetData>${mergeCells(merged)}</worksheet>`,
  strings = '',
  book = '',
  formats = [],
  state = '',
  more = {},
}: Parts): Record<string, Uint8Array> {
  const numFmts = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')
  const xfs = formats.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')
  const related = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`
  return {
    '_rels/.rels': xml(
      `<Relationships xmlns="${packaged}">${related(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Starters" sheetId="1" ${state} r:id="rId1"/></sheets>${book}</workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${packaged}">${related(1, 'worksheet', '/xl/worksheets/sheet1.xml')}` +
        `${related(2, 'styles', 'styles.xml')}${related(3, 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><numFmts>${numFmts}</numFmts><cellXfs><xf numFmtId="0"/>${xfs}</cellXfs></styleSheet>`,
    ),
    'xl/sharedStrings.xml':
      typeof strings === 'string' ? xml(`<sst xmlns="${main}">${strings}</sst>`) : strings,
    'xl/worksheets/sheet1.xml': typeof sheet === 'string' ? xml(sheet) : sheet,
    ...more,
  }
}

/** A cell with its text in it. */
export const text = (address: string, value: string) =>
  `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`

/** A row of such cells. */
export function row(number: number, values: readonly string[], attributes = ''): string {
  const cells = values.map((value, at) => text(`${String.fromCharCode(65 + at)}${number}`, value))
  return `<row r="${number}" ${attributes}>${cells.join('')}</row>`
}

/** The rows that the tool reads of a workbook. */
export async function readRows(bytes: Uint8Array): Promise<CellRow[]> {
  const rows: CellRow[] = []
  for await (const each of (await openXlsx(bytes))[0]?.rows() ?? []) rows.push(each)
  return rows
}
