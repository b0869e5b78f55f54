import type { Field } from '../../api/contract/field.ts'
import type { Json } from '../../api/contract/path.ts'
import { type DateFormat, readDate } from './date.ts'

export type { DateFormat } from './date.ts'

/** What a cell holds: text, or what a workbook keeps besides. A Date is midnight UTC of a day without a zone. */
export type Cell = string | number | boolean | Date | null

/** What a cell says: a value, or why it says none. Neither for an empty cell. */
export interface Said {
  readonly value?: Json
  readonly issue?: string
  readonly warning?: string
}

interface CellOptions {
  readonly dateFormat?: DateFormat | undefined
}

/** What a formula leaves that came to nothing. */
const failedFormula = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|NV|BEZUG!|WERT!)$/i

/** The mark that the export puts before what a spreadsheet would run. */
const marked = /^'(?=[=+\-@\t\r\n\0＝＋－＠])/u

/** What is left of a long number that was shown short: its other digits are lost. */
const exponent = /^-?\d(?:[.,]\d+)?E\+?\d{1,3}$/i

/** Numbers that are kept as text, because they are names and not amounts. */
const digitsThatName = new Set([
  'sort-code',
  'account-number',
  'roll-number',
  'utr',
  'company-number',
  'phone',
  'iban',
  'vat-number',
])

const yes = new Set(['true', 'yes', 'y', '1'])
const no = new Set(['false', 'no', 'n', '0'])

/**
 * The value of a cell in the type of its field. What a spreadsheet damaged is named and not repaired: nobody can tell
 * from 1.23E+07 which account it was.
 */
export function readCell(field: Field, cell: Cell, options: CellOptions = {}): Said {
  if (cell === null) return {}
  if (cell instanceof Date) return readDay(field, cell)
  if (typeof cell !== 'string') return readTyped(field, cell, options)
  const bare = cell.replaceAll('\u00A0', ' ').trim()
  if (bare === '') return {}
  if (failedFormula.test(bare))
    return { issue: `${bare} is what a formula leaves that failed; write the value` }
  const text = cell.replace(marked, '')
  switch (field.type) {
    case 'boolean':
      return readFlag(bare)
    case 'number':
    case 'integer':
      return readNumber(bare)
    case 'decimal':
      return amountIssue(bare) ?? { value: bare }
    case 'date':
      return readDate(bare, options.dateFormat)
    case 'lines':
      return { value: bare.startsWith('[') ? parsed(bare) : text.split(/\r?\n/) }
    case 'array':
    case 'object':
    case 'unknown':
      return { value: /^[[{]|^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?)$/.test(bare) ? parsed(bare) : text }
    default:
      return readText(field, text, bare)
  }
}

function readText({ standard }: Field, text: string, bare: string): Said {
  if (!exponent.test(bare)) return { value: text }
  const says =
    'a spreadsheet shortened a long number (as 1.23E+07); its other digits are lost. Format the column as text and type it again'
  if (/[.,]/.test(bare) && (!standard || digitsThatName.has(standard))) return { issue: says }
  return standard && digitsThatName.has(standard) ? { issue: says } : { value: text }
}

/** A number or a yes of a workbook. In the field of a text a number is its digits: what was before them is lost. */
function readTyped(field: Field, cell: number | boolean, options: CellOptions): Said {
  if (typeof cell === 'boolean')
    return field.type === 'boolean' ? { value: cell } : readCell(field, String(cell))
  if (field.type === 'number' || field.type === 'integer') return { value: cell }
  if (field.type === 'date') return readDate(String(cell), options.dateFormat)
  if (Math.abs(cell) > Number.MAX_SAFE_INTEGER) {
    return {
      issue:
        'the number is longer than a spreadsheet keeps: its last digits are lost. Format the column as text',
    }
  }
  return readCell(field, String(cell), options)
}

function readDay(field: Field, day: Date): Said {
  const date = Number.isNaN(day.getTime()) ? undefined : day.toISOString().slice(0, 10)
  if (date === undefined) return { issue: 'this is no date' }
  if (field.type === 'date') return { value: date }
  if (field.type === 'timestamp') return { value: day.toISOString() }
  return { issue: 'the spreadsheet made a date of it; format the column as text and type it again' }
}

function readFlag(bare: string): Said {
  const word = bare.toLowerCase()
  if (yes.has(word)) return { value: true }
  return no.has(word) ? { value: false } : { issue: 'expected true or false, or yes or no' }
}

function readNumber(bare: string): Said {
  return amountIssue(bare) ?? { value: Number(bare) }
}

/** Why a text is no amount. "1,234" is one thing in London and another in Berlin. */
function amountIssue(bare: string): Said | undefined {
  if (/^-?\d+(\.\d+)?$/.test(bare)) return undefined
  if (/[£€$]|EUR|GBP/i.test(bare)) return { issue: 'write the amount without its currency' }
  if (/^-?[\d., ]*,\d{1,2}$/.test(bare)) {
    const meant = bare.replace(/[. ]/g, '').replace(',', '.')
    return { issue: `the comma stands for a point; write ${meant}` }
  }
  if (/^-?\d{1,3}([, ]\d{3})+(\.\d+)?$/.test(bare)) {
    return { issue: `write it without the mark between thousands: ${bare.replace(/[, ]/g, '')}` }
  }
  return { issue: 'expected a number, as 1234.50' }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
