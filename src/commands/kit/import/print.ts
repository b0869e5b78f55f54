import { isTerminal } from '../../../context/choose-format.ts'
import type { Context } from '../../../context/context.ts'
import { Failure, type Issue, invalidInput } from '../../../errors.ts'
import { encodingOfExcel, lostLetters, readAsExcelSaves } from '../../../files/formats/text-encoding.ts'
import { rowNumbers } from '../../../files/table/row.ts'
import type { PlannedChange } from '../../../import/change-tally.ts'
import { type Entry, isReady, isToChange, type State } from '../../../import/entry.ts'
import { mostListed, type Remark, type RemarkGroup, type Way } from '../../../import/findings.ts'
import type { ImportJob } from '../../../import/job.ts'
import { keyInWords } from '../../../import/key-in-words.ts'
import { canBeSent, countsOf, heldGroups, type Plan } from '../../../import/plan.ts'
import { fieldsOf, type PlanRow, writePlanRows } from '../../../import/plan-file.ts'
import { copyWithReasons, openRejects } from '../../../import/reject-rows.ts'
import type { RunResult } from '../../../import/report.ts'
import { planLines, rowFates, summaryLine } from '../../../import/row-fates.ts'
import type { Watcher } from '../../../import/running.ts'
import {
  anything,
  array,
  flag,
  integer,
  number,
  object,
  text,
  type ValuesOf,
} from '../../../model/fields/field.ts'
import { labelOf } from '../../../model/mapping/record-name.ts'
import { keyOf, readKey } from '../../../model/natural-key.ts'
import { alikeLines, type SameIssues } from '../../../render/failure-text.ts'
import { foldMessage } from '../../../render/text/fold-message.ts'
import { formatDuration } from '../../../text/duration.ts'
import { groupBy } from '../../../text/group-by.ts'
import { capital, plural, singular } from '../../../text/words.ts'
import { type OptionName, optionDeclarations, optionWord } from '../../cli/options.ts'
import { typedCommand } from '../command-line.ts'
import { startLine } from '../show-progress.ts'
import { fieldCounts, fieldName, firstValue, isHidden, previewOf } from './preview.ts'

/** Whether a person sees the preview. Then no message repeats what it says. */
export const hasPreview = ({ interactive, quiet, output }: Context): boolean =>
  interactive && !quiet && output.format.isForPerson

/** `1 candidate`, `2 candidates`. */
export const countOf = (number: number, noun: string) => plural(number, singular(noun))

/** The place of a remark. Row 0 means that it is not about a row. */
const rowPath = (row: number, path: string) => [row > 0 && `row ${row}`, path].filter(Boolean).join(', ')

/** The place of a remark as a person calls it. A message about a cell names its column. */
function placeOf({ source, service }: ImportJob, { row, path, column, record }: Remark): string {
  const isNamed = column !== undefined || path === ''
  const field = isNamed ? '' : fieldName(path, { format: source.format, type: service.type })
  return rowPath(row, record ?? field)
}

/** Says on standard error what is going to happen: everything to a person, and the essentials to a log. */
export async function printPlan(context: Context, job: ImportJob, plan: Plan): Promise<void> {
  const { service, source } = job
  const { wrong, doubts, notes } = plan
  const { noun } = service.kind
  const counts = countsOf(plan)
  const isSaid =
    Object.entries(counts).some(([name, count]) => count > 0 && name !== 'create') ||
    wrong.count + doubts.count + notes.count + (source.shown?.length ?? 0) > 0
  if (hasPreview(context) && isSaid) {
    const { lines, below } = previewOf(context, job, plan, context.host.stderr)
    return context.noteAll(lines, below)
  }
  // A log needs only the error, which follows.
  if (!canBeSent(plan, job)) return
  const groups = [...doubts.groups, ...notes.groups]
  for (const line of alikeLines(
    groups.map((group) => alikeOf(job, group)),
    doubts.count + notes.count,
  ))
    context.note(line)
  const first = service.change ? (counts.create === 0 ? 'change' : undefined) : 'create'
  const parts = planLines(countsOf(plan, 'rows'), counts, noun)
    .filter(({ name, count }) => count > 0 || name === first)
    .map(({ name, count, says, records }) =>
      name === 'create' && records === '' ? `${countOf(count, noun)} ${says}` : `${count} ${says}${records}`,
    )
  const total = source.total === undefined ? '' : ` (${source.total})`
  context.note(`${plural(plan.rows, 'row')}${total}: ${parts.join(', ')}.`)
  if (plan.changes.fields.length > 0) context.note(`Changes: ${fieldCounts(plan)}.`)
}

const remark = object('', {
  row: integer('Row', { help: '0: it is about something else, which the path names.' }),
  path: text('Path of the field'),
  message: text('Message'),
})

const plannedChangeFields = {
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

/** The two forms of a dry run's answer: without and with --update. */
export const plans = [planFields, { ...planFields, ...plannedChangeFields }] as const

/** Prints a dry run, then throws as `assertReady` does. `unread` says why the shared journal could not be read. */
export async function printDryRun(
  context: Context,
  job: ImportJob,
  plan: Plan,
  { rejects, unread }: { readonly rejects: string | undefined; readonly unread: Failure | undefined },
): Promise<void> {
  const { isForPerson } = context.output.format
  const preview = isForPerson ? previewOf(context, job, plan, context.host.stdout) : undefined
  await context.output.value(
    planAsData(context, job, plan),
    preview && `${preview.lines.join('\n')}\n`,
    preview?.below,
  )
  if (!isForPerson && plan.notCompared !== undefined) context.warn(plan.notCompared)
  if (!isForPerson) noteHeld(context, job, plan)
  const notRead = unread && `${unread.message} So it is not known which rows other runs have claimed.`
  if (notRead && !canBeSent(plan, job)) context.warn(notRead)
  await assertReady(context, job, plan, rejects)
  if (notRead) throw new Failure(unread.code, notRead, unread.details)
  if (rejects !== undefined) {
    const why = plan.wrongRows.size === 0 ? 'No row is wrong' : 'Nothing was sent'
    context.note(`${why}, so ${rejects} was not written.`)
  }
  const { create, change } = countsOf(plan)
  if (isForPerson && create + change > 0) {
    const does = change === 0 ? 'create' : create === 0 ? 'change' : 'send'
    const options = job.sendsReadyOnly ? ['--ready-only'] : []
    context.note(`Nothing was sent. To ${does} them: ${commandAgain(context, job, options)}`)
  }
}

/** A dry run as data. It counts rows, as the summary of an import does; several rows may be one record. */
function planAsData({ reveal }: Context, { source, service }: ImportJob, plan: Plan) {
  const { rows, wrong, doubts, notes, changes, entries } = plan
  const counts = countsOf(plan, 'rows')
  const held = heldGroups(entries.values()).flatMap(({ remarks }) => remarks)
  const listRemark = ({ row, path, message }: Remark) => ({ row, path, message })
  const ofChanges: ValuesOf<typeof plannedChangeFields> | undefined = service.change && {
    create: counts.create,
    update: counts.change,
    unchanged: counts.unchanged + counts.updatedEarlier,
    held: counts.held,
    changes: changes.first.map(({ field: _, ...change }) => {
      const isHeld = entries.get(keyOf(change.reference))?.state === 'held'
      return { ...change, ...(isHeld && { held: true }) }
    }),
    changeCount: changes.count,
  }
  const found: ValuesOf<typeof planFields> = {
    rows,
    ready: counts.create + counts.change,
    ...ofChanges,
    invalid: wrong.first.map(listRemark),
    warnings: [...held, ...doubts.first, ...notes.first].slice(0, mostListed).map(listRemark),
    ...(source.shown && {
      columns: source.shown.map((column) => ({
        column: column.letters,
        heading: column.name,
        path: column.path ?? null,
        first: firstValue(column, reveal),
        ...(column.sum !== undefined && !isHidden(column, reveal) && { sum: Number(column.sum.toFixed(4)) }),
      })),
    }),
    invalidCount: wrong.count,
    warningCount: held.length + doubts.count + notes.count,
  }
  return found
}

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
  const changes = groupBy(plan.changes.all, byRow)
  const doubts = groupBy(
    plan.doubts.groups.flatMap(({ remarks }) => remarks),
    byRow,
  )
  for await (const each of source.rows()) {
    const { row, record } = each
    const reference = readKey(record, request) ?? ''
    const issues = rowNumbers(each).flatMap((number) => wrongRows.get(number) ?? [])
    // Where the list was not read, nobody knows what would happen to a sound row.
    const entry = baseline && entries.get(keyOf(reference))
    const planned =
      issues.length > 0
        ? ({ action: 'put right', reason: reasonOf(issues) } as const)
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
function actionOn(entry: Entry, doubts: readonly Issue[]): PlannedAction | undefined {
  const { writes, elsewhere, left, state, issues } = entry
  const doubtful = doubts.length === 0 ? '' : `doubtful: ${reasonOf(doubts)}`
  if (left) return { action: 'held back', reason: rowFates.left.plan }
  if (elsewhere) return { action: 'held back', reason: `${rowFates.elsewhere.plan}: ${elsewhere.by}` }
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

/** All reasons in one text, equal ones once. */
const reasonOf = (issues: readonly Issue[]) => [...new Set(issues.map(({ message }) => message))].join('; ')

/** Names the held rows in a log, because the JSON only counts them. */
function noteHeld(context: Context, job: ImportJob, { entries }: Plan): void {
  const groups = heldGroups(entries.values())
  const count = groups.reduce((sum, each) => sum + each.count, 0)
  if (count === 0) return
  context.note(`${plural(count, 'row')} would be held back:`)
  // By the person of the row, not by the field.
  const named = groups.map(({ remarks, ...group }) => ({
    ...group,
    remarks: remarks.map((each) => ({ ...each, record: each.record ?? String(each.value) })),
  }))
  const lines = named.map((group) => alikeOf(job, group))
  for (const line of alikeLines(lines, count)) context.note(`  ${line}`)
}

function alikeOf(job: ImportJob, { count, remarks }: RemarkGroup): SameIssues {
  const issues = remarks.map((each) => ({ path: placeOf(job, each), message: withoutRecord(each) }))
  return { message: remarks[0]?.cause ?? remarks[0]?.message ?? '', issues, count }
}

/** The message, where the place of its row has named the record already. */
function withoutRecord({ message, record }: Remark): string {
  return record !== undefined && message.startsWith(`${record} `)
    ? `it${message.slice(record.length)}`
    : message
}

const mostWarnings = 10

/** Prints the summary, as a line or as JSON, and the records that the service stores differently. */
export async function printSummary(
  context: Context,
  { service }: ImportJob,
  { summary, records, otherwise }: Pick<RunResult, 'summary' | 'records' | 'otherwise'>,
  { changes: { differing } }: Plan,
): Promise<void> {
  const { stdout } = context.host
  const said = summaryLine(summary, records, service.kind.noun)
  const line = foldMessage(said, isTerminal(stdout) ? stdout.columns : undefined)
  await context.output.value({ ...summary }, `${line}\n`)
  if (differing > 0) {
    const [are, them] = differing === 1 ? ['is', 'it'] : ['are', 'them']
    const which =
      differing > records.existing
        ? `${countOf(differing, service.kind.noun)} that the service has already`
        : `${differing} of the ${records.existing} that were already on the service`
    context.note(`${which} ${are} not as the file says: --update changes ${them}.`)
  }
  for (const { reference, fields } of otherwise.slice(0, mostWarnings))
    context.warn(
      `the service stored ${fields.join(', ')} of ${keyInWords(reference)} differently from what was sent.`,
    )
  if (otherwise.length > mostWarnings)
    context.warn(`… and stored fields of ${otherwise.length - mostWarnings} more differently.`)
}

/** Shows an import's progress on a terminal; elsewhere nothing. */
export async function showSending(
  context: Context,
  plan: Plan,
): Promise<Watcher & { readonly end: () => void }> {
  const { draws } = context
  const line = await startLine(context, { draws })
  const { create, change, unknown } = countsOf(plan)
  const counts: Partial<Record<State, number>> = {}
  const show = (doing?: string) =>
    line.show((ms) =>
      doing === undefined
        ? progressText(counts, create + change + unknown, ms)
        : `${progressText(counts, create + change + unknown, undefined)} (${doing})`,
    )
  show()
  return {
    onMove({ state }, from) {
      counts[from] = (counts[from] ?? 0) - 1
      counts[state] = (counts[state] ?? 0) + 1
      show()
    },
    onDoing: show,
    end: line.end,
  }
}

/** `120 of 400 sent, 35 a second, 8 seconds left; 2 refused, 1 being checked` */
function progressText(
  { done: sent = 0, refused = 0, unclear = 0, equal = 0, held = 0 }: Partial<Record<State, number>>,
  total: number,
  ms: number | undefined,
): string {
  const done = sent + refused + equal + held
  const rate = ms === undefined ? 0 : done / (ms / 1000)
  // The speed of a slow import is said by the minute.
  const speed = rate >= 1 ? `${Math.round(rate)} a second` : `${Math.round(rate * 60)} a minute`
  const left = rate > 0 ? `, ${speed}, ${formatDuration(((total - done) / rate) * 1000)} left` : ''
  const rest = [
    [refused, 'refused'],
    [held, rowFates.held.end],
    [unclear, 'being checked'],
  ].flatMap(([count, says]) => (Number(count) > 0 ? [`${count} ${says}`] : []))
  return `${done} of ${total} sent${left}${rest.length > 0 ? `; ${rest.join(', ')}` : ''}`
}

const wayWords: Readonly<Record<Way, (count: number) => string>> = {
  '--same-person': (count) =>
    `create ${count === 1 ? 'the person' : `the ${count} people`} anyway, if they really are different people`,
  '--overlapping': (count) =>
    `send ${count === 1 ? 'the row whose days overlap' : `the ${count} rows whose days overlap`} those of another timesheet`,
}

/** Throws exit 3 if rows cannot be sent. `rejects` names a file for a copy in which the wrong cells are marked. */
export async function assertReady(
  context: Context,
  job: ImportJob,
  plan: Plan,
  rejects: string | undefined,
): Promise<void> {
  const { wrongRows, wrong, isCutShort } = plan
  if (canBeSent(plan, job)) return
  const copy = rejects === undefined || isCutShort ? undefined : await writeCopy(job, plan, rejects)
  const ways = waysOut(context, job, plan, copy)
  const commands = ways.flatMap(([, command]) => command ?? [])
  const are = wrongRows.size === 1 ? 'it is' : 'they are'
  const issues = hasPreview(context) ? [] : issuesOf(job, plan)
  const failure = invalidInput(
    `${plural(wrongRows.size, 'row')} cannot be sent as ${are}.`,
    issues,
    capital(ways.map(([says]) => says).join(', or ')) + (commands.length > 0 ? ':' : '.'),
  )
  throw new Failure('input', failure.message, {
    ...failure.details,
    outcome: 'not-sent',
    issueCount: issues.length > 0 ? wrong.count : undefined,
    resume: commands.length > 0 ? commands : undefined,
  })
}

const issuesOf = (job: ImportJob, { wrongRows }: Plan): Issue[] =>
  [...wrongRows].flatMap(([row, issues]) =>
    issues.map((issue) => ({
      path: rowPath(row, issue.path),
      message: issue.message,
      place: placeOf(job, { ...issue, row }),
    })),
  )

/** A way on with a file that cannot be sent: in words, and the command that does it, if there is one. */
type WayOut = readonly [says: string, command?: string]

/** `copy`: the file in which the wrong cells are marked. */
function waysOut(context: Context, job: ImportJob, plan: Plan, copy: string | undefined): readonly WayOut[] {
  const { wrongRows, isCutShort } = plan
  const { typedFile, source, sendsReadyOnly } = job
  const again = (...options: readonly string[]) => commandAgain(context, job, options)
  const it = wrongRows.size === 1 ? 'it' : 'them'
  const ways: WayOut[] = []
  // The letters are looked at before they are sent.
  if (issuesOf(job, plan).some(({ message }) => message.includes(lostLetters)))
    ways.push([readAsExcelSaves, again('--dry-run', ...encodingOfExcel)])
  if (copy !== undefined)
    ways.push([
      `put ${it} right in ${copy}, where the wrong cells are marked, and import that`,
      commandAgain(context, job, [], copy),
    ])
  else {
    ways.push([`put ${it} right and run the command again`])
    const named = typedFile === '-' ? `stdin.${source.format}` : typedFile
    const marked = named.replace(/(\.\w+)?$/, '.marked$1')
    if (!isCutShort)
      ways.push([
        'have the wrong cells marked in a copy of the file',
        again('--dry-run', '--rejects', marked),
      ])
  }
  const { create, change } = countsOf(plan)
  const sound = create + change
  if (sound > 0 && !sendsReadyOnly && !isCutShort) {
    const says = `${change > 0 ? 'send' : 'create'} the ${sound} that ${sound === 1 ? 'is' : 'are'} ready`
    ways.push([says, again('--ready-only')])
  }
  for (const [way, count] of plan.ways) ways.push([wayWords[way](count), again(way)])
  return ways
}

async function writeCopy({ source }: ImportJob, plan: Plan, path: string): Promise<string> {
  const rejects = openRejects(source, path)
  await copyWithReasons(source, plan, rejects)
  await rejects.close()
  return rejects.path() ?? path
}

/** The declared options that belong to one run alone. */
const ofOneRun = (Object.keys(optionDeclarations) as OptionName[]).filter(
  (name) => optionDeclarations[name].ofOneRun,
)

/** The typed command with other options, or for another file. That may change what is remembered, so its date order is named. */
export function commandAgain(
  context: Context,
  { typedFile, source: { dateFormat } }: ImportJob,
  options: readonly string[],
  file = typedFile,
): string {
  const { argv } = context.host
  const isOther = file !== typedFile
  // A copy has its headings in the first row.
  const names: readonly OptionName[] = isOther ? [...ofOneRun, 'headingRow'] : ofOneRun
  const left = new Map(
    names.map((name) => [optionWord(name), optionDeclarations[name].value !== undefined] as const),
  )
  const at = argv.indexOf(typedFile, argv.indexOf('import') + 1)
  const words = argv.flatMap((word, index) => {
    if (index === at) return [file]
    const [name = ''] = word.split('=')
    return left.has(name) || left.get(argv[index - 1] ?? '') ? [] : [word]
  })
  const isNamed = words.some((word) => word.startsWith('--date-format'))
  const order = isOther && dateFormat && !isNamed ? ['--date-format', dateFormat] : []
  return typedCommand(context, [...words, ...order, ...options])
}
