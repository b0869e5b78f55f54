import type { Field } from '../../../api/contract/fields/field.ts'
import { isNoCode, knownCodes } from '../../../api/contract/values/read-code.ts'
import type { DateOrder } from '../../../api/contract/values/read-date.ts'
import { readValue } from '../../../api/contract/values/read-value.ts'
import { valueName } from '../../../api/contract/values/value-name.ts'
import { unmarkFormula } from '../../../formats/formula.ts'
import type { Json } from '../../../json/path.ts'
import { NotJson, readJsonText } from '../../../json/read-json.ts'
import { certainDamage, damageOf, probableDamage } from './damage.ts'

/** The value of a cell, or what is wrong with it. An empty cell has neither: its field is left out. */
export interface CellReading {
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
