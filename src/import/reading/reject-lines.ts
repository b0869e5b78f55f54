import { open } from 'node:fs/promises'
import type { Issue } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'
import type { Row } from '../rows/row.ts'

/** What a file of rejects adds to the columns of its original, in this order. */
export const rejectColumns = ['field', 'message', 'outcome'] as const

/** The file of the rows that were refused. Made when the first is added, for its owner alone, never over another. */
export interface RejectsWriter {
  add(row: Row, issues: readonly Issue[], outcome: string): Promise<void>
  close(): Promise<void>
}

/** How a row is written in the form of its file. */
interface Form {
  readonly start: () => string | Promise<string>
  readonly row: (row: Row, reasons: readonly string[]) => string | Promise<string>
}

/** Rejects of a file of lines, written as they come. */
export function rejectLines(path: string, { start, row }: Form): RejectsWriter {
  let file: ReturnType<typeof open> | undefined
  return {
    async add(rejected, issues, outcome) {
      const isFirst = file === undefined
      file ??= open(path, 'wx', 0o600)
      const handle = await file
      const text = (isFirst ? await start() : '') + (await row(rejected, reasons(issues, outcome)))
      await handle.appendFile(text)
    },
    async close() {
      const handle = await file
      await handle?.sync()
      await handle?.close()
    },
  }
}

/** Rejects of a file that is written whole, when the last is known. */
export function rejectsWhole(
  path: string,
  write: (rows: readonly { row: Row; reasons: readonly string[] }[]) => Promise<Uint8Array | string>,
): RejectsWriter {
  const rows: { row: Row; reasons: readonly string[] }[] = []
  return {
    async add(row, issues, outcome) {
      rows.push({ row, reasons: reasons(issues, outcome) })
    },
    async close() {
      if (rows.length === 0) return
      const content = await write(rows)
      const handle = await open(path, 'wx', 0o600)
      try {
        await handle.writeFile(content)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
  }
}

/** What stands in the added columns. */
function reasons(issues: readonly Issue[], outcome: string): readonly string[] {
  const joined = (name: keyof Issue) =>
    [...new Set(issues.map((issue) => issue[name]))].filter(Boolean).join('; ')
  return [joined('path'), joined('message'), outcome]
}

/** An object with the added fields at its end, replacing those of an earlier run. */
export function rejectedObject({ original }: Row, reasons: readonly string[]): JsonObject {
  const object: JsonObject = Array.isArray(original) ? { line: original[0] } : { ...withoutReasons(original) }
  for (const [at, name] of rejectColumns.entries()) object[name] = reasons[at]
  return object
}

/** An object as it was before it was rejected. */
export function withoutReasons(object: Row['original'] | JsonObject): JsonObject {
  const entries = Object.entries(object)
  const added = rejectColumns.every((name, at) => entries.at(at - rejectColumns.length)?.[0] === name)
  return Object.fromEntries(added ? entries.slice(0, -rejectColumns.length) : entries)
}
