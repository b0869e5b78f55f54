import { realpath } from 'node:fs/promises'
import { extname } from 'node:path'
import { usage } from '../../errors.ts'
import { openAtomic } from '../../files/atomic-file.ts'
import type { ImportKind } from '../import-service.ts'
import type { RowSource } from '../reading/open-source.ts'
import { encodeResults, type ResultsFormat } from './results-rows.ts'
import type { Outcomes } from './row-outcomes.ts'

const byEnding: Readonly<Record<string, ResultsFormat>> = {
  '.csv': 'csv',
  '.xlsx': 'xlsx',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
}

/** A file that gets the rows of the import with their results: whole or not at all, readable by its owner only. */
export interface ResultsFile {
  readonly path: string
  /** Throws a Failure if it cannot be written. */
  write(source: RowSource, kind: ImportKind, outcomes: Outcomes): Promise<void>
  /** Leaves nothing behind if it was not written. */
  discard(): Promise<void>
}

/**
 * The format that the ending of a results file names. Throws a usage failure for an ending that names none, and for the
 * imported file itself.
 */
export async function resultsFormat(path: string, input: string): Promise<ResultsFormat> {
  const format = byEnding[extname(path).toLowerCase()]
  if (!format) throw usage('The results are written as .csv, .xlsx, .ndjson or .json: name such a file.')
  if ((await realpath(path).catch(() => undefined)) === input) {
    throw usage(`${path} is the file that is imported: name another one for the results. Nothing was sent.`)
  }
  return format
}

/**
 * Opens the file before anything is sent, so that one that cannot be written stops the import. Throws as
 * `resultsFormat` does. An earlier file is replaced once the new one is whole.
 */
export async function openResults(path: string | undefined, input: string): Promise<ResultsFile | undefined> {
  if (path === undefined) return undefined
  const format = await resultsFormat(path, input)
  const file = await openAtomic(path, true)
  return {
    path,
    async write(source, kind, outcomes) {
      await file.write(encodeResults(source, kind, outcomes, format))
      await file.finish()
    },
    discard: () => file.discard(),
  }
}
