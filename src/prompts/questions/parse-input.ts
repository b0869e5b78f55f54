import type { Field } from '../../api/contract/fields/field.ts'
import { expectations, schemaOf } from '../../api/contract/fields/request-schema.ts'
import { countryWarning } from '../../api/contract/standards/places/country.ts'
import { standardForm } from '../../api/contract/standards/standard-form.ts'
import { parseJson } from '../../json/parse.ts'
import type { Json } from '../../json/path.ts'
import { writtenNumber } from '../../json/written-number.ts'
import { isDay } from './format-value.ts'
import { parseTypedDate } from './parse-typed-date.ts'

/** Typed text as the JSON value of its field. Text that cannot be read stays text, and `validationError` refuses it. */
export function parseInput(field: Field, typed: string, today: string): Json {
  const text = typed.trim()
  switch (field.type) {
    case 'date':
      return parseTypedDate(text, today) ?? text
    case 'timestamp': {
      const date = parseTypedDate(text, today)
      return date ? `${date}T00:00:00.000Z` : text
    }
    case 'number':
    case 'integer': {
      const digits = plainDigits(text)
      return writtenNumber(digits) ?? text
    }
    case 'decimal':
      return plainDigits(text)
    case 'country':
      return (text.length > 2 && countryWarning(text)?.suggestion) || text.toUpperCase()
    case 'array':
    case 'unknown':
      return parseOrKeep(text)
    default:
      return standardForm(field.standard, text) ?? text
  }
}

/** What to type instead, if the document rules the text out. */
export function validationError(field: Field, typed: string, today: string): string | undefined {
  if (schemaOf(field).safeParse(parseInput(field, typed, today)).success) return undefined
  return `Not understood: ${expectationsForPerson[field.type] ?? expectations[field.type]}.`
}

/** Wording for people, where the contract's message talks about JSON. */
const expectationsForPerson: Partial<Record<Field['type'], string>> = {
  date: 'expected a date that exists, such as 4/11/1991 or 4 Nov 1991',
  timestamp: 'expected a date that exists, such as 4/11/1991 or 4 Nov 1991',
  number: 'expected a number, such as 1250.50',
  decimal: 'expected an amount, such as 1250.50',
  country: 'expected a country, such as Ireland or IE',
}

/** The hint after a label: how to type the answer, if it is not obvious. */
export function formHint(field: Field): string {
  return isDay(field) ? ' (day/month/year)' : ''
}

/** Without the currency sign and the commas between thousands. Any other comma stays, and is refused. */
function plainDigits(text: string): string {
  const bare = text.replace(/^(-?)\s*[£€]\s*/, '$1')
  return /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare
}

function parseOrKeep(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
