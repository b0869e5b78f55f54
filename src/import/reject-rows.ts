import { basename, dirname, extname, join } from 'node:path'
import { Failure, usage } from '../errors.ts'
import { assertFileWritable, writeFileAtomic } from '../files/local/atomic-file.ts'
import { encodeRows, withAdded } from '../files/table/encode-rows.ts'
import { readFormatNamedBy, readFormats, usualEnding } from '../files/table/read-formats.ts'
import { rejectColumns } from '../files/table/reject-columns.ts'
import type { RowIssue } from '../files/table/row.ts'
import type { RowSource } from '../files/table/row-source.ts'
import type { Plan } from './plan.ts'

/** Why rows of the file are among the rejects, by their numbers. */
type RejectedRows = ReadonlyMap<number, { readonly issues: readonly RowIssue[]; readonly outcome: string }>

/** Rows that cannot be sent as they are. */
export const wrongAsRejected = ({ wrongRows }: Pick<Plan, 'wrongRows'>): RejectedRows =>
  new Map([...wrongRows].map(([row, issues]) => [row, { issues, outcome: 'not sent' }]))

/** The rows that were refused and, where all others were sent, those with a fault and those that are held back. */
export function rejectedRows(plan: Pick<Plan, 'wrongRows' | 'entries'>, isAllSent: boolean): RejectedRows {
  const rejected = new Map(isAllSent ? wrongAsRejected(plan) : [])
  for (const { row: first, rows = [first], state, issues, tries } of plan.entries.values()) {
    if (first === 0 || !(state === 'refused' || (state === 'held' && isAllSent))) continue
    const outcome = state === 'held' ? 'held back' : `refused (${tries.at(-1)?.http})`
    // The rejects get all rows of a timesheet: a part of it would be taken for the whole.
    for (const row of rows) rejected.set(row, { issues, outcome })
  }
  return rejected
}

/**
 * Writes the rejected rows to a file of the same format for its owner alone, each with the reason, or with `others` the
 * whole file. It replaces an earlier one, which may be the source itself. Throws if the source was changed.
 */
export async function writeRejects(
  source: RowSource,
  path: string,
  rejected: RejectedRows,
  { others = false } = {},
): Promise<void> {
  const isWanted = (row: number) => others || rejected.has(row)
  const written: number[] = []
  async function* rows() {
    for await (const row of source.fileRows?.() ?? source.rows(isWanted)) {
      if (!isWanted(row.row)) continue
      const { issues = [], outcome = '' } = rejected.get(row.row) ?? {}
      const all = (name: 'path' | 'message') =>
        [...new Set(issues.map((issue) => issue[name]))].filter(Boolean).join('; ')
      written.push(row.row)
      yield [row, [all('path'), all('message'), outcome]] as const
    }
  }
  const isColoured = (at: number, column: number) =>
    rejected
      .get(written[at] ?? 0)
      ?.issues.some((issue) => (issue.column ?? source.columnFor?.(issue.path)?.column) === column) ?? false
  const copy = withAdded(source, rejectColumns, rows)
  const content = encodeRows[source.format]({
    ...copy,
    table: async () => ({ ...(await copy.table()), isColoured }),
  })
  await writeFileAtomic(path, content, true).catch(elsewhere)
}

function elsewhere(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'usage') throw error
  throw usage(error.message, 'Name another place for the rejects: --rejects <file>')
}

/** Throws a usage failure for a name with the ending of another format than that of the file, which the rejects have. */
export function assertFormat({ format }: RowSource, path: string): void {
  if ((readFormatNamedBy(path) ?? format) === format) return
  throw usage(
    `The rejects are ${readFormats[format].title}, as the file is: ${path} has another ending.`,
    `Use ${usualEnding(format)}.`,
  )
}

/** Throws a usage failure where the file could not be written. For an import that knows it will have rejects. */
export const assertRejectsWritable = (path: string) => assertFileWritable(path).catch(elsewhere)

/** How a rejects file is named. Rejects of rejects replace it. */
const ofRejects = /\.rejects(-\d+)?$/

/** The rejects file of an imported file where --rejects names none; undefined for standard input. */
export function rejectsOf(file: string): string | undefined {
  if (file === '-') return undefined
  const ending = extname(file)
  return join(dirname(file), `${basename(file, ending).replace(ofRejects, '')}.rejects${ending}`)
}
