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
import { rowFates } from '../../../import/row-fates.ts'
import { labelOf } from '../../../model/mapping/record-name.ts'
import { keyOf, readKey } from '../../../model/natural-key.ts'
import { groupBy } from '../../../text/group-by.ts'
import { groupDigits, plural } from '../../../text/words.ts'

/** By what an import does with a row: the words after a count of such rows. */
const actions = {
  create: rowFates.create.plan,
  change: rowFates.change.plan,
  'held back': rowFates.held.plan,
  'put right': rowFates.invalid.plan,
} as const

type Action = keyof typeof actions

/** What is done with a row; and why it is not sent, or what is doubtful about it. */
interface PlannedAction {
  readonly action: Action
  readonly reason: string
}

/** Writes the plan to a file (0600), whole or not at all, replacing an earlier one. If it throws, nothing is sent. */
export async function writePlan(
  context: Context,
  path: string | undefined,
  job: ImportJob,
  plan: Plan,
): Promise<void> {
  if (path === undefined) return
  const counts = new Map<Action, number>()
  let changes = 0
  async function* objects(): AsyncGenerator<JsonObject> {
    for await (const { action, rows } of plannedRecords(job, plan)) {
      counts.set(action, (counts.get(action) ?? 0) + 1)
      if (action === 'change') changes += rows.length
      yield* numbered(rows)
    }
  }
  async function* cells() {
    for await (const row of objects()) yield planColumns.map((name) => keepApostrophes(row[name]))
  }
  const content = encodeRows[formatToWrite(path, 'A plan is')]({
    objects,
    table: async () => ({ header: planColumns, rows: cells() }),
    form: { byteOrderMark: true, crlf: true },
  })
  await writeFileAtomic(path, content, true)
  const says = (Object.keys(actions) as Action[]).flatMap((action) => {
    const count = counts.get(action)
    const more = action === 'change' ? ` (${plural(changes, 'change')})` : ''
    return count === undefined ? [] : `${groupDigits(count)} ${actions[action]}${more}`
  })
  context.note(`Wrote ${path}: ${says.join(', ') || 'nothing to create or to change'}.`)
}

/** The records of a plan, with a row for each field that changes, in the order of the file. That is read again, to save memory. */
async function* plannedRecords({ source, service }: ImportJob, plan: Plan) {
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
    const planned: PlannedAction | false | undefined =
      issues.length > 0
        ? { action: 'put right', reason: oneReason(issues) }
        : entry?.row === row && actionOn(entry, doubtsOfRow)
    if (!planned) continue
    const { action, reason } = planned
    const name = entry?.change?.person ?? labelOf(type, record) ?? ''
    const fields: readonly Partial<PlannedChange>[] =
      changes.get(String(row)) ?? (action === 'create' ? fieldsOf(type, request, record) : [])
    // Their members are in the order of the columns.
    const rows = (fields.length > 0 ? fields : [{}]).map(({ field = '', from = null, to = null }) => {
      return { reference, name, field, old: from, new: to, action, row, reason }
    })
    yield { action, rows }
  }
}

/** The action on a row without errors; undefined for none. */
function actionOn(entry: ImportEntry, doubts: readonly Issue[]): PlannedAction | undefined {
  const fate = plannedFate(entry)
  switch (fate) {
    case 'create':
    case 'change':
      return { action: fate, reason: doubts.length === 0 ? '' : `doubtful: ${oneReason(doubts)}` }
    case 'unknown':
      return {
        action: 'create',
        reason: 'an earlier run may have created it: it is looked for before it is sent',
      }
    case 'held':
      return { action: 'held back', reason: oneReason(entry.issues) }
    case 'left':
      return { action: 'held back', reason: rowFates.left.plan }
    case 'elsewhere':
      return { action: 'held back', reason: `${rowFates.elsewhere.plan}: ${entry.elsewhere?.by}` }
    default:
      return undefined
  }
}

const oneReason = (issues: readonly Issue[]) => [...new Set(issues.map(({ message }) => message))].join('; ')
