import { check } from '../../api/contract/fields/check.ts'
import { leftExamples } from '../../api/contract/fields/left-examples.ts'
import type { RecordType } from '../../api/contract/records/record-type.ts'
import { warnings } from '../../api/contract/standards/warnings.ts'
import type { Issue } from '../../errors.ts'
import type { Line } from '../../formats/ndjson.ts'
import { parseJson } from '../../json/parse.ts'
import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import { NotJson, readJson } from '../../json/read-json.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { digestOf } from '../rows/fingerprint.ts'
import type { Row } from '../rows/row.ts'
import { withoutReasons } from './reject-lines.ts'

/** The records of an NDJSON file. Empty lines are skipped, but counted. */
export async function* lineRows(
  lines: AsyncIterable<Line>,
  type: RecordType,
  today: string,
  known?: ReadonlyMap<number, string>,
): AsyncGenerator<Row> {
  for await (const { number, bytes } of lines) {
    if (bytes === undefined) yield invalidRow(number, [tooLong], '', '')
    else if (!isBlank(bytes)) yield lineRow(number, bytes, type, today, known?.get(number))
  }
}

const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

function lineRow(
  row: number,
  bytes: Uint8Array,
  type: RecordType,
  today: string,
  before: string | undefined,
): Row {
  const digest = digestOf(bytes)
  try {
    const value = digest === before ? parseJson(new TextDecoder().decode(bytes)) : readJson(bytes)
    return objectRow(row, value, type, today, digest)
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

/** A line that is no record, as it stands in the file: a rejects file keeps it. */
function invalidRow(row: number, issues: readonly Issue[], digest: string, text: string): Row {
  return { row, original: [text], record: {}, issues, warnings: [], digest }
}

/**
 * One object as a record, without `id`, which the service sets, and without the fields that a rejects file adds. JSON
 * does not come from a spreadsheet, so it is checked against the contract only.
 */
export function objectRow(row: number, value: Json, type: RecordType, today: string, digest?: string): Row {
  const record: JsonObject = isObject(value) ? withoutReasons(value) : {}
  if (!Object.hasOwn(type.fields, 'id')) delete record.id
  return {
    row,
    original: isObject(value) ? value : [stringifyJson(value)],
    record,
    get issues() {
      return isObject(value) ? [...check(type, record), ...leftExamples(type, record)] : check(type, value)
    },
    get warnings() {
      return warnings(type, record, today)
    },
    get digest() {
      return digest ?? digestOf(stringifyJson(record))
    },
  }
}
