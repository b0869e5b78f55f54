import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import type { ImportJob } from '../../../import/import-job.ts'
import { canBeSent, type Plan } from '../../../import/plan-import.ts'
import type { Summary } from '../../../import/report/import-summary.ts'
import { mostListed, type Remark, type RemarkGroup } from '../../../import/rows/remarks.ts'
import { type Alike, alikeLines } from '../../../render/issue-lines.ts'
import { assertReady } from './assert-ready.ts'
import { counted, isPreviewed, placed, rows } from './import-words.ts'
import { commandAgain } from './next-command.ts'
import { countsOf } from './row-counts.ts'

/** Says on standard error what is going to happen: to a person all of it, and to a log what matters. */
export async function announce(context: Context, job: ImportJob, given: string, plan: Plan): Promise<void> {
  const { service, source, readyOnly } = job
  const { file, ready, notes, strangers } = plan
  const { there, before, elsewhere } = countsOf(file)
  const said = [file.heldBack.size, file.warnings.count, file.notes.length, notes.count, there, before]
  if (isPreviewed(context) && said.some((count) => count > 0)) {
    const { previewLines } = await import('./preview.ts')
    for (const line of previewLines(context, given, source.format, plan, context.host.stderr)) {
      context.note(line)
    }
    return
  }
  // A log needs the error alone.
  if (!canBeSent(file, readyOnly)) return
  const groups = [...[...strangers, ...file.notes].map(alone), ...file.warnings.groups, ...notes.groups]
  const count = strangers.length + file.notes.length + file.warnings.count + notes.count
  for (const line of alikeLines(groups.map(alikeOf), count)) context.note(line)
  const parts = [
    `${counted(ready, service.kind.noun)} to create`,
    file.heldBack.size > 0 && `${file.heldBack.size} to put right`,
    there > 0 && `${there} already on the service`,
    before > 0 && `${before} created by an earlier run`,
    elsewhere > 0 && `${elsewhere} left to another run`,
    file.doubtful.size > 0 && `${file.doubtful.size} to look for on the service`,
  ]
  context.note(`${rows(file.rows)}: ${parts.filter((part) => part !== false).join(', ')}.`)
}

/**
 * Prints what would happen. Throws as `assertReady` does, once it is printed.
 *
 * @param unread why the shared journal could not be read; thrown too
 */
export async function dryRun(
  context: Context,
  job: ImportJob,
  given: string,
  plan: Plan,
  { rejects, unread }: { readonly rejects: string | undefined; readonly unread: Failure | undefined },
): Promise<void> {
  const { file, ready, notes, strangers } = plan
  const { source, readyOnly } = job
  const warnings = [...strangers, ...file.notes, ...file.warnings.first, ...notes.first]
  const isTable = context.output.format === 'table'
  const lines = isTable
    ? (await import('./preview.ts')).previewLines(context, given, source.format, plan, context.host.stdout)
    : undefined
  await context.output.value(
    {
      rows: file.rows,
      ready,
      invalid: file.invalid.first.map(listed),
      warnings: warnings.slice(0, mostListed).map(listed),
      invalidCount: file.invalid.count,
      warningCount: strangers.length + file.notes.length + file.warnings.count + notes.count,
    },
    lines && `${lines.join('\n')}\n`,
  )
  if (unread && !canBeSent(file, readyOnly)) context.warn(withoutClaims(unread))
  await assertReady(context, job, given, plan, rejects)
  if (unread) throw new Failure(unread.code, withoutClaims(unread), unread.details)
  if (rejects !== undefined) {
    const why = file.heldBack.size === 0 ? 'No row is wrong' : 'Nothing was sent'
    context.note(`${why}, so ${rejects} was not written.`)
  }
  const options = readyOnly ? ['--ready-only'] : []
  if (isTable && ready > 0)
    context.note(`Nothing was sent. To create them: ${commandAgain(context, given, { options })}`)
}

const withoutClaims = ({ message }: Failure) =>
  `${message} So it is not known which rows other runs have claimed.`

const listed = ({ row, path, message }: Remark) => ({ row, path, message })

/** The summary: a line for a person, an object for a script; with --quiet only when it was asked for by name. */
export async function answer(context: Context, summary: Summary): Promise<void> {
  const { quiet, json, output } = context.options
  if (quiet && !json && output === undefined) return
  await context.output.value({ ...summary }, `${sentence(summary)}\n`)
}

/** The summary in one line. */
export function sentence(summary: Summary): string {
  const { created, createdEarlier, existing, refused, unresolved, pending, invalid, rejects } = summary
  const now = created - createdEarlier
  const see = rejects === null ? '' : ` (see ${rejects})`
  const parts = [
    (now > 0 || createdEarlier === 0) && `${now} created`,
    createdEarlier > 0 && `${createdEarlier} created by an earlier run`,
    existing > 0 && `${existing} already on the service`,
    refused > 0 && `${refused} refused${see}`,
    unresolved > 0 && `${unresolved} to check by hand`,
    pending > 0 && `${pending} not sent yet`,
    invalid > 0 && `${invalid} not sent, to be put right${refused > 0 ? '' : see}`,
  ]
  return `${rows(summary.rows)}: ${parts.filter((part) => part !== false).join(', ')}.`
}

const alone = (remark: Remark): RemarkGroup => ({ count: 1, remarks: [remark] })

function alikeOf({ count, remarks }: RemarkGroup): Alike {
  const issues = remarks.map(({ row, path, message }) => ({ path: placed(row, path), message }))
  return { message: remarks[0]?.cause ?? remarks[0]?.message ?? '', issues, count }
}
