import type { Context } from '../../../context/context.ts'
import { invalidInput } from '../../../errors.ts'
import { plural } from '../../../formats/words.ts'
import type { Plan } from '../../../import/plan-import.ts'
import type { Summary } from '../../../import/report/import-summary.ts'
import type { Entry } from '../../../import/rows/ledger.ts'
import type { FilePlan, Remark } from '../../../import/rows/plan.ts'

/** No more than fit a screen. */
const mostWarnings = 20

/** Throws a Failure (exit 3) when a row of the file cannot be sent: then none is. */
export function assertValid({ file: { invalid } }: Plan): void {
  if (invalid.length === 0) return
  const issues = invalid.map(({ row, path, message }) => ({ path: placed(row, path), message }))
  const bad = new Set(invalid.map(({ row }) => row)).size
  throw invalidInput(
    `${rows(bad)} cannot be sent as ${bad === 1 ? 'it is' : 'they are'}. Nothing was sent.`,
    issues,
  )
}

/** Says on standard error what is going to happen. */
export function announce(context: Context, { file, ready, warnings }: Plan, noun: string): void {
  for (const { row, path, message } of warnings.slice(0, mostWarnings)) {
    context.note(`${placed(row, path)}: ${message}`)
  }
  const more = warnings.length - mostWarnings
  if (more > 0) context.note(`… and ${more} more; --dry-run lists them all.`)
  const [there, before] = [
    count(file, ({ existingCount, attempt }) => existingCount > 0 && attempt === 1),
    count(file, ({ state }) => state === 'created'),
  ]
  const parts = [
    `${counted(ready, noun)} to create`,
    there > 0 && `${there} already on the service`,
    before > 0 && `${before} created by an earlier run`,
    file.doubtful.size > 0 && `${file.doubtful.size} to look for on the service`,
  ]
  context.note(`${rows(file.rows)}: ${parts.filter((part) => part !== false).join(', ')}.`)
}

/** Prints what would happen. Throws as `assertValid` does, once it is printed. */
export async function dryRun(context: Context, plan: Plan): Promise<void> {
  const { file, ready, warnings } = plan
  await context.output.value({
    rows: file.rows,
    ready,
    invalid: listed(file.invalid),
    warnings: listed(warnings),
  })
  assertValid(plan)
}

const listed = (remarks: readonly Remark[]) =>
  remarks.map(({ row, path, message }) => ({ row, path, message }))

/** The summary: a line for a person, an object for a script; with --quiet only when it was asked for by name. */
export async function answer(context: Context, summary: Summary): Promise<void> {
  const { quiet, json, output } = context.options
  if (quiet && !json && output === undefined) return
  await context.output.value({ ...summary }, `${sentence(summary)}\n`)
}

/** The summary in one line. */
export function sentence({
  rows: all,
  created,
  existing,
  refused,
  unresolved,
  pending,
  rejects,
}: Summary): string {
  const parts = [
    `${created} created`,
    existing > 0 && `${existing} already on the service`,
    refused > 0 && `${refused} refused${rejects === null ? '' : ` (see ${rejects})`}`,
    unresolved > 0 && `${unresolved} to check by hand`,
    pending > 0 && `${pending} not sent yet`,
  ]
  return `${rows(all)}: ${parts.filter((part) => part !== false).join(', ')}.`
}

function count({ entries }: FilePlan, is: (entry: Entry) => boolean): number {
  return [...entries.values()].filter(is).length
}

/** "1 candidate", "2 candidates". */
export function counted(number: number, noun: string): string {
  return plural(number, noun.replace(/s$/, ''))
}

/** Row 0 stands for no row: the remark is about something else, which the path names. */
function placed(row: number, path: string): string {
  if (row === 0) return path
  return path ? `row ${row}, ${path}` : `row ${row}`
}

const rows = (number: number) => plural(number, 'row')
