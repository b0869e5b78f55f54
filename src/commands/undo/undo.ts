import { readWholeRecord } from '../../api/whole-record.ts'
import type { Context } from '../../context/context.ts'
import { asFailure, Failure, type Issue, onFailure, usage } from '../../errors.ts'
import { type Json, type JsonObject, withValueAt } from '../../files/json/path.ts'
import { array, flag, integer, object, text, type ValuesOf } from '../../model/fields/field.ts'
import { describeRecord } from '../../model/mapping/record-name.ts'
import { isBankField } from '../../model/records/bank-fields.ts'
import { operationById, operations } from '../../model/resources/operations.ts'
import { type Difference, differences } from '../../model/values/compare-stored.ts'
import { headingFor } from '../../model/values/find-field.ts'
import { differenceLines } from '../../render/text/format-change.ts'
import { plural } from '../../text/words.ts'
import { compareWrittenField } from '../../write/guards.ts'
import { type HistoryEntry, noteApplied } from '../../write/history/history.ts'
import { findOwnerSigns } from '../../write/owner-signs.ts'
import type { Change } from '../../write/record-write.ts'
import { beginChange } from '../../write/send-write.ts'
import type { Options } from '../cli/options.ts'
import { optionsFor } from '../cli/target.ts'
import type { Verb } from '../cli/verb.ts'
import { commandLine } from '../kit/command-line.ts'
import { assertYes, mustAsk } from '../kit/confirm.ts'
import { warningFields, warningsOf } from '../kit/doubts.ts'
import { serviceName } from '../kit/open-prompts.ts'
import { changeAsData, changeFields } from '../kit/show-changes.ts'
import { showEach } from '../kit/show-progress.ts'
import { assertAllowable } from '../kit/update/ask-at-risk.ts'
import { passGuards } from '../kit/update/pass-guards.ts'
import { changeAndReport } from '../kit/update/send-update.ts'
import { recordTarget, type WriteSession } from '../kit/update/write-session.ts'
import {
  assertSealed,
  type ChosenWrites,
  chooseWrites,
  type EntryGroup,
  fieldsWrittenBy,
  idHint,
  nameOfEntry,
  recordTypeOf,
  titleOf,
  undoableVerb,
  warnOfStaying,
} from './chosen-writes.ts'

/** Counts of records by outcome. Each counts once: all but `rows` add up to it. */
const countFields = {
  rows: integer('Records', {
    help: 'Each counts once, however often it was written: all others add up to it.',
  }),
  undone: integer('Undone'),
  unchanged: integer('Had their old values already'),
  held: integer('Held back, because they were changed since'),
  unknown: integer('With an unknown outcome'),
}

const recordFields = {
  id: text('Id of the record'),
  reference: text('Reference of the record', { nullable: true }),
  undoes: array('Entries of the history that are taken back', text('')),
  changes: array('What is sent back', object('', changeFields)),
}

/** The answer of an undo, of one write and of a whole run; a dry run says what would be. */
const undoneFields = {
  dryRun: flag('Nothing was sent', { optional: true }),
  ...countFields,
  records: array('Records whose old values are sent back', object('', recordFields)),
  ...warningFields,
}

export const undo: Verb = {
  name: 'undo',
  mayBePartial: true,
  summary: 'Send the old values of an update back, or of every update of one command',
  arguments: [
    {
      name: 'entry',
      summary: 'a write, by the id that history shows; without it, at a terminal, the last update',
      optional: true,
    },
  ],
  options: ['run', 'last', 'dryRun', 'allowMissing', 'unsealed'],
  writes: true,
  answer: { prints: 'json', shapes: [{ fields: undoneFields }] },
  notes: [
    'Only what is still as this computer left it is sent back, and only to the record that was changed: one that has another value since, another reference, or another birthday or number, is held back and named (exit 6). The difference is shown, and asked about; in a script it needs --yes.',
    'Run it again to undo the change before that one. To take back an undo, name its entry in the history.',
    'An update can be taken back. A create or a deletion cannot: the service deletes nobody, and brings nothing back. Where the history has only the names of fields, or nothing, there is no old value to send.',
    'A field that had no value goes back as null. The record is read again: where the service keeps the new value anyway, the command says so and ends with 8.',
    'The lines of the history are sealed with the key of the profile. One that was changed afterwards is not undone (exit 10). The values of one without a seal, or with that of another key, are shown whole and asked about, and a script needs --unsealed.',
    'An import that was stopped and continued is several runs, which history lists: undo each of them, the last one first.',
    'After an interruption, type the same command again: what has its old values already is not sent.',
  ],
  examples: [
    'payroll undo',
    'payroll undo --last --yes',
    'payroll undo 3f2a91c0 --dry-run',
    'payroll undo --run 7be01d42 --yes',
  ],
  async run(context, { arguments: { entry: id }, options }) {
    const ways = [id !== undefined, options.run !== undefined, options.last === true].filter(Boolean)
    if (ways.length > 1)
      throw usage('An entry, --run and --last each say what is meant. Leave one of them out.')
    if (ways.length === 0 && !context.interactive) {
      throw usage(
        'Which write is meant?',
        `The last one is --last. ${idHint(await commandLine(context, 'history'))}`,
      )
    }
    const { run } = options
    const writes = await chooseWrites(context, { id, run })
    // Without a terminal and --yes it is refused before a record is read.
    if (!options.dryRun) await mustAsk(context, 'send old values back', true)
    const rows = run === undefined ? 1 : writes.groups.length
    return undoAll({
      ...writes,
      context,
      options,
      said: new Set(),
      issues: [],
      counts: { rows, undone: 0, unchanged: 0, held: 0, unknown: 0 },
    })
  },
}

interface RecordUndo {
  readonly group: EntryGroup
  readonly change: Change
  readonly session: WriteSession
}

type Counts = { -readonly [Name in keyof typeof countFields]: number }

/** An undo under way: what its steps share, and what became of the records so far. */
interface Undo extends ChosenWrites {
  readonly context: Context
  readonly options: Options
  /** What was said already, and is not repeated for each record. */
  readonly said: Set<string>
  readonly counts: Counts
  /** The reason for each record that is held back. */
  readonly issues: Issue[]
}

/**
 * Reads the record, and makes the write that gives it its old values. Throws a Failure where the record is to
 * be left as it is.
 */
async function prepareUndo(
  { context, seal, laterOf, said, options: optionsOfUndo }: Undo,
  group: EntryGroup,
  beforeAsking?: () => void,
): Promise<RecordUndo> {
  const [entry] = group
  const verb = undoableVerb(entry.operation)
  if (!verb || entry.record === undefined) throw new TypeError(`${entry.id} cannot be undone`)
  const options: Options = {
    ...optionsFor(operationById(entry.operation) ?? {}),
    ...(entry.operation === operations.documents.update.id &&
      entry.person !== undefined && { employee: entry.person }),
    ...optionsOfUndo,
    id: true,
  }
  const session: WriteSession = { context, writer: 'undo', verb, options, said, beforeAsking }
  const target = recordTarget(session, entry.record)
  const { type } = target
  const current = await readWholeRecord(await context.client(), target).catch(async (error: unknown) => {
    // The usual hint is about the name that was typed, and none was typed here.
    if (!(error instanceof Failure && error.code === 'not-found')) throw error
    throw error.with({
      hint: `${titleOf(entry)} changed it. ${idHint(await commandLine(context, 'history'))}`,
    })
  })
  assertAllowable(type, options, current)
  const writtenFields = fieldsWrittenBy(group)
  const ownerSigns = findOwnerSigns(type, group, laterOf(group), seal)
  const undoes = { ids: group.map(({ id }) => id), ownerSigns, writtenFields }
  const unchanged = beginChange(target, current, { typed: target.id, undoes })
  await passGuards(session, unchanged, 'read')
  // null says that a field had no value: without it the service may keep the new one.
  const oldBody = writtenFields
    .filter((field) => compareWrittenField(type, current, field).state === 'as written')
    .reduce<Json>(
      (whole, { path, from = null }) => withValueAt(whole, path.split('.'), from),
      current.body,
    ) as JsonObject
  const isBank = ({ path }: Difference) => Number(isBankField(type, path))
  const changes = differences(current.body, oldBody).sort((one, other) => isBank(other) - isBank(one))
  const change = { ...unchanged, wanted: oldBody, changes }
  if (changes.length > 0) await passGuards(session, change, 'wanted')
  return { group, change, session }
}

/** The lines of what is sent back, one for each field. A person at a terminal sees bank details whole: nobody can confirm a mask. */
function changeLines(context: Context, { change: { changes, target, seen } }: RecordUndo): string[] {
  const isShown = context.interactive || context.reveal
  return [
    `${describeRecord(target.type, seen.record, target.id)}:`,
    ...changes.flatMap((each) => differenceLines(each, isShown, target.type)),
  ]
}

/**
 * Sends the old values of the chosen records back, each record by itself. Throws a Failure: of one record its
 * own; of a run exit 9 where some were held back, 8 where the outcome of one is unknown. What stops all of
 * them, as a refused key does, stops at once.
 */
async function undoAll(undo: Undo): Promise<void> {
  const { context, options, run, staying, counts, issues } = undo
  const ready = await prepareAll(undo)
  const lines = ready.flatMap((undoing) => changeLines(context, undoing))
  const records = ready.map(({ group: [entry], change: { changes, target, undoes } }) => ({
    id: target.id,
    reference: entry.reference ?? null,
    undoes: undoes?.ids ?? [],
    changes: changes.map(changeAsData),
  }))
  const answer = (): ValuesOf<typeof undoneFields> => ({ ...counts, records, ...warningsOf(context, []) })
  if (options.dryRun) {
    const [first] = ready
    const planLines = first ? ['This would change:', ...lines] : ['Nothing would change.']
    await context.output.report(
      { dryRun: true, ...answer(), undone: ready.length },
      `${planLines.join('\n')}\n`,
    )
    if (run !== undefined) await warnOfStaying(context, run, staying)
    if (first && context.output.format.isForPerson) {
      const words = run === undefined ? ['undo', first.group[0].id] : ['undo', '--run', run]
      const again = await commandLine(context, ...words)
      context.note(
        `Nothing was sent. To send the old values of ${plural(ready.length, 'record')} back: ${again}`,
      )
    }
  } else {
    await context.noteAll(lines)
    if (run === undefined) await saySiblings(undo, ready)
    // Below the list, which may be longer than the screen.
    else await warnOfStaying(context, run, staying)
    if (ready.length > 0) await confirmUndo(undo, ready)
    await sendBack(undo, ready)
    await context.output.value(answer(), `${undoSummary(counts)}\n`)
  }
  if (issues.length > 0) throw incomplete(undo)
}

/**
 * Notes in the history that an earlier undo arrived, where its run was killed before it could. Where the record was seen
 * without it, somebody else took the write back.
 */
async function noteArrived({ context, triedBy, options }: Undo, group: EntryGroup): Promise<void> {
  const attempt = triedBy(group)
  if (!attempt || attempt.seenWithout || options.dryRun) return
  await noteApplied(await context.directory(), attempt).catch(
    onFailure(({ message }) => context.warn(message)),
  )
}

/**
 * Reads the records, and returns the writes of those that can be taken back; of a run the others are counted. Where
 * nothing was named it is the newest record alone, also where that has its old values already: an older write may be of
 * another person, and an undo that was killed and is typed again finishes that one write.
 */
async function prepareAll(undo: Undo): Promise<readonly RecordUndo[]> {
  const { context, run, options, counts } = undo
  const groups = run === undefined ? undo.groups.slice(0, 1) : undo.groups
  await assertSealed(context, groups, undo, options)
  const ready: RecordUndo[] = []
  await showEach(context, 'Reading the records', groups, async (group, hide) => {
    try {
      const undoing = await prepareUndo(undo, group, hide)
      const { target, seen, changes } = undoing.change
      if (changes.length > 0) return void ready.push(undoing)
      counts.unchanged += 1
      await noteArrived(undo, group)
      if (run !== undefined) return
      const whose = describeRecord(target.type, seen.record, target.id)
      const hint = idHint(await commandLine(context, 'history'))
      context.note(`${whose} has its old values of ${group[0].id} already, so nothing is sent back. ${hint}`)
    } catch (error) {
      if (run === undefined) throw error
      holdBack(undo, group[0], error)
    }
  })
  return ready
}

async function saySiblings({ context, groups }: Undo, [undoing]: readonly RecordUndo[]): Promise<void> {
  const run = undoing?.group[0].run
  const count = groups.filter(([entry]) => entry.run === run).length
  if (run === undefined || count < 2) return
  const command = await commandLine(context, 'undo', '--run', run)
  context.note(`It is one of ${count} updates of the same command. To take all of them back: ${command}`)
}

async function confirmUndo({ context, issues }: Undo, ready: readonly RecordUndo[]): Promise<void> {
  if (context.options.yes) return
  // Without a question, the failure at the end names them.
  for (const { path, message } of issues) context.warn(`${path} is held back: ${message}`)
  const what = `the old values of ${plural(ready.length, 'record')}`
  await assertYes(context, `Send ${what} back on ${serviceName(await context.profile())}?`)
}

async function sendBack(undo: Undo, ready: readonly RecordUndo[]): Promise<void> {
  const { context, run, counts } = undo
  await showEach(context, 'Sending the old values back', ready, async ({ group, change, session }) => {
    try {
      await changeAndReport(
        session,
        change,
        describeRecord(change.target.type, change.seen.record, change.target.id),
      )
      counts.undone += 1
    } catch (error) {
      if (run === undefined) throw error
      if (error instanceof Failure && !isOfOneRecord(error)) {
        const says = `${counts.undone} of ${ready.length} records were undone: the same command again sends the others.`
        throw error.with({ message: `${error.message} ${says}` })
      }
      holdBack(undo, group[0], error)
    }
  })
  const [first] = ready
  if (run === undefined && first)
    context.note(`Undid ${titleOf(first.group[0])} on ${serviceName(await context.profile())}.`)
}

/** Whether a failure is about one record only, such as a No to a question about it. */
const isOfOneRecord = ({ code, details }: Failure) =>
  details.declined || ['refused', 'not-found', 'invalid-response', 'unknown'].includes(code)

/** Holds an update back, and says why. Throws what stops the others too. */
function holdBack({ context, counts, issues }: Undo, entry: HistoryEntry, error: unknown): void {
  const failure = asFailure(error)
  if (!isOfOneRecord(failure)) throw failure
  const { code, message, details } = failure
  counts[code === 'unknown' ? 'unknown' : 'held'] += 1
  const type = context.output.format.isForPerson ? recordTypeOf(entry.operation) : undefined
  const fields = details.issues?.map(({ path }) => (type ? headingFor(type, path) : path)).join(', ')
  issues.push({
    path: nameOfEntry(entry) ?? entry.id,
    message: details.declined ? 'not confirmed.' : `${message}${fields ? ` (${fields})` : ''}`,
  })
}

function undoSummary({ rows, undone, unchanged, held, unknown }: Counts): string {
  const parts = [
    `${undone} undone`,
    unchanged > 0 && `${unchanged} had their old values already`,
    held > 0 && `${held} held back`,
    unknown > 0 && `${unknown} with an unknown outcome`,
  ].filter((each) => each !== false)
  return `${plural(rows, 'update')}: ${parts.join(', ')}.`
}

function incomplete({ counts, issues }: Undo): Failure {
  const { unknown, undone } = counts
  const isUnknown = unknown > 0
  return new Failure(
    isUnknown ? 'unknown' : 'partial',
    `Not every record of this run is undone. ${undoSummary(counts)}`,
    {
      outcome: isUnknown ? 'unknown' : undone > 0 ? 'applied' : 'not-sent',
      issues,
      hint: 'Look at these records. The same command again sends only what is not undone yet.',
    },
  )
}
