import { parsePath } from '../json/path.ts'
import type { Column } from './file-columns.ts'

/** The column where a value stands. */
export interface FoundColumn {
  /** Counted from 0. */
  readonly column: number
  readonly place: string
}

/** Finds the column that fills the field at a path, or a field above it. */
export type FindColumn = (path: string) => FoundColumn | undefined

/** Looks at the columns once: a file has thousands of remarks about a few paths. */
export function columnFinder(columns: readonly Column[]): FindColumn {
  const byPath = new Map<string, FoundColumn>()
  for (const [column, { fills, place }] of columns.entries()) {
    if (fills) byPath.set(fills.segments.join('.'), { column, place })
  }
  return (path) => {
    const segments = parsePath(path) ?? []
    for (let end = segments.length; end > 0; end--) {
      const found = byPath.get(segments.slice(0, end).join('.'))
      if (found) return found
    }
    return undefined
  }
}
