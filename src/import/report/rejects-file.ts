import { lstat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { RejectsWriter, RowSource } from '../reading/open-source.ts'

/** The file of the refused rows. Nothing is made while nothing is refused. */
export interface Rejects extends RejectsWriter {
  /** Where it is; null while there is none. */
  readonly path: () => string | null
}

/**
 * Never over a file that is there: a person may be correcting the rejects of an earlier run in it. The next free
 * name is taken then, `starters.rejects-2.csv`.
 */
export async function openRejects(source: RowSource, file: string, wanted?: string): Promise<Rejects> {
  const ending = extname(wanted ?? file)
  const stem = wanted
    ? wanted.slice(0, wanted.length - ending.length)
    : join(dirname(file), `${basename(file, ending)}.rejects`)
  let path = `${stem}${ending}`
  for (let number = 2; await isThere(path); number++) path = `${stem}-${number}${ending}`
  const writer = source.rejects(path)
  let used = false
  let last: Promise<void> = Promise.resolve()
  return {
    add(row, issues, outcome) {
      used = true
      // One row after the other, however many are refused at once.
      last = last.then(() => writer.add(row, issues, outcome))
      return last
    },
    close: () => writer.close(),
    path: () => (used ? path : null),
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )
