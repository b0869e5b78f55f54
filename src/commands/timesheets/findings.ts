import type { RowIssue } from '../../files/table/row.ts'
import { inColumn, type RowSource } from '../../files/table/row-source.ts'

/** Collects what is found about a row, with its cells. Without `asks`, what would be asked is wrong, and holds the row back. */
export function collectLineFindings(source: RowSource, row: number, asks: boolean) {
  const [issues, doubts]: [RowIssue[], RowIssue[]] = [[], []]
  const addTo =
    (found: RowIssue[], more: Partial<RowIssue> = {}) =>
    (path: string, message: string) => {
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
    /** Why there are no hours. A sheet may have times of a start and a finish alone. */
    noHours: (within = '') => (lacksHours ? 'no column of the sheet has the hours' : `no hours${within}`),
    wrong: addTo(issues),
    leaveOut: addTo(issues, { isLeftOut: true }),
    doubt: addTo(doubts),
    hold: addTo(asks ? doubts : issues),
  }
}

export type LineFindings = ReturnType<typeof collectLineFindings>
