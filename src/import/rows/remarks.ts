import { type Json, parsePath, valueAt } from '../../json/path.ts'
import type { Row, RowIssue } from './row.ts'

/** A message about a row of the file. */
export interface Remark extends RowIssue {
  /** 0 stands for no row: the remark is about something else, which the path names. */
  readonly row: number
  /** What stands in the file at that place. It may be sensitive: mask it before it is shown. */
  readonly value?: Json
  /** The message without what only this row has, so that equal ones can be counted. */
  readonly cause?: string
}

/** All remarks with one cause. */
export interface RemarkGroup {
  readonly count: number
  /** The first of them. */
  readonly remarks: readonly Remark[]
}

/** Remarks, counted and grouped by cause, the rarest first: what is wrong once must not hide behind what is everywhere. */
export interface Remarks {
  readonly count: number
  /** How many rows they are about. */
  readonly rows: number
  /** The first hundred. */
  readonly first: readonly Remark[]
  readonly groups: readonly RemarkGroup[]
}

/** As many are listed as JSON; the rest is counted. */
export const mostListed = 100
/** As many examples are kept of each cause, and so many causes: a file may have a million rows. */
const [mostExamples, mostCauses] = [20, 1000]

/** Collects remarks; those about one row come one after the other. */
export function tallyRemarks(): { readonly add: (remark: Remark) => void; readonly end: () => Remarks } {
  const first: Remark[] = []
  const byCause = new Map<string, { count: number; remarks: Remark[] }>()
  let [count, rows] = [0, 0]
  let last: number | undefined
  return {
    add(remark) {
      count += 1
      if (remark.row !== last) rows += 1
      last = remark.row
      if (first.length < mostListed) first.push(remark)
      const cause = causeOf(remark)
      const group = byCause.get(cause)
      if (!group) {
        if (byCause.size < mostCauses) byCause.set(cause, { count: 1, remarks: [remark] })
        return
      }
      group.count += 1
      if (group.remarks.length < mostExamples) group.remarks.push(remark)
    },
    end: () => ({
      count,
      rows,
      first,
      groups: [...byCause.values()].sort((one, other) => one.count - other.count),
    }),
  }
}

/** A remark about a row, with what stands there in the file. */
export function remarkOf({ row, original }: Row, issue: RowIssue): Remark {
  const { column, path } = issue
  const value = Array.isArray(original)
    ? original[column ?? -1]
    : valueAt(original, path === '' ? [] : (parsePath(path) ?? []))
  return { row, ...issue, ...(path !== '' && value !== undefined && { value }) }
}

/** Equal messages about one field. The message of a cell names its column. */
function causeOf({ path, message, cause = message }: Remark): string {
  return `${path}\n${cause}`
}
