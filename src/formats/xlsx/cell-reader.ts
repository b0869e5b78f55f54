import { unescapeText } from './escapes.ts'
import type { Attributes } from './read-xml.ts'
import { dateOfSerial } from './serial-date.ts'
import { textOfRuns } from './shared-strings.ts'
import type { CellFormat } from './styles.ts'
import { damagedWorkbook } from './unreadable-workbook.ts'
import type { Workbook } from './workbook.ts'

export interface Cell {
  readonly text: string
  /** Whether the spreadsheet has it as a date. */
  readonly isDate: boolean
  /** Whether it has a formula whose value was never computed. */
  readonly isUncomputed: boolean
}

const value = (text: string, isDate = false): Cell => ({ text, isDate, isUncomputed: false })
const uncomputed: Cell = { text: '', isDate: false, isUncomputed: true }

/** Reads one cell after the other: `<c t="s" s="3"><f>…</f><v>…</v></c>`. */
export function cellReader(book: Workbook) {
  const inline = textOfRuns()
  let type = 'n'
  let style = 0
  let hasFormula = false
  let inValue = false
  let stored = ''
  return {
    open({ t = 'n', s = '0' }: Attributes) {
      type = t
      style = Number(s)
      hasFormula = false
      stored = ''
      inline.start()
    },
    inside(name: string) {
      if (name === 'f') hasFormula = true
      if (name === 'v') inValue = true
      inline.open(name)
    },
    text(text: string) {
      if (inValue) stored += text
      inline.add(text)
    },
    outside(name: string) {
      if (name === 'v') inValue = false
      inline.close(name)
    },
    close(): Cell {
      if (hasFormula && isUncomputed(type, stored, book)) return uncomputed
      return readValue(type, style, type === 'inlineStr' ? inline.taken() : stored, book)
    },
  }
}

/**
 * openpyxl and pandas write a formula without a value. XlsxWriter writes the value 0 and lets the spreadsheet compute
 * everything when it opens the file. A formula whose value really is empty text has the type text.
 */
function isUncomputed(type: string, stored: string, book: Workbook): boolean {
  if (stored === '') return type !== 'str'
  return book.uncomputed && type === 'n' && Number(stored) === 0
}

/** Dates become YYYY-MM-DD; a spreadsheet error keeps its name, `#N/A`. */
function readValue(type: string, style: number, stored: string, book: Workbook): Cell {
  switch (type) {
    case 's':
      return value(stored === '' ? '' : (book.strings[Number(stored)] ?? missing()))
    case 'str':
    case 'inlineStr':
      return value(unescapeText(stored))
    case 'b':
      return value(stored === '' ? '' : stored === '1' || stored === 'true' ? 'TRUE' : 'FALSE')
    case 'e':
      return value(stored === '' ? '#N/A' : stored)
    case 'd':
      return value(stored.replace(/T00:00:00(\.0+)?Z?$/, ''), stored !== '')
    case 'n':
      return numberOf(stored.trim(), book.formats[style], book)
    default:
      throw damagedWorkbook()
  }
}

function missing(): never {
  throw damagedWorkbook()
}

function numberOf(stored: string, format: CellFormat | undefined, book: Workbook): Cell {
  if (stored === '') return value('')
  const number = Number(stored)
  if (!Number.isFinite(number)) throw damagedWorkbook()
  const date = format?.isDate ? dateOfSerial(number, book.is1904) : undefined
  if (date !== undefined) return value(date, true)
  // 0.1 is stored as 0.10000000000000001; in a whole number every digit counts.
  const text = /^-?\d+$/.test(stored) ? stored : String(number)
  return value(/^\d+$/.test(text) ? text.padStart(format?.digits ?? 0, '0') : text)
}
