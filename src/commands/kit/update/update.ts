import { readWholeRecord } from '../../../api/whole-record.ts'
import type { Context } from '../../../context/context.ts'
import { type Issue, usage } from '../../../errors.ts'
import { askableColumns } from '../../../files/formats/flat.ts'
import { isEmpty, type Json, type JsonObject, valueAt } from '../../../files/json/path.ts'
import { array, flag, object, text, type ValuesOf } from '../../../model/fields/field.ts'
import { withNulls } from '../../../model/mapping/map-record.ts'
import { describeRecord } from '../../../model/mapping/record-name.ts'
import { keyOfFields } from '../../../model/natural-key.ts'
import { answerType, recordSentBy } from '../../../model/records/operation.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import { changesBetween, type Difference, differences } from '../../../model/values/compare-stored.ts'
import { headingFor } from '../../../model/values/find-field.ts'
import type { RecordAsRequest } from '../../../model/values/read-record.ts'
import { differenceLines } from '../../../render/text/format-change.ts'
import { nameSome } from '../../../text/words.ts'
import { findHidden } from '../../../write/at-risk.ts'
import { readMade } from '../../../write/history/made-values.ts'
import type { Change } from '../../../write/record-write.ts'
import { beginChange } from '../../../write/send-write.ts'
import type { Options } from '../../cli/options.ts'
import { chooseOperation } from '../../cli/target.ts'
import { confirmWrite, mustAsk } from '../confirm.ts'
import {
  doubtLine,
  type Say,
  sayAround,
  sayDoubts,
  warningFields,
  warningsOf,
  withWarnings,
} from '../doubts.ts'
import { dryRun, dryRunOfNothing } from '../dry-run.ts'
import { withRecord } from '../find/with-record.ts'
import { assertFormOptions, givenRecord, readChange, wantsForm } from '../input.ts'
import { serviceName } from '../open-prompts.ts'
import { changeAsData, changeFields, labelsFor } from '../show-changes.ts'
import { showProgress } from '../show-progress.ts'
import { assertAllowable, emptyFieldsOf, warnBeforeEditing } from './ask-at-risk.ts'
import { passGuards } from './pass-guards.ts'
import { changeAndReport } from './send-update.ts'
import { applyGiven, assertIsRecord, letPersonChange } from './wanted-record.ts'
import { recordTarget, type WriteSession } from './write-session.ts'

/** The answer of an update where the service does not show the record afterwards. */
export const updatedFields = { updated: flag('Updated'), id: text('Id of the record'), ...warningFields }

export const changedFields = {
  changed: flag('Whether anything was changed'),
  id: text('Id of the record'),
  changes: array('Changes', object('', changeFields)),
  ...warningFields,
}

/** Updates the record of this id or reference by reading it, changing it and sending it whole. */
export async function runUpdate(session: WriteSession, word: string): Promise<void> {
  const { context, verb, options } = session
  const type = recordSentBy(chooseOperation(verb.operation, options))
  assertChangesUsed(context, options)
  // Input and key are looked at before anybody is asked, and before any request is sent.
  const input = await readInput(session, type)
  await context.client()
  if (!options.dryRun) await mustAsk(context, `update ${type.displayName} (${word})`)
  const unchanged = await readForUpdate(session, word)
  await assertColumns(context, unchanged)
  await passGuards(session, unchanged, 'read')
  const isEdited = typeof input === 'string'
  const atRisk = isEdited ? await warnBeforeEditing(session, unchanged) : undefined
  const wanted = await (isEdited
    ? letPersonChange(session, unchanged, input)
    : applyGiven(session, unchanged, input))
  assertIsRecord(type, unchanged.seen, wanted.record, options.incomplete === true || input === 'form')
  const { requested, after } = await changesTo(session, unchanged, wanted.record as JsonObject)
  const { givenValues } = wanted
  const change: Change = { ...unchanged, wanted: after, changes: requested, givenValues }
  const lines = changeLines(context, change)
  // A dry run at a terminal prints them.
  if (!options.dryRun || !context.output.format.isForPerson) {
    if (requested.length === 0) context.note('Nothing to change: the service already has these values.')
    for (const line of lines) context.note(line)
    noteOwnForm(context, type, after, wanted.record)
  }
  if (requested.length === 0) return printUnchanged(session, change)
  const doubts = [...wanted.doubts, ...(await passGuards(session, change, 'wanted', { atRisk }))]
  if (options.dryRun) return printDryRun(context, change, doubts, lines)
  const described = await confirmUpdate(session, change, word, { hasAsked: input === 'form', doubts })
  const now = await showProgress(context, 'Updating', changeAndReport(session, change))
  await sayAround(context, { type, doubts }, (say) =>
    printUpdated(session, change, { record: now, described, doubts }, say),
  )
}

/** Throws a usage failure for a column that the record will not have: after the update it could only be reported. */
async function assertColumns(context: Context, { target, seen }: Pick<Change, 'target' | 'seen'>) {
  const { columns } = context.options
  if (!columns) return
  const { knownColumns } = await import('../../../render/named-columns.ts')
  const { fields } = answerType(target.operation) ?? target.type
  knownColumns(columns, askableColumns([withWarnings(context, seen.record, [])]), fields)
}

/** Where the change comes from: given input, checked as far as possible before the record is read, or a person. */
type ChangeSource = RecordAsRequest | 'form' | 'editor'

async function readInput({ context, options }: WriteSession, type: RecordType): Promise<ChangeSource> {
  if (options.edit && context.options.input === false)
    throw usage('--edit opens an editor, and --no-input asks nothing: leave one of them out.')
  const byPerson = options.edit ? 'editor' : wantsForm(context, options) ? 'form' : undefined
  assertFormOptions(options, byPerson === 'form')
  return byPerson ?? readChange(type, await givenRecord(context, options), options, context.today())
}

/** Finds and reads the record. */
async function readForUpdate(session: WriteSession, word: string): Promise<Change> {
  const { context, verb, options } = session
  const client = await context.client()
  const reference = { target: verb.operation, list: verb.list, typed: word, options, writes: true }
  const { name, target, seen } = await withRecord(context, reference, async ({ id, name }) => {
    const target = recordTarget(session, id)
    return { name, target, seen: await readWholeRecord(client, target) }
  })
  const { id, type } = target
  assertAllowable(type, options, seen)
  const isById = id.toLowerCase().startsWith(name.toLowerCase())
  const key = isById || !type.reference ? undefined : keyOfFields(type, [type.reference])
  return beginChange(target, seen, { typed: name, key })
}

/** What a wanted record changes, and the record with it. What the service has already stays in the service's own form. */
async function changesTo({ context, options }: WriteSession, { target, seen }: Change, wanted: JsonObject) {
  const { type, operation, id } = target
  // A field that was null and is given as null is no difference.
  const isNullAgain = ({ path, after }: Difference) => after === null && seen.nulls.has(path)
  // What --set-raw says is sent as it stands.
  if (options.setRaw) {
    const requested = differences(seen.body, wanted).filter((each) => !isNullAgain(each))
    return { requested, after: wanted }
  }
  const knowledge = await context.knowledge()
  const isKnownHidden = await findHidden(knowledge, type, id, seen.record, await emptyFieldsOf(context))
  const isHidden = (path: string) =>
    !seen.nulls.has(path) &&
    (seen.sectionsNotReturned.some((section) => path.startsWith(`${section}.`)) || isKnownHidden(path))
  const rules = { isKept: isNullAgain, isHidden, lettersCount: true }
  const changes = changesBetween(type, seen.body, wanted, rules)
  if (changes.requested.length === 0) return changes
  const isMade = await readMade(await context.directoryIfAny(), await context.profile(), operation)
  const isKept = (each: Difference) => isNullAgain(each) || isMade(id, each)
  return changesBetween(type, seen.body, wanted, { ...rules, isKept })
}

/** Says which of the wanted values stay as the service writes them: a person may have meant to put just that right. */
function noteOwnForm(context: Context, type: RecordType, after: JsonObject, wanted: Json): void {
  const kept = differences(after, wanted).filter(({ before }) => !isEmpty(before))
  const names = kept.map(({ path }) => headingFor(type, path))
  if (names.length > 0)
    context.note(
      `The service has ${nameSome(names, 3)} in a form of its own, which stays. --set-raw sends yours.`,
    )
}

async function printDryRun(
  context: Context,
  { target: { parameters, operation, type }, seen, wanted, changes }: Change,
  doubts: readonly Issue[],
  changeLines: readonly string[],
): Promise<void> {
  const ifMatch = seen.etag === undefined ? {} : { ifMatch: seen.etag }
  const request = { parameters, body: withNulls(wanted, seen), ...ifMatch }
  const lines = [...changeLines, ...doubts.map((doubt) => doubtLine(doubt, labelsFor(context, type)))]
  await dryRun(context, operation, request, { doubts, changes: changes.map(changeAsData), lines })
}

/**
 * Asks for confirmation where it is needed. `hasAsked`: the form did, and named the service. Returns the
 * record's name for messages.
 */
async function confirmUpdate(
  { context, verb, options }: WriteSession,
  { target: { id, type }, seen }: Change,
  word: string,
  { hasAsked, doubts }: { readonly hasAsked: boolean; readonly doubts: readonly Issue[] },
): Promise<string> {
  const asksAlways = await sayDoubts(context, type, doubts)
  let described = describeRecord(type, seen.record, id)
  const name = async () => {
    described = (await verb.describe?.(context, id, options)) ?? described
    return `update ${described}`
  }
  if (hasAsked) await name()
  else await confirmWrite(context, `update ${type.displayName} (${word})`, asksAlways, name)
  return described
}

async function printUnchanged({ context, options }: WriteSession, { target, seen }: Change): Promise<void> {
  if (options.dryRun) return dryRunOfNothing(context)
  const unchanged: ValuesOf<typeof changedFields> = {
    changed: false,
    id: target.id,
    changes: [],
    ...warningsOf(context, []),
  }
  if (options.changes) return context.output.value(unchanged, 'Nothing was changed.\n')
  return context.output.record(seen.record, answerType(target.operation))
}

interface UpdatedRecord {
  /** As it is now; undefined where the service does not show it. */
  readonly record: JsonObject | undefined
  readonly described: string
  readonly doubts: readonly Issue[]
}

/**
 * Prints the record as it is now, or the changes with --changes. At a terminal the changes come last, below the record; with
 * --changes they stand right above already.
 */
async function printUpdated(
  { context, options }: WriteSession,
  change: Change,
  { record, described, doubts }: UpdatedRecord,
  say: Say,
): Promise<void> {
  const { id, type, operation } = change.target
  // What was typed was shown before, to be compared; it is not said twice.
  const lines = changeLines(context, { ...change, givenValues: {} })
  const isShown = context.host.stdout.isTTY
  const what = isShown ? described : `${type.displayName} (${id})`
  const sentence = `Updated ${what} on ${serviceName(await context.profile())}.`
  const warnings = warningsOf(context, doubts)
  if (options.changes) {
    context.note(sentence)
    if (isShown && context.host.stderr.isTTY && context.output.isRead && !context.quiet) return
    const changes = change.changes.map(changeAsData)
    const plan: ValuesOf<typeof changedFields> = { changed: true, id, changes, ...warnings }
    await context.output.value(plan, `${lines.join('\n')}\n`)
  } else {
    for (const text of isShown ? [sentence, ...lines] : [sentence]) say(text)
    const report: ValuesOf<typeof updatedFields> = { updated: true, id, ...warnings }
    const answer = record ? withWarnings(context, record, doubts) : report
    await context.output.record(answer, answerType(operation))
  }
}

/** Throws a usage failure for a --changes without effect, and for --columns with it. */
function assertChangesUsed(context: Context, { changes, dryRun: isDryRun }: Options): void {
  if (!changes) return
  if (isDryRun) throw usage('--dry-run prints the changes already: leave --changes out.')
  if (context.options.columns)
    throw usage('--columns selects fields of the record, and --changes prints none. Leave one of them out.')
}

/** One line for each change. A value that was typed on the command line is visible anyway, so it is not masked. */
function changeLines(context: Context, { target: { type }, changes, givenValues }: Change): string[] {
  const { host, interactive, reveal } = context
  const isOnScreen = interactive && host.stdout.isTTY === true
  return changes.flatMap((change) => {
    const isTyped = isOnScreen && valueAt(givenValues, change.path) !== undefined
    return differenceLines(change, reveal || (isTyped && 'new'), labelsFor(context, type))
  })
}
