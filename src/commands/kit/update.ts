import type { Context } from '../../context/context.ts'
import { type Issue, usage } from '../../errors.ts'
import { type Json, type JsonObject, valueAt } from '../../files/json/path.ts'
import { array, flag, object, text, type ValuesOf } from '../../model/fields/field.ts'
import { type Difference, differences } from '../../model/mapping/compare-stored.ts'
import { withNulls } from '../../model/mapping/map-record.ts'
import { describeRecord } from '../../model/mapping/record-name.ts'
import { differenceLines } from '../../render/text/format-change.ts'
import type { Change } from '../../write/record-write.ts'
import { readPlace } from '../../write/send.ts'
import type { Options } from '../cli/options.ts'
import type { UpdateVerb } from '../cli/resource-verbs.ts'
import { answerType, type Target } from '../cli/target.ts'
import { changeAsData, changeFields, labelsFor } from './compare-with-response.ts'
import { confirmWrite, mustAsk } from './confirm.ts'
import { doubtLine, repeatDoubts, sayDoubts, warningFields, warningsOf, withWarnings } from './doubts.ts'
import { dryRun, dryRunOfNothing } from './dry-run.ts'
import { assertFormOptions, givenRecord, readChange, wantsForm, withCorrection } from './input.ts'
import { assertAllowable } from './missing-fields.ts'
import { placeName } from './open-prompts.ts'
import { withChanges } from './set-fields.ts'
import { showProgress } from './show-progress.ts'
import { planUpdate } from './update-plan.ts'
import { applyGiven, assertIsRecord, letPersonChange } from './wanted-record.ts'
import { readRecord } from './with-reference.ts'
import { type Asking, passGuards, sendAndReport } from './write-record.ts'

/** The answer of an update where the service does not show the record afterwards. */
export const updatedFields = { updated: flag('Updated'), id: text('Id of the record'), ...warningFields }

/** The answer of `update --changes`. */
export const changedFields = {
  changed: flag('Whether anything was changed'),
  id: text('Id of the record'),
  changes: array('Changes', object('', changeFields)),
  ...warningFields,
}

/** The part of an update verb that says how a record is read and sent. */
type UpdatedResource = Pick<UpdateVerb, 'operation' | 'reads' | 'unique' | 'describe'>

/** Updates one record by reading it, changing it and sending it whole. */
export async function runUpdate(
  context: Context,
  { verb, list }: { readonly verb: UpdatedResource; readonly list?: Target | undefined },
  typed: string,
  options: Options,
): Promise<void> {
  const { type } = planUpdate(context, verb, typed, options)
  const by = options.edit ? 'editor' : wantsForm(context, options) ? 'form' : undefined
  assertFormOptions(options, by === 'form')
  assertChangesUsed(context, options)
  // The input is checked before any request is sent.
  const given = by ?? readChange(type, await givenRecord(context, options), options, context.today())
  const client = await context.client()
  if (!options.dryRun) await mustAsk(context, `update ${type.displayName} (${typed})`)
  const reference = { target: verb.operation, list, id: typed, options, anyCountry: false, writes: true }
  const found = await readRecord(context, reference, (known, chosen) =>
    readPlace(client, planUpdate(context, verb, known, chosen)),
  )
  const { id, name, seen } = found
  assertAllowable(type, options, seen)
  const place = planUpdate(context, verb, id, found.options)
  const asking: Asking = {
    writer: 'update',
    plan: place,
    list,
    options: found.options,
    said: new Set(),
    isUnique: verb.unique === true,
  }
  const isById = id.toLowerCase().startsWith(name.toLowerCase())
  const key =
    isById || !type.reference ? undefined : { request: [type.reference.request], item: [type.reference.item] }
  const read: Change = { kind: 'change', place, typed: name, key, seen, wanted: seen.body, changes: [] }
  await passGuards(read, 'read', asking)
  const entered = await (typeof given === 'string'
    ? letPersonChange(asking, seen, given)
    : applyGiven(asking, seen, given))
  if (entered === undefined) return
  assertIsRecord(type, seen, entered.after, options.incomplete === true || by === 'form')
  const write: Change = {
    ...read,
    wanted: entered.after as JsonObject,
    changes: changesTo(read, entered.after),
    given: typedValues(context, type, options),
  }
  const lines = changeLines(context, write)
  // A dry run at a terminal prints them.
  if (!options.dryRun || !context.output.format.isForPerson) {
    if (write.changes.length === 0) context.note('Nothing to change: the service already has these values.')
    for (const line of lines) context.note(line)
  }
  if (write.changes.length === 0) return printUnchanged(context, write, options)
  const doubts = await passGuards(write, 'wanted', asking)
  if (options.dryRun) {
    const { parameters, operation } = write.place
    const ifMatch = seen.etag === undefined ? {} : { ifMatch: seen.etag }
    const request = { parameters, body: withNulls(write.wanted, seen), ...ifMatch }
    return dryRun(context, operation, request, entered.remarks, {
      changes: write.changes.map((change) => changeAsData(context, change)),
      lines: [...lines, ...doubts.map((doubt) => doubtLine(doubt, labelsFor(context, type)))],
    })
  }
  const described = await confirmUpdate(context, write, {
    ...{ verb, typed, options: asking.options, hasAsked: by === 'form' },
    doubts: [...entered.remarks, ...doubts],
  })
  const sent = showProgress(context, 'Updating', sendAndReport(write, asking))
  const record = await sent.catch((error: unknown) => {
    throw withCorrection(error, options, typed)
  })
  await printUpdated(context, write, {
    record,
    described,
    // What was typed was shown before, to be compared; it is not said twice.
    lines: changeLines(context, { ...write, given: {} }),
    options,
    doubts: [...entered.remarks, ...doubts],
  })
  // A whole record fills the screen: what is doubtful of the change stands below.
  if (context.host.stdout.isTTY) await repeatDoubts(context, type, doubts)
}

/** The differences. A field that was null and is given as null is none. */
const changesTo = ({ seen: { body, nulls } }: Change, after: Json): Difference[] =>
  differences(body, after).filter((each) => each.after !== null || !nulls.has(each.path))

/** The values that stand on the command line, in their places. */
function typedValues(
  { today }: Context,
  type: Change['place']['type'],
  { set = [], setRaw = [] }: Options,
): JsonObject {
  return withChanges(type, {}, { set, setRaw }, { today: today(), isUnread: true }).body as JsonObject
}

/** Asks where the person has to be asked. Returns how the record was called. */
async function confirmUpdate(
  context: Context,
  { place: { id, type }, seen }: Change,
  {
    verb,
    typed,
    options,
    hasAsked,
    doubts,
  }: {
    readonly verb: UpdatedResource
    readonly typed: string
    readonly options: Options
    /** The form has named the service and asked for confirmation. */
    readonly hasAsked: boolean
    readonly doubts: readonly Issue[]
  },
): Promise<string> {
  const when = await sayDoubts(context, type, doubts)
  const asks = await mustAsk(context, `update ${type.displayName} (${typed})`, when)
  const named = asks || hasAsked ? await verb.describe?.(context, id, options) : undefined
  const described = named ?? describeRecord(type, seen.record, id)
  if (!hasAsked) await confirmWrite(context, `update ${described}`, when)
  return described
}

/** Ends an update of a record that has all values already. */
async function printUnchanged(context: Context, { place, seen }: Change, options: Options): Promise<void> {
  if (options.dryRun) return dryRunOfNothing(context)
  const unchanged: ValuesOf<typeof changedFields> = {
    changed: false,
    id: place.id,
    changes: [],
    ...warningsOf(context, []),
  }
  if (options.changes) return context.output.value(unchanged, 'Nothing was changed.\n')
  return context.output.record(seen.record, answerType(place.operation))
}

/** Prints what the record is now, or with --changes what was changed; at a terminal what was changed stands last. */
async function printUpdated(
  context: Context,
  { place: { id, type, operation }, changes }: Change,
  {
    record,
    described,
    lines,
    options,
    doubts,
  }: {
    readonly record: JsonObject | undefined
    readonly described: string
    readonly lines: readonly string[]
    readonly doubts: readonly Issue[]
    readonly options: Options
  },
): Promise<void> {
  const isShown = context.host.stdout.isTTY
  const what = isShown ? described : `${type.displayName} (${id})`
  const done = `Updated ${what} on ${placeName(await context.profile())}.`
  if (!isShown) context.note(done)
  if (options.changes) {
    const asData = changes.map((change) => changeAsData(context, change))
    const changed: ValuesOf<typeof changedFields> = {
      changed: true,
      id,
      changes: asData,
      ...warningsOf(context, doubts),
    }
    await context.output.value(changed, `${lines.join('\n')}\n`)
  } else {
    const updated: ValuesOf<typeof updatedFields> = { updated: true, id, ...warningsOf(context, doubts) }
    const shown = record ? withWarnings(context, record, doubts) : updated
    await context.output.record(shown, answerType(operation))
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

/** The lines of the changes, one for each field. A value that was typed on the command line is there to be seen, so its line shows it whole. */
function changeLines(context: Context, { place: { type }, changes, given }: Change): string[] {
  const { host, interactive, reveal } = context
  const isHere = interactive && host.stdout.isTTY === true
  return changes.flatMap((change) => {
    const isTyped = isHere && valueAt(given, change.path.split('.')) !== undefined
    return differenceLines(change, reveal || (isTyped && 'new'), labelsFor(context, type))
  })
}
