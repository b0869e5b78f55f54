import { currencyIn } from '../../model/fields/amounts.ts'
import type { Field, Standard } from '../../model/fields/field.ts'
import { plainText } from '../../model/standards/standards.ts'
import type { DateOrder } from '../../model/values/date-order.ts'
import { knownCodes, readCode, type ServiceWords } from '../../model/values/read-code.ts'
import {
  controlsInside,
  hasControls,
  type ReadValue,
  readValue,
  shortened,
} from '../../model/values/read-value.ts'
import { unescapeFormula } from '../formats/csv-cell.ts'
import { encodingOfExcel, lostLetters, unreadableLetter } from '../formats/text-encoding.ts'

/** The value of a cell, or what is wrong with it. An empty cell has neither: its field is left out. */
interface CellReading extends Partial<Omit<ReadValue, 'doubt'>> {
  readonly issue?: string | undefined
  readonly warning?: string | undefined
  /** The sign of the currency that is written at an amount. */
  readonly currency?: string | undefined
}

interface CellOptions {
  /** YYYY-MM-DD */
  readonly today: string
  readonly dateFormat?: DateOrder | undefined
  /** Whether semicolons separate the cells, as in countries with a decimal comma. */
  readonly semicolons?: boolean | undefined
  /** The sign of the currency in which the record is paid, where the kind of record says it. */
  readonly currency?: string | undefined
  readonly serviceWords?: ServiceWords | undefined
  readonly asks?: boolean | undefined
}

/** Reads a cell of one column. `isDate`: whether the spreadsheet has it as a date. */
export type ReadCell = (cell: string, isDate?: boolean) => CellReading

/** Reads the cells of a column. Most columns of a file say the same in row after row: the last reading is kept. */
export function cellReader(field: Field, options: CellOptions): ReadCell {
  let last: { readonly cell: string; readonly isDate: boolean; readonly reading: CellReading } | undefined
  return (cell, isDate = false) => {
    if (last?.cell === cell && last.isDate === isDate) return last.reading
    const reading = readCell(field, cell, options, isDate)
    // A list is not kept, because each record needs its own.
    if (typeof reading.value !== 'object') last = { cell, isDate, reading }
    return reading
  }
}

/** Reads a cell as a person would mean it, as the JSON of its field. No value if it can mean two things. */
function readCell(field: Field, cell: string, options: CellOptions, isDate: boolean): CellReading {
  if (cell.trim() === '') return {}
  const damage = damageOf(cell)
  if (damage !== undefined) return { issue: damage }
  const text = plainText(unescapeFormula(cell.trim()))
  if (field.type === 'string' && hasControls(text)) return { issue: controlsInside }
  if (isWordForNothing(field, text)) {
    const says = `"${text.trim()}" is a word for nothing`
    return options.asks
      ? { warning: `${says}: the cell is read as empty` }
      : { issue: `${says}: leave the cell empty` }
  }
  return field.type === 'string'
    ? readTextCell(field, text, options, isDate)
    : readByType(field, text, options)
}

/** The words of databases and people for nothing. */
const forNothing =
  /^(?:null|nil|none|n\/a|n\.a\.?|-{1,3}|–|—|nan|undefined|not (?:known|applicable|available|provided|given))$/i

/** Words that are names of people too, as people write those. */
const alsoNames = /^(?:Nan|NAN|Null)$/

/** Sections that people write about people: no service has a code there. */
const ownWords: readonly (string | undefined)[] = ['person', 'job', 'contact', 'emergency', 'bank', 'account']

/** Whether a text says that there is nothing. assumed: NONE in capitals is a code where the service sets one. */
function isWordForNothing(field: Field, text: string): boolean {
  const word = text.trim()
  if (word.length > 16 || !forNothing.test(word)) return false
  if (field.standard === 'name' && alsoNames.test(word)) return false
  if (word === 'NONE' && field.section !== undefined && !ownWords.includes(field.section)) return false
  if (field.kinds) return !/^none$/i.test(word)
  return readCode(field, word) === undefined && !knownCodes(field).includes(word)
}

function readByType(
  field: Field,
  text: string,
  { dateFormat, semicolons = false, currency, today, serviceWords }: CellOptions,
): CellReading {
  const reading = readValue(field, text, {
    order: dateFormat,
    decimalComma: semicolons,
    currency,
    today,
    serviceWords,
  })
  if ('flaw' in reading) return { issue: reading.flaw }
  const { doubt, ...understood } = reading
  return {
    ...understood,
    warning: doubt?.message,
    currency: field.type === 'number' || field.type === 'decimal' ? currencyIn(text) : undefined,
  }
}

function readTextCell(field: Field, text: string, options: CellOptions, isDate: boolean): CellReading {
  const damage = certainDamage(field, text, isDate)
  if (damage !== undefined) return { issue: damage }
  const reading = readByType(field, text, options)
  if (reading.value !== text || reading.warning !== undefined) return reading
  return { value: text, warning: probableDamage(field, text, isDate) }
}

/** The names that a spreadsheet shows when it could not compute a value, or the cell is too narrow. */
const errorName = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA|#+)$/i

/** A spreadsheet turns MAR1 or 1-3 into 01-Mar. */
const dateFromText = /^\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(-\d{2,4})?$/i

/** How many digits a code has. A spreadsheet that takes it for a number drops leading zeros. */
const digitCounts: Partial<Readonly<Record<Standard, number>>> = { 'sort-code': 6, 'account-number': 8 }

const nonBreaking = /[\u00A0\u2007\u202F]/

/** Certain damage to a cell, whatever its field; undefined if there is none. Never repeats the value. */
function damageOf(text: string): string | undefined {
  if (text.includes(unreadableLetter))
    return `${lostLetters}: save the file as CSV UTF-8, or add ${encodingOfExcel.join(' ')}`
  if (text.includes('#') && errorName.test(text.trim()))
    return 'the cell contains a spreadsheet error instead of a value'
  if (text.includes('\0')) return 'the cell contains a zero byte: this is not text'
  return undefined
}

/** Certain damage to a text that a spreadsheet took for a number or a date. */
function certainDamage({ standard }: Field, text: string, isDate: boolean): string | undefined {
  if (shortened.test(text)) return 'the spreadsheet shortened a long number: format the column as text'
  if (isRounded(text, 3)) return keepsFifteen
  const length = standard && digitCounts[standard]
  if (length === undefined) return undefined
  if (isDate) return 'the spreadsheet turned it into a date: format the column as text'
  // Fewer digits may be those that a service shows of a number: an export of it is imported again.
  return /^\d+$/.test(text) && text.length < length && text.length >= length - 3
    ? `${text.length} digits instead of ${length}: did the spreadsheet remove a leading zero? ` +
        'Then format the column as text and type the zero again; else a digit is missing'
    : undefined
}

const keepsFifteen =
  'a spreadsheet keeps 15 digits of a number, and the rest is lost: format the column as text'

/** Whether only zeros, at least this many, follow the 15 digits that a spreadsheet keeps. */
const isRounded = (text: string, least: number) => text.length >= 15 + least && /^[1-9]\d{14}0+$/.test(text)

/** Probable damage to a text: a warning only. */
function probableDamage({ standard, type }: Field, text: string, isDate: boolean): string | undefined {
  if (dateFromText.test(text) || (isDate && type === 'string'))
    return 'looks as if the spreadsheet turned it into a date'
  if (isRounded(text, 1)) return keepsFifteen
  // The check of a standard looks at spaces itself.
  return !standard && nonBreaking.test(text)
    ? 'it contains a non-breaking space, as copied from a web page'
    : undefined
}
