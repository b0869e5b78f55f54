import { type Failure, invalidInput } from '../../errors.ts'

/** The failure (exit 3) for a workbook that cannot be read: why, and what to do. */
export function unreadableWorkbook(
  why: string,
  hint = 'Open it in a spreadsheet program and save it as XLSX.',
): Failure {
  return invalidInput(`The workbook cannot be read: ${why}. Nothing was sent.`, [], hint)
}

export const damagedWorkbook = (): Failure => unreadableWorkbook('it is damaged, or not XLSX')

/** What to do with a workbook that is too large. */
export const saveAsCsv = 'Save it as CSV UTF-8: that is read a row at a time.'
