import type { Json } from '../../../json/path.ts'
import { writtenNumber } from '../../../json/written-number.ts'
import type { Field } from '../fields/field.ts'
import { countryWarning } from '../standards/places/country.ts'
import { standardForm } from '../standards/standard-form.ts'
import { unitAdvice, withoutUnit } from './amount-unit.ts'
import { readAmount } from './read-amount.ts'
import { readCode } from './read-code.ts'
import { type DateStyle, readDate, type Unreadable } from './read-date.ts'

/** How a text is to be read. */
export interface ReadingStyle extends DateStyle {
  /** Whether a comma may be a decimal comma: then none is taken for a separator of thousands. */
  readonly decimalComma?: boolean
}

/** The JSON value that a text means, or why it means none. */
export type ValueReading = { readonly value: Json } | Unreadable

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
      const amount = readAmount(withoutUnit(field.standard, typed), style)
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
