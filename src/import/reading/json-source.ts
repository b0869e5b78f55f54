import { invalidInput } from '../../errors.ts'
import { lines } from '../../formats/ndjson.ts'
import { NotJson, readJson } from '../../json/read-json.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { lineRows, objectRow } from './object-rows.ts'
import { type OpenedFile, readWhole } from './open-bytes.ts'
import { rejectedObject, rejectLines, rejectsWhole } from './reject-lines.ts'
import { limitRows, type RowSource, type SourceOptions } from './row-source.ts'

/** One record on each line. */
export function ndjsonSource(file: OpenedFile, { type, today }: SourceOptions): RowSource {
  return {
    format: 'ndjson',
    columns: undefined,
    notSent: [],
    sha256: file.sha256,
    rows: (known) => limitRows(lineRows(lines(file.bytes()), type, today, known)),
    rejects: (path) =>
      rejectLines(path, {
        start: () => '',
        row: (row, reasons) => `${stringifyJson(rejectedObject(row, reasons))}\n`,
      }),
  }
}

/** One list of records, held in memory. */
export function jsonSource(file: OpenedFile, { type, today }: SourceOptions): RowSource {
  async function* rows() {
    for (const [at, value] of (await list(file)).entries()) yield objectRow(at + 1, value, type, today)
  }
  return {
    format: 'json',
    columns: undefined,
    notSent: [],
    sha256: file.sha256,
    rows: () => limitRows(rows()),
    rejects: (path) =>
      rejectsWhole(path, async (rows) => {
        const objects = rows.map(({ row, reasons }) => rejectedObject(row, reasons))
        return `${stringifyJson(objects, 2)}\n`
      }),
  }
}

async function list(file: OpenedFile): Promise<readonly unknown[]> {
  try {
    const value = readJson(await readWhole(file))
    if (Array.isArray(value)) return value
    throw new NotJson('it is not a list')
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw invalidInput(`The file is not a list of records: ${error.message}. Nothing was sent.`, error.issues)
  }
}
