import { realpath } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import type { Context } from '../../context/context.ts'
import { type Issue, usage } from '../../errors.ts'
import { flat } from '../../files/formats/flat.ts'
import type { Json, JsonObject } from '../../files/json/path.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { readEndings } from '../../files/table/read-formats.ts'
import { rowNumbers } from '../../files/table/row.ts'
import { fieldsOf, planColumns } from '../../import/approved-plan.ts'
import type { PlannedChange } from '../../import/change-tally.ts'
import { type Entry, isReady, isToChange } from '../../import/entry.ts'
import { byRow } from '../../import/findings.ts'
import type { ImportJob } from '../../import/job.ts'
import { outcomes } from '../../import/outcomes.ts'
import type { Plan } from '../../import/plan.ts'
import { labelOf } from '../../model/mapping/record-name.ts'
import { keyOf, nameIn } from '../../model/natural-key.ts'
import { type ExportFormat, exportFormats, formats } from '../../render/formats.ts'
import { grouped, plural } from '../../text/words.ts'

/** The action of an import on a row of the file. A row that changes nothing is not in the plan. */
type Action = 'create' | 'change' | 'held back' | 'put right'

/** The action on a row, and the reason: why it is not sent, or what is doubtful about it. */
interface Verdict {
  readonly action: Action
  readonly reason: string
}

/**
 * A row of a plan, in the order of its columns. Of a record that changes there is one for each field. Values are whole:
 * whoever decides has to see them.
 */
export interface PlanRow extends Verdict {
  readonly reference: string
  readonly name: string
  readonly field: string
  readonly old: Json
  readonly new: Json
  /** The row of the file; of an undo the number of the record. */
  readonly row: number
}

/** The rows of one record after the other: thousands of them are not held in memory, but for a workbook. */
type PlanRows = AsyncIterable<readonly PlanRow[]>

/** The format that the ending of a plan names. Throws a usage failure for one that a plan cannot be written in: before anything is read. */
export function planFormat(path: string): ExportFormat {
  const ending = extname(path).toLowerCase()
  const format = exportFormats.find((name) => formats[name].endings.some((each) => each === ending))
  if (format) return format

  throw usage(`A plan is written as ${readEndings}: ${path} has another ending.`)
}

/** Throws a usage failure where the plan or the answer would take the place of the imported file, or the results that of the plan. */
export async function assertOwnFiles(
  { plan, results, out }: Readonly<Partial<Record<'plan' | 'results' | 'out', string | undefined>>>,
  input: string,
): Promise<void> {
  for (const [path, what] of [
    [plan, 'the plan'],
    [out, '--out'],
  ] as const) {
    if (path !== undefined && (await realpath(path).catch(() => undefined)) === input)
      throw usage(`${path} is the file that is imported: name another one for ${what}.`)
  }
  if (plan !== undefined && results !== undefined && resolve(plan) === resolve(results))
    throw usage(`${plan} cannot be both the plan and the results: name another one for the plan.`)
}

/**
 * Writes what the import would do with the rows of the file, for its owner alone (0600), whole or not at all. An earlier
 * plan is replaced. Throws as `writeFileAtomic` does; nothing is sent then.
 */
export async function writePlan(
  context: Context,
  path: string | undefined,
  job: ImportJob,
  plan: Plan,
): Promise<void> {
  if (path !== undefined) await writePlanRows(context, path, planRows(job, plan))
}

/** The same of rows, those of one record after the other. As CSV it is for Excel, where somebody looks at it. */
export async function writePlanRows(context: Context, path: string, rows: PlanRows): Promise<void> {
  const { renderers } = await formats[planFormat(path)].load()
  const counts: Counts = { create: 0, change: 0, 'held back': 0, 'put right': 0, changes: 0 }
  const content = renderers.exported({
    batches: () => counted(rows, counts),
    columns: () => planColumns,
    cells: (row) => flat(row, () => true),
    excel: true,
  })
  await writeFileAtomic(path, content, true)
  context.note(`Wrote ${path}: ${inWords(counts)}.`)
}

/** A planned change; of a record of which no change is known, the reference and the name alone. */
type PlannedField = Pick<PlannedChange, 'reference' | 'name'> & Partial<PlannedChange>

/** In the order of the file, which is read again for it: rows are not held in memory. */
async function* planRows(
  { source, service }: ImportJob,
  { entries, wrongRows, doubts: doubtful, digests, changes, baseline }: Plan,
): AsyncGenerator<readonly PlanRow[]> {
  const type = (service.change?.update ?? service.create).requestRecord
  const changesOf = byRow(changes.all)
  const doubts = byRow(doubtful.groups.flatMap(({ remarks }) => remarks))
  for await (const each of source.rows(digests)) {
    const { row, record } = each
    const reference = nameIn(record, service.kind.key.request) ?? ''
    const issues = rowNumbers(each).flatMap((number) => wrongRows.get(number) ?? [])
    // Where the list was not read, it is not known what becomes of a row that is sound.
    const entry = baseline && entries.get(keyOf(reference))
    const verdict: Verdict | undefined =
      issues.length > 0
        ? { action: 'put right', reason: reasonOf(issues) }
        : entry?.row === row
          ? verdictOf(entry, doubts.get(row) ?? [])
          : undefined
    if (!verdict) continue
    const { action, reason } = verdict
    const name = entry?.person ?? (type && labelOf(type, record)) ?? ''
    const fills = action === 'create' ? fieldsOf(type, service.kind.key.request, record) : []
    const created = fills.map((each) => ({ reference, name, ...each }))
    const planned: readonly PlannedField[] =
      changesOf.get(row) ?? (created.length > 0 ? created : [{ reference, name }])
    yield planned.map(({ reference, name, field = '', from = null, to = null }) => {
      const what = { reference, name, field, old: from, new: to }
      return { ...what, action, row, reason }
    })
  }
}

/** The action on a row with which nothing is wrong; undefined where nothing happens to it. */
function verdictOf(entry: Entry, doubts: readonly Issue[]): Verdict | undefined {
  const { writes, elsewhere, left, state, issues } = entry
  const doubtful = doubts.length === 0 ? '' : `doubtful: ${reasonOf(doubts)}`
  if (left) return { action: 'held back', reason: outcomes.left.plan }
  if (elsewhere) return { action: 'held back', reason: `${outcomes.elsewhere.plan}: ${elsewhere.by}` }
  if (state === 'held') return { action: 'held back', reason: reasonOf(issues) }
  if (isToChange(entry)) return { action: 'change', reason: doubtful }
  if (writes === 'change') return undefined
  if (isReady(entry)) return { action: 'create', reason: doubtful }
  if (state === 'ready' || state === 'done' || state === 'refused') return undefined
  return {
    action: 'create',
    reason: 'an earlier run may have created it: it is looked for before it is sent',
  }
}

/** The reasons in one text; one that is said of several fields is said once. */
const reasonOf = (issues: readonly Issue[]) => [...new Set(issues.map(({ message }) => message))].join('; ')

/** How many records of each kind, as the preview counts them, and how many changes. */
type Counts = Record<Action | 'changes', number>

/** The same rows, counted. */
async function* counted(records: PlanRows, counts: Counts): AsyncGenerator<readonly JsonObject[]> {
  for await (const rows of records) {
    const [{ action } = { action: undefined }] = rows
    if (action) counts[action] += 1
    if (action === 'change') counts.changes += rows.length
    yield rows.map((row) => ({ ...row }))
  }
}

/** `2 to create, 24 to change (31 changes), 1 held back` */
function inWords(counts: Counts): string {
  const parts = [
    [counts.create, 'to create'],
    [counts.change, `to change (${plural(counts.changes, 'change')})`],
    [counts['held back'], outcomes.held.plan],
    [counts['put right'], outcomes.invalid.plan],
  ] as const
  const said = parts.flatMap(([count, says]) => (count > 0 ? [`${grouped(count)} ${says}`] : []))
  return said.length === 0 ? 'nothing to create or to change' : said.join(', ')
}
