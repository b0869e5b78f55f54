import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { DateOrder } from '../../../api/contract/values/read-date.ts'
import { invalidInput } from '../../../errors.ts'
import { type DatePlace, orderShown, unclearOrder } from './date-order.ts'
import { type Column, type ColumnMap, columnsOf, type FileColumns, namesIn } from './file-columns.ts'
import type { TableSurvey } from './survey-table.ts'
import { unmatchedFailure } from './unmatched-columns.ts'

/** How a file is read, as far as the file itself does not say it. */
export interface Matching {
  readonly map?: ColumnMap
  readonly dateFormat?: DateOrder
  readonly encoding?: string
}

/** Who is asked how a file is to be read: the memory of earlier files and, at a terminal, a person. */
export interface MatchingHelp {
  /** What was typed behind --map. */
  readonly mapFile?: string | undefined
  /** What is known of a file with this header; undefined if nothing is, or it is not to be used. */
  recall(header: readonly string[]): Promise<Matching | undefined>
  /** Says what the columns are that are not known; absent where there is no terminal. */
  matchColumns?(found: FileColumns, survey: TableSurvey): Promise<ColumnMap>
  chooseOrder?(unclear: readonly DatePlace[], header: readonly string[]): Promise<DateOrder>
  /** Keeps it for the next file with this header. */
  remember(header: readonly string[], matching: Matching): Promise<void>
}

interface Asked extends Matching {
  readonly type: RecordType
  readonly help?: MatchingHelp | undefined
  /** From the memory; what was typed and what the file shows win. */
  readonly recalled?: Matching | undefined
}

/**
 * Settles which field each column fills, and the order of day and month. Throws a Failure (exit 3) that names
 * everything that is left open.
 */
export async function matchFile(
  survey: TableSurvey,
  { type, help, recalled, ...given }: Asked,
): Promise<{ readonly columns: readonly Column[]; readonly dateFormat?: DateOrder | undefined }> {
  const { header, second } = survey
  let map = given.map ?? recalled?.map ?? {}
  let found = columnsOf(type, header, map)
  assertHeader(type, found, second)
  while (found.unmatched.length > 0 && found.issues.length === 0 && help?.matchColumns) {
    map = { ...map, ...(await help.matchColumns(found, survey)) }
    found = columnsOf(type, header, map)
  }
  if (found.unmatched.length > 0 || found.issues.length > 0) throw unmatchedFailure(type, found)
  const { columns } = found
  const shown = given.dateFormat ? undefined : orderShown(columns, survey)
  let dateFormat = given.dateFormat ?? shown?.order ?? recalled?.dateFormat
  if (!dateFormat && shown && shown.unclear.length > 0) {
    if (!help?.chooseOrder) throw unclearOrder(shown.unclear)
    dateFormat = await help.chooseOrder(shown.unclear, header)
  }
  const { encoding = recalled?.encoding } = given
  await help?.remember(header, {
    ...(Object.keys(map).length > 0 && { map }),
    ...(dateFormat && { dateFormat }),
    ...(encoding !== undefined && { encoding }),
  })
  return { columns, dateFormat }
}

/** Throws a Failure where the names of the columns stand in row 2, or there are none. */
function assertHeader(
  type: RecordType,
  { columns, unmatched, issues }: FileColumns,
  second: readonly string[],
): void {
  const here = columns.filter(({ fills }) => fills).length
  const isWhole = unmatched.length + issues.length === 0
  if (isWhole && here > 0) return
  if (namesIn(type, second) > Math.max(here, 1)) {
    throw invalidInput(
      'The column names are in row 2, below a title or merged cells. Nothing was sent.',
      [],
      'Delete row 1, so that the file begins with the column names.',
    )
  }
  if (isWhole) throw invalidInput('The file has no columns. Nothing was sent.', [])
}
