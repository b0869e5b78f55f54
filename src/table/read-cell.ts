import type { Field, Standard } from '../api/contract/fields/field.ts'
import { unmarkFormula } from '../formats/csv-cell.ts'
import { unreadable } from '../formats/text-encoding.ts'
import type { Json } from '../json/path.ts'
import { NotJson, readJsonText } from '../json/read-json.ts'
import { isNoCode, knownCodes } from '../values/read-code.ts'
import type { DateOrder } from '../values/read-date.ts'
import { readValue, shortened } from '../values/read-value.ts'
import { valueName } from '../values/value-name.ts'

/** The value of a cell, or what is wrong with it. An empty cell has neither: its field is left out. */
interface CellReading {
  readonly value?: Json
  readonly issue?: string
  readonly warning?: string
}

export interface CellOptions {
  readonly dateFormat?: DateOrder | undefined
  /** Whether the spreadsheet has the cell as a date. */
  readonly isDate?: boolean
  /** Whether semicolons separate the cells, as in countries with a decimal comma. */
  readonly semicolons?: boolean
  /** Leaves codes as they are written in the file, instead of in their standard form. */
  readonly asWritten?: true
}

/** Reads a cell as the JSON of its field, by what a person would mean by it. Where it could mean two things, none. */
export function readCell(field: Field, cell: string, options: CellOptions = {}): CellReading {
  if (cell.trim() === '') return {}
  const damage = damageOf(cell)
  if (damage !== undefined) return { issue: damage }
  const text = unmarkFormula(cell)
  switch (field.type) {
    case 'lines':
      return text.startsWith('[') ? readList(text) : { value: text.split(/\r\n|\r|\n/) }
    case 'array':
    case 'object':
      return readList(text)
    case 'unknown':
      return parseJsonCell(text) ?? { value: text }
    case 'string':
      return readText(field, text, options)
    default:
      return readPlain(field, text, options)
  }
}

function readPlain(field: Field, text: string, { dateFormat, semicolons = false }: CellOptions): CellReading {
  const reading = readValue(field, text, { order: dateFormat, decimalComma: semicolons })
  if ('value' in reading) return reading
  if (field.assumed) return { value: text.trim() }
  const [kind] = field.kinds ?? []
  const which = kind
    ? `; which it is says a column of its own with the date, such as "${kind.name} starts"`
    : ''
  return { issue: reading.flaw + which }
}

function readText(field: Field, text: string, { isDate = false, asWritten }: CellOptions): CellReading {
  const damage = certainDamage(field, text, isDate)
  if (damage !== undefined) return { issue: damage }
  if (asWritten) return { value: text }
  const reading = readValue(field, text)
  const value = 'value' in reading ? reading.value : text
  if (value === text && isNoCode(field, text)) return unknownCode(field, text)
  const warning = value === text ? probableDamage(field, text, isDate) : undefined
  return { value, ...(warning !== undefined && { warning }) }
}

/** HMRC's and Revenue's codes are known in full; of the service's own codes only some are. */
function unknownCode(field: Field, text: string): CellReading {
  const codes = knownCodes(field)
    .map((code) => valueName(field, code) ?? code)
    .join(', ')
  return field.standardValues
    ? { issue: `not understood: expected one of ${codes}` }
    : { value: text, warning: `not one of the known values (${codes}); it is sent as it is` }
}

function readList(text: string): CellReading {
  return parseJsonCell(text) ?? { issue: 'expected JSON, as a list in [ ] or an object in { }' }
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

/** What a spreadsheet shows when it could not compute a value, or the cell is too narrow. */
const errorName = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA|#+)$/i

/** A spreadsheet turns MAR1 or 1-3 into 01-Mar. */
const dateFromText = /^\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(-\d{2,4})?$/i

/** How many digits a code has. A spreadsheet that takes it for a number drops leading zeros. */
const digitCounts: Partial<Readonly<Record<Standard, number>>> = { 'sort-code': 6, 'account-number': 8 }

const nonBreaking = /[\u00A0\u2007\u202F]/

/** What is certainly wrong with a cell, whatever its field; undefined if nothing is. Never repeats the value. */
function damageOf(text: string): string | undefined {
  if (text.includes(unreadable)) {
    return 'not UTF-8, so a letter is lost: save the file as CSV UTF-8, or add --encoding windows-1252'
  }
  if (text.includes('#') && errorName.test(text.trim()))
    return 'the cell contains a spreadsheet error instead of a value'
  if (text.includes('\0')) return 'the cell contains a zero byte: this is not text'
  return undefined
}

/** Certain damage to a text that a spreadsheet took for a number or a date. */
function certainDamage({ standard }: Field, text: string, isDate: boolean): string | undefined {
  if (shortened.test(text)) return 'the spreadsheet shortened a long number: format the column as text'
  const length = standard && digitCounts[standard]
  if (length === undefined) return undefined
  if (isDate) return 'the spreadsheet turned it into a date: format the column as text'
  return /^\d+$/.test(text) && text.length < length && text.length >= length - 3
    ? `${text.length} digits instead of ${length}: the spreadsheet removed the leading zero; ` +
        'format the column as text, then type the zero in front again'
    : undefined
}

/** Probable damage to a text: a warning only. */
function probableDamage({ standard, type }: Field, text: string, isDate: boolean): string | undefined {
  if (dateFromText.test(text) || (isDate && type === 'string'))
    return 'looks as if the spreadsheet turned it into a date'
  if (standard === 'phone' && /^7\d{9}$/.test(text)) return 'the leading zero was probably removed'
  // The check of a standard looks at spaces itself.
  if (standard) return undefined
  if (nonBreaking.test(text)) return 'it contains a non-breaking space, as copied from a web page'
  return text !== text.trim() ? 'it has spaces before or after it' : undefined
}
