import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { Failure, systemCode, usage } from '../errors.ts'
import type { RejectsWriter } from '../files/table/reject-lines.ts'
import type { RowIssue } from '../files/table/row.ts'
import type { RowSource } from '../files/table/row-source.ts'
import type { Plan } from './plan.ts'

/** Adds unsent and held rows to the rejects at the end, reading the file again. Throws if it was changed. */
export async function rejectUnsentRows(
  source: RowSource,
  { wrongRows, entries, groups }: Pick<Plan, 'wrongRows' | 'entries' | 'groups'>,
  rejects: RejectsWriter,
): Promise<void> {
  const heldRows = new Map<number, readonly RowIssue[]>()
  for (const { row, state, issues } of entries.values()) if (state === 'held') heldRows.set(row, issues)
  if (wrongRows.size + heldRows.size === 0) return
  // The rejects get all rows of a timesheet: a part of it would be taken for the whole.
  for (const [first = 0, ...others] of groups) {
    const held = heldRows.get(first)
    if (held) for (const row of others) heldRows.set(row, held)
  }
  for await (const row of rowsOfFile(source)) {
    const [issues, held] = [wrongRows.get(row.row), heldRows.get(row.row)]
    if (issues) await rejects.add(row, issues, 'not sent')
    else if (held) await rejects.add(row, held, 'held back')
  }
}

/** Copies the whole file to be corrected. Rows that could not be sent get the reason. */
export async function copyWithReasons(
  source: RowSource,
  { wrongRows }: Pick<Plan, 'wrongRows'>,
  copy: RejectsWriter,
): Promise<void> {
  for await (const row of rowsOfFile(source)) {
    const issues = wrongRows.get(row.row)
    await copy.add(row, issues ?? [], issues ? 'not sent' : '')
  }
}

const rowsOfFile = (source: RowSource) => source.fileRows?.() ?? source.rows()

/** The rejects file. It is not made until a row is refused. */
export interface Rejects extends RejectsWriter {
  /** Its path; null until it exists. */
  readonly path: () => string | null
  /** Throws a usage failure where the file could not be written. For an import that knows it will have rejects. */
  readonly assertWritable: () => Promise<void>
}

/** How a rejects file is named. Rejects of rejects replace it. */
const ofRejects = /\.rejects(-\d+)?$/

/** Opens a rejects file, which replaces an older one. Without a path there are none. */
export function openRejects(source: RowSource, path: string | undefined): Rejects {
  if (path === undefined) return noRejects
  const writer = source.rejects(path)
  let used = false
  let last: Promise<void> = Promise.resolve()
  return {
    add(row, issues, outcome) {
      // Rows are written one at a time, even when several are refused at once.
      last = last
        .then(() => writer.add(row, issues, outcome).catch(otherPlace))
        .then(() => {
          used = true
        })
      return last
    },
    async close() {
      try {
        await writer.close().catch(otherPlace)
      } catch (error) {
        used = false
        throw error
      }
    },
    async assertWritable() {
      await access(dirname(path), constants.W_OK | constants.X_OK).catch((error: unknown) => {
        throw usage(
          `The rejects cannot be written to ${dirname(path)} (${systemCode(error) ?? 'unknown'}).`,
          'Name another place for them: --rejects <file>',
        )
      })
    },
    path: () => (used ? path : null),
  }
}

/** Adds to a usage failure that another path may be named. */
function otherPlace(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'usage') throw error
  throw usage(error.message, 'Name another place for them: --rejects <file>')
}

/** The rejects file of an imported file where --rejects names none; undefined for standard input. */
export function rejectsOf(file: string): string | undefined {
  if (file === '-') return undefined
  const ending = extname(file)
  return join(dirname(file), `${basename(file, ending).replace(ofRejects, '')}.rejects${ending}`)
}

const noRejects: Rejects = {
  add: async () => {},
  close: async () => {},
  assertWritable: async () => {},
  path: () => null,
}
