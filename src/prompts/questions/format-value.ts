import type { Json } from '../../files/json/path.ts'
import type { Field, PickedFrom } from '../../model/fields/field.ts'
import { isSortCode } from '../../model/standards/bank.ts'
import { valueName } from '../../model/values/read-code.ts'
import { formatAmount, readableItems, toText } from '../../render/text/format-field.ts'
import { mask } from '../../render/text/mask.ts'
import { maskAs } from '../../secrets.ts'
import { spelledOut } from '../../text/day.ts'

/** How values are shown now. */
export interface ValueDisplay {
  readonly masked: boolean
  /** The currency sign; empty where it is not known. */
  readonly currency: string
  readonly nameOf?: (from: PickedFrom, value: string) => string | undefined
}

/** A value as a person compares it with the paper; masked if it is sensitive and such values are hidden. */
export function formatValue(field: Field, value: Json, display: ValueDisplay): string {
  const text = toText(value)
  if (text === '') return ''
  const items = readableItems(value, field, (inner, own) =>
    own ? formatValue(own, inner, display) : toText(inner),
  )
  if (items !== undefined) return items
  return field.sensitive && display.masked ? mask(text) : (formatLocalized(field, text, display) ?? text)
}

/** Like `formatValue`, but a hidden date shows its day and month, which are easily confused, and hides its year. */
export function formatUnderstood(field: Field, value: Json, display: ValueDisplay): string {
  const hidden = field.sensitive && display.masked
  if (!hidden || !isDateField(field)) return formatValue(field, value, display)
  const words = formatLocalized(field, String(value), display)
  return words === undefined ? formatValue(field, value, display) : maskAs('typed date', words)
}

function formatLocalized(
  field: Field,
  value: string,
  { currency, nameOf }: ValueDisplay,
): string | undefined {
  if (isDateField(field)) {
    const [, date] = /^(\d{4}-\d\d-\d\d)(T00:00:00\.000Z)?$/.exec(value) ?? []
    return date && spelledOut(date)
  }
  // Shown with hyphens, as on paper; sent without them.
  if (field.standard === 'sort-code' && isSortCode(value)) return value.replace(/\d\d(?=\d)/g, '$&-')
  // Shown in groups, as it is printed; sent without spaces.
  if (field.standard === 'iban' && /^[A-Z]{2}\d\d[A-Z\d]+$/.test(value))
    return value.replace(/.{4}(?=.)/g, '$& ')
  if (field.standard === 'nino' && /^[A-Z]{2}\d{6}[A-Z]$/.test(value)) return value.replace(/..(?=.)/g, '$& ')
  if (field.money) return formatAmount(value, currency)
  return (field.picks && nameOf?.(field.picks, value)) ?? valueName(field, value)
}

/** Whether the field's value is typed as a date. */
export const isDateField = ({ type }: Field) => type === 'date' || type === 'timestamp'
