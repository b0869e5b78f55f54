import type { RowIssue } from '../../files/table/row.ts'
import { inColumn, type RowSource } from '../../files/table/row-source.ts'

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
    noHours: (within = '') => (lacksHours ? 'no column of the sheet has the hours' : `no hours${within}`),
    wrong: addTo(issues),
    leaveOut: addTo(issues, { isLeftOut: true }),
    doubt: addTo(doubts),
    hold: addTo(asks ? doubts : issues),
  }
}
