import type { Field } from '../../api/contract/fields/field.ts'
import { ExactNumber } from '../../json/exact-number.ts'
import type { Json } from '../../json/path.ts'
import { cell } from './format-cell.ts'
import { type MonthForm, readableDate } from './format-date.ts'

/** A value as a person reads it: dates spelled out, amounts of money with two decimals. */
export function fieldText(value: Json, field: Field | undefined, months?: MonthForm): string {
  const text = cell(value)
  if (field?.money) return withPence(text)
  const mayBeDate = !field || field.type === 'unknown' || field.type === 'date' || field.type === 'timestamp'
  return (mayBeDate && typeof value === 'string' && readableDate(text, months)) || text
}

/** Whether a value is lined up by its last digit. */
export function isAmount(value: Json, field: Field | undefined): boolean {
  if (typeof value === 'number' || value instanceof ExactNumber) return true
  const isDeclared =
    field?.money || field?.numeric || ['number', 'integer', 'decimal'].includes(field?.type ?? '')
  return isDeclared && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
}

/** An amount of whole pounds or of tenths, with the pence; one that is more exact stays as it is. */
function withPence(text: string): string {
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d{0,2}))?$/.exec(text) ?? []
  return whole === undefined ? text : `${whole}.${fraction.padEnd(2, '0')}`
}
