import type { RowIssue } from '../../files/table/row.ts'
import { inColumn, type RowSource } from '../../files/table/row-source.ts'

/** Collects what is found about a row, with its cells. Without `asks`, what would be asked is wrong, and holds the row back. */
export function collectLineFindings(source: RowSource, row: number, asks: boolean) {
  const [issues, doubts]: [RowIssue[], RowIssue[]] = [[], []]
  const addTo =
    (found: RowIssue[], more: Partial<RowIssue> = {}) =>
    (path: string, message: string) =>
      void found.push({ ...inColumn(source, { path, message }), row, ...more })
  return {
    issues,
    doubts,
    hasColumn: (path: string) => source.columnFor?.(path) !== undefined,
    wrong: addTo(issues),
    leave: addTo(issues, { isLeftOut: true }),
    doubt: addTo(doubts),
    ask: addTo(asks ? doubts : issues),
  }
}

export type LineFindings = ReturnType<typeof collectLineFindings>
