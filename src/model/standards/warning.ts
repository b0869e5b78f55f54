import { isObject, type JsonObject } from '../../files/json/path.ts'

/** A public standard's warning about one value. It never refuses the value. */
export interface Warning {
  /** One line for a payroll admin, without a full stop. It never shows a sensitive value. */
  readonly message: string
  /** The value that was probably meant, in the standard's format. It causes no warning itself. */
  readonly suggestion?: string
}

/** The value in capitals and without spaces, which do not change its meaning. */
export function normalize(written: string): string {
  return written.replaceAll(' ', '').toUpperCase()
}

/** Warns about a value that passes if similar letters and digits are swapped. */
export function lookAlike(suggestion: string): Warning {
  return { message: 'a letter stands for a digit, or a digit for a letter, such as O and 0', suggestion }
}

/**
 * Warns about a number that is too short. It proposes none: which digit is missing knows only who has the paper.
 * `rule`: `a sort code has 6`.
 */
export function tooShort(written: string, length: number, rule: string, unit = 'digit'): Warning {
  const lacking = length - written.length
  const missing = lacking === 1 ? `one ${unit} is` : `${lacking} ${unit}s are`
  return {
    message: `${missing} missing: there ${written.length === 1 ? 'is' : 'are'} ${written.length}, and ${rule}`,
  }
}

/** Warns about a number that is too long. It proposes none, as for one that is too short. */
export function tooLong(written: string, length: number, rule: string): Warning {
  const spare = written.length - length
  const many = spare === 1 ? 'one digit' : `${spare} digits`
  return { message: `${many} too many: there are ${written.length}, and ${rule}` }
}

/** Letters read as the digits they are mistaken for: O for 0, I and L for 1. Expects capitals. */
export function asDigits(written: string): string {
  return written.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** The three parts of a candidate; a missing one is empty. */
export interface Parts {
  readonly generalSetting: JsonObject
  readonly bankSetting: JsonObject
  readonly payrollSetting: JsonObject
}

export function partsOf(body: JsonObject): Parts {
  const part = (name: keyof Parts): JsonObject => (isObject(body[name]) ? body[name] : {})
  return {
    generalSetting: part('generalSetting'),
    bankSetting: part('bankSetting'),
    payrollSetting: part('payrollSetting'),
  }
}

/** The text of a field, without blanks around it; empty if there is none. */
export function textIn(record: JsonObject, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** The number of a field, which may be text; undefined where there is none. */
export function amountAt(record: JsonObject, name: string): number | undefined {
  const value = record[name]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
