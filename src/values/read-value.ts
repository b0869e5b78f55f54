import type { Field, Standard } from '../api/contract/fields/field.ts'
import { countryWarning } from '../api/contract/standards/country.ts'
import { standardForm } from '../api/contract/standards/standard-form.ts'
import { writtenNumber } from '../json/numbers.ts'
import type { Json } from '../json/path.ts'
import { readCode } from './read-code.ts'
import { type DateStyle, readDate, type Unreadable } from './read-date.ts'

/** How a text is to be read. */
interface ReadingStyle extends DateStyle {
  /** Whether a comma may be a decimal comma: then none is taken for a separator of thousands. */
  readonly decimalComma?: boolean
}

/** The JSON value that a text means, or why it means none. */
type ValueReading = { readonly value: Json } | Unreadable

/**
 * What a person means by a text at a field: dates, amounts with currency, yes and no, names of countries, words for
 * codes, codes in their standard form. The form and the import both read by it. Lists and objects, which people do not write in words, stay text.
 */
export function readValue(field: Field, text: string, style: ReadingStyle = {}): ValueReading {
  const typed = text.trim()
  switch (field.type) {
    case 'date':
      return withDate(readDate(typed, style), '')
    // assumed: a day without a time is meant from its first moment.
    case 'timestamp':
      return /^\d{4}-\d\d-\d\dT/.test(typed)
        ? { value: typed }
        : withDate(readDate(typed, style), 'T00:00:00.000Z')
    case 'number':
    case 'integer': {
      const bare = field.percent ? typed.replace(/(?<=\d)\s*(?:%|per ?cent|pct)$/i, '') : typed
      const amount = readAmount(withoutUnit(field.standard, bare), style)
      if ('digits' in amount) return { value: writtenNumber(amount.digits) }
      return { flaw: unitAdvice(field.standard, typed) ?? amount.flaw }
    }
    // Digits that stay text, so that no cent is lost.
    case 'decimal': {
      const amount = readAmount(typed, style)
      return 'flaw' in amount ? amount : { value: amount.digits }
    }
    case 'boolean':
      return readFlag(typed)
    case 'country':
      return readCountry(typed)
    default:
      return { value: readCode(field, text) ?? standardForm(field.standard, text) ?? text }
  }
}

function withDate(reading: ReturnType<typeof readDate>, time: string): ValueReading {
  return 'date' in reading ? { value: reading.date + time } : reading
}

function readFlag(text: string): ValueReading {
  if (/^(true|yes|y|1)$/i.test(text)) return { value: true }
  if (/^(false|no|n|0)$/i.test(text)) return { value: false }
  return { flaw: 'expected TRUE or FALSE, or yes or no' }
}

function readCountry(text: string): ValueReading {
  const code = countryWarning(text)?.suggestion ?? text.toUpperCase()
  return /^[A-Z]{2}$/.test(code) ? { value: code } : { flaw: 'expected a country, such as Ireland or IE' }
}

interface Unit {
  /** What people write behind the number that says no more than the field itself. */
  readonly behind: RegExp
  /** What to write where something else stands behind it. */
  readonly advice: string
}

const units: Partial<Readonly<Record<Standard, Unit>>> = {
  'hourly-rate': {
    behind: /(?:(?:per|an|\/) ?h(?:(?:ou)?r)?|p ?\/? ?h(?:r)?|hourly)\.?$/i,
    advice: 'write only what one hour is paid, as 12.50',
  },
  salary: {
    behind: /(?:(?:per|an?|\/) ?(?:year|yr|annum)|p ?\/? ?a|p\.a|annually|yearly)\.?$/i,
    advice: 'write only what one year is paid, as 31200',
  },
  'weekly-hours': {
    behind: /(?:h|hrs?|hours?)(?: ?(?:per|a|\/) ?w(?:ee)?k| ?p ?\/? ?w|weekly)?\.?$/i,
    advice: 'write only the hours of one week, as 37.5',
  },
}

/** An amount with something behind it, in one spacing. */
const withWords = /^[£€$]? ?-?\d[\d.,]* ?(?:£|€|GBP|EUR)? ?[a-z/][a-z/. ]*$/i
const longest = 60

/** An amount without a unit that its field has anyway: £12.50 for "£12.50 per hour" at an hourly rate. */
function withoutUnit(standard: Standard | undefined, text: string): string {
  const unit = standard && units[standard]
  if (!unit || !mayHaveUnit(text)) return text
  const spaced = text.replace(/\s+/g, ' ')
  return withWords.test(spaced) ? spaced.replace(unit.behind, '').trim() : text
}

/** What to write at a field instead of an amount with another unit, such as "£100 per day". */
function unitAdvice(standard: Standard | undefined, text: string): string | undefined {
  const unit = standard && units[standard]
  return unit && mayHaveUnit(text) && withWords.test(text.replace(/\s+/g, ' ')) ? unit.advice : undefined
}

/** Most amounts are digits alone. */
const mayHaveUnit = (text: string) => text.length <= longest && /[a-z]/i.test(text)

/** The digits of an amount, or why the text is none. */
type AmountReading = { readonly digits: string } | { readonly flaw: string }

/** A long number that a spreadsheet shortened, losing digits: 1.23E+07. People write 1E5, without a sign. */
export const shortened = /^-?\d([.,]\d+)?E[+-]\d+$/i

/** Reads a number as people write it: 1250.5, 1,250.50, €1,250.50, 1250.50 EUR. */
function readAmount(text: string, { decimalComma = false }): AmountReading {
  const bare = text
    .trim()
    .replace(/^(-?)\s*(?:[£€]|GBP\b|EUR\b)\s*/i, '$1')
    .replace(/(?<=\d)\s*(?:[£€]|GBP|EUR)$/i, '')
  if (decimalComma && /^-?[1-9]\d{0,2}\.\d{3}$/.test(bare)) return { flaw: pointOfThousands }
  const isGrouped = !decimalComma && /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(bare)
  const digits = isGrouped ? bare.replaceAll(',', '') : bare
  return /^-?\d+(\.\d+)?$/.test(digits) ? { digits } : { flaw: flawOf(bare, decimalComma) }
}

/** 1.234 next to 1.234,50: a thousands separator, or a decimal point? */
const pointOfThousands =
  'in a file with semicolons this point may be a thousands separator: ' +
  'write 1234 for the thousand, or 1.2340 for the fraction'

/** Why a text is not a number, with the usual mistakes of countries and spreadsheets explained. */
function flawOf(text: string, decimalComma: boolean): string {
  if (shortened.test(text)) return 'the spreadsheet shortened a long number: format the column as a number'
  const isThousand = !decimalComma && /^-?[1-9]\d{0,2}(,\d{3})+$/.test(text)
  if (/^-?[\d.\s]*\d,\d+$/.test(text) && !isThousand) return 'it has a comma instead of a decimal point'
  if (/^-?\d{1,3}([,'\s]\d{3})+(\.\d+)?$/.test(text))
    return 'it has thousands separators: write only the digits'
  if (/^-?\s*[$%]|[$%]$|\bUSD\b/i.test(text)) return 'write only the number, without its unit'
  return 'expected a number, as 37.5'
}
