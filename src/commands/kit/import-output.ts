import { isTerminal } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { Failure, type Issue, invalidInput } from '../../errors.ts'
import type { ShownColumn } from '../../files/table/file-columns.ts'
import type { PlannedChange } from '../../import/change-tally.ts'
import type { State } from '../../import/entry.ts'
import { mostListed, type Remark, type RemarkGroup, type Way } from '../../import/findings.ts'
import type { ImportJob } from '../../import/job.ts'
import { type Outcome, outcomes, type Summary, sayings, summaryLine } from '../../import/outcomes.ts'
import { canBeSent, countsOf, type Plan } from '../../import/plan.ts'
import { copyWithReasons, openRejects } from '../../import/reject-rows.ts'
import type { Watcher } from '../../import/running.ts'
import {
  anything,
  array,
  flag,
  integer,
  number,
  object,
  text,
  type ValuesOf,
} from '../../model/fields/field.ts'
import { keyOf } from '../../model/natural-key.ts'
import { type Alike, alikeLines } from '../../render/failure-text.ts'
import { foldMessage } from '../../render/text/fold-message.ts'
import { formatDuration, timeLeft } from '../../text/duration.ts'
import { plural } from '../../text/words.ts'
import { firstValue } from './import-columns.ts'
import {
  commandAgain,
  commandForFile,
  countOf,
  fieldCounts,
  hasPreview,
  heldGroups,
  rowPath,
  rows,
} from './import-words.ts'

/** Says on standard error what is going to happen: to a person all of it, and to a log what matters. */
export async function printPlan(context: Context, job: ImportJob, given: string, plan: Plan): Promise<void> {
  const { service, source, readyOnly } = job
  const { wrong, doubts, notes } = plan
  const counts = countsOf(plan)
  const { create, change, createdEarlier, ...others } = counts
  const isSaid =
    Object.values(others).some((count) => count > 0) ||
    createdEarlier + change + doubts.count + notes.count + (source.shown?.length ?? 0) > 0
  if (hasPreview(context) && (isSaid || wrong.count > 0)) {
    const { previewOf } = await import('./import-preview.ts')
    const isRefused = !canBeSent(plan, readyOnly)
    const { columns, rows: height } = context.host.stderr
    const screen = { columns, rows: height, isRefused }
    const type = service.create.requestRecord
    const { lines, findings, below } = previewOf(context, given, source, type, plan, screen, 'above')
    const isOneScreen = !height || lines.length + below < height
    if (!isOneScreen) return context.noteAll([...findings, ...lines], below)
    if (findings.length > 0) await context.noteAll(findings, lines.length + below)
    return context.noteAll(lines, below)
  }
  // A log needs the error alone.
  if (!canBeSent(plan, readyOnly)) return
  const groups = [...doubts.groups, ...notes.groups]
  for (const line of alikeLines(groups.map(alikeOf), doubts.count + notes.count)) context.note(line)
  const changes = service.change !== undefined
  const parts = (Object.keys(sayings) as Outcome[]).flatMap((name) => {
    const { plan: says } = sayings[name]
    const isFirst = name === 'create' ? !changes : name === 'change' && changes && create === 0
    if (says === undefined || (counts[name] === 0 && !isFirst)) return []
    const first = name === 'create' ? countOf(create, service.kind.noun) : String(counts[name])
    return [`${first} ${says}`]
  })
  context.note(`${rows(plan.rows)}: ${parts.join(', ')}.`)
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
  const { wrong, doubts, notes } = plan
  const { source, readyOnly } = job
  const { create, change } = countsOf(plan)
  // Rows, as the summary of the import counts them: several may be one record.
  const ofRows = countsOf(plan, 'rows')
  const held = heldGroups(plan.entries.values()).flatMap(({ remarks }) => remarks)
  const warnings = [...held, ...doubts.first, ...notes.first]
  const { isForPerson } = context.output.format
  const { stdout } = context.host
  const preview = isForPerson
    ? (await import('./import-preview.ts')).previewOf(
        context,
        given,
        source,
        job.service.create.requestRecord,
        plan,
        { columns: stdout.columns, rows: stdout.rows, isRefused: !canBeSent(plan, readyOnly) },
        'below',
      )
    : undefined
  const changes: ValuesOf<typeof changeFields> | undefined = job.service.change && {
    create: ofRows.create,
    update: ofRows.change,
    unchanged: ofRows.unchanged + ofRows.updatedEarlier,
    held: ofRows.held,
    changes: plan.changes.first.map((each) => changeAsData(plan, each)),
    changeCount: plan.changes.count,
  }
  const found: ValuesOf<typeof planFields> = {
    rows: plan.rows,
    ready: ofRows.create + ofRows.change,
    ...changes,
    invalid: wrong.first.map(listed),
    warnings: warnings.slice(0, mostListed).map(listed),
    ...(source.shown && { columns: source.shown.map((each) => columnAsData(context, each)) }),
    invalidCount: wrong.count,
    warningCount: held.length + doubts.count + notes.count,
  }
  await context.output.value(
    found,
    preview && `${[...preview.lines, ...preview.findings].join('\n')}\n`,
    preview?.below,
  )
  if (!isForPerson && plan.notCompared !== undefined) context.warn(plan.notCompared)
  if (!isForPerson) noteHeld(context, plan)
  if (unread && !canBeSent(plan, readyOnly)) context.warn(withoutClaims(unread))
  await assertReady(context, job, given, plan, rejects)
  if (unread) throw new Failure(unread.code, withoutClaims(unread), unread.details)
  if (rejects !== undefined) {
    const why = plan.wrongRows.size === 0 ? 'No row is wrong' : 'Nothing was sent'
    context.note(`${why}, so ${rejects} was not written.`)
  }
  const options = readyOnly ? ['--ready-only'] : []
  if (isForPerson && create + change > 0) {
    const them = change === 0 ? 'create them' : create === 0 ? 'change them' : 'send them'
    context.note(`Nothing was sent. To ${them}: ${commandAgain(context, given, { options })}`)
  }
}

/** Names the rows that would be held back, for a log: as JSON they are only counted. */
function noteHeld(context: Context, { entries }: Plan): void {
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
function changeAsData({ entries }: Plan, { row, reference, name, path, from, to }: PlannedChange) {
  const isHeld = entries.get(keyOf(reference))?.state === 'held'
  return { row, reference, name, path, from, to, ...(isHeld && { held: true }) }
}

/** What a column fills, as a script reads it. */
function columnAsData({ reveal }: Context, column: ShownColumn) {
  const { letters, name, path = null, sum } = column
  const first = firstValue(column, reveal)
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

/** The summary: a line for a person, an object for a script. */
export async function printSummary(
  context: Context,
  summary: Summary,
  { differing }: Plan['changes'],
): Promise<void> {
  const { stdout } = context.host
  const line = foldMessage(summaryLine(summary), isTerminal(stdout) ? stdout.columns : undefined)
  await context.output.value({ ...summary }, `${line}\n`)
  if (differing > 0) {
    const are = differing === 1 ? 'is' : 'are'
    // Those that are held back are not counted as existing.
    const which =
      differing > summary.existing
        ? `${plural(differing, 'row')} that the service has already`
        : `${differing} of the ${summary.existing} that were already on the service`
    context.note(`${which} ${are} not as the file says: --update changes ${differing === 1 ? 'it' : 'them'}.`)
  }
}

function alikeOf({ count, remarks }: RemarkGroup): Alike {
  const issues = remarks.map(({ row, path, message }) => ({ path: rowPath(row, path), message }))
  return { message: remarks[0]?.cause ?? remarks[0]?.message ?? '', issues, count }
}

/** Shows on a terminal how far an import is; elsewhere shows nothing. */
export async function showSending(
  { draws, host }: Context,
  plan: Plan,
): Promise<Watcher & { readonly end: () => void }> {
  if (!draws) return { onMove: () => {}, onDoing: () => {}, end: () => {} }
  const { liveLine } = await import('../../render/progress.ts')
  const line = liveLine(host.stderr)
  const { create, change, unknown } = countsOf(plan)
  const started = host.monotonicNow()
  const counts: StateCounts = {}
  let doing: string | undefined
  const show = () => {
    const ms = doing === undefined ? host.monotonicNow() - started : undefined
    line.show(
      progressText(counts, create + change + unknown, ms) + (doing === undefined ? '' : ` (${doing})`),
    )
  }
  show()
  return {
    onMove({ state }, from) {
      counts[from] = (counts[from] ?? 0) - 1
      counts[state] = (counts[state] ?? 0) + 1
      doing = undefined
      show()
    },
    onDoing(text) {
      doing = text
      show()
    },
    end: line.end,
  }
}

/** How many rows are in each state. */
type StateCounts = Partial<Record<State, number>>

/** `120 of 400 sent, 35 a second, 8 seconds left; 2 refused, 1 being checked`. */
function progressText(counts: StateCounts, total: number, ms: number | undefined): string {
  const { done: sent = 0, refused = 0, doubt = 0, equal = 0, held = 0 } = counts
  const done = sent + refused + equal + held
  const rate = ms === undefined ? 0 : done / (ms / 1000)
  const left = rate > 0 ? ((total - done) / rate) * 1000 : undefined
  const more = [
    refused > 0 && `${refused} refused`,
    held > 0 && `${held} ${outcomes.held.end}`,
    doubt > 0 && `${doubt} being checked`,
  ]
  const speed = left === undefined ? '' : `, ${speedOf(rate)}, ${formatDuration(left)} left`
  const rest = more.filter((each) => each !== false).join(', ')
  return `${done} of ${total} sent${speed}${rest && `; ${rest}`}`
}

/** `35 a second`; of a slow import `30 a minute`. */
const speedOf = (perSecond: number) =>
  perSecond >= 1 ? `${Math.round(perSecond)} a second` : `${Math.round(perSecond * 60)} a minute`

/**
 * Throws a Failure (exit 3) when a row of the file cannot be sent: then none is, unless only the sound ones are wanted.
 * With `--rejects` it writes a copy of the file with the wrong cells marked first.
 */
export async function assertReady(
  context: Context,
  job: ImportJob,
  given: string,
  plan: Plan,
  rejects: string | undefined,
): Promise<void> {
  const { wrongRows, wrong, isCutShort } = plan
  const bad = wrongRows.size
  if (canBeSent(plan, job.readyOnly)) return
  const [it, are] = bad === 1 ? ['it', 'it is'] : ['them', 'they are']
  const copy = rejects === undefined || isCutShort ? undefined : await writeCopy(job, plan, rejects)
  const ways: [says: string, command: string][] = []
  if (!copy && !isCutShort) {
    const file = given === '-' ? `stdin.${job.source.format}` : given
    const options = ['--dry-run', '--rejects', file.replace(/(\.\w+)?$/, '.marked$1')]
    ways.push([
      'have the wrong cells marked in a copy of the file',
      commandAgain(context, given, { options }),
    ])
  }
  const { create, change } = countsOf(plan)
  const sound = create + change
  if (sound > 0 && !job.readyOnly && !isCutShort) {
    const does = change > 0 ? 'send' : 'create'
    const says = `${does} the ${sound} that ${sound === 1 ? 'is' : 'are'} ready`
    ways.push([says, commandAgain(context, given, { options: ['--ready-only'] })])
  }
  for (const [way, count] of plan.ways)
    ways.push([wayWords[way](count), commandAgain(context, given, { options: [way] })])
  const others = ways.map(([says]) => `, or ${says}`).join('')
  const first = copy
    ? `Put ${it} right in ${copy}, where the wrong cells are marked, and import that`
    : `Put ${it} right and run the command again`
  const commands = [
    ...(copy ? [commandForFile(context, given, job.source, copy)] : []),
    ...ways.map(([, one]) => one),
  ]
  const issues = hasPreview(context) ? [] : issuesIn(plan)
  const failure = invalidInput(
    `${rows(bad)} cannot be sent as ${are}.`,
    issues,
    `${first}${others}${commands.length > 0 ? ':' : '.'}`,
  )
  throw new Failure('input', failure.message, {
    ...failure.details,
    outcome: 'not-sent',
    ...(issues.length > 0 && { issueCount: wrong.count }),
    ...(commands.length > 0 && { resume: commands }),
  })
}

/** What an option does with the rows that it lets pass. */
const wayWords: Readonly<Record<Way, (count: number) => string>> = {
  '--same-person': (count) =>
    `create ${count === 1 ? 'the person' : `the ${count} people`} all the same, where they are different people`,
  '--overlapping': (count) =>
    `send ${count === 1 ? 'the row whose days overlap' : `the ${count} rows whose days overlap`} those of another timesheet`,
}

/** The path of a copy of the file, with all of its rows: none of them was sent. */
async function writeCopy({ source }: ImportJob, plan: Plan, path: string): Promise<string> {
  const rejects = openRejects(source, undefined, path)
  await copyWithReasons(source, plan, rejects)
  await rejects.close()
  return rejects.path() ?? path
}

function issuesIn({ wrongRows }: Plan): Issue[] {
  return [...wrongRows].flatMap(([row, issues]) =>
    issues.map(({ path, message }) => ({ path: rowPath(row, path), message })),
  )
}

/** Says on a terminal how far the comparison is, and how long it will take: a request for each record. */
export async function showPlanning({ draws, host }: Context): Promise<{
  readonly onPlanning: ImportJob['onPlanning']
  readonly end: () => void
}> {
  if (!draws) return { onPlanning: undefined, end: () => {} }
  const { liveLine } = await import('../../render/progress.ts')
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
