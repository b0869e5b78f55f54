import type { Field } from '../../api/contract/fields/field.ts'
import { countryName, countryWarning } from '../../api/contract/standards/places/country.ts'
import type { Json } from '../../json/path.ts'
import { cell } from '../../render/text/format-cell.ts'
import { mask } from '../../render/text/mask.ts'
import { spelledOut } from './parse-typed-date.ts'

/** The current value for a question, masked if it is sensitive. */
export function formatValue(field: Field, value: Json, reveal: boolean): string {
  const text = cell(value)
  if (text === '') return ''
  return field.sensitive && !reveal ? mask(text) : (formatLocalized(field, text) ?? text)
}

/**
 * How typed text was understood: a date spelled out, a country named. A sensitive date shows its day and month, which
 * are easily confused, and not its year.
 */
export function formatUnderstood(field: Field, value: Json, reveal: boolean): string {
  const hidden = field.sensitive && !reveal
  if (!hidden || !isDay(field)) return formatValue(field, value, reveal)
  return formatLocalized(field, String(value))?.replace(/\d{4}$/, '****') ?? formatValue(field, value, reveal)
}

function formatLocalized(field: Field, value: string): string | undefined {
  if (isDay(field)) {
    const [, date] = /^(\d{4}-\d\d-\d\d)(T00:00:00\.000Z)?$/.exec(value) ?? []
    return date && spelledOut(date)
  }
  return field.type === 'country' && !countryWarning(value) ? `${value} (${countryName(value)})` : undefined
}

/** Whether a person types a date for this field. */
export const isDay = ({ type }: Field) => type === 'date' || type === 'timestamp'
