import { asDigits, normalize, type Warning } from '../warning.ts'

/** The digits of a sort code or an account number, with any spacing: 12-34-56, 12 34 56, 123456. */
export function accountDigits(value: string): string {
  return normalize(value).replaceAll('-', '')
}

export const isSortCode = (digits: string): boolean => /^\d{6}$/.test(digits)

export const isAccountNumber = (digits: string): boolean => /^\d{8}$/.test(digits)

/** A UK sort code, or an Irish NSC: six digits. Only a licensed directory lists those that exist. */
export function sortCode(value: string): Warning | undefined {
  const digits = accountDigits(value)
  if (isSortCode(digits)) return undefined
  if (/^\d{5}$/.test(digits))
    return { message: 'one digit short: a leading zero may be lost', suggestion: `0${digits}` }
  if (/^\d{8}$/.test(digits))
    return { message: 'eight digits look like an account number; a sort code has six' }
  return short('a sort code has six digits', digits, 6)
}

/** A UK or Irish account number: eight digits. Shorter ones get leading zeros. */
export function accountNumber(value: string): Warning | undefined {
  const digits = accountDigits(value)
  if (isAccountNumber(digits)) return undefined
  if (/^\d{6,7}$/.test(digits)) {
    return {
      message: 'an account number has eight digits: leading zeros may be lost',
      suggestion: digits.padStart(8, '0'),
    }
  }
  if (/^\d{9,10}$/.test(digits)) {
    return { message: 'an account number of nine or ten digits is an old form; ask for the one with eight' }
  }
  return short('an account number has eight digits', digits, 8)
}

/** A building society's roll number: 1 to 18 characters. Each society also has its own rules. */
export function rollNumber(value: string): Warning | undefined {
  return /^[A-Z0-9 /.&-]{1,18}$/.test(value.toUpperCase())
    ? undefined
    : { message: 'a roll number has up to 18 letters and digits, with spaces and / . - & between' }
}

function short(message: string, digits: string, length: number): Warning {
  const meant = asDigits(digits)
  return { message, ...(meant.length === length && /^\d+$/.test(meant) && { suggestion: meant }) }
}
