import type { Context } from '../../../context/context.ts'
import { type Issue, invalidInput } from '../../../errors.ts'
import { encodingOfExcel, lostLetters, readAsExcelSaves } from '../../../files/formats/text-encoding.ts'
import { fileInWords } from '../../../files/table/open-bytes.ts'
import { readFormats } from '../../../files/table/read-formats.ts'
import type { TableDoubt } from '../../../files/table/skipped-rows.ts'
import { type FindingGroup, type RowFinding, waysThrough } from '../../../import/findings.ts'
import type { ImportJob } from '../../../import/job.ts'
import { canBeSent, countsOf, type Plan } from '../../../import/plan.ts'
import { writeRejects, wrongAsRejected } from '../../../import/reject-rows.ts'
import { countLine, countsInWords } from '../../../import/row-fates.ts'
import { alikeLines, type SameIssues } from '../../../render/failure-text.ts'
import { agree, capital, plural } from '../../../text/words.ts'
import { commandAgain } from './command-again.ts'
import { planAsData } from './dry-run-data.ts'
import { fieldCounts, fieldName, previewOf } from './preview.ts'

/** Whether a person sees the preview. Then no message repeats what it says. */
export const hasPreview = ({ interactive, quiet, output }: Context): boolean =>
  interactive && !quiet && output.format.isForPerson

/** The place of a finding. Row 0 means that it is not about a row. */
const rowPath = (row: number, path: string) => [row > 0 && `row ${row}`, path].filter(Boolean).join(', ')

/** The place of a finding as a person calls it. A message about a cell names its column. */
function placeOf({ source, service }: ImportJob, { row, path, column, record }: RowFinding): string {
  const isNamed = column !== undefined || path === ''
  const field = isNamed ? '' : fieldName(path, { format: source.format, type: service.type })
  return rowPath(row, record ?? field)
}

/** A job of every night may have nothing to send, so a file without rows is no error. */
function noteNoRows(context: Context, { typedFile, source }: ImportJob, { rows }: Plan): void {
  if (rows > 0) return
  const below = readFormats[source.format].isTable ? ' below its headings' : ''
  context.note(`${fileInWords(typedFile)} has no rows to import${below}: nothing was sent.`)
}

/** Says on standard error what is going to happen: everything to a person, and the essentials to a log. */
export async function printPlan(context: Context, job: ImportJob, plan: Plan): Promise<void> {
  const { service, source } = job
  const { wrong, doubts, notes } = plan
  const counts = countsOf(plan)
  const isSaid =
    Object.entries(counts.rows).some(([name, count]) => count > 0 && name !== 'create') ||
    wrong.count + doubts.count + notes.count + (source.shown?.length ?? 0) > 0
  if (hasPreview(context) && isSaid) {
    await context.noteAll(previewOf(context, job, plan, context.host.stderr))
    return noteNoRows(context, job, plan)
  }
  // A log needs only the error, which follows.
  if (!canBeSent(plan, job)) return
  const groups = [...doubts.groups, ...notes.groups].map((group) => alikeOf(job, group))
  for (const line of alikeLines(groups, doubts.count + notes.count)) context.note(line)
  if (plan.rows === 0) return noteNoRows(context, job, plan)
  const total = source.total === undefined ? '' : ` (${source.total})`
  context.note(countLine(plan.rows, countsInWords('plan', counts, service.kind.noun), total))
  if (plan.changes.fields.length > 0) context.note(`Changes: ${fieldCounts(plan)}.`)
}

/** Prints a dry run, then throws as `assertReady` does. */
export async function printPlanOnly(
  context: Context,
  job: ImportJob,
  plan: Plan,
  rejects: string | undefined,
): Promise<void> {
  const { isForPerson } = context.output.format
  const preview = isForPerson ? previewOf(context, job, plan, context.host.stdout) : undefined
  await context.output.report(planAsData(context, job, plan), preview && `${preview.join('\n')}\n`)
  if (!isForPerson && plan.notCompared !== undefined) context.warn(plan.notCompared)
  await assertReady(context, job, plan, rejects)
  if (rejects !== undefined) context.note(`Nothing was sent, so ${rejects} was not written.`)
  noteNoRows(context, job, plan)
  const { create, change } = countsOf(plan).records
  if (isForPerson && create + change > 0) {
    const does = change === 0 ? 'create' : create === 0 ? 'change' : 'send'
    const options = job.rules.readyOnly ? ['--ready-only'] : []
    context.note(`Nothing was sent. To ${does} them: ${commandAgain(context, job, options)}`)
  }
}

function alikeOf(job: ImportJob, { count, findings }: FindingGroup): SameIssues {
  const issues = findings.map((each) => ({ path: placeOf(job, each), message: withoutName(each) }))
  return { message: findings[0]?.cause ?? findings[0]?.message ?? '', issues, count }
}

/** The message, where the place of its row has named the record already. */
function withoutName({ message, record }: RowFinding): string {
  return record !== undefined && message.startsWith(`${record} `)
    ? `it${message.slice(record.length)}`
    : message
}

/** Throws exit 3 if rows cannot be sent. `rejects` names a file for a copy in which the wrong cells are marked. */
export async function assertReady(
  context: Context,
  job: ImportJob,
  plan: Plan,
  rejects: string | undefined,
): Promise<void> {
  const { wrongRows, wrong, isCutShort, changes } = plan
  if (canBeSent(plan, job)) {
    // What many rows do alike is wrong with no row, so --ready-only cannot leave it out.
    if (job.rules.strict) assertNoDoubts(changes.shapes)
    return
  }
  const copy = isCutShort ? undefined : rejects
  if (copy !== undefined) {
    await writeRejects(job.source, copy, wrongAsRejected(plan), { others: true })
  }
  const ways = waysOut(context, job, plan, copy)
  const byHand = ways.flatMap(([says, command]) => (command === undefined ? `${capital(says)}.` : []))
  const commands = ways.flatMap(([says, command]) =>
    command === undefined ? [] : `${capital(says)}: ${command}`,
  )
  const are = wrongRows.size === 1 ? 'it is' : 'they are'
  const issues = unseenCells(context, job, plan)
  throw invalidInput(
    `${plural(wrongRows.size, 'row')} cannot be sent as ${are}.`,
    issues,
    byHand.join(' ') || undefined,
  ).with({ issueCount: issues.length > 0 ? wrong.count : undefined, resume: commands })
}

/** Throws exit 3 for doubts about a file as a whole, with --strict. */
export function assertNoDoubts(doubts: readonly TableDoubt[]): void {
  if (doubts.length === 0) return
  throw invalidInput(
    'The file is doubtful, and --strict refuses it.',
    doubts.map(({ row, message }) => ({ path: rowPath(row, ''), message })),
    'Put right what is named, or leave --strict out.',
  )
}

/** What is wrong with the rows, unless the preview has shown it. */
export const unseenCells = (context: Context, job: ImportJob, plan: Plan): Issue[] =>
  hasPreview(context) ? [] : wrongCells(job, plan)

const wrongCells = (job: ImportJob, { wrongRows }: Plan): Issue[] =>
  [...wrongRows.values()].flat().map((finding) => ({
    path: rowPath(finding.row, finding.path),
    message: finding.message,
    // The message says which record it is.
    place: placeOf(job, { ...finding, record: undefined }),
  }))

/** A way on with a file that cannot be sent: in words, and the command that does it, if there is one. */
type WayOut = readonly [says: string, command?: string]

/** `copy`: the file in which the wrong cells are marked. */
function waysOut(context: Context, job: ImportJob, plan: Plan, copy: string | undefined): readonly WayOut[] {
  const { wrongRows, isCutShort } = plan
  const { typedFile, source, rules } = job
  const again = (...options: readonly string[]) => commandAgain(context, job, options)
  const it = agree(wrongRows.size, 'it')
  const ways: WayOut[] = []
  // The letters are looked at before they are sent.
  if (wrongCells(job, plan).some(({ message }) => message.includes(lostLetters)))
    ways.push([readAsExcelSaves, again('--dry-run', ...encodingOfExcel)])
  if (copy !== undefined)
    ways.push([
      `put ${it} right in ${copy}, where the wrong cells are marked, and import that`,
      commandAgain(context, job, [], copy),
    ])
  else {
    ways.push([`put ${it} right and run the command again`])
    const file = typedFile === '-' ? `stdin.${source.format}` : typedFile
    const marked = file.replace(/(\.\w+)?$/, '.marked$1')
    if (!isCutShort)
      ways.push([
        'have the wrong cells marked in a copy of the file',
        again('--dry-run', '--rejects', marked),
      ])
  }
  const { create, change } = countsOf(plan).records
  const sound = create + change
  if (sound > 0 && !rules.readyOnly && !isCutShort) {
    const says = `${change > 0 ? 'send' : 'create'} the ${sound} that ${agree(sound, 'is')} ready`
    ways.push([says, again('--ready-only')])
  }
  for (const option of plan.ways) ways.push([waysThrough[option], again(option)])
  return ways
}
