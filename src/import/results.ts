import { keepMarks, unmarkFormula } from '../files/formats/csv-cell.ts'
import { eachValue, valuesByPath } from '../files/formats/flat.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { openAtomic } from '../files/local/atomic-file.ts'
import { encodeRows } from '../files/table/encode-rows.ts'
import { formatToWrite } from '../files/table/read-formats.ts'
import { withoutReasons } from '../files/table/reject-columns.ts'
import { rowNumbers, type SheetRow } from '../files/table/row.ts'
import type { RowSource } from '../files/table/row-source.ts'
import { choice, text, type ValuesOf } from '../model/fields/field.ts'
import { keyOf, type RecordKind, readKey } from '../model/natural-key.ts'
import type { Entry, State } from './entry.ts'
import type { LoggedRow, LogState } from './read-log.ts'
import { fateOf, rowFates, rowOutcomes } from './row-fates.ts'

/**
 * A file with the rows of the import and their results. It is written whole or not at all, and only its owner
 * can read it.
 */
export interface ResultsFile {
  readonly path: string
  /** Throws a Failure if it cannot be written. */
  write(source: RowSource, kind: RecordKind, outcomes: Outcomes): Promise<void>
  /** Removes what was written if the file was not finished. */
  discard(): Promise<void>
}

/**
 * Opens the results file before anything is sent, so that an import stops if it cannot be written. Throws as
 * `formatToWrite` does.
 */
export async function openResults(path: string): Promise<ResultsFile> {
  const format = formatToWrite(path, 'The results are')
  const file = await openAtomic(path, true)
  return {
    path,
    async write(source, kind, outcomes) {
      const content = encodeRows[format]({
        objects: () => resultObjects(source, kind, outcomes),
        table: () => resultTable(source, kind, outcomes),
        form: source.form,
      })
      await file.write(content)
      await file.finish()
    },
    discard: () => file.discard(),
  }
}

/** The columns that the results add to those of the file, in this order. */
const resultColumns = ['outcome', 'id', 'time'] as const

/** The rows of a file as objects, each with its result. An older `id` column is replaced. */
export async function* resultObjects(
  source: RowSource,
  kind: RecordKind,
  outcomes: Outcomes,
): AsyncGenerator<JsonObject> {
  for await (const [row, result] of rowResults(source, kind, outcomes))
    yield { ...objectOf(source, row), ...result }
}

/** The rows of a file as they stand, each with the result of its record and its key. */
export async function* rowResults(
  source: RowSource,
  { key }: RecordKind,
  outcomes: Outcomes,
): AsyncGenerator<readonly [SheetRow, RowResult, key: string | undefined]> {
  const resultOf = ({ record }: SheetRow) => {
    const name = readKey(record, key.request)
    return [outcomes(name), name] as const
  }
  if (!source.fileRows) {
    for await (const row of source.rows()) yield [row, ...resultOf(row)]
    return
  }
  const results = new Map<number, ReturnType<typeof resultOf>>()
  for await (const record of source.rows()) {
    const result = resultOf(record)
    for (const row of rowNumbers(record)) results.set(row, result)
  }
  for await (const row of source.fileRows()) yield [row, ...(results.get(row.row) ?? resultOf(row))]
}

/** The rows with their results as a table. */
async function resultTable(source: RowSource, kind: RecordKind, outcomes: Outcomes) {
  const { header, cells } = await fileTable(source)
  async function* rows(): AsyncGenerator<readonly Json[]> {
    for await (const [row, result] of rowResults(source, kind, outcomes)) {
      yield [...cells(row), ...resultColumns.map((name) => result[name])]
    }
  }
  return { header: [...header, ...resultColumns], rows: rows() }
}

/** The header and cells of a table. A file of objects gets a column for each path that occurs. */
async function fileTable(
  source: RowSource,
): Promise<{ readonly header: readonly string[]; readonly cells: (row: SheetRow) => readonly Json[] }> {
  const { own, cellsOf } = source
  if (own && cellsOf) {
    const kept = own.flatMap((name, at) => (isId(name) ? [] : [at]))
    const cells = (row: SheetRow) => {
      const all = cellsOf(row)
      return [...kept.map((at) => all[at] ?? ''), ...all.slice(own.length)]
    }
    return { header: kept.map((at) => own[at] ?? ''), cells }
  }
  const paths = new Set<string>()
  for await (const row of source.rows()) eachValue(objectOf(source, row), (path) => paths.add(path))
  const header = [...paths]
  return {
    header,
    cells(row) {
      const values = valuesByPath(objectOf(source, row))
      return header.map((path) => cellOf(values.get(path)))
    },
  }
}

/** A row as an object, without what an earlier run added. */
function objectOf({ own = [], cellsOf }: RowSource, row: SheetRow): JsonObject {
  const { original } = row
  if (isObject(original)) return withoutId(withoutReasons(original))
  if (!cellsOf) return { line: (original as readonly string[])[0] }
  const cells = cellsOf(row)
  return withoutId(Object.fromEntries(own.map((name, at) => [name, unmarkFormula(cells[at] ?? '')])))
}

/** A value as a cell of a table. A text keeps its apostrophes. */
const cellOf = (value: Json) => (typeof value === 'string' ? keepMarks(value) : value)

const withoutId = (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !isId(name)))

const isId = (name: string) => name.trim().toLowerCase() === 'id'

/** The columns that a results file adds to a row. */
export const resultFields = {
  outcome: choice('Outcome', rowOutcomes),
  id: text("The service's id of the record, where it is known", { nullable: true }),
  time: text('When that came to be so, as 2026-08-12T09:30:00Z', { nullable: true }),
}

type RowResult = ValuesOf<typeof resultFields>

/** Finds the result of a row by its key. Call it in the order of the file: only the first row of a key gets a result. */
type Outcomes = (name: string | undefined) => RowResult

const notSentResult: RowResult = { outcome: 'not sent', id: null, time: null }

/** The results that a journal knows. */
export function loggedOutcomes({ rows }: Pick<LogState, 'rows'>): Outcomes {
  const seen = new Set<string>()
  return (name) => {
    const key = name === undefined ? '' : keyOf(name)
    const row = seen.has(key) ? undefined : rows.get(key)
    if (!row) return notSentResult
    seen.add(key)
    return resultOf(row)
  }
}

function resultOf({ creation, change, listed, left }: LoggedRow): RowResult {
  const { count = 1, equal } = listed ?? {}
  const id = creation?.id ?? listed?.id ?? null
  if (left) return { outcome: 'left', id, time: timeOrNothing(left.at) }
  const outcome = (writes: Entry['writes'], state: State = 'ready', odd = false) =>
    rowFates[fateOf({ writes, state, existing: listed?.count ?? 0, isEarlier: false, odd })].file
  // The record exists once and is as its change left it.
  if (count === 1 && (equal || change)) {
    const said = outcome('change', equal ? 'equal' : change?.state)
    const at = equal ? listed?.at : change?.at
    return said === 'not sent'
      ? notSentResult
      : { outcome: said, id: listed?.id ?? creation?.id ?? null, time: timeOrNothing(at) }
  }
  const { state, at } = creation ?? {}
  const said = outcome(
    'create',
    state,
    (state === 'done' && count !== 1) || (state === 'refused' && !!listed?.count),
  )
  if (said === 'not sent') return notSentResult
  return { outcome: said, id, time: timeOrNothing(said === 'already there' ? listed?.at : at) }
}

const timeOrNothing = (at: number | undefined) => (at === undefined ? null : timeText(at))

/** A time as `2026-08-12T09:30:00Z`. */
export const timeText = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
