import type { Context } from '../../../context/context.ts'
import { Failure, type Issue, invalidInput } from '../../../errors.ts'
import { plural } from '../../../formats/words.ts'
import { canBeSent, type ImportJob, type Plan } from '../../../import/plan-import.ts'
import type { Summary } from '../../../import/report/import-summary.ts'
import type { FilePlan } from '../../../import/rows/plan.ts'
import { mostListed, type Remark, type RemarkGroup } from '../../../import/rows/remarks.ts'
import { type Alike, alikeLines } from '../../../render/issue-lines.ts'
import { commandAgain } from './next-command.ts'
import { countsOf } from './row-counts.ts'

/** Throws a Failure (exit 3) when a row of the file cannot be sent: then none is, unless only the sound ones are wanted. */
export function assertReady(context: Context, { readyOnly }: ImportJob, given: string, plan: Plan): void {
  const { file, ready } = plan
  const bad = file.heldBack.size
  if (canBeSent(file, readyOnly)) return
  const issues = isPreviewed(context) ? [] : issuesIn(file)
  const others =
    ready > 0 && !readyOnly && !file.isCutShort
      ? `, or create the ${ready} that ${ready === 1 ? 'is' : 'are'} ready:`
      : '.'
  const failure = invalidInput(
    `${rows(bad)} cannot be sent as ${bad === 1 ? 'it is' : 'they are'}. Nothing was sent.`,
    issues,
    `Put ${bad === 1 ? 'it' : 'them'} right and run the command again${others}`,
  )
  throw new Failure('input', failure.message, {
    ...failure.details,
    ...(issues.length > 0 && { issueCount: file.invalid.count }),
    ...(others !== '.' && { resume: commandAgain(context, given, { options: ['--ready-only'] }) }),
  })
}

/** Says on standard error what is going to happen: to a person all of it, and to a log what matters. */
export async function announce(context: Context, job: ImportJob, given: string, plan: Plan): Promise<void> {
  const { service, source, readyOnly } = job
  const { file, ready, notes } = plan
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
  const groups = [...file.notes.map(alone), ...file.warnings.groups, ...notes.groups]
  const count = file.notes.length + file.warnings.count + notes.count
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
  unread?: Failure,
): Promise<void> {
  const { file, ready, notes } = plan
  const { source, readyOnly } = job
  const warnings = [...file.notes, ...file.warnings.first, ...notes.first]
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
      warningCount: file.notes.length + file.warnings.count + notes.count,
    },
    lines && `${lines.join('\n')}\n`,
  )
  if (unread && !canBeSent(file, readyOnly)) context.warn(withoutClaims(unread))
  assertReady(context, job, given, plan)
  if (unread) throw new Failure(unread.code, withoutClaims(unread), unread.details)
  const options = readyOnly ? ['--ready-only'] : []
  if (isTable && ready > 0)
    context.note(`Nothing was sent. To create them: ${commandAgain(context, given, { options })}`)
}

const withoutClaims = ({ message }: Failure) =>
  `${message} So it is not known which rows other runs have claimed.`

const listed = ({ row, path, message }: Remark) => ({ row, path, message })

/** Whether a person sees the rows that are not ready as a table: then no message repeats them. */
function isPreviewed({ interactive, options, output }: Context): boolean {
  return interactive && !options.quiet && output.format === 'table'
}

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

/** "1 candidate", "2 candidates". */
export function counted(number: number, noun: string): string {
  return plural(number, noun.replace(/s$/, ''))
}

function issuesIn({ heldBack }: FilePlan): Issue[] {
  return [...heldBack].flatMap(([row, issues]) =>
    issues.map(({ path, message }) => ({ path: placed(row, path), message })),
  )
}

const alone = (remark: Remark): RemarkGroup => ({ count: 1, remarks: [remark] })

function alikeOf({ count, remarks }: RemarkGroup): Alike {
  const issues = remarks.map(({ row, path, message }) => ({ path: placed(row, path), message }))
  return { message: remarks[0]?.cause ?? remarks[0]?.message ?? '', issues, count }
}

/** Row 0 stands for no row: the remark is about something else, which the path names. */
function placed(row: number, path: string): string {
  if (row === 0) return path
  return path ? `row ${row}, ${path}` : `row ${row}`
}

const rows = (number: number) => plural(number, 'row')
