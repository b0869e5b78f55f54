import type { Issue } from '../../errors.ts'
import type { Field } from '../../model/fields/field.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { HourRate } from '../../model/values/hour-headings.ts'
import { formatPath, parsePath } from '../json/path.ts'

/** One row of a table, as written in the file. */
export interface TableRow {
  readonly row: number
  readonly cells: readonly string[]
  /** The cells that the spreadsheet has as dates. */
  readonly dates?: ReadonlySet<number>
  /** In a workbook, by column: the cell that this one is merged with, and that has the value, such as C2. */
  readonly mergedWith?: ReadonlyMap<number, string> | undefined
  /** Why the row as a whole cannot be used. */
  readonly problem?: string | undefined
  /** By column, why what stands there cannot be used. */
  readonly flaws?: ReadonlyMap<number, string> | undefined
}

/** A cell that was made of others, why it cannot be used, or what is doubtful about it. */
export interface MadeCell {
  readonly cell: string
  readonly flaw?: string | undefined
  readonly doubt?: string | undefined
}

export interface ColumnTarget {
  readonly path: string
  readonly segments: readonly string[]
  readonly field: Field
  /** Whether it is one of several lines, such as an address line. */
  readonly isLine: boolean
  /** How the hours in it are paid, where no column says it. */
  readonly paid?: HourRate | undefined
}

/** One column of a table. */
export interface Column {
  /** The heading as written in the file. */
  readonly name: string
  /** For messages: `column C (Surname)`. */
  readonly place: string
  /** Undefined if the column is not sent. */
  readonly fills?: ColumnTarget | undefined
  /** The place in an answer of what only the service sets, as a list that was saved has it. It is compared, and not sent. */
  readonly owned?: readonly string[] | undefined
  /** The path of the field that the sum of this column and others beside it fills. */
  readonly addsTo?: string
  /** Makes its cell of others in the row. Such columns come after those of the file, but for that of a surname. */
  readonly make?: (row: TableRow) => MadeCell
  /** Whether its cells are beside the others in a file of rejected rows, which does not say them elsewhere. */
  readonly isKept?: boolean
}

/** The field that each column of an agency's file fills, by path, label or heading; null for a column that is not sent. */
export type ColumnMap = Readonly<Record<string, string | null>>

/** A column whose field is not known. */
export interface UnmatchedColumn {
  readonly column: Column
  /** Counted from 0. */
  readonly at: number
  /** The fields that it may mean, if its heading can mean several. */
  readonly choices: readonly string[]
  /** The column before it that fills the same field. */
  readonly sameAs?: Column
  /** Hours of which nothing says at which rate they are paid, or whole names that have to be taken apart. */
  readonly of?: 'hours' | 'names'
}

/** The columns of a header. */
export interface FileColumns {
  /** The columns of the file, and after them those that are made of others. */
  readonly columns: readonly Column[]
  /** The columns of which a person or a map has to say what they are. */
  readonly unmatched: readonly UnmatchedColumn[]
  /** Flaws that no map can put right. */
  readonly issues: readonly Issue[]
}

/** The target of a column that fills the field at a path; undefined if there is none. */
export function targetAt(type: RecordType, path: string): ColumnTarget | undefined {
  const segments = parsePath(path)
  const field = fieldAt(type.fields, path)
  if (!segments || !field || field.fields) return undefined
  const above = fieldAt(type.fields, segments.slice(0, -1).join('.'))
  return { path: formatPath(segments), segments, field, isLine: above?.type === 'lines' }
}
