import { type Issue, invalidInput } from '../../errors.ts'
import { check, surelyFits } from '../../model/fields/check.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import { leftExamples } from '../../model/fields/sample.ts'
import { idsOf } from '../../model/records/identity.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { warnings } from '../../model/standards/warnings.ts'
import { readNewRecord } from '../../model/values/read-record.ts'
import { lines, type NumberedLine } from '../formats/ndjson.ts'
import { parseJson } from '../json/parse.ts'
import { isObject, type Json, type JsonObject, withoutValueAt } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { stringifyJson } from '../json/stringify.ts'
import { digestOf } from './fingerprint.ts'
import { type OpenedFile, readWhole } from './open-bytes.ts'
import { rejectedObject, rejectLines, rejectsWhole, withoutReasons } from './reject-lines.ts'
import { clearedIn, clearsNothing, LazyRow, type SheetRow } from './row.ts'
import { type FileReading, limitRows, type SourceOptions } from './row-source.ts'

/** A file with one record on each line. */
export async function ndjsonSource(
  file: OpenedFile,
  options: SourceOptions,
  path: string,
): Promise<FileReading> {
  await assertSeveral(file, path)
  const fitting = new Map<number, Fit>()
  return {
    columns: undefined,
    notSent: [],
    sha256: file.sha256,
    rows: (digests, isWanted) =>
      limitRows(lineRows(lines(file.bytes()), options, { digests, isWanted, fitting })),
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
    `${path} holds one record, and an import takes a list of them.`,
    [],
    `Write it on one line (jq -c does), or create it: create --file ${path} instead of import ${path}.`,
  )
}

/** A file with one list of records, held in memory. */
export function jsonSource(file: OpenedFile, options: SourceOptions): FileReading {
  async function* rows() {
    for (const [at, value] of (await list(file)).entries()) yield objectRow(at + 1, value, options).line
  }
  return {
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
    throw invalidInput(`The file is not a list of records: ${error.message}.`, error.issues)
  }
}

interface EarlierReading {
  readonly digests: ReadonlyMap<number, string> | undefined
  readonly isWanted: ((row: number) => boolean) | undefined
  /** The rows that are known to fit the contract and to empty no field. */
  readonly fitting: Map<number, Fit>
}

/** `whole`: a row that is sent as it stands in the file, byte for byte: nothing in it was to be put in another form or left out. */
type Fit = 'whole' | 'in part'

/** The records of an NDJSON file. Empty lines are skipped, but counted. */
async function* lineRows(
  lines: AsyncIterable<NumberedLine>,
  options: SourceOptions,
  earlier: EarlierReading,
): AsyncGenerator<SheetRow> {
  for await (const { number, bytes } of lines) {
    if (earlier.isWanted?.(number) === false) continue
    if (bytes === undefined) yield invalidRow(number, [tooLong], '', '')
    else if (!isBlank(bytes)) yield lineRow(number, bytes, options, earlier)
  }
}

const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

function lineRow(
  row: number,
  bytes: Uint8Array,
  options: SourceOptions,
  { digests, fitting }: EarlierReading,
): SheetRow {
  const digest = digestOf(bytes)
  const isKnown = digest === digests?.get(row)
  const fit = isKnown ? fitting.get(row) : undefined
  if (fit === 'whole' && bytes[0] !== byteOrderMark) return new PlainLine(row, bytes, digest, options)
  try {
    const value = isKnown ? parseJson(new TextDecoder().decode(bytes)) : readJson(bytes)
    const { line, fits } = objectRow(row, value, options, { digest, isFitting: fit !== undefined })
    if (fits) fitting.set(row, fits)
    return line
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return invalidRow(
      row,
      error.issues.length > 0
        ? error.issues
        : [{ path: '', message: `this is not a record: ${error.message}` }],
      digest,
      new TextDecoder().decode(bytes),
    )
  }
}

const tooLong = { path: '', message: 'the line is longer than 1 MiB: more than one record' }

/** A line that is not a record, as it stands in the file: a rejects file keeps it. */
function invalidRow(row: number, issues: readonly Issue[], digest: string, text: string): SheetRow {
  return { row, original: [text], record: {}, issues, warnings: [], digest }
}

/** The first byte of a byte order mark, which belongs to the file and not to its first record. */
const byteOrderMark = 0xef

/** A line known to be sent as it stands: parsed only on demand. It may be doubtful, but has no issues. */
class PlainLine implements SheetRow {
  readonly row: number
  readonly json: Uint8Array
  readonly digest: string
  readonly issues = []
  readonly #options: SourceOptions
  #record: JsonObject | undefined

  constructor(row: number, json: Uint8Array, digest: string, options: SourceOptions) {
    this.row = row
    this.json = json
    this.digest = digest
    this.#options = options
  }

  get record(): JsonObject {
    this.#record ??= parseJson(new TextDecoder().decode(this.json)) as JsonObject
    return this.#record
  }

  get original(): JsonObject {
    return this.record
  }

  get warnings(): SheetRow['warnings'] {
    const { type, today, facts } = this.#options
    return warnings(type, this.record, today, facts)
  }
}

/**
 * One object as a record of a request, and whether it fits, without a word of what is to be emptied. Not from a
 * spreadsheet, so checked against the contract only.
 */
function objectRow(
  row: number,
  value: Json,
  { type, today, facts, clears }: SourceOptions,
  { digest, isFitting = false }: { readonly digest?: string; readonly isFitting?: boolean } = {},
): { readonly line: SheetRow; readonly fits: Fit | undefined } {
  const own: JsonObject = isObject(value) ? withoutReasons(value) : {}
  if (!Object.hasOwn(type.fields, 'id')) delete own.id
  // null is `not given`.
  const fits = isFitting || surelyFits(type.fields, own, true)
  const { body, issues } = fits ? { body: withoutNothing(own), issues: [] } : readNewRecord(type, own)
  const marked = isFitting ? [] : clearedIn(body)
  const unclear = notEmptied(type, marked)
  const cleared = marked.filter((path) => !unclear.some((each) => each.path === path))
  const record = cleared.length === 0 ? body : cleared.reduce<JsonObject>(withoutField, body)
  const line = new LazyRow(
    {
      row,
      original: isObject(value) ? value : [stringifyJson(value)],
      record,
      givenId: Object.hasOwn(type.fields, 'id') ? undefined : idsOf(value)[0],
      ...(cleared.length > 0 && { cleared }),
    },
    {
      issues() {
        if (!isObject(value)) return check(type, value)
        const unmeant = clears ? [] : cleared.map((path) => ({ path, message: clearsNothing }))
        return [
          ...issues,
          ...unclear,
          ...unmeant,
          ...check(type, record, fits || undefined),
          ...leftExamples(type, record),
        ]
      },
      warnings: () => warnings(type, record, today, facts),
      digest: () => digest ?? digestOf(stringifyJson(own)),
    },
  )
  if (!fits || marked.length > 0 || !isObject(value)) return { line, fits: undefined }
  // Nothing was left out of what the line says.
  const isWhole = body === own && Object.keys(own).length === Object.keys(value).length
  return { line, fits: isWhole ? 'whole' : 'in part' }
}

/**
 * A record without nulls, and without sections of nothing but nulls; the same object if it has none. Made from
 * entries, because V8 turns an object that grows name by name into a dictionary, which reads many times slower.
 */
function withoutNothing(record: JsonObject): JsonObject {
  let sections: JsonObject | undefined
  let hasNull = false
  for (const name in record) {
    const value = record[name]
    hasNull ||= value === null
    const inner = isObject(value) ? withoutNothing(value) : value
    if (inner !== value) sections = { ...sections, [name]: inner }
  }
  if (!sections && !hasNull) return record
  const isLeftOut = (name: string, value: Json) =>
    value === null || (sections?.[name] !== undefined && Object.keys(value as JsonObject).length === 0)
  const all = Object.entries({ ...record, ...sections })
  return Object.fromEntries(all.filter(([name, value]) => !isLeftOut(name, value)))
}

/** Issues for what `[clear]` cannot empty: a whole section, or one item of a list in JSON. */
function notEmptied({ fields }: RecordType, cleared: readonly string[]): Issue[] {
  return cleared.flatMap((path) => {
    if (path.endsWith(']'))
      return [{ path, message: '[clear] empties the whole list, and stands in its place' }]
    return fieldAt(fields, path)?.type === 'object'
      ? [{ path, message: 'it is a whole section: name the fields that are to be empty' }]
      : []
  })
}

const withoutField = (record: JsonObject, path: string) =>
  withoutValueAt(record, path.split('.')) as JsonObject
