import { plainNumber, writtenNumber } from '../../files/json/numbers.ts'
import type { Json } from '../../files/json/path.ts'
import { NotJson, readJsonText } from '../../files/json/read-json.ts'
import { spelledOut } from '../../text/day.ts'
import { decimalIn, numberIn, otherCurrency } from '../fields/amounts.ts'
import type { Field, FieldKind, Standard } from '../fields/field.ts'
import { countryCode } from '../standards/country.ts'
import { standardForm } from '../standards/standards.ts'
import { codeFlaw, readCode, type ServiceWords, type WordDoubt, wordDoubt } from './read-code.ts'
import { type DateStyle, midnightTime, type ReadDate, readDate, type Unreadable } from './read-date.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const controls = /[\u0000-\u001f\u007f]/

/** Whether a text of one line holds a line break, a tab or another control character. */
export const hasControls = (text: string): boolean => controls.test(text)

/** The message about a text with control characters. */
export const controlsInside = 'it holds a control character, such as a line break or a tab'

interface ReadingStyle extends DateStyle {
  /** Whether a comma may be a decimal comma: 1.234,50 is understood then, and 1.234 is unclear. */
  readonly decimalComma?: boolean
  /** The sign of the currency in which the record is paid: an amount with the sign of another one is refused. */
  readonly currency?: string | undefined
  /** Whether the text stands alone, so that its reading is said whole. An import says once how it read the dates of a file. */
  readonly isAlone?: boolean
  /** The words that this service has: they are known ones. */
  readonly serviceWords?: ServiceWords | undefined
}

/** The JSON value that a text means, or why it means none. */
type ValueReading = ReadValue | Unreadable

export interface ReadValue {
  readonly value: Json
  /** The kind that was named in place of yes: Plan 2. The field of the kind then needs a value too. */
  readonly kind?: FieldKind | undefined
  /** The reading of a text that could have been meant otherwise. It shows no sensitive value. */
  readonly note?: string | undefined
  /** The rule by which a value of a file has one meaning: one text for all values that are read by it. */
  readonly rule?: string | undefined
  /** Set where the text is a word that no list of ours has. */
  readonly doubt?: WordDoubt | undefined
}

/** Reads a person's text as the value of a field: a date, an amount, a country, a code or JSON. */
export function readValue(field: Field, text: string, style: ReadingStyle): ValueReading {
  const reading = readTyped(field, text, style)
  // The type is a guess: the service may take what it does not fit.
  return 'flaw' in reading && field.assumed && field.type !== 'string' ? { value: text.trim() } : reading
}

function readTyped(field: Field, text: string, style: ReadingStyle): ValueReading {
  const trimmed = text.trim()
  switch (field.type) {
    case 'date':
      return readDayField(field, trimmed, '', style)
    // assumed: a day without a time is meant from its first moment.
    case 'timestamp':
      return /^\d{4}-\d\d-\d\dT/.test(trimmed) && !midnightTime.test(trimmed)
        ? { value: trimmed }
        : readDayField(field, trimmed, 'T00:00:00.000Z', style)
    case 'number':
    case 'integer':
    case 'decimal':
      return readNumber(field, trimmed, style)
    case 'boolean':
      return field.kinds ? readKind(field.kinds, trimmed) : readFlag(trimmed)
    case 'country':
      return readCountry(trimmed)
    case 'lines':
      return trimmed.startsWith('[') ? readList(trimmed) : { value: text.split(/\r\n|\r|\n/) }
    case 'object':
      return trimmed.startsWith('{') ? readList(trimmed) : { flaw: 'expected an object in { }' }
    case 'array':
      return readList(trimmed)
    case 'unknown':
      return readStructure(trimmed) ?? { value: text }
    default:
      return readText(field, text, style.serviceWords)
  }
}

function readNumber(field: Field, text: string, style: ReadingStyle): ValueReading {
  // Most amounts are digits alone: nothing is to be taken off.
  const amount = isPlain(text, style) ? { digits: text } : readMeasure(field, text, style)
  if ('flaw' in amount) return amount
  const { digits, isToSay } = amount
  // The digits of a decimal stay text, so that no cent is lost.
  return {
    value: field.type === 'decimal' ? digits : writtenNumber(digits),
    note: isToSay ? `${text} is read as ${digits}` : undefined,
  }
}

/** An amount with its currency or its unit, or hours that are written as a time. */
function readMeasure({ hours, percent, standard }: Field, text: string, style: ReadingStyle): AmountReading {
  const flaw = otherCurrency(text, style.currency)
  if (flaw !== undefined) return { flaw }
  const { bare, advice } = withoutUnit(
    standard,
    percent ? text.replace(/(?<=\d)\s*(?:%|per ?cent|pct)$/i, '') : text,
  )
  const amount = (hours && hoursIn(text)) || readAmount(bare, style)
  return 'flaw' in amount ? { flaw: advice ?? amount.flaw } : amount
}

function readText(field: Field, text: string, serviceWords: ServiceWords | undefined): ValueReading {
  const value = readCode(field, text, serviceWords) ?? standardForm(field.standard, text)
  if (value !== undefined) return { value }
  const flaw = codeFlaw(field, text, serviceWords)
  if (flaw !== undefined) return { flaw }
  return { value: text, doubt: wordDoubt(field, text, serviceWords) }
}

function readDayField(field: Field, text: string, time: string, style: ReadingStyle): ValueReading {
  const isBirth = field.standard === 'birth-date'
  const reading = readDate(text, { ...style, isBirth })
  if ('flaw' in reading) return reading
  const { date, hasShortYear = false, couldSwap = false } = reading
  const value = date + time
  if (!hasShortYear && !couldSwap) return { value }
  if (style.isAlone) return { value, note: noteOn(field, text, reading, style) }
  return { value, rule: hasShortYear ? shortYearRule(isBirth) : undefined }
}

const shortYearRule = (isBirth: boolean) =>
  `a year of two digits is ${isBirth ? 'that of somebody between 16 and 100' : 'the nearest to today'}`

/** `14/2/91 is read as 14 February 1991`; of a birthday only what gives nothing away. */
function noteOn(
  { sensitive }: Field,
  text: string,
  { date, hasShortYear, couldSwap }: ReadDate,
  { order }: ReadingStyle,
): string {
  const first = `with the ${order === 'mdy' ? 'month' : 'day'} first`
  const ordered = couldSwap ? first : ''
  if (!sensitive) return `${text} is read as ${spelledOut(date)}${ordered && `, ${ordered}`}`
  const year = hasShortYear ? `the year of two digits is read as ${date.slice(0, 4)}` : ''
  return [year, ordered && `the date is read ${ordered}`].filter(Boolean).join('; ')
}

function readFlag(text: string): ValueReading {
  if (/^(true|yes|y|1)$/i.test(text)) return { value: true }
  if (/^(false|no|n|0)$/i.test(text)) return { value: false }
  return { flaw: 'expected yes or no' }
}

/** Yes, no, none, or which one it is: Plan 2. */
function readKind(kinds: readonly FieldKind[], text: string): ValueReading {
  const flag = readFlag(/^none$/i.test(text) ? 'no' : text)
  const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '')
  const wordOf = (kind: FieldKind) => lettersOf(kind.name.split(' ').at(-1) ?? '')
  // HMRC's codes of the plans are 01, 02 and 04.
  const letters = lettersOf(text).replace(/^0(?=\d$)/, '')
  const kind = kinds.find((each) => [lettersOf(each.name), wordOf(each)].includes(letters))
  if (kind && 'value' in flag) return { flaw: `it can mean yes or ${kind.name}: write the one that you mean` }
  if (kind) return { value: true, kind }
  const names = kinds.map(({ name }) => name).join(', ')
  return 'value' in flag
    ? flag
    : {
        flaw: `expected yes or no, or which one it is: ${names} (a postgraduate loan has a field of its own)`,
      }
}

function readCountry(text: string): ValueReading {
  const code = countryCode(text) ?? text.toUpperCase()
  return /^[A-Z]{2}$/.test(code) ? { value: code } : { flaw: 'expected a country, such as Ireland or IE' }
}

function readList(text: string): ValueReading {
  return readStructure(text) ?? { flaw: 'expected JSON, as a list in [ ] or an object in { }' }
}

function readStructure(text: string): ValueReading | undefined {
  try {
    return { value: readJsonText(text) }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    const [first] = error.issues
    return isJson(text) ? { flaw: first ? `${first.path} is ${first.message}` : error.message } : undefined
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Words after a number that say no more than its field, and what is said where something else stands there. */
const unitsAfterAmount: Partial<
  Readonly<Record<Standard, { readonly after: RegExp; readonly advice: string }>>
> = {
  'hourly-rate': {
    after: /(?:(?:per|an|\/) ?h(?:(?:ou)?r)?|p[ /.]{0,2}h(?:r)?|hourly)\.?$/i,
    advice: 'write only what one hour is paid, as 12.50',
  },
  salary: {
    after: /(?:(?:per|an?|\/) ?(?:year|yr|annum)|p ?\/? ?a|p\.a|annually|yearly)\.?$/i,
    advice: 'write only what one year is paid, as 31200',
  },
  'weekly-hours': {
    after: /(?:h|hrs?|hours?)?(?: ?(?:per|a|\/) ?w(?:(?:ee)?k)?| ?p[ /.]{0,2}w| ?weekly)?\.?$/i,
    advice: 'write only the hours of one week, as 37.5',
  },
}

const units = Object.keys(unitsAfterAmount) as Standard[]

/** An amount with words after it, its blanks already single spaces. */
const withWords = /^[£€$]? ?-?\d[\d.,]* ?(?:£|€|GBP|EUR)? ?[a-z/][a-z/. ]*$/i
const longestShown = 60

/** An amount without its field's unit: £12.50 for `£12.50 per hour`. `advice`: what to say otherwise. */
function withoutUnit(standard: Standard | undefined, text: string): { bare: string; advice?: string } {
  const unit = standard && unitsAfterAmount[standard]
  if (!unit || text.length > longestShown || !/[a-z]/i.test(text)) return { bare: text }
  const spaced = text.replace(/\s+/g, ' ')
  return withWords.test(spaced)
    ? { bare: spaced.replace(unit.after, '').trim(), advice: unit.advice }
    : { bare: text }
}

/** The digits of an amount, or why the text is none. */
type AmountReading = Digits | { readonly flaw: string }

interface Digits {
  readonly digits: string
  /** Whether to tell the person how it was read, because it could mean something else. */
  readonly isToSay?: boolean
}

/** Hours that are written as a time or with their unit: 7:30, 7h30, 37.5 hrs. Undefined for other texts. */
export function hoursIn(text: string): Digits | undefined {
  const [, whole] = /^(\d{1,3}(?:\.\d+)?)\s*h(?:rs?|ours?)?\.?$/i.exec(text) ?? []
  if (whole !== undefined) return { digits: whole }
  const [, hours, minutes] =
    /^(\d{1,3}):([0-5]\d)(?::00)?$/.exec(text) ??
    /^(\d{1,3})\s*h(?:rs?|ours?)?\s*([0-5]?\d)\s*(?:m(?:ins?|inutes?)?)?$/i.exec(text) ??
    []
  if (hours === undefined || minutes === undefined) return undefined
  const sum = Number(hours) + Number(minutes) / 60
  const digits = String(Number(sum.toFixed(4)))
  return { digits, isToSay: Number(minutes) % 15 !== 0 }
}

/** A long number that a spreadsheet shortened, losing digits: 1.23E+07. People write 1E5, without a sign. */
export const shortened = /^-?\d([.,]\d+)?E[+-]\d+$/i

/** Reads a number as people write it: 1250.5, 1,250.50, €1.250,50. One or two digits after a comma are no thousands. */
function readAmount(text: string, { decimalComma = false }): AmountReading {
  const bare = decimalComma ? withoutCurrency(text) : text
  const unclear = decimalComma && unclearAmount.exec(bare)
  if (unclear) return { flaw: unclearMark(unclear[1] === ',' ? 'comma' : 'point') }
  const digits = decimalIn(decimalComma && /^-?\d+,\d+$/.test(bare) ? bare.replace(',', '.') : text)
  if (digits === undefined)
    return {
      flaw: shortened.test(text)
        ? 'the spreadsheet shortened a long number: format the column as a number'
        : 'expected a number, such as 37.5',
    }
  return { digits, isToSay: !decimalComma && /,\d{1,2}\D*$/.test(text) }
}

/** In a file with decimal commas 1.234 may be a thousand. */
const isPlain = (text: string, { decimalComma = false }) => !decimalComma && plainNumber.test(text)

/** The number in a cell, with its unit or without; undefined for none. */
export const amountIn = (text: string): number | undefined => numberIn(withoutUnits(text))

const withoutUnits = (text: string) => units.reduce((rest, unit) => withoutUnit(unit, rest).bare, text)

/** The numbers that a cell may mean: in a file with semicolons 1.234 is a thousand, or has three decimals. */
export function amountsIn(text: string, { decimalComma = false }): readonly number[] {
  const bare = withoutCurrency(withoutUnits(text))
  if (decimalComma && unclearAmount.test(bare))
    return [Number(bare.replace(/[.,]/, '')), Number(bare.replace(',', '.'))]
  return [amountIn(text) ?? []].flat()
}

const withoutCurrency = (text: string) => text.replaceAll(/[£€\s]|GBP|EUR/gi, '')

/** 1.234 next to 1.234,50, or 1,234: a thousand, or a fraction? */
export const unclearAmount = /^-?[1-9]\d{0,2}([.,])\d{3}$/

const unclearMark = (mark: 'comma' | 'point') =>
  `in a file with semicolons this ${mark} may be a thousands separator: ` +
  'write 1234 for the thousand, or two decimals for the fraction'
