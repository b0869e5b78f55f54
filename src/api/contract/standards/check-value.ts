import type { Field } from '../fields/field.ts'
import { checkStandard, countryWarning } from './standards.ts'
import type { Warning } from './warning.ts'

/**
 * The warning of a public standard about the value of a field, if any. The form asks the person about it; other
 * commands print it. `today` is YYYY-MM-DD.
 */
export function checkValue(field: Field, value: unknown, today: string): Warning | undefined {
  if (field.type === 'country') return countryWarning(value)
  if (field.type === 'decimal') return checkDecimals(value)
  return (field.standard && checkStandard(field.standard, value, today)) ?? checkInvisible(value)
}

/** Money has two decimals. */
function checkDecimals(value: unknown): Warning | undefined {
  return typeof value === 'string' && /^-?\d+\.\d{3,}$/.test(value)
    ? { message: 'more than two decimals' }
    : undefined
}

/** Control and format characters except tabs and line breaks: pasted text often has them. */
const invisible = /(?![\t\r\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Most text is printable ASCII, and there is nothing to look for. */
const visibleAscii = /^[ -~]*$/

function checkInvisible(value: unknown): Warning | undefined {
  if (typeof value !== 'string' || visibleAscii.test(value)) return undefined
  const visible = value.replaceAll(invisible, '')
  return visible === value ? undefined : { message: 'invisible characters in it', suggestion: visible.trim() }
}
