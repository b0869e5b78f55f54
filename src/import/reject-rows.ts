import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { Failure, systemCode, usage } from '../errors.ts'
import type { RejectsWriter, RowSource } from '../table/open-source.ts'
import type { RowIssue } from '../table/row.ts'
import { type Stop, stopOfDisk } from './ledger.ts'
import type { FilePlan } from './plan.ts'

/**
 * Adds the rows that could not be sent, and those that were held back, to the rejects, once all others are done. Reads the file again for them: they
 * are not held in memory. The reason to stop if it was changed meanwhile.
 */
export async function rejectInvalidRows(
  source: RowSource,
  { invalidRows, entries }: Pick<FilePlan, 'invalidRows' | 'entries'>,
  rejects: RejectsWriter,
): Promise<Stop | undefined> {
  const heldRows = new Map<number, readonly RowIssue[]>()
  for (const { row, change } of entries.values()) {
    if (change?.state === 'held') heldRows.set(row, change.issues)
  }
  if (invalidRows.size + heldRows.size === 0) return undefined
  try {
    for await (const row of rowsOfFile(source)) {
      const [issues, held] = [invalidRows.get(row.row), heldRows.get(row.row)]
      if (issues) await rejects.add(row, issues, 'not sent')
      else if (held) await rejects.add(row, held, 'held back')
    }
    return undefined
  } catch (error) {
    if (error instanceof Failure) return { why: 'failed', failure: error }
    return stopOfDisk(error)
  }
}

/** Adds all rows, those that could not be sent with the reason: a copy of the file to put right. */
export async function copyWithReasons(
  source: RowSource,
  { invalidRows }: Pick<FilePlan, 'invalidRows'>,
  copy: RejectsWriter,
): Promise<void> {
  for await (const row of rowsOfFile(source)) {
    const issues = invalidRows.get(row.row)
    await copy.add(row, issues ?? [], issues ? 'not sent' : '')
  }
}

const rowsOfFile = (source: RowSource) => source.fileRows?.() ?? source.rows()

/** The rejects file. It is not made until a row is refused. */
export interface Rejects extends RejectsWriter {
  /** Its path; null until it exists. */
  readonly path: () => string | null
  /** Throws a usage failure where the file could not be made: for an import that knows already that it has rejects. */
  readonly assertPlace: () => Promise<void>
}

/** How the rejects of a file are called, and those of its rejects. */
const ofRejects = /\.rejects(-\d+)?$/

/**
 * Never replaces a file: someone may be correcting the rejects of an earlier run in it. Takes the next free name
 * instead, such as `starters.rejects-2.csv`.
 */
export async function openRejects(source: RowSource, file: string, chosenPath?: string): Promise<Rejects> {
  const ending = extname(chosenPath ?? file)
  const stem = chosenPath
    ? chosenPath.slice(0, chosenPath.length - ending.length)
    : join(dirname(file), `${basename(file, ending).replace(ofRejects, '')}.rejects`)
  let path = `${stem}${ending}`
  for (let number = 2; await isThere(path); number++) path = `${stem}-${number}${ending}`
  const writer = source.rejects(path)
  let used = false
  let last: Promise<void> = Promise.resolve()
  return {
    add(row, issues, outcome) {
      // Write one row at a time, even if several are refused at once.
      last = last
        .then(() => writer.add(row, issues, outcome))
        .then(() => {
          used = true
        })
      return last
    },
    async close() {
      try {
        await writer.close()
      } catch (error) {
        used = false
        throw error
      }
    },
    async assertPlace() {
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

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
