import { invalidInput } from '../../errors.ts'
import { lines } from '../../formats/ndjson.ts'
import { isObject } from '../../json/path.ts'
import { NotJson, readJson } from '../../json/read-json.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { lineRows, objectRow } from './object-rows.ts'
import { type OpenedFile, readWhole } from './open-bytes.ts'
import { rejectedObject, rejectLines, rejectsWhole } from './reject-lines.ts'
import { limitRows, type RowSource, type SourceOptions } from './row-source.ts'

/** One record on each line. */
export async function ndjsonSource(
  file: OpenedFile,
  { type, today }: SourceOptions,
  path: string,
): Promise<RowSource> {
  await assertSeveral(file, path)
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

/** Throws a Failure (exit 3) for one record that is written over several lines: it is created, not imported. */
async function assertSeveral(file: OpenedFile, path: string): Promise<void> {
  for await (const { bytes } of lines(file.bytes())) {
    if (!bytes || Buffer.from(bytes).toString('latin1').trim() !== '{') return
    break
  }
  const whole = await readWhole(file)
  try {
    if (!isObject(readJson(whole))) return
  } catch {
    return
  }
  throw invalidInput(
    `${path} holds one record, and an import takes a list of them. Nothing was sent.`,
    [],
    `To create this one: create --file ${path} in the place of import ${path}.`,
  )
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
