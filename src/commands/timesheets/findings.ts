import { dayColumns } from '../../files/table/day-columns.ts'
import type { RowIssue } from '../../files/table/row.ts'
import { inColumn, type RowSource } from '../../files/table/row-source.ts'
import { agree, wordList } from '../../text/words.ts'

type AddFinding = (path: string, message: string) => void

/** What is found about a row of hours, with its cells. */
export interface LineFindings {
  readonly issues: readonly RowIssue[]
  readonly doubts: readonly RowIssue[]
  readonly hasColumn: (path: string) => boolean
  /** Why there are no hours. A sheet may have times of a start and a finish alone. */
  readonly noHours: (within?: string) => string
  /** Holds the row back. */
  readonly wrong: AddFinding
  /** Holds the row back as one that is not to be imported. */
  readonly leaveOut: AddFinding
  /** Is asked about. */
  readonly doubt: AddFinding
  /** Is asked about, and wrong where nobody can be asked. */
  readonly hold: AddFinding
}

/** Names the days of the week that are not read, because another column is for the hours; nothing where there are none. */
function idleDays({ shown = [] }: RowSource): string {
  const days = dayColumns(shown.map(({ name }) => name)).flatMap((at) => {
    const { path, first, letters, name } = shown[at] ?? {}
    return path === undefined && first ? `column ${letters} (${name})` : []
  })
  return days.length === 0 ? '' : `, and ${wordList(days, 'and')} ${agree(days.length, 'is')} not read`
}

/** Collects what is found about a row, with its cells. Without `asks`, what would be asked is wrong, and holds the row back. */
export function collectLineFindings(source: RowSource, row: number, asks: boolean): LineFindings {
  const [issues, doubts]: [RowIssue[], RowIssue[]] = [[], []]
  const addTo =
    (found: RowIssue[], more: Partial<RowIssue> = {}): AddFinding =>
    (path, message) => {
      const issue = { ...inColumn(source, { path, message }), row, ...more }
      // One cell may be about several kinds of hours.
      if (!found.some((each) => each.path === issue.path && each.message === issue.message)) found.push(issue)
    }
  const hasColumn = (path: string) => source.columnFor?.(path) !== undefined
  const lacksHours = source.columnFor !== undefined && !hasColumn('rates[0].units')
  return {
    issues,
    doubts,
    hasColumn,
    noHours: (within = '') =>
      lacksHours ? 'no column of the sheet has the hours' : `no hours${within}${idleDays(source)}`,
    wrong: addTo(issues),
    leaveOut: addTo(issues, { isLeftOut: true }),
    doubt: addTo(doubts),
    hold: addTo(asks ? doubts : issues),
  }
}
