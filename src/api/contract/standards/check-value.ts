import type { Field } from '../fields/field.ts'
import { checkStandard, countryWarning } from './standards.ts'
import type { Warning } from './warning.ts'

/**
 * What a public standard says about the value of a field; undefined when it says nothing. The form asks about it, every
 * other way in mentions it. `today` is YYYY-MM-DD.
 */
export function checkValue(field: Field, value: unknown, today: string): Warning | undefined {
  if (field.type === 'country') return countryWarning(value)
  if (field.type === 'decimal') return checkDecimals(value)
  return (field.standard && checkStandard(field.standard, value, today)) ?? checkInvisible(value)
}

/** Money has cents and nothing below. */
function checkDecimals(value: unknown): Warning | undefined {
  return typeof value === 'string' && /^-?\d+\.\d{3,}$/.test(value)
    ? { message: 'more than two decimals' }
    : undefined
}

/** Control and format characters, but for tabs and line breaks: they come with text pasted from elsewhere. */
const invisible = /(?![\t\r\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Most text is printable ASCII, and there is nothing to look for. */
const visibleAscii = /^[ -~]*$/

function checkInvisible(value: unknown): Warning | undefined {
  if (typeof value !== 'string' || visibleAscii.test(value)) return undefined
  const visible = value.replaceAll(invisible, '')
  return visible === value ? undefined : { message: 'invisible characters in it', suggestion: visible.trim() }
}
