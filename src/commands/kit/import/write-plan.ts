import type { Context } from '../../../context/context.ts'
import type { Issue } from '../../../errors.ts'
import { keepApostrophes } from '../../../files/formats/csv-cell.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { writeFileAtomic } from '../../../files/local/atomic-file.ts'
import { encodeRows } from '../../../files/table/encode-rows.ts'
import { formatToWrite } from '../../../files/table/read-formats.ts'
import { rowNumbers } from '../../../files/table/row.ts'
import { fieldsOf, numbered, planColumns } from '../../../import/approved-plan.ts'
import type { PlannedChange } from '../../../import/change-tally.ts'
import type { ImportEntry } from '../../../import/entry.ts'
import type { ImportJob } from '../../../import/job.ts'
import { type Plan, plannedFate } from '../../../import/plan.ts'
import { type RowFate, rowFates } from '../../../import/row-fates.ts'
import { labelOf } from '../../../model/mapping/record-name.ts'
import { keyOf, readKey } from '../../../model/natural-key.ts'
import { groupBy } from '../../../text/group-by.ts'

/** Writes the plan to a file (0600), whole or not at all, replacing an earlier one. If it throws, nothing is sent. */
export async function writePlan(
  context: Context,
  path: string | undefined,
  job: ImportJob,
  plan: Plan,
): Promise<void> {
  if (path === undefined) return
  const objects = () => plannedRows(job, plan)
  async function* cells() {
    for await (const row of objects()) yield planColumns.map((name) => keepApostrophes(row[name]))
  }
  const content = encodeRows[formatToWrite(path, 'A plan is')]({
    objects,
    table: async () => ({ header: planColumns, rows: cells() }),
    form: { byteOrderMark: true, crlf: true },
  })
  await writeFileAtomic(path, content, true)
  context.note(`Wrote ${path}.`)
}

/** The rows of the file of a plan, one for each field that changes, in the order of the file. That is read again, to save memory. */
async function* plannedRows({ source, service }: ImportJob, plan: Plan): AsyncGenerator<JsonObject> {
  const { entries, wrongRows, baseline } = plan
  const { type, kind } = service
  const { request } = kind.key
  const byRow = ({ row }: { readonly row: number }) => String(row)
  const changes = groupBy(plan.changes.listed, byRow)
  const doubts = groupBy(
    plan.doubts.groups.flatMap(({ findings }) => findings),
    byRow,
  )
  for await (const each of source.rows()) {
    const { row, record } = each
    const reference = readKey(record, request) ?? ''
    const numbers = rowNumbers(each)
    const issues = numbers.flatMap((number) => wrongRows.get(number) ?? [])
    const doubtsOfRow = numbers.flatMap((number) => doubts.get(String(number)) ?? [])
    // Where the list was not read, it is unknown what a row without a fault would do.
    const entry = baseline && entries.get(keyOf(reference))
    if (issues.length === 0 && entry?.row !== row) continue
    const fate = issues.length > 0 || !entry ? 'invalid' : plannedFate(entry)
    const { action } = rowFates[fate]
    if (action === undefined) continue
    const reason = reasonOf(fate, entry, { issues, doubts: doubtsOfRow })
    const name = entry?.change?.person ?? labelOf(type, record) ?? ''
    const fields: readonly Partial<PlannedChange>[] =
      changes.get(String(row)) ?? (action === 'create' ? fieldsOf(type, request, record) : [])
    // Their members are in the order of the columns.
    const rows = (fields.length > 0 ? fields : [{}]).map(({ field = '', from = null, to = null }) => {
      return { reference, name, field, old: from, new: to, action, row, reason }
    })
    yield* numbered(rows)
  }
}

/** Why a row is not sent, or what is doubtful about it. */
function reasonOf(
  fate: RowFate,
  entry: ImportEntry | undefined,
  { issues, doubts }: Readonly<Record<'issues' | 'doubts', readonly Issue[]>>,
): string {
  switch (fate) {
    case 'invalid':
      return oneReason(issues)
    case 'held':
      return oneReason(entry?.issues ?? [])
    case 'create':
    case 'change':
      return doubts.length === 0 ? '' : `doubtful: ${oneReason(doubts)}`
    default:
      return [rowFates[fate].plan, entry?.elsewhere?.by].filter(Boolean).join(': ')
  }
}

const oneReason = (issues: readonly Issue[]) => [...new Set(issues.map(({ message }) => message))].join('; ')
