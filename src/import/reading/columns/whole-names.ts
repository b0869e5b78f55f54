import { fieldAt } from '../../../api/contract/fields/field-tree.ts'
import { readHeading } from '../../../api/contract/mapping/read-heading.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import { invalidInput } from '../../../errors.ts'
import type { FileColumns } from './file-columns.ts'
import type { TableSurvey } from './survey-table.ts'

const parts = ['generalSetting.forename', 'generalSetting.surname']

/**
 * Throws a Failure where one column has the whole names and none the rest of them: to take it for the forename would
 * create people without a surname. A forename may be two words itself, under a heading that says that it is one.
 */
export function assertNamesApart(
  type: RecordType,
  { columns, unmatched }: FileColumns,
  { examples }: TableSurvey,
): void {
  if (!parts.every((path) => fieldAt(type.fields, path))) return
  const named = columns.filter(({ fills }) => fills && parts.includes(fills.path))
  if (named.length > 1) return
  const whole = columns.find((column, at) => {
    const isAsked = unmatched.some(
      (each) => each.at === at && parts.every((path) => each.choices.includes(path)),
    )
    if (named.length === 0 ? !isAsked : column !== named[0]) return false
    const isCertain = readHeading(type, column.name).path !== undefined
    const values = examples[at] ?? []
    const wholes = values.filter((value) => (isCertain ? /\S,\s*\S/ : /\S\s+\S/).test(value.trim()))
    return wholes.length * 2 > values.length
  })
  if (!whole) return
  throw invalidInput(
    `The whole name is in one column, ${whole.place}. Nothing was sent.`,
    [],
    'Split it into two columns, First name and Surname, and run the command again.',
  )
}
