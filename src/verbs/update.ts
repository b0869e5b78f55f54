import { isDeepStrictEqual } from 'node:util'
import { array, type Field, flag, object, text, type ValuesOf } from '../api/contract/fields/field.ts'
import { emptyValue } from '../api/contract/fields/field-tree.ts'
import { type Difference, differences } from '../api/contract/mapping/compare-stored.ts'
import { unreturnedFields } from '../api/contract/mapping/field-mapping.ts'
import { isNothing, valueIn, withNulls, withoutNulls } from '../api/contract/mapping/map-record.ts'
import { describeRecord } from '../api/contract/mapping/record-name.ts'
import { maskedFields } from '../api/contract/mapping/service-masks.ts'
import { idsOf } from '../api/contract/records/identity.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import { addedWarnings } from '../api/contract/standards/warnings.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import type { Options } from '../cli/options.ts'
import type { UpdateVerb } from '../cli/resource-verbs.ts'
import { answerType, type Target } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import { declined, Failure, type Issue, invalidInput, usage } from '../errors.ts'
import { nameIn } from '../import/natural-key.ts'
import {
  formatPath,
  type Json,
  type JsonObject,
  mergeDeep,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../json/path.ts'
import type { FormEnd } from '../prompts/form/fill-form.ts'
import { isSensitive, mask } from '../render/text/mask.ts'
import { type RecordAsRequest, unknownName } from '../values/read-record.ts'
import { type ChangeAsData, changeFields, differenceLines, labelsFor } from './compare-with-response.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { askAboutGaps, assertNoDoubts, doubtLine, repeatDoubts, sayDoubts } from './doubts.ts'
import { dryRun, dryRunOfNothing, previewRequest } from './dry-run.ts'
import { editInEditor } from './editor.ts'
import {
  assertChanged,
  assertFormOptions,
  assertSendable,
  givenRecord,
  readChange,
  wantsForm,
  withCorrection,
} from './input.ts'
import {
  assertAllowable,
  confirmMissing,
  findMissing,
  type MissingParts,
  warnOfLosses,
  warnOfMissing,
  warnOfSections,
  warnOfUnshown,
} from './missing-fields.ts'
import { formHost, placeName } from './open-prompts.ts'
import { saveToFile } from './save-to-file.ts'
import { type FieldChanges, withChanges } from './set-fields.ts'
import { showProgress } from './show-progress.ts'
import { assertIdentified, planUpdate, readWhole, type UpdatePlan } from './update-plan.ts'
import { sendUpdate } from './update-send.ts'
import { withReference } from './with-reference.ts'

/** What an update answers where the service does not show the record afterwards. */
export const updatedFields = { updated: flag('Updated'), id: text('Id of the record') }

/** What `update --changes` answers. */
export const changedFields = {
  changed: flag('Whether anything was changed'),
  id: text('Id of the record'),
  changes: array('Changes', object('', changeFields)),
}

/** One update, once its record was read. */
interface Update {
  readonly verb: UpdateVerb
  readonly list: Target | undefined
  /** How the record was named. */
  readonly typed: string
  readonly options: Options
  readonly by: 'editor' | 'form' | 'input'
  readonly plan: UpdatePlan
  readonly seen: WholeRecord
}

/** What the record is to become, as it was entered. */
interface EnteredRecord {
  readonly after: Json
  /** How values were read that could be read otherwise. */
  readonly remarks: readonly Issue[]
  /** What the record came back without, where that was said before a person was asked. */
  readonly missing?: MissingParts
}

/** The same, once it is known to be a record. */
interface WantedRecord extends EnteredRecord {
  readonly after: JsonObject
}

/** Updates one record by reading it, changing it and sending it whole. */
export async function runUpdate(
  context: Context,
  { verb, list }: { readonly verb: UpdateVerb; readonly list?: Target | undefined },
  typed: string,
  options: Options,
): Promise<void> {
  const { type } = planUpdate(context, verb, typed, options)
  const by = options.edit ? 'editor' : wantsForm(context, options) ? 'form' : 'input'
  assertFormOptions(options, by === 'form')
  assertAllowable(type, options)
  assertChangesUsed(context, options)
  // The input is checked before any request is sent.
  const given =
    by === 'input'
      ? readChange(type, await givenRecord(context, options), options, context.today())
      : undefined
  await context.client()
  if (!options.dryRun) await mustAsk(context, `update ${type.displayName} (${typed})`)
  const about = { target: verb.operation, list, id: typed, options, anyCountry: false, writes: true }
  const found = await withReference(context, about, async (known, chosen, name) => {
    const plan = planUpdate(context, verb, known, chosen)
    const seen = await readWhole(plan)
    await assertIdentified(plan, list, seen, chosen, name)
    return { plan, seen }
  })
  const update: Update = { verb, list, typed, options, by, ...found }
  const entered = given ? await applyGiven(update, given) : await letPersonChange(update)
  if (entered === undefined) return
  const { after } = entered
  // The form has asked.
  const checked = withoutEmptied(type, found.seen.body, after)
  assertChanged(type, found.seen.body, checked, options.incomplete || by === 'form')
  const wanted: WantedRecord = { ...entered, after: after as JsonObject }
  const changes = changesTo(found.seen, after)
  const lines = changeLines(context, type, changes, options)
  // A dry run at a terminal prints them.
  if (!options.dryRun || !context.output.format.isForPerson) {
    if (changes.length === 0) context.note('Nothing to change: the service already has these values.')
    for (const line of lines) context.note(line)
  }
  if (changes.length === 0) return printUnchanged(update)
  await assertMayBeSent(update, wanted, changes)
  const doubts = addedWarnings(type, found.seen.body, after, context.today())
  assertNoDoubts(doubts, options)
  if (options.dryRun) {
    return dryRun(context, found.plan.operation, requestOf(update, wanted), wanted.remarks, {
      changes: changes.map((change) => changeAsData(context, change)),
      lines: [...lines, ...doubts.map((doubt) => doubtLine(doubt, labelsFor(context, type)))],
    })
  }
  const sent = confirmAndSend(update, wanted, changes, doubts)
  const { record, described } = await sent.catch((error: unknown) => {
    throw withCorrection(error, options, typed)
  })
  await printUpdated(update, { record, described, changes, lines })
  // A whole record fills the screen: what is doubtful of the change stands below.
  if (context.host.stdout.isTTY) await repeatDoubts(context, type, doubts)
}

/** The record with what was given as options or as JSON. */
async function applyGiven({ plan, seen, options }: Update, given: RecordAsRequest): Promise<EnteredRecord> {
  const today = plan.context.today()
  const merged = mergeDeep(seen.body, await changeOf(plan, seen, given)) as JsonObject
  const unseen = unreturnedFields(plan.type)
  // What no answer returns may have a value, so it is emptied by name: a service may keep what a request does not name.
  const cleared = (field: Field, path: string) =>
    emptyValue(field) ?? (unseen.includes(path) ? null : undefined)
  const { body, remarks } = withChanges(plan.type, merged, options, { today, cleared })
  return { after: body, remarks }
}

/** The record as a person made it in the form or the editor; undefined where the form saved it to a file, to be sent later. */
async function letPersonChange(update: Update): Promise<EnteredRecord | undefined> {
  const { list, options, by, plan, seen } = update
  const { context, id, operation, parameters, target, type } = plan
  const { body: before } = seen
  warnOfMasked(context, type, before)
  const missing = await findMissing(plan, list, seen, options)
  warnOfMissing(plan, missing.stopping)
  warnOfUnshown(plan, missing.unshown)
  if (by === 'editor') return { after: await editInEditor(context, before), remarks: [], missing }
  // In the form the person can still give the values.
  warnOfLosses(plan, before)
  const end = await askFor(context, plan, options, before)
  if (end.next !== 'file') return { after: end.body, remarks: [], missing }
  await saveToFile(context, { target, operation, parameters, verb: ['update', id] }, end.body, end.path)
  return undefined
}

/** The record without the fields that are emptied by null, whatever their type: that is no value to be checked. */
function withoutEmptied(type: RecordType, before: JsonObject, after: Json): Json {
  return unreturnedFields(type)
    .map((path) => path.split('.'))
    .filter((path) => valueAt(after, path) === null && valueAt(before, path) === undefined)
    .reduce<Json>(withoutValueAt, after)
}

/** What differs, but for what was null and is given as null: it is as it was. */
function changesTo({ body, nulls }: WholeRecord, after: Json): Difference[] {
  return differences(body, after).filter((each) => each.after !== null || !nulls.has(each.path))
}

/** Ends an update of a record that has all values already. */
async function printUnchanged({ options, plan, seen }: Update): Promise<void> {
  const { context, id, operation } = plan
  if (options.dryRun) return dryRunOfNothing(context)
  const unchanged: ValuesOf<typeof changedFields> = { changed: false, id, changes: [] }
  if (options.changes) return context.output.value(unchanged, 'Nothing was changed.\n')
  return context.output.record(seen.record, answerType(operation))
}

/**
 * Throws a Failure where the record would lose something that it has, where a mask would be sent as a value, and where the
 * new reference is somebody else's. Asks about what is missing, and warns of what may be lost.
 */
async function assertMayBeSent(
  { verb, list, options, by, plan, seen }: Update,
  { after, missing }: WantedRecord,
  changes: readonly Difference[],
): Promise<void> {
  const { context, id, operation, type } = plan
  if (by !== 'form') warnOfLosses(plan, after)
  assertUnmasked(context, type, [seen.body, after], options)
  warnOfSections(plan, seen, after)
  const isGiven = (path: string) => valueAt(after, path.split('.')) !== undefined
  const left = missing ?? (await findMissing(plan, list, seen, options, isGiven))
  if (!missing) warnOfUnshown(plan, left.unshown)
  const stopping = left.stopping.filter(({ path }) => seen.absent.includes(path) || !isGiven(path))
  await confirmMissing(plan, stopping, options.dryRun === true)
  const { reference } = type
  if (!verb.unique || !reference || !changes.some(({ path }) => path === reference.request)) return
  const value = nameIn(after, [reference.request])
  if (value === undefined) return
  const { id: _, ...parameters } = plan.parameters
  const { assertStaysUnique } = await import('./same-reference.ts')
  await assertStaysUnique(context, { type, list, operation, parameters, verb }, id, value)
}

/** The request, for a dry run. */
function requestOf({ plan: { parameters }, seen }: Update, { after }: WantedRecord) {
  const ifMatch = seen.etag === undefined ? {} : { ifMatch: seen.etag }
  return { parameters, body: withNulls(after, seen), ...ifMatch }
}

/** Asks where the person has to be asked, and sends the record. Returns what it is now and how the person was told of it. */
async function confirmAndSend(
  { verb, typed, options, by, plan, seen }: Update,
  { after, remarks }: WantedRecord,
  changes: readonly Difference[],
  doubts: readonly Issue[],
): Promise<{ readonly record: JsonObject | undefined; readonly described: string }> {
  const { context, id, type } = plan
  const when = await sayDoubts(context, type, [...remarks, ...doubts])
  const asks = await mustAsk(context, `update ${type.displayName} (${typed})`, when)
  const named = asks || by === 'form' ? await verb.describe?.(context, id, options) : undefined
  const described = named ?? describeRecord(type, seen.record, id)
  // The form has named the service and asked for confirmation.
  if (by !== 'form') await confirmWrite(context, `update ${described}`, when)
  const sending = sendUpdate(plan, seen, after, changes)
  return { record: await showProgress(context, 'Updating', sending), described }
}

/** Prints what the record is now, or with --changes what was changed; at a terminal what was changed stands last. */
async function printUpdated(
  { options, plan }: Update,
  {
    record,
    described,
    changes,
    lines,
  }: {
    readonly record: JsonObject | undefined
    readonly described: string
    readonly changes: readonly Difference[]
    readonly lines: readonly string[]
  },
): Promise<void> {
  const { context, id, operation, type } = plan
  const isShown = context.host.stdout.isTTY
  const what = isShown ? described : `${type.displayName} (${id})`
  const done = `Updated ${what} on ${placeName(await context.profile())}.`
  if (!isShown) context.note(done)
  if (options.changes) {
    const changed: ValuesOf<typeof changedFields> = {
      changed: true,
      id,
      changes: changes.map((change) => changeAsData(context, change)),
    }
    await context.output.value(changed, `${lines.join('\n')}\n`)
  } else {
    const updated: ValuesOf<typeof updatedFields> = { updated: true, id }
    await context.output.record(record ?? updated, answerType(operation))
  }
  if (!isShown) return
  context.note(done)
  if (!options.changes) for (const line of lines) context.note(line)
}

/** Throws a usage failure for a --changes without effect, and for --columns beside it: before anything is sent. */
function assertChangesUsed(context: Context, { changes, dryRun: isDryRun }: Options): void {
  if (!changes) return
  if (isDryRun) throw usage('--dry-run prints the changes already: leave --changes out.')
  if (context.options.columns)
    throw usage('--columns selects fields of the record, and --changes prints none. Leave one of them out.')
}

/** A change as a script reads it. What is sensitive is masked where a person reads it, as in a table. */
function changeAsData({ output, options }: Context, { path, before, after }: Difference): ChangeAsData {
  const isHidden = output.format.isForPerson && !options.reveal && isSensitive(path.split('.').at(-1) ?? '')
  const shown = (value: Json) =>
    value === undefined ? null : isHidden && value !== null ? mask(value) : value
  return { path, from: shown(before), to: shown(after) }
}

/** What changes, a field a line. A value that was typed on the command line is there to be seen, so its line shows it whole. */
function changeLines(
  context: Context,
  type: RecordType,
  changes: readonly Difference[],
  { set = [], setRaw = [] }: FieldChanges,
): string[] {
  const { host, interactive, options, today } = context
  const { reveal = false } = options
  const isHere = interactive && host.stdout.isTTY === true
  const { body: typed } = withChanges(type, {}, { set, setRaw }, { today: today(), isUnread: true })
  return changes.flatMap((change) => {
    const isTyped = isHere && valueAt(typed, change.path.split('.')) !== undefined
    return differenceLines(change, reveal || (isTyped && 'new'), labelsFor(context, type))
  })
}

/** A change is not saved as a draft: the record may have changed by the time it is resumed. */
async function askFor(
  context: Context,
  { operation, parameters }: UpdatePlan,
  options: Options,
  before: JsonObject,
): Promise<Exclude<FormEnd, { next: 'draft' }>> {
  const { fillForm } = await import('../prompts/form/fill-form.ts')
  const end = await fillForm(await formHost(context, options), operation, {
    before,
    preview: (body) =>
      previewRequest(
        context,
        operation,
        { parameters, body },
        { incomplete: options.incomplete, known: before },
      ),
    beforeSending: async (body) =>
      options.incomplete || !operation.requestRecord
        ? undefined
        : askAboutGaps(context, operation.requestRecord, body, before),
  })
  if (end.next !== 'draft') return end
  throw declined('Stopped.')
}

/** Warns before the form or the editor opens, where the values can still be given. */
function warnOfMasked(context: Context, type: RecordType, before: Json): void {
  const fields = maskedFields(type, before)
  if (fields.length === 0) return
  context.warn(
    `the service masks these fields, so the update can be sent only if you enter them again: ${fields.join(', ')}.`,
  )
}

/**
 * Throws a Failure (exit 10) when an update would send back, instead of an account number, the asterisks that
 * the service showed. What was set in this run is sent.
 */
function assertUnmasked(
  context: Context,
  type: RecordType,
  [before, after]: readonly [Json, Json],
  { set = [], setRaw = [] }: FieldChanges,
): void {
  // A value that is set may be the same: some people write TBC where there is no NI number yet.
  const { body: given } = withChanges(type, {}, { set, setRaw }, { today: context.today(), isUnread: true })
  const left = maskedFields(type, before).filter((path) => {
    const segments = path.replace(/\[(\d+)\]/g, '.$1').split('.')
    const at = (value: Json) => valueAt(value, segments)
    return at(given) === undefined && isDeepStrictEqual(at(before), at(after))
  })
  if (left.length === 0) return
  const them = left.length === 1 ? 'it' : 'them'
  throw new Failure(
    'invalid-response',
    `The service masks ${left.join(', ')} of this record; sending ${them} back would overwrite the real value with the mask.`,
    {
      outcome: 'not-sent',
      issues: left.map((path) => ({ path, message: 'came back as a mask, which no real value can be' })),
      hint: `To send the update, give the real value: ${left.map((path) => `--set ${path}=…`).join(' ')}`,
    },
  )
}

/**
 * What a record that was given as JSON asks to change of the one on the service, as a part of its request. `id`, what only
 * the service sets and what no reader knows is compared with the record and left out where it is the same. Throws a Failure:
 * exit 3 for another record's id and for what cannot be changed, exit 6 for a copy that is older than the record.
 */
async function changeOf(
  plan: UpdatePlan,
  seen: WholeRecord,
  { body, nulls, serviceOwned, unknown }: RecordAsRequest,
): Promise<JsonObject> {
  const { type, id } = plan
  const { record } = seen
  const atTheTop = [...serviceOwned, ...unknown].filter(({ at }) => at.length === 1)
  const ids = idsOf(Object.fromEntries(atTheTop.map(({ at, value }) => [at[0], value])), type.idNames)
  const recordIds = [id, ...answeredIds(type, record)]
  if (ids.length > 0 && !ids.some((each) => recordIds.includes(each))) {
    throw invalidInput('The record that was given is another one.', [
      { path: 'id', message: `it is ${ids[0]}, and the record to update is ${id}` },
    ])
  }
  const issues: Issue[] = []
  for (const { at, value } of serviceOwned) {
    const has = valueAt(record, at)
    if (has === undefined || value === null || isDeepStrictEqual(has, value)) continue
    if (at.at(-1) === 'updatedAt') throw await olderCopy(plan, has, value)
    // The service may have two ids for one record.
    if (at.at(-1) === 'id' && at.length === 1) continue
    issues.push({ path: formatPath(at), message: 'only the service sets this field: leave it as it is' })
  }
  let change: Json = withoutNulls(body)
  for (const each of unknown) {
    const has = valueAt(record, each.at)
    if (isDeepStrictEqual(has, each.value)) continue
    const { path, message } = unknownName(type, each)
    if (has === undefined) issues.push({ path, message })
    else if (type.documented) issues.push({ path, message: `${message}: leave it as the service has it` })
    else if (valueAt(body, each.at) === undefined) change = withValueAt(change, each.at, each.value)
  }
  assertSendable(body, issues)
  for (const place of nulls) {
    const has = valueIn(seen.body, place)
    // Null where the record has nothing is no change.
    if (has !== undefined && !isNothing(has)) change = withValueAt(change, place, null)
  }
  return change as JsonObject
}

async function olderCopy({ id, look }: UpdatePlan, has: Json, given: Json): Promise<Failure> {
  return new Failure('refused', `Somebody changed ${id} after the record that was given was read.`, {
    outcome: 'not-sent',
    issues: [{ path: 'updatedAt', message: `${String(given)} was given, and the record has ${String(has)}` }],
    hint: `Read the record again and make the change in it: ${await look('--json')}`,
  })
}
