import type { Context } from '../../../context/context.ts'
import { plural } from '../../../formats/words.ts'

/** Whether a person sees the rows that are not ready as a table: then no message repeats them. */
export function isPreviewed({ interactive, options, output }: Context): boolean {
  return interactive && !options.quiet && output.format === 'table'
}

/** "1 candidate", "2 candidates". */
export function counted(number: number, noun: string): string {
  return plural(number, noun.replace(/s$/, ''))
}

/** Row 0 stands for no row: the remark is about something else, which the path names. */
export function placed(row: number, path: string): string {
  if (row === 0) return path
  return path ? `row ${row}, ${path}` : `row ${row}`
}

export const rows = (number: number) => plural(number, 'row')
