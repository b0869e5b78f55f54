import { openAtomic } from '../files/local/atomic-file.ts'
import { encodeRows, withAdded } from '../files/table/encode-rows.ts'
import { formatToWrite } from '../files/table/read-formats.ts'
import { type FileRow, rowNumbers } from '../files/table/row.ts'
import type { RowSource } from '../files/table/row-source.ts'
import { keyOf, type RecordKind, readKey } from '../model/natural-key.ts'
import type { JournalledRow, JournalState } from './read-journal.ts'
import { fateOf, type RowOutcome, rowFates } from './row-fates.ts'

/** A file with the rows of the import and their results. */
export type ResultsFile = Awaited<ReturnType<typeof openResults>>

/**
 * Opens the results file before anything is sent, so that an import stops if it cannot be written. It is
 * written whole or not at all, and only its owner can read it. Throws as `formatToWrite` does.
 */
export async function openResults(path: string) {
  const format = formatToWrite(path, 'The results are')
  const file = await openAtomic(path, true)
  return {
    path,
    /** Throws a Failure if it cannot be written. */
    async write(source: RowSource, kind: RecordKind, outcomes: Outcomes) {
      await file.write(encodeRows[format](withResults(source, kind, outcomes)))
      await file.finish()
    },
    /** Removes what was written if the file was not finished. */
    discard: () => file.discard(),
  }
}

/** The rows of a file as they stand, each with the result of its record. An older `id` column is replaced. */
function withResults(source: RowSource, { key }: RecordKind, outcomes: Outcomes) {
  function resultOfRow({ record, issues }: FileRow): RowResult {
    const result = outcomes(readKey(record, key.request))
    // An earlier run refused or held back what the row said then.
    const isOld = issues.length > 0 && (result.outcome === 'refused' || result.outcome === 'held back')
    return isOld ? notSentResult : result
  }
  async function* rows() {
    const results = new Map<number, RowResult>()
    // Several rows of the file may be one record.
    for await (const record of source.fileRows ? source.rows() : []) {
      const result = resultOfRow(record)
      for (const row of rowNumbers(record)) results.set(row, result)
    }
    for await (const row of source.fileRows?.() ?? source.rows()) {
      const { outcome, id, time } = results.get(row.row) ?? resultOfRow(row)
      yield [row, [outcome, id, time]] as const
    }
  }
  const isId = (name: string) => name.trim().toLowerCase() === 'id'
  return withAdded(source, resultColumns, rows, isId)
}

/** The columns that a results file adds to a row, in their order. */
const resultColumns = ['outcome', 'id', 'time']

interface RowResult {
  readonly outcome: RowOutcome
  /** The service's id of the record, where it is known. */
  readonly id: string | null
  /** When that came to be so, as 2026-08-12T09:30:00Z. */
  readonly time: string | null
}

/** Finds the result of a row by its key. Call it in the order of the file: only the first row of a key gets a result. */
type Outcomes = (name: string | undefined) => RowResult

const notSentResult: RowResult = { outcome: 'not sent', id: null, time: null }

/** The results that a journal knows. */
export function journalledOutcomes({ rows }: Pick<JournalState, 'rows'>): Outcomes {
  const keys = new Set<string>()
  return (name) => {
    const key = name === undefined ? '' : keyOf(name)
    const row = keys.has(key) ? undefined : rows.get(key)
    if (!row) return notSentResult
    keys.add(key)
    return resultOf(row)
  }
}

function resultOf({ creation, change, listed, left }: JournalledRow): RowResult {
  const { count = 1, equal } = listed ?? {}
  // The record exists once and is as its change left it.
  const isChanged = count === 1 && (equal || change !== undefined)
  const changed = equal ? ({ state: 'equal', at: listed?.at } as const) : change
  const { state = 'ready', at } = (isChanged ? changed : creation) ?? {}
  const isWrong = (state === 'done' && count !== 1) || (state === 'refused' && !!listed?.count)
  const fate = fateOf({
    writes: isChanged ? 'change' : 'create',
    state,
    existing: listed?.count ?? 0,
    isEarlier: false,
    mismatch: !isChanged && isWrong,
    left,
  })
  const { file: outcome } = rowFates[fate]
  if (outcome === 'not sent') return notSentResult
  const id = (isChanged ? listed?.id : creation?.id) ?? creation?.id ?? listed?.id ?? null
  const time = left?.at ?? (outcome === 'already there' ? listed?.at : at)
  return { outcome, id, time: time === undefined ? null : timeText(time) }
}

/** A time as `2026-08-12T09:30:00Z`. */
export const timeText = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
