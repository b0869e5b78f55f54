import { normalizeName } from '../../model/fields/labels.ts'
import { properName } from '../../model/mapping/record-name.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { readHeading } from '../../model/values/find-field.ts'
import { type Column, type MadeCell, targetAt } from './column.ts'
import { isClear } from './row.ts'
import type { TableSurvey } from './survey-table.ts'

/** How a whole name stands in one column. */
export const nameOrders = {
  /** `SHAMPLA, Aoife` */
  surnameFirst: 'Surname, Forename',
  /** `Aoife Shampla` */
  forenameFirst: 'Forename Surname',
} as const

/** The order of the parts of a whole name. */
export type NameOrder = keyof typeof nameOrders

/** The paths of forename and surname; undefined for a record whose name has other parts. */
export function namePartsOf(
  type: RecordType,
): { readonly forename: string; readonly surname: string } | undefined {
  const [forename, surname, ...moreParts] = properName(type)
  return forename === undefined || surname === undefined || moreParts.length > 0
    ? undefined
    : { forename, surname }
}

/** The order that a map gives a column of whole names, in any case; undefined for anything else. */
export function nameOrderOf(target: string | null | undefined): NameOrder | undefined {
  return (Object.keys(nameOrders) as NameOrder[]).find(
    (order) => typeof target === 'string' && normalizeName(target) === normalizeName(nameOrders[order]),
  )
}

/**
 * The place of a column of whole names, where no other has the rest: as a forename it would lose the surname.
 * `choices`: by column, the fields that it may mean.
 */
export function findWholeName(
  type: RecordType,
  columns: readonly Column[],
  choices: readonly (readonly string[])[],
  examples: TableSurvey['examples'],
): number | undefined {
  const names = namePartsOf(type)
  if (!names || columns.some(({ make }) => make)) return undefined
  const parts = [names.forename, names.surname]
  const nameColumns = [...columns.keys()].filter((at) => parts.includes(columns[at]?.fills?.path ?? ''))
  if (nameColumns.length > 1) return undefined
  const mayBeEither = [...choices.keys()].filter((at) => parts.every((path) => choices[at]?.includes(path)))
  return (nameColumns.length > 0 ? nameColumns : mayBeEither).find((at) => {
    const isCertain = readHeading(type, columns[at]?.name ?? '').path !== undefined
    const values = examples[at] ?? []
    const wholes = values.filter((value) => (isCertain ? /\S,\s*\S/ : /\S\s+\S/).test(value.trim()))
    return wholes.length * 2 > values.length
  })
}

/** The columns of a file with one of whole names: that of the surname in its place, and those of forename and title after all. */
export function withNamesApart(
  type: RecordType,
  columns: readonly Column[],
  at: number,
  order: NameOrder,
): readonly Column[] {
  const { forename = '', surname = '' } = namePartsOf(type) ?? {}
  const title = surname.replace(/[^.]+$/, 'title')
  const whole = columns[at] as Column
  const part = (path: string, make: (parts: NameReading) => MadeCell): Column[] => {
    const fills = targetAt(type, path)
    return fills
      ? [{ ...whole, fills, make: ({ cells }) => make(readWholeName(cells[at] ?? '', order)) }]
      : []
  }
  const hasTitle = columns.some(({ fills }) => fills?.path === title)
  return [
    ...columns.slice(0, at),
    ...part(surname, ({ surname, flaw, doubt }) => ({ cell: surname, flaw, doubt })),
    ...columns.slice(at + 1),
    ...part(forename, (parts) => ({ cell: parts.forename })),
    ...(hasTitle ? [] : part(title, (parts) => ({ cell: parts.title }))),
  ]
}

interface NameReading extends ReturnType<typeof namePartsIn> {
  readonly flaw?: string
  readonly doubt?: string | undefined
}

function readWholeName(cell: string, order: NameOrder): NameReading {
  const whole = cell.replace(/\s+/g, ' ').trim()
  const unread = { title: '', forename: '', surname: cell }
  if (whole === '' || isClear(whole)) return unread
  const parts = namePartsIn(whole)
  const { forename, surname } = parts
  if (surname === '' || whole.split(',').length > 2) {
    const [first, between, last] =
      order === 'surnameFirst' ? ['surname', 'comma', 'forename'] : ['forename', 'blank', 'surname']
    const flaw = `expected a ${first}, a ${between} and a ${last}, as ${nameOrders[order]}`
    return { ...unread, flaw }
  }
  // A comma decides, whatever the other rows have.
  const isSure = whole.includes(',') || (order === 'forenameFirst' && !surname.includes(' '))
  const doubt = isSure ? undefined : `read as the forename ${forename} and the surname ${surname}`
  return { ...parts, doubt }
}

/** A title that people write before a name. */
const leadingTitle = /^(mr|mrs|miss|ms|mx|dr|prof|professor|rev|reverend|sir|dame|lord|lady)\.?\s+(?=\S)/i

/** A whole name in its parts: a comma parts surname and forename, else the first word is the forename. */
export function namePartsIn(whole: string): { title: string; forename: string; surname: string } {
  const [, first = '', last = ''] = /^([^,]*[^,\s])\s*,\s*([^,]*[^,\s])$/.exec(whole) ?? []
  const title = (leadingTitle.exec(whole) ?? leadingTitle.exec(last))?.[1] ?? ''
  const titleText = title && title.charAt(0).toUpperCase() + title.slice(1).toLowerCase()
  const bare = (text: string) => text.replace(leadingTitle, '')
  if (first !== '') return { title: titleText, forename: bare(last), surname: bare(first) }
  const [forename = '', ...rest] = bare(whole).split(' ')
  return { title: titleText, forename, surname: rest.join(' ') }
}
