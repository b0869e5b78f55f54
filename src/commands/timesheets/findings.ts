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
  return {
    issues,
    doubts,
    hasColumn: (path: string) => source.columnFor?.(path) !== undefined,
    wrong: addTo(issues),
    leaveOut: addTo(issues, { isLeftOut: true }),
    doubt: addTo(doubts),
    hold: addTo(asks ? doubts : issues),
  }
}

export type LineFindings = ReturnType<typeof collectLineFindings>
