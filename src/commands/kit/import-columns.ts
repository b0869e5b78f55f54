import type { ShownColumn } from '../../files/table/file-columns.ts'
import type { RowSource } from '../../files/table/open-source.ts'
import { isSensitive, mask } from '../../render/text/mask.ts'
import { plural } from '../../text/words.ts'

/** `4 hours in 2 rows are not imported`, of a column of numbers. */
export function leftOutText({ name, sum = 0, count }: ShownColumn): string {
  const what = /h(?:ou)?rs?\b/i.test(name) ? ' hours' : ''
  return `${Number(sum.toFixed(2))}${what} in ${plural(count, 'row')} are not imported`
}

/** What each column of a file fills, with its first value: a line for each. */
export function columnLines({ shown = [] }: Pick<RowSource, 'shown'>, reveal: boolean): readonly string[] {
  const width = Math.max(0, ...shown.map(({ letters, name }) => `${letters} ${name}`.length))
  return shown.map((column) => {
    const { letters, name, field, first } = column
    const isNumbers = field === undefined && column.count > 0 && column.sum !== undefined
    const what =
      field ??
      (isNumbers ? `not imported: ${leftOutText(column).replace(' are not imported', '')}` : 'not imported')
    return `${`${letters} ${name}`.padEnd(width)} → ${what}${first === '' ? '' : ` (${firstValue(column, reveal)})`}`
  })
}

/** The first value of a column, masked where its field or its heading sounds sensitive. */
export function firstValue({ name, path, first }: ShownColumn, reveal: boolean): string {
  const isHidden = !reveal && [name, ...(path ?? '').split(/[.[\]]/)].some(isSensitive)
  const text = first.replace(/\s+/g, ' ').trim().slice(0, 24)
  return isHidden ? mask(text) : text
}
