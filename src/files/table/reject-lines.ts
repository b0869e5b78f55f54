import type { Issue } from '../../errors.ts'
import type { JsonObject } from '../json/path.ts'
import { type AtomicFile, openAtomic, writeFileAtomic } from '../local/atomic-file.ts'
import type { RowIssue, SheetRow } from './row.ts'

/** The columns that a rejects file adds to those of the original, in this order. */
export const rejectColumns = ['field', 'message', 'outcome'] as const

/** Writes the rejects file, readable by its owner only. One that has a row replaces an earlier one when it is closed. */
export interface RejectsWriter {
  add(row: SheetRow, issues: readonly RowIssue[], outcome: string): Promise<void>
  close(): Promise<void>
}

interface RejectFormat {
  readonly start: () => string | Promise<string>
  readonly row: (row: SheetRow, reasons: readonly string[]) => string | Promise<string>
}

/** Writes each row at once, in a format of lines. */
export function rejectLines(path: string, { start, row }: RejectFormat): RejectsWriter {
  let file: Promise<AtomicFile> | undefined
  return {
    async add(rejected, issues, outcome) {
      const isFirst = file === undefined
      file ??= openAtomic(path, true)
      const handle = await file
      const text = (isFirst ? await start() : '') + (await row(rejected, reasonCells(issues, outcome)))
      await handle.write(text)
    },
    async close() {
      const handle = await file
      await handle?.finish()
    },
  }
}

/** A row, why it was not created, and the values of the added columns. */
interface Reject {
  readonly row: SheetRow
  readonly issues: readonly RowIssue[]
  readonly reasons: readonly string[]
}

/** Collects the rows and writes them at the end, in a format that can only be written whole. */
export function rejectsWhole(
  path: string,
  write: (rows: readonly Reject[]) => Promise<Uint8Array | string>,
): RejectsWriter {
  const rows: Reject[] = []
  return {
    async add(row, issues, outcome) {
      rows.push({ row, issues, reasons: reasonCells(issues, outcome) })
    },
    async close() {
      if (rows.length === 0) return
      await writeFileAtomic(path, await write(rows), true)
    },
  }
}

/** The cells of a row without a rejects file's columns. Those beyond the header stay: nothing is lost. */
export function ownCells({ original }: SheetRow, own: number, all: number): readonly string[] {
  const cells = original as readonly string[]
  if (cells.slice(all).some((cell) => cell.trim() !== '')) return cells
  return Array.from({ length: own }, (_, at) => cells[at] ?? '')
}

function reasonCells(issues: readonly Issue[], outcome: string): readonly string[] {
  const joinValues = (name: keyof Issue) =>
    [...new Set(issues.map((issue) => issue[name]))].filter(Boolean).join('; ')
  return [joinValues('path'), joinValues('message'), outcome]
}

/** An object with the added fields at its end; those of an earlier run are replaced. */
export function rejectedObject({ original }: SheetRow, reasons: readonly string[]): JsonObject {
  const object: JsonObject = Array.isArray(original) ? { line: original[0] } : { ...withoutReasons(original) }
  for (const [at, name] of rejectColumns.entries()) object[name] = reasons[at]
  return object
}

/** An object without the added fields. */
export function withoutReasons(object: SheetRow['original'] | JsonObject): JsonObject {
  const entries = Object.entries(object)
  const added = rejectColumns.every((name, at) => entries.at(at - rejectColumns.length)?.[0] === name)
  return Object.fromEntries(added ? entries.slice(0, -rejectColumns.length) : entries)
}
