import type { Field } from '../../../api/contract/fields/field.ts'
import { standardForm } from '../../../api/contract/standards/standard-form.ts'
import { unmarkFormula } from '../../../formats/formula.ts'
import type { Json } from '../../../json/path.ts'
import { NotJson, readJsonText } from '../../../json/read-json.ts'
import { writtenNumber } from '../../../json/written-number.ts'
import { certainDamage, damageOf, numberFlaw, probableDamage } from './damage.ts'
import { type DateFormat, spreadsheetDate } from './spreadsheet-date.ts'

/** The value of a cell, or what is wrong with it. An empty cell has neither: its field is left out. */
export interface CellReading {
  readonly value?: Json
  readonly issue?: string
  readonly warning?: string
}

interface CellOptions {
  readonly dateFormat?: DateFormat | undefined
  /** Whether the spreadsheet has the cell as a date. */
  readonly isDate?: boolean
  /** Whether semicolons separate the cells, as in countries with a decimal comma. */
  readonly semicolons?: boolean
  /** Leaves codes as they are written in the file, instead of in their standard form. */
  readonly asWritten?: true
}

/** Reads a cell as the JSON of its field. Guesses nothing: text stays text, and a code is put into its standard form. */
export function readCell(field: Field, cell: string, options: CellOptions = {}): CellReading {
  if (cell.trim() === '') return {}
  const damage = damageOf(cell)
  if (damage !== undefined) return { issue: damage }
  const text = unmarkFormula(cell)
  switch (field.type) {
    case 'number':
    case 'integer':
      return ambiguous(text.trim(), options) ?? readNumber(text.trim())
    case 'decimal':
      return ambiguous(text.trim(), options) ?? readDecimal(text.trim())
    case 'boolean':
      return readFlag(field, text.trim())
    case 'date':
      return readDate(text, options, '')
    // assumed: a day without a time is meant from its first moment.
    case 'timestamp':
      return /^\d{4}-\d\d-\d\dT/.test(text.trim())
        ? { value: text.trim() }
        : readDate(text, options, 'T00:00:00.000Z')
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
      return readText(field, text, options)
  }
}

function readText(field: Field, text: string, { isDate = false, asWritten }: CellOptions): CellReading {
  const damage = certainDamage(field, text, isDate)
  if (damage !== undefined) return { issue: damage }
  const warning = probableDamage(field, text, isDate)
  const value = (asWritten ? undefined : standardForm(field.standard, text)) ?? text
  return { value, ...(warning !== undefined && { warning }) }
}

/** 1.234 next to 1.234,50: a thousands separator, or a decimal point? */
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

/** The cell as JSON; undefined if it is not JSON. */
function parseJsonCell(text: string): CellReading | undefined {
  try {
    return { value: readJsonText(text) }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const [first] = error.issues
    return first && { issue: `${first.path} is ${first.message}` }
  }
}
