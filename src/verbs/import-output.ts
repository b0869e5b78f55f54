import {
  anything,
  array,
  flag,
  integer,
  number,
  object,
  text,
  type ValuesOf,
} from '../api/contract/fields/field.ts'
import { isTerminal } from '../context/choose-format.ts'
import type { Context } from '../context/context.ts'
import { Failure, type Issue, invalidInput } from '../errors.ts'
import { formatDuration, timeLeft } from '../formats/duration.ts'
import type { PlannedChange } from '../import/change-tally.ts'
import type { ImportEvent, ImportJob } from '../import/job.ts'
import { keyOf } from '../import/natural-key.ts'
import type { FilePlan } from '../import/plan.ts'
import { canBeSent, type Plan } from '../import/plan-import.ts'
import { copyWithReasons, openRejects } from '../import/reject-rows.ts'
import { mostListed, type Remark, type RemarkGroup } from '../import/remarks.ts'
import type { ChangeState } from '../import/row-change.ts'
import type { State } from '../import/row-state.ts'
import type { Summary } from '../import/summary.ts'
import { type Alike, alikeLines } from '../render/failure-text.ts'
import { foldMessage } from '../render/text/fold-message.ts'
import { isDumbTerminal } from '../render/text/style.ts'
import type { ShownColumn } from '../table/file-columns.ts'
import { firstValue } from './import-columns.ts'
import {
  commandAgain,
  commandForFile,
  countOf,
  countsOf,
  countWords,
  fieldCounts,
  hasPreview,
  heldGroups,
  rowPath,
  rows,
} from './import-words.ts'

/** Says on standard error what is going to happen: to a person all of it, and to a log what matters. */
export async function printPlan(context: Context, job: ImportJob, given: string, plan: Plan): Promise<void> {
  const { service, source, readyOnly } = job
  const { file, ready, notes, referenceConflicts } = plan
  const { there, before, elsewhere, toChange, equal, changedBefore, held, left } = countsOf(file)
  const numbers = [
    toChange,
    equal,
    held,
    file.invalidRows.size,
    file.warnings.count,
    file.notes.length,
    notes.count,
    there,
    before,
    source.shown?.length ?? 0,
  ]
  if (hasPreview(context) && numbers.some((count) => count > 0)) {
    const { previewOf } = await import('./import-preview.ts')
    const isRefused = !canBeSent(file, readyOnly)
    const { columns, rows: height } = context.host.stderr
    const screen = { columns, rows: height, isRefused }
    const { lines, findings, below } = previewOf(
      context,
      given,
      source,
      service.create.requestRecord,
      plan,
      screen,
      'above',
    )
    const isOneScreen = !height || lines.length + below < height
    if (!isOneScreen) return context.noteAll([...findings, ...lines], below)
    if (findings.length > 0) await context.noteAll(findings, lines.length + below)
    return context.noteAll(lines, below)
  }
  // A log needs the error alone.
  if (!canBeSent(file, readyOnly)) return
  const groups = [
    ...[...referenceConflicts, ...file.notes].map(alone),
    ...file.warnings.groups,
    ...notes.groups,
  ]
  const count = referenceConflicts.length + file.notes.length + file.warnings.count + notes.count
  for (const line of alikeLines(groups.map(alikeOf), count)) context.note(line)
  const parts = [
    (ready > 0 || !service.change) && `${countOf(ready, service.kind.noun)} to create`,
    (toChange > 0 || (service.change && ready === 0)) && `${toChange} to change`,
    equal > 0 && `${equal} ${countWords.equal}`,
    changedBefore > 0 && `${changedBefore} ${countWords.changedBefore}`,
    held > 0 && `${held} ${countWords.held}`,
    file.invalidRows.size > 0 && `${file.invalidRows.size} ${countWords.invalid}`,
    there > 0 && `${there} ${countWords.there}`,
    before > 0 && `${before} ${countWords.before}`,
    elsewhere > 0 && `${elsewhere} ${countWords.elsewhere}`,
    left > 0 && `${left} ${countWords.left}`,
    file.doubtful.size > 0 && `${file.doubtful.size} ${countWords.doubtful}`,
  ]
  context.note(`${rows(file.rows)}: ${parts.filter((part) => typeof part === 'string').join(', ')}.`)
  if (plan.changes.fields.length > 0) context.note(`Changes: ${fieldCounts(plan)}.`)
}

const remark = object('', {
  row: integer('Row', { help: '0: it is about something else, which the path names.' }),
  path: text('Path of the field'),
  message: text('Message'),
})

const changeFields = {
  create: integer('To create'),
  update: integer('To change'),
  unchanged: integer('Equal already'),
  held: integer('Held back'),
  changes: array(
    'The first hundred changes',
    object('', {
      row: integer('Row'),
      reference: text('Reference'),
      name: text('Name'),
      path: text('Path of the field'),
      from: anything('Old value'),
      to: anything('New value'),
      held: flag('The row is held back', { optional: true }),
    }),
  ),
  changeCount: integer('All changes'),
}

/** What a dry run of an import answers. */
const planFields = {
  rows: integer('Rows'),
  ready: integer('Ready to send'),
  invalid: array('The first hundred errors', remark),
  warnings: array('The first hundred doubts', remark),
  columns: array(
    'What each column fills',
    object('', {
      column: text('Column'),
      heading: text('Heading'),
      path: text('Path of the field', { nullable: true }),
      first: text('First value'),
      sum: number('Sum of its numbers', { optional: true }),
    }),
    { optional: true },
  ),
  invalidCount: integer('All errors'),
  warningCount: integer('All doubts'),
}

/** The forms of it: as such, and with --update. */
export const plans = [planFields, { ...planFields, ...changeFields }] as const

/**
 * Prints what would happen. Throws as `assertReady` does, once it is printed.
 *
 * @param unread why the shared journal could not be read; thrown too
 */
export async function printDryRun(
  context: Context,
  job: ImportJob,
  given: string,
  plan: Plan,
  { rejects, unread }: { readonly rejects: string | undefined; readonly unread: Failure | undefined },
): Promise<void> {
  const { file, ready, notes, referenceConflicts } = plan
  const { source, readyOnly } = job
  const { toChange } = countsOf(file)
  // Rows, as the summary of the import counts them: several may be one record.
  const ofRows = countsOf(file, 'rows')
  const warnings = [...referenceConflicts, ...file.notes, ...file.warnings.first, ...notes.first]
  const { isForPerson } = context.output.format
  const { stdout } = context.host
  const preview = isForPerson
    ? (await import('./import-preview.ts')).previewOf(
        context,
        given,
        source,
        job.service.create.requestRecord,
        plan,
        { columns: stdout.columns, rows: stdout.rows, isRefused: !canBeSent(file, readyOnly) },
        'below',
      )
    : undefined
  const changes: ValuesOf<typeof changeFields> | undefined = job.service.change && {
    create: ofRows.ready,
    update: ofRows.toChange,
    unchanged: ofRows.equal + ofRows.changedBefore,
    held: ofRows.held,
    changes: plan.changes.first.map((each) => changeAsData(file, each)),
    changeCount: plan.changes.count,
  }
  const found: ValuesOf<typeof planFields> = {
    rows: file.rows,
    ready: ofRows.ready + ofRows.toChange,
    ...changes,
    invalid: file.invalid.first.map(listed),
    warnings: warnings.slice(0, mostListed).map(listed),
    ...(source.shown && { columns: source.shown.map((each) => columnAsData(context, each)) }),
    invalidCount: file.invalid.count,
    warningCount: referenceConflicts.length + file.notes.length + file.warnings.count + notes.count,
  }
  await context.output.value(
    found,
    preview && `${[...preview.lines, ...preview.findings].join('\n')}\n`,
    preview?.below,
  )
  if (!isForPerson) noteHeld(context, file)
  if (unread && !canBeSent(file, readyOnly)) context.warn(withoutClaims(unread))
  await assertReady(context, job, given, plan, rejects)
  if (unread) throw new Failure(unread.code, withoutClaims(unread), unread.details)
  if (rejects !== undefined) {
    const why = file.invalidRows.size === 0 ? 'No row is wrong' : 'Nothing was sent'
    context.note(`${why}, so ${rejects} was not written.`)
  }
  const options = readyOnly ? ['--ready-only'] : []
  if (isForPerson && ready + toChange > 0) {
    const them = toChange === 0 ? 'create them' : ready === 0 ? 'change them' : 'send them'
    context.note(`Nothing was sent. To ${them}: ${commandAgain(context, given, { options })}`)
  }
}

/** Names the rows that would be held back, for a log: as JSON they are only counted. */
function noteHeld(context: Context, { entries }: FilePlan): void {
  const groups = heldGroups(entries.values())
  const count = groups.reduce((sum, each) => sum + each.count, 0)
  if (count === 0) return
  context.note(`${rows(count)} would be held back:`)
  const named = groups.map((group) => {
    const issues = group.remarks.map(({ row, value, message }) => ({
      path: rowPath(row, String(value)),
      message,
    }))
    return { ...alikeOf(group), issues }
  })
  for (const line of alikeLines(named, count)) context.note(`  ${line}`)
}

/** A planned change as a script reads it; `held`: the row is held back as it stands. */
function changeAsData({ entries }: FilePlan, { row, reference, name, path, from, to }: PlannedChange) {
  const isHeld = entries.get(keyOf(reference))?.change?.state === 'held'
  return { row, reference, name, path, from, to, ...(isHeld && { held: true }) }
}

/** What a column fills, as a script reads it. */
function columnAsData({ options }: Context, column: ShownColumn) {
  const { letters, name, path = null, sum } = column
  const first = firstValue(column, options.reveal ?? false)
  return {
    column: letters,
    heading: name,
    path,
    first,
    ...(sum !== undefined && { sum: Number(sum.toFixed(4)) }),
  }
}

const withoutClaims = ({ message }: Failure) =>
  `${message} So it is not known which rows other runs have claimed.`

const listed = ({ row, path, message }: Remark) => ({ row, path, message })

/** The summary: a line for a person, an object for a script; with --quiet only when it was asked for by name. */
export async function printSummary(
  context: Context,
  summary: Summary,
  { differing }: Plan['changes'],
): Promise<void> {
  const { quiet, json, output, query } = context.options
  if (quiet && !json && output === undefined && query === undefined) return
  const { stdout } = context.host
  const line = foldMessage(summaryLine(summary), isTerminal(stdout) ? stdout.columns : undefined)
  await context.output.value({ ...summary }, `${line}\n`)
  if (differing > 0) {
    const are = differing === 1 ? 'is' : 'are'
    context.note(
      `${differing} of the ${summary.existing} that were already on the service ${are} not as the file says: --update changes ${differing === 1 ? 'it' : 'them'}.`,
    )
  }
}

/** The summary in one line. */
export function summaryLine(summary: Summary): string {
  const { created, createdEarlier, existing, refused, unresolved, pending, invalid, rejects } = summary
  const { updated, updatedEarlier, unchanged, held, left } = summary
  const see = rejects === null ? '' : ` (see ${rejects})`
  const isOfChanges = updated + updatedEarlier + unchanged + held + left > 0
  const parts = [
    (created > 0 || (createdEarlier === 0 && !isOfChanges)) && `${created} created`,
    createdEarlier > 0 && `${createdEarlier} ${countWords.before}`,
    updated > 0 && `${updated} changed`,
    updatedEarlier > 0 && `${updatedEarlier} ${countWords.changedBefore}`,
    unchanged > 0 && `${unchanged} ${countWords.equal}`,
    existing > 0 && `${existing} ${countWords.there}`,
    refused > 0 && `${refused} refused${see}`,
    unresolved > 0 && `${unresolved} to check by hand`,
    left > 0 && `${left} ${countWords.left}`,
    pending > 0 && `${pending} not sent yet`,
    invalid > 0 && `${invalid} not sent, to be put right${refused > 0 ? '' : see}`,
    held > 0 && `${held} ${countWords.held}${refused + invalid > 0 ? '' : see}`,
  ]
  return `${rows(summary.rows)}: ${parts.filter((part) => part !== false).join(', ')}.`
}

const alone = (remark: Remark): RemarkGroup => ({ count: 1, remarks: [remark] })

function alikeOf({ count, remarks }: RemarkGroup): Alike {
  const issues = remarks.map(({ row, path, message }) => ({ path: rowPath(row, path), message }))
  return { message: remarks[0]?.cause ?? remarks[0]?.message ?? '', issues, count }
}

/** Receives the events of an import until it ends. */
interface Watcher {
  readonly onEvent: (event: ImportEvent) => void
  readonly end: () => void
}

/** Shows on a terminal how far an import is; elsewhere shows nothing. */
export async function showSending(context: Context, { ready, file }: Plan): Promise<Watcher> {
  const { interactive, options, host } = context
  if (!interactive || options.quiet || isDumbTerminal(host.env)) return { onEvent: () => {}, end: () => {} }
  const { liveLine } = await import('../render/progress.ts')
  const line = liveLine(host.stderr)
  const total = ready + file.doubtful.size + countsOf(file).toChange
  const started = host.monotonicNow()
  const counts: Counts = {}
  const move = (from: keyof Counts, to: keyof Counts) => {
    counts[from] = (counts[from] ?? 0) - 1
    counts[to] = (counts[to] ?? 0) + 1
  }
  let doing = ''
  const show = () =>
    line.show(textOf(counts, total, doing ? undefined : host.monotonicNow() - started) + doing)
  show()
  return {
    onEvent(event) {
      doing = doingOf(event) ?? ''
      if (event.type === 'moved') move(event.from, event.entry.state)
      if (event.type === 'changed' && event.entry.change) move(event.from, event.entry.change.state)
      show()
    },
    end: line.end,
  }
}

/** How many rows are in each state. */
type Counts = Partial<Record<State | ChangeState, number>>

/** `120 of 400 sent, 35 a second, 8 seconds left; 2 refused, 1 being checked`. */
function textOf(counts: Counts, total: number, ms: number | undefined): string {
  const { created = 0, refused = 0, ambiguous = 0, applied = 0, equal = 0, held = 0, unknown = 0 } = counts
  const done = created + refused + applied + equal + held
  const checked = ambiguous + unknown
  const rate = ms === undefined ? 0 : done / (ms / 1000)
  const left = rate > 0 ? ((total - done) / rate) * 1000 : undefined
  const more = [
    refused > 0 && `${refused} refused`,
    held > 0 && `${held} ${countWords.held}`,
    checked > 0 && `${checked} being checked`,
  ]
  const speed = left === undefined ? '' : `, ${speedOf(rate)}, ${formatDuration(left)} left`
  const rest = more.filter((each) => each !== false).join(', ')
  return `${done} of ${total} sent${speed}${rest && `; ${rest}`}`
}

/** `35 a second`; of a slow import `30 a minute`. */
const speedOf = (perSecond: number) =>
  perSecond >= 1 ? `${Math.round(perSecond)} a second` : `${Math.round(perSecond * 60)} a minute`

function doingOf(event: ImportEvent): string | undefined {
  switch (event.type) {
    case 'resting':
      return ` (the service asks to wait ${formatDuration(event.ms)})`
    case 'settling':
      return ` (waiting ${formatDuration(event.ms)} for late requests to be applied)`
    case 'checking':
      return ' (looking for these rows on the service)'
    case 'others':
      return ' (waiting for other computers that are working on some of these rows)'
    case 'verifying':
      return ' (comparing with the service)'
    case 'moved':
    case 'changed':
      return undefined
  }
}

/**
 * Throws a Failure (exit 3) when a row of the file cannot be sent: then none is, unless only the sound ones are wanted.
 * With `--rejects` it writes a copy of the file with the wrong cells marked first.
 */
export async function assertReady(
  context: Context,
  job: ImportJob,
  given: string,
  { file, ready, samePeople, overlaps }: Plan,
  rejects: string | undefined,
): Promise<void> {
  const bad = file.invalidRows.size
  if (canBeSent(file, job.readyOnly)) return
  const [it, are] = bad === 1 ? ['it', 'it is'] : ['them', 'they are']
  const copy =
    rejects === undefined || file.isCutShort ? undefined : await writeCopy(job, given, file, rejects)
  const ways: [says: string, command: string][] = []
  if (!copy && !file.isCutShort) {
    const file = given === '-' ? `stdin.${job.source.format}` : given
    const options = ['--dry-run', '--rejects', file.replace(/(\.\w+)?$/, '.marked$1')]
    ways.push([
      'have the wrong cells marked in a copy of the file',
      commandAgain(context, given, { options }),
    ])
  }
  const { toChange } = countsOf(file)
  const sound = ready + toChange
  if (sound > 0 && !job.readyOnly && !file.isCutShort) {
    const does = toChange > 0 ? 'send' : 'create'
    const says = `${does} the ${sound} that ${sound === 1 ? 'is' : 'are'} ready`
    ways.push([says, commandAgain(context, given, { options: ['--ready-only'] })])
  }
  if (samePeople > 0) {
    const them = samePeople === 1 ? 'the person who is' : `the ${samePeople} people who are`
    ways.push([
      `create ${them} on the service already a second time`,
      commandAgain(context, given, { options: ['--same-person'] }),
    ])
  }
  if (overlaps > 0) {
    const them = overlaps === 1 ? 'the row whose days overlap' : `the ${overlaps} rows whose days overlap`
    ways.push([
      `send ${them} those of another timesheet`,
      commandAgain(context, given, { options: ['--overlapping'] }),
    ])
  }
  const others = ways.map(([says]) => `, or ${says}`).join('')
  const first = copy
    ? `Put ${it} right in ${copy}, where the wrong cells are marked, and import that`
    : `Put ${it} right and run the command again`
  const commands = [
    ...(copy ? [commandForFile(context, given, job.source, copy)] : []),
    ...ways.map(([, one]) => one),
  ]
  const issues = hasPreview(context) ? [] : issuesIn(file)
  const failure = invalidInput(
    `${rows(bad)} cannot be sent as ${are}.`,
    issues,
    `${first}${others}${commands.length > 0 ? ':' : '.'}`,
  )
  throw new Failure('input', failure.message, {
    ...failure.details,
    outcome: 'not-sent',
    ...(issues.length > 0 && { issueCount: file.invalid.count }),
    ...(commands.length > 0 && { resume: commands }),
  })
}

/** The path of a copy of the file, with all of its rows: none of them was sent. */
async function writeCopy(
  { source }: ImportJob,
  given: string,
  file: FilePlan,
  path: string,
): Promise<string> {
  const rejects = await openRejects(source, given, path)
  await copyWithReasons(source, file, rejects)
  await rejects.close()
  return rejects.path() ?? path
}

function issuesIn({ invalidRows }: FilePlan): Issue[] {
  return [...invalidRows].flatMap(([row, issues]) =>
    issues.map(({ path, message }) => ({ path: rowPath(row, path), message })),
  )
}

/** Says on a terminal how far the comparison is, and how long it will take: a request for each record. */
export async function showPlanning({ interactive, options, host }: Context): Promise<{
  readonly onPlanning: ImportJob['onPlanning']
  readonly end: () => void
}> {
  if (!interactive || options.quiet || isDumbTerminal(host.env))
    return { onPlanning: undefined, end: () => {} }
  const { liveLine } = await import('../render/progress.ts')
  let [line, started]: [ReturnType<typeof liveLine> | undefined, number] = [undefined, 0]
  return {
    onPlanning({ done, total }) {
      if (!line) started = host.monotonicNow()
      line ??= liveLine(host.stderr)
      // The time begins with the first of them.
      const left = timeLeft(host.monotonicNow() - started, done - 1, total - 1)
      line.show(`${done} of ${total} records compared with the service${left}`)
    },
    end: () => line?.end(),
  }
}
