import { Readable } from 'node:stream'
import { invalidInput, usage } from '../errors.ts'
import { readOwnTable } from '../files/formats/csv-cell.ts'
import { valuesByPath } from '../files/formats/flat.ts'
import { openCsv } from '../files/formats/read-csv.ts'
import { decodeText, encodingOf } from '../files/formats/text-encoding.ts'
import { openXlsx } from '../files/formats/xlsx/open-xlsx.ts'
import { isNumber, isSameNumber } from '../files/json/numbers.ts'
import type { Json, JsonObject } from '../files/json/path.ts'
import { stringifyJson } from '../files/json/stringify.ts'
import { openFile, readWhole } from '../files/table/open-bytes.ts'
import { keyOf } from '../model/natural-key.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { headingFor } from '../model/values/find-field.ts'
import type { Unplanned } from '../write/record-write.ts'

/** The columns of a plan. Scripts may rely on their order, so new columns come last. */
export const planColumns = ['reference', 'name', 'field', 'old', 'new', 'action', 'row', 'reason'] as const

/** The changes of one record, each with a field name of its own: two lines may be of the same hours. */
export function numbered<T extends { readonly field: string }>(changes: readonly T[]): readonly T[] {
  const counts = new Map<string, number>()
  return changes.map((change) => {
    const { field } = change
    const count = (counts.get(field) ?? 0) + 1
    counts.set(field, count)
    return count === 1 ? change : { ...change, field: `${field} (${count})` }
  })
}

/** The fields that a row fills of a new record, as a plan lists them. The key is left out. */
export function fieldsOf(
  type: RecordType,
  key: readonly string[],
  record: JsonObject,
): readonly { readonly field: string; readonly to: Json }[] {
  return [...valuesByPath(record)].flatMap(([path, to]) =>
    key.includes(path) || to === undefined ? [] : [{ field: headingFor(type, path), to }],
  )
}

function planText(value: Json): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' && !isNumber(value) ? stringifyJson(value) : String(value)
}

/** Whether a text of a plan is this value. A workbook writes numbers in its own way, and TRUE for yes. */
const isWrittenAs = (text: string, value: Json) =>
  text === planText(value) ||
  (typeof value === 'boolean' && text.toLowerCase() === String(value)) ||
  (isNumber(value) && text !== '' && isSameNumber(text, String(value)))

/** Why the plan lacks a record with this key, action and changes; undefined where it has exactly them. */
export function whyNotPlanned(
  { path, records }: ApprovedPlan,
  key: string,
  action: 'create' | 'change',
  changes: readonly { readonly field: string; readonly from: Json; readonly to: Json }[],
): Unplanned | undefined {
  const record = records.get(key)
  if (record?.action !== action) {
    const why = `${path} ${record ? `says ${record.action}` : 'does not have it'}`
    return { why, cause: why }
  }
  const left = new Set(record.fields.keys())
  for (const { field, from, to } of numbered(changes)) {
    left.delete(field)
    const planned = record.fields.get(field)
    const has = !planned
      ? 'does not have'
      : !isWrittenAs(planned.new, to)
        ? 'has another new value for'
        : !isWrittenAs(planned.old, from) && 'has another old value of'
    if (has) return { why: `${path} ${has} its ${field}`, cause: `${path} ${has} a field so` }
  }
  // What a change no longer changes, the record has by now; a new record would be without it.
  const [lacks] = action === 'create' ? left : []
  if (lacks === undefined) return undefined
  return { why: `the file no longer has its ${lacks}`, cause: 'the file no longer has a field of it' }
}

/** A plan that somebody approved: by the key of a record, the old and new value of each field, by its label. */
export type ApprovedPlan = Awaited<ReturnType<typeof readPlanFile>>

/** Reads a plan that `--plan` wrote, as CSV or workbook. Throws a usage failure for any other file. */
export async function readPlanFile(path: string) {
  const records = new Map<string, { action: string; fields: Map<string, { old: string; new: string }> }>()
  for (const [at, row] of (await readPlanLines(path)).entries()) {
    const { reference = '', action = '', field = '' } = row
    const key = keyOf(reference)
    if (key === '') continue
    const record = records.get(key) ?? { action, fields: new Map() }
    if (record.action !== action || (field !== '' && record.fields.has(field)))
      throw invalidInput(`${path} has two different rows for ${reference}.`, [
        { path: `row ${at + 2}`, message: `${reference} has ${field || action} in another row already` },
      ])
    records.set(key, record)
    if (field !== '') record.fields.set(field, { old: row.old ?? '', new: row.new ?? '' })
  }
  return { path, records }
}

type PlanLine = Readonly<Partial<Record<string, string>>>

/** Those without which a table is no plan. */
const neededColumns = planColumns.slice(0, 6)

/** The rows of a plan as texts, from a workbook or CSV. */
async function readPlanLines(path: string): Promise<readonly PlanLine[]> {
  const bytes = await readWhole(await openFile(path))
  const head = Buffer.from(bytes.subarray(0, 64))
  const text = () => openCsv(decodeText(Readable.from([bytes]), encodingOf(head)))
  const rows = head.toString('latin1').startsWith('PK\u0003\u0004')
    ? ((await openXlsx(bytes))[0]?.rows() ?? [])
    : // --plan writes JSON too, whose quotation marks no reader of CSV takes.
      /^\s*[[{]/.test(head.toString('utf8'))
      ? []
      : (await text()).rows
  const lines = await readOwnTable(rows, neededColumns)
  if (lines) return lines
  throw usage(`${path} is not a plan of an import, as --plan writes it to a .csv or .xlsx.`)
}
