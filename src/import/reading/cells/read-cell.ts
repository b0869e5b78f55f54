import type { Field } from '../../../api/contract/fields/field.ts'
import { unmarkFormula } from '../../../formats/formula.ts'
import type { Json } from '../../../json/path.ts'
import { NotJson, readJsonText } from '../../../json/read-json.ts'
import { writtenNumber } from '../../../json/written-number.ts'
import { damageOf, numberFlaw, textDamage, textDoubt } from './damage.ts'
import { type DateFormat, spreadsheetDate } from './spreadsheet-date.ts'

/** What a cell says: a value, or why it has none. An empty cell says nothing at all: its field is not given. */
export interface CellReading {
  readonly value?: Json
  readonly issue?: string
  readonly warning?: string
}

interface CellOptions {
  readonly dateFormat?: DateFormat | undefined
  /** Whether the cell is a date to the spreadsheet. */
  readonly isDate?: boolean
  /** Whether the file has semicolons between its cells, as those of countries with a decimal comma have. */
  readonly semicolons?: boolean
}

/** A cell as the JSON of its field. Nothing is guessed: text stays the text it is. */
export function readCell(field: Field, cell: string, circumstances: CellOptions = {}): CellReading {
  if (cell.trim() === '') return {}
  const damage = damageOf(cell)
  if (damage !== undefined) return { issue: damage }
  const text = unmarkFormula(cell)
  switch (field.type) {
    case 'number':
    case 'integer':
      return ambiguous(text.trim(), circumstances) ?? readNumber(text.trim())
    case 'decimal':
      return ambiguous(text.trim(), circumstances) ?? readDecimal(text.trim())
    case 'boolean':
      return readFlag(field, text.trim())
    case 'date':
      return readDate(text, circumstances, '')
    // assumed: a day without a time is meant from its first moment.
    case 'timestamp':
      return /^\d{4}-\d\d-\d\dT/.test(text.trim())
        ? { value: text.trim() }
        : readDate(text, circumstances, 'T00:00:00.000Z')
    case 'country':
      return { value: text.trim() }
    case 'lines':
      return text.startsWith('[') ? readList(text) : { value: text.split(/\r\n|\r|\n/) }
    case 'array':
    case 'object':
      return readList(text)
    case 'unknown':
      return readAnything(text)
    default:
      return readText(field, text, circumstances)
  }
}

function readText(field: Field, text: string, { isDate = false }: CellOptions): CellReading {
  const damage = textDamage(field, text, isDate)
  if (damage !== undefined) return { issue: damage }
  const warning = textDoubt(field, text, isDate)
  return { value: text, ...(warning !== undefined && { warning }) }
}

/** 1.234 beside 1.234,50: the point that sets thousands apart, or the decimal point? */
function ambiguous(text: string, { semicolons = false }: CellOptions): CellReading | undefined {
  if (!semicolons || !/^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) return undefined
  return {
    issue:
      'in a file with semicolons this point may be a thousands separator: ' +
      'write 1234 for the thousand, or 1.2340 for the fraction',
  }
}

function readNumber(text: string): CellReading {
  const value = writtenNumber(text)
  return value === undefined ? { issue: numberFlaw(text) } : { value }
}

/** Digits that stay text, so that no cent is lost. */
function readDecimal(text: string): CellReading {
  return /^-?\d+(\.\d+)?$/.test(text) ? { value: text } : { issue: numberFlaw(text) }
}

function readFlag({ assumed }: Field, text: string): CellReading {
  if (/^(true|yes)$/i.test(text)) return { value: true }
  if (/^(false|no)$/i.test(text)) return { value: false }
  return assumed ? { value: text } : { issue: 'expected TRUE or FALSE, or yes or no' }
}

function readDate(text: string, { dateFormat }: CellOptions, time: string): CellReading {
  const reading = spreadsheetDate(text, dateFormat)
  return 'date' in reading ? { value: reading.date + time } : { issue: reading.flaw }
}

function readList(text: string): CellReading {
  return parseJsonCell(text) ?? { issue: 'expected JSON, as a list in [ ] or an object in { }' }
}

function readAnything(text: string): CellReading {
  return parseJsonCell(text) ?? { value: text }
}

/** A whole value as JSON; undefined for what is none. */
function parseJsonCell(text: string): CellReading | undefined {
  try {
    return { value: readJsonText(text) }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const [first] = error.issues
    return first && { issue: `${first.path} is ${first.message}` }
  }
}
