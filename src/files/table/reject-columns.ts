import type { JsonObject } from '../json/path.ts'
import type { FileRow } from './row.ts'

/** The columns that a rejects file adds to those of the original, in this order. */
export const rejectColumns = ['field', 'message', 'outcome'] as const

/** The cells of a row without a rejects file's columns. Those beyond the header stay: nothing is lost. */
export function ownCells({ original }: FileRow, own: number, count: number): readonly string[] {
  const cells = original as readonly string[]
  if (cells.slice(count).some((cell) => cell.trim() !== '')) return cells
  return Array.from({ length: own }, (_, at) => cells[at] ?? '')
}

/** An object without what a rejects file adds. */
export function withoutReasons(object: FileRow['original'] | JsonObject): JsonObject {
  const entries = Object.entries(object)
  const hasReasons = rejectColumns.every((name, at) => entries.at(at - rejectColumns.length)?.[0] === name)
  return Object.fromEntries(hasReasons ? entries.slice(0, -rejectColumns.length) : entries)
}
