import type { Context } from '../../../context/context.ts'
import type { Issue } from '../../../errors.ts'
import { rowNumbers } from '../../../files/table/row.ts'
import type { PlannedChange } from '../../../import/change-tally.ts'
import type { ImportEntry } from '../../../import/entry.ts'
import type { ImportJob } from '../../../import/job.ts'
import { type Plan, plannedFate } from '../../../import/plan.ts'
import { fieldsOf, type PlanRow, writePlanRows } from '../../../import/plan-file.ts'
import { rowFates } from '../../../import/row-fates.ts'
import { labelOf } from '../../../model/mapping/record-name.ts'
import { keyOf, readKey } from '../../../model/natural-key.ts'
import { groupBy } from '../../../text/group-by.ts'

type PlannedAction = Pick<PlanRow, 'action' | 'reason'>

/** Writes the plan to a file, as `writePlanRows` does. If it throws, nothing is sent. */
export async function writePlan(
  context: Context,
  path: string | undefined,
  job: ImportJob,
  plan: Plan,
): Promise<void> {
  if (path !== undefined) context.note(`Wrote ${path}: ${await writePlanRows(path, planRows(job, plan))}.`)
}

/** The rows of a plan file, in the order of the imported file. That is read again, to save memory. */
async function* planRows({ source, service }: ImportJob, plan: Plan): AsyncGenerator<readonly PlanRow[]> {
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
    const issues = rowNumbers(each).flatMap((number) => wrongRows.get(number) ?? [])
    // Where the list was not read, it is unknown what a row without a fault would do.
    const entry = baseline && entries.get(keyOf(reference))
    const planned =
      issues.length > 0
        ? ({ action: 'put right', reason: oneReason(issues) } as const)
        : entry?.row === row && actionOn(entry, doubts.get(String(row)) ?? [])
    if (!planned) continue
    const name = entry?.change?.person ?? labelOf(type, record) ?? ''
    const fields: readonly Partial<PlannedChange>[] =
      changes.get(String(row)) ?? (planned.action === 'create' ? fieldsOf(type, request, record) : [])
    yield (fields.length > 0 ? fields : [{}]).map(({ field = '', from = null, to = null }) => ({
      reference,
      name,
      field,
      old: from,
      new: to,
      action: planned.action,
      row,
      reason: planned.reason,
    }))
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
