import type { Warning } from './warning.ts'

/** A reference that identifies a record: another one must not look the same. */
export function reference(value: string): Warning | undefined {
  if (/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(value)) {
    return { message: 'it contains letters of another alphabet, some of which look like Latin ones' }
  }
  return fullWidth(value)
}

/** A person's name. */
export function personName(value: string): Warning | undefined {
  if (/^(null|n\/a|nan|undefined|none|test)$/i.test(value)) {
    return { message: 'looks like a placeholder for a missing name' }
  }
  if (/\p{Script=Latin}/u.test(value) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(value)) {
    return { message: 'it contains letters of two alphabets, some of which look alike' }
  }
  return fullWidth(value)
}

/** Full-width characters, which East Asian keyboards type: Ａ１ for A1. */
function fullWidth(value: string): Warning | undefined {
  const suggestion = value.replaceAll(/[\uFF01-\uFF5E]/g, (form) => form.normalize('NFKC'))
  if (suggestion === value) return undefined
  return { message: 'it contains full-width characters instead of ordinary ones', suggestion }
}
