import { type Issue, invalidInput } from '../../errors.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import { idsOf } from '../../model/records/identity.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { checkRecord, surelyFits } from '../../model/resources/check-record.ts'
import { leftExamples } from '../../model/standards/sample.ts'
import { warnings } from '../../model/standards/warnings.ts'
import { readNewRecord } from '../../model/values/read-record.ts'
import { type NumberedLine, numberedLines } from '../formats/ndjson.ts'
import { isObject, type Json, type JsonObject, withoutValueAt } from '../json/path.ts'
import { NotJson, readJson } from '../json/read-json.ts'
import { stringifyJson } from '../json/stringify.ts'
import { rowDigest } from './fingerprint.ts'
import { fileInWords, type OpenedFile, readWhole } from './open-bytes.ts'
import { withoutReasons } from './reject-columns.ts'
import { clearedIn, clearsNoLine, clearsNothing, type FileRow, leftToService, rowWith } from './row.ts'
import type { FileReading, SourceOptions } from './row-source.ts'

/** A file with one record on each line. */
export function ndjsonSource(file: OpenedFile, options: SourceOptions): FileReading {
  return {
    columns: undefined,
    sha256: file.sha256,
    rows: (isWanted) => lineRows(numberedLines(file.bytes()), options, isWanted),
  }
}

/** A file with one list of records, held in memory. */
export function jsonSource(file: OpenedFile, options: SourceOptions, path: string): FileReading {
  async function* rows() {
    for (const [at, value] of (await readJsonList(file, path)).entries())
      yield objectRow(at + 1, value, options)
  }
  return {
    columns: undefined,
    sha256: file.sha256,
    rows,
  }
}

async function readJsonList(file: OpenedFile, path: string): Promise<readonly unknown[]> {
  try {
    const value = readJson(await readWhole(file))
    if (Array.isArray(value)) return value
    throw invalidInput(
      `${fileInWords(path)} holds one record, and an import takes a list of them.`,
      [],
      `Write it on one line (jq -c does), or create it: create --file ${path} instead of import ${path}.`,
    )
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw invalidInput(`The file is not a list of records: ${error.message}.`, error.issues)
  }
}

/** The records of an NDJSON file. Empty lines are skipped, but counted. */
async function* lineRows(
  lines: AsyncIterable<NumberedLine>,
  options: SourceOptions,
  isWanted: ((row: number) => boolean) | undefined,
): AsyncGenerator<FileRow> {
  for await (const { number, bytes } of lines) {
    if (isWanted?.(number) === false) continue
    if (bytes === undefined) yield invalidRow(number, [tooLong], '', '')
    else if (!isBlankLine(bytes)) yield lineRow(number, bytes, options)
  }
}

const isBlankLine = (bytes: Uint8Array) =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

function lineRow(row: number, bytes: Uint8Array, options: SourceOptions): FileRow {
  const digest = rowDigest(bytes)
  try {
    return objectRow(row, readJson(bytes), options, digest)
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
function invalidRow(row: number, issues: readonly Issue[], digest: string, text: string): FileRow {
  const checks = { issues: () => issues, warnings: () => [], digest: () => digest }
  return rowWith({ row, original: [text], record: {} }, checks)
}

/** One object as a record of a request. Not from a spreadsheet, so checked against the contract only. */
function objectRow(row: number, value: Json, { type, today, facts, clears }: SourceOptions, digest?: string) {
  const own: JsonObject = isObject(value) ? withoutReasons(value) : {}
  if (!Object.hasOwn(type.fields, 'id')) delete own.id
  // null is `not given`.
  const fits = surelyFits(type.fields, own)
  const { body, issues, leftOut } = fits
    ? { body: withoutNothing(own), issues: [], leftOut: [] }
    : readNewRecord(type, own)
  const left = leftToService(leftOut, clears)
  const toEmpty = clearedIn(body)
  const unclear = notEmptied(type, toEmpty)
  const cleared = toEmpty.filter((path) => !unclear.some((each) => each.path === path))
  const record =
    cleared.length === 0
      ? body
      : (cleared.reduce<Json>((rest, path) => withoutValueAt(rest, path.split('.')), body) as JsonObject)
  return rowWith(
    {
      row,
      original: isObject(value) ? value : [stringifyJson(value)],
      record,
      givenId: Object.hasOwn(type.fields, 'id') ? undefined : idsOf(value)[0],
      ...(cleared.length > 0 && { cleared }),
      ...left,
    },
    {
      issues() {
        if (!isObject(value)) return checkRecord(type, value)
        const unmeant = clears ? [] : cleared.map((path) => ({ path, message: clearsNothing }))
        return [
          ...issues,
          ...unclear,
          ...unmeant,
          ...checkRecord(type, record, fits),
          ...leftExamples(type, record),
        ]
      },
      warnings: () => [...warnings(type, record, today, facts)],
      digest: () => digest ?? rowDigest(stringifyJson(own)),
    },
  )
}

/** A record without nulls, and without sections of nothing but nulls; the same object where it has none. */
function withoutNothing(record: JsonObject): JsonObject {
  if (!hasNull(record)) return record
  const copy: JsonObject = {}
  for (const name of Object.keys(record)) {
    const value = record[name]
    const inner = isObject(value) ? withoutNothing(value) : value
    const isEmptied = isObject(inner) && inner !== value && Object.keys(inner).length === 0
    if (inner !== null && !isEmptied) copy[name] = inner
  }
  return copy
}

const hasNull = (record: JsonObject): boolean =>
  Object.values(record).some((value) => value === null || (isObject(value) && hasNull(value)))

/** Issues for what `[clear]` cannot empty: a whole section, or one item of a list in JSON. */
function notEmptied({ fields }: RecordType, cleared: readonly string[]): Issue[] {
  return cleared.flatMap((path) => {
    if (/\]\./.test(path)) return [{ path, message: clearsNoLine(path) }]
    if (path.endsWith(']'))
      return [{ path, message: '[clear] empties the whole list, and stands in its place' }]
    return fieldAt(fields, path)?.type === 'object'
      ? [{ path, message: 'it is a whole section: name the fields that are to be empty' }]
      : []
  })
}
