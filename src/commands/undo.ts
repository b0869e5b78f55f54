import type { Context } from '../context/context.ts'
import { sealSecret } from '../context/history-seal.ts'
import { asFailure, declined, Failure, type Issue, onFailure, usage, withHint } from '../errors.ts'
import { type Json, type JsonObject, withValueAt } from '../files/json/path.ts'
import type { ApprovedPlan } from '../import/job.ts'
import { type PlanRow, planFormat, readPlanFile, whyNotPlanned, writePlanRows } from '../import/plan-file.ts'
import { array, flag, integer, object, text, type ValuesOf } from '../model/fields/field.ts'
import { type Difference, differences } from '../model/mapping/compare-stored.ts'
import { describeRecord, labelOf, properName } from '../model/mapping/record-name.ts'
import { keyOf, nameIn } from '../model/natural-key.ts'
import { candidatesByCountry, operationById, operations } from '../model/operations/operations.ts'
import { isBankField } from '../model/records/bank-fields.ts'
import { headingFor } from '../model/values/read-heading.ts'
import { differenceLines } from '../render/text/format-change.ts'
import { nameSome, plural } from '../text/words.ts'
import { stateOf } from '../write/guards.ts'
import { type HistoryEntry, longestPauseMs, noteApplied, readHistory } from '../write/history/history.ts'
import { type Seal, sealWith } from '../write/history/seal.ts'
import type { Change, LeftField, Unplanned } from '../write/record-write.ts'
import { readPlace } from '../write/send.ts'
import { recognitionsOf } from '../write/whose.ts'
import type { Options } from './cli/options.ts'
import { countryTargets, nounOf, operationsOf, optionsFor, type Target } from './cli/target.ts'
import type { Verb } from './cli/verb.ts'
import { commandLine, targetFlags } from './kit/command-line.ts'
import { type ChangeAsData, changeFields } from './kit/compare-with-response.ts'
import { mustAsk } from './kit/confirm.ts'
import { warningFields, warningsOf } from './kit/doubts.ts'
import { assertAllowable } from './kit/missing-fields.ts'
import { openPrompts, placeName } from './kit/open-prompts.ts'
import { showEach } from './kit/show-one-by-one.ts'
import { planUpdate, type UpdatePlan } from './kit/update-plan.ts'
import { type Asking, passGuards, sendChange } from './kit/write-record.ts'

/** A kind of record whose updates can be taken back, and how it is read and changed. */
interface UndoableKind {
  readonly operation: Target
  readonly reads: Target
  readonly list: Target
  readonly isUnique: boolean
}

const ofPeople = countryTargets(candidatesByCountry)

const kinds: readonly UndoableKind[] = [
  { ...ofPeople, operation: ofPeople.update, reads: ofPeople.get, isUnique: true },
  ...Object.values(operations).flatMap((of) =>
    of !== operations.candidates && 'update' in of && 'get' in of && 'list' in of
      ? [{ operation: of.update, reads: of.get, list: of.list, isUnique: of === operations.paymentRates }]
      : [],
  ),
]

/** Counts of records by outcome. Each counts once: all but `rows` add up to it. */
const countFields = {
  rows: integer('Records', {
    help: 'Each counts once, however often it was written: all others add up to it.',
  }),
  undone: integer('Undone'),
  unchanged: integer('Had their old values already'),
  held: integer('Left as they are, because they were changed since'),
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

/** `undo`: sends the old values of an update back, or of all updates of one command. */
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
  options: ['run', 'last', 'dryRun', 'plan', 'asPlanned', 'allowMissing', 'unsealed'],
  optionTexts: {
    plan: 'write every value that is sent back to this .csv, .xlsx, .ndjson or .json',
    asPlanned: 'send only what this file, written by --plan, has; all else is held back',
  },
  writes: true,
  answer: { prints: 'json', shapes: [{ fields: undoneFields }] },
  notes: [
    'Only what is still as this computer left it is sent back, and only to the record that was changed: one that has another value since, another reference, or another birthday or number, is left as it is, and named (exit 6). The difference is shown, and asked about; in a script it needs --yes.',
    'Run it again to undo the change before that one. To take back an undo, name its entry in the history.',
    'An update can be taken back. A create or a deletion cannot: the service deletes nobody, and brings nothing back. Where the history has only the names of fields, or nothing, there is no old value to send.',
    'A field that had no value goes back as null. The record is read again: where the service keeps the new value anyway, the command says so and ends with 8.',
    'The lines of the history are sealed. One that was changed afterwards is not undone (exit 10). An earlier version wrote them without a seal: their values are shown whole and asked about, and a script needs --unsealed.',
    'With --dry-run --plan a second person can look at what is sent back, delete lines, and hand it on: --as-planned sends that alone, with the same reference, field, old and new value.',
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
        `The last one is --last. To see them, each with the id that undo takes: ${await commandLine(context, 'history')}`,
      )
    }
    if (options.plan !== undefined) planFormat(options.plan)
    const chosen = await choose(context, id, options)
    // Without a terminal and --yes it is refused before a record is read.
    if (!options.dryRun) await mustAsk(context, 'send old values back', 'always')
    return undoAll(context, chosen, options)
  },
}

/** Writes of one record by one command: they are taken back together. The newest first. */
type RecordWrites = readonly [HistoryEntry, ...HistoryEntry[]]

interface Chosen {
  readonly run: string | undefined
  readonly seal: Seal
  /** Why a plan does not have a change just so. */
  readonly unplanned?: Asking['unplanned']
  /** The groups that are meant; where nothing was named the newest, and the older ones that may be meant in its place. */
  readonly groups: readonly RecordWrites[]
  /** The later writes of the same record, the oldest first: they may have changed whose it is. */
  readonly laterOf: (group: RecordWrites) => readonly HistoryEntry[]
  /** The undo of a group that was sent already, of which is not known what became of it. */
  readonly triedBy: (group: RecordWrites) => HistoryEntry | undefined
  /** Records that the run created or deleted, and how many more it may have: they stay. */
  readonly staying: { readonly created: readonly HistoryEntry[]; readonly unknown: number }
}

/** The writes that are meant, each one that can be taken back. Throws a Failure that says why one cannot. */
async function choose(
  context: Context,
  id: string | undefined,
  { run, asPlanned }: Options,
): Promise<Chosen> {
  const approved = asPlanned === undefined ? undefined : await readPlanFile(asPlanned)
  const { name, origin = '' } = await context.profile()
  const isHere = (entry: HistoryEntry) => entry.profile === name && entry.origin === origin
  const undoneBy = new Map<string, string>()
  const triedBy = new Map<string, HistoryEntry>()
  const groups = new Map<string, [HistoryEntry, ...HistoryEntry[]]>()
  const changed: HistoryEntry[] = []
  const created: HistoryEntry[] = []
  let named: HistoryEntry | undefined
  let unknown = 0
  let wasListed = false
  let damagedOn: string | undefined
  const onDamaged = (day: string) => {
    if (groups.size === 0) damagedOn = day
  }
  for await (const entry of readHistory(await context.directory(), onDamaged)) {
    const newest = [...groups.values()][0]?.[0]
    // After a clock that was wrong, what took a write back looks older than it.
    const isOlder = newest && !isLater(context, newest) && entry.at < newest.at - longestPauseMs
    if (run === undefined && isOlder) break
    const by = undoneBy.get(entry.id)
    // An undo that was taken back itself has undone nothing.
    if (by === undefined)
      for (const each of entry.undoes ?? []) {
        if (entry.outcome === 'applied') undoneBy.set(each, entry.id)
        if (entry.outcome === 'unknown' && !triedBy.has(each)) triedBy.set(each, entry)
      }
    if (isHere(entry) && entry.changes && entry.outcome !== 'refused') changed.push(entry)
    if (entry.id === id) named = entry
    const isMeant =
      run !== undefined
        ? entry.run === run
        : named
          ? entry.run === named.run && entry.record === named.record
          : id === undefined && isHere(entry) && entry.undoes === undefined && !reasonAgainst(entry)
    if (!isMeant) continue
    wasListed = true
    if (by !== undefined || (entry !== named && ['refused', 'not-sent'].includes(entry.outcome))) continue
    if (entry.changes === undefined && run !== undefined) {
      if (entry.outcome === 'unknown') unknown += 1
      else created.push(entry)
      continue
    }
    const key = JSON.stringify([entry.run, entry.operation, entry.person, entry.record ?? entry.id])
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  const takenBackBy = named && undoneBy.get(named.id)
  if (named && takenBackBy !== undefined) {
    throw usage(
      `${titleOf(named)} was undone already, by ${takenBackBy}.`,
      `To take that back: ${await commandLine(context, 'undo', takenBackBy)}`,
    )
  }
  for (const [key, group] of groups) {
    const [first, ...rest] = group.filter((entry) => !undoneBy.has(entry.id))
    if (first) groups.set(key, [first, ...rest])
    else groups.delete(key)
  }
  const staying = { created: created.filter((entry) => !undoneBy.has(entry.id)), unknown }
  if (groups.size === 0) {
    if (run !== undefined) await warnOfStaying(context, run, staying)
    throw await nothingToUndo(context, { id, run, wasListed })
  }
  const [newest] = [...groups.values()].flat()
  if (id === undefined && run === undefined && newest) await assertLast(context, newest, damagedOn)
  for (const entry of [...groups.values()].flat()) {
    const reason = reasonAgainst(entry)
    if (reason) throw usage(`${titleOf(entry)} cannot be undone: ${reason}`)
    if (isHere(entry)) continue
    const words = run === undefined ? ['undo', entry.id] : ['undo', '--run', run]
    throw usage(
      `${titleOf(entry)} was sent to ${entry.profile}${entry.origin ? ` (${entry.origin})` : ''}, and this is ${name}${origin ? ` (${origin})` : ''}.`,
      entry.profile === name
        ? undefined
        : `To undo it there: payroll ${words.join(' ')} --profile ${entry.profile}`,
    )
  }
  return {
    run,
    ...(approved && { unplanned: (write: Change) => whyUnplanned(approved, write) }),
    seal: sealWith(await sealSecret(context.place, await context.access())),
    groups: [...groups.values()],
    laterOf: (group) =>
      changed
        .slice(0, changed.indexOf(group[0]))
        .filter(({ record, operation }) => record === group[0].record && operation === group[0].operation)
        .reverse(),
    triedBy: (group) => group.map(({ id }) => triedBy.get(id)).find((tried) => tried !== undefined),
    staying,
  }
}

/** Tells whether a write has a time in the future: the clock was wrong then, or is now. */
const isLater = ({ host }: Context, { at }: HistoryEntry) => at > host.now() + clocksDifferMs

/** Two readings of a clock that is set by a server may differ so much. */
const clocksDifferMs = 60_000

/** Warns a person, and refuses a script, where it is not known which write was the last one. */
async function assertLast(
  context: Context,
  newest: HistoryEntry,
  damagedOn: string | undefined,
): Promise<void> {
  const why =
    damagedOn === undefined
      ? isLater(context, newest) && `${titleOf(newest)} is dated in the future`
      : `a newer line of the history is damaged (${damagedOn})`
  if (!why) return
  const says = `Which write was the last is not known: ${why}.`
  if (context.interactive) return context.warn(says)
  throw usage(says, `To see them, each with the id that undo takes: ${await commandLine(context, 'history')}`)
}

/**
 * Throws a Failure (exit 10) for a line that somebody changed. Values without a seal may be anybody's: a person is shown them
 * whole and asked, and a script says --unsealed.
 */
async function assertSealed(
  context: Context,
  groups: readonly RecordWrites[],
  { seal }: Chosen,
  options: Options,
): Promise<void> {
  const broken = groups.flat().filter(({ line }) => seal.check(line) === 'broken')
  if (broken.length > 0) {
    const names = nameSome(broken.map(titleOf), mostNamed)
    throw new Failure(
      'invalid-response',
      `The history was changed after it was written: the seal of ${names} is broken.`,
      {
        outcome: 'not-sent',
        hint: 'Find out who changed it. Values that you know are right can be sent by an update.',
      },
    )
  }
  const loose = groups.filter((group) => group.some(({ line }) => seal.check(line) === 'none'))
  if (loose.length === 0 || options.unsealed || options.dryRun) return
  if (!context.interactive) {
    const names = nameSome(
      loose.map(([entry]) => titleOf(entry)),
      mostNamed,
    )
    throw usage(
      `There is no seal that can be checked on ${names}: an earlier version wrote it, or the key of this profile changed since.`,
      'Look at the values with --dry-run --reveal; to send them back, add --unsealed.',
    )
  }
  const lines = loose.flatMap((group) => [
    `${titleOf(group[0])}:`,
    ...leftBy(group).flatMap(({ path, from, to: [to] }) =>
      differenceLines({ path, before: to, after: from }, true, recordTypeOf(group[0].operation)),
    ),
  ])
  await context.noteAll(lines, linesBelow)
  context.warn(
    'these values have no seal: an earlier version wrote them, or the key of this profile changed since.',
  )
  const { confirm } = await openPrompts(context)
  const message = 'Are these the values that were there before?'
  if (!(await confirm({ message, default: false }))) throw declined('Not confirmed.')
}

/** Records that a sentence names; the others are counted. */
const mostNamed = 3

/** The way out where the service deletes nothing, or brings nothing back. */
function insteadOfUndo(operation: string): string {
  const [noun = '', verb = ''] = operation.split('.')
  if (verb.startsWith('delete')) return 'Create it again.'
  if (noun === 'documents') return 'A document is removed by documents delete.'
  if (noun === 'candidates')
    return "A person is ended in the service's own pages, because its interface takes no leaving date."
  return ''
}

async function warnOfStaying(
  context: Context,
  run: string,
  { created, unknown }: Chosen['staying'],
): Promise<void> {
  const [first] = created
  if (first) {
    const count = created.length
    // One command creates, or deletes: only the verb api can do either.
    const did = first.operation.includes(' ')
      ? 'created or deleted'
      : wasDeletion(first)
        ? 'deleted'
        : 'created'
    const [stay, them] = count === 1 ? ['stays as it is', 'it'] : ['stay as they are', 'them']
    const names = created.slice(0, mostNamed).flatMap((entry) => nameOfEntry(entry) ?? [])
    const named = names.length === 0 ? '' : ` (${nameSome(names, mostNamed, count)})`
    const look = await commandLine(context, 'history', '--run', run)
    const says = [
      `${plural(count, 'record')} that the run ${run} ${did} ${stay}${named}: the service has no way back for ${them}.`,
      insteadOfUndo(first.operation),
      ...(count > mostNamed ? [`To see ${them}: ${look}`] : []),
    ]
    context.warn(says.filter(Boolean).join(' '))
  }
  if (unknown === 0) return
  const look = await commandLine(context, 'history', '--run', run, '--failed')
  context.warn(
    `Whether ${plural(unknown, 'record')} of the run ${run} ${unknown === 1 ? 'was' : 'were'} created or deleted is unknown, and ${unknown === 1 ? 'that is' : 'they are'} not undone. To see what to check: ${look}`,
  )
}

async function nothingToUndo(
  context: Context,
  {
    id,
    run,
    wasListed,
  }: { readonly id: string | undefined; readonly run: string | undefined; readonly wasListed: boolean },
): Promise<Failure> {
  const look = `To see what was written: ${await commandLine(context, 'history')}`
  if (id !== undefined) {
    // A person was named, as every other command does it.
    const ofPerson = await commandLine(context, 'history', '--person', id)
    return usage(
      `The history of this computer has no write ${id}.`,
      `If that is a person, to see what was written of it: ${ofPerson}`,
    )
  }
  if (run === undefined)
    return usage('The history of this computer has no update of this profile to undo.', look)
  return wasListed
    ? usage(`Of the run ${run} there is no update left to undo.`, look)
    : usage(`The history of this computer has no run ${run}.`, look)
}

/** Why a write cannot be taken back, and what to do instead; undefined where it can. */
function reasonAgainst({ operation, outcome, changes, namesOnly, record }: HistoryEntry): string | undefined {
  const [, verb = ''] = operation.split('.')
  if (operation.includes(' ')) return 'the history does not have the fields that the verb api sent.'
  if (verb.startsWith('create'))
    return `it created a record, which undo does not delete. ${insteadOfUndo(operation)}`.trim()
  if (verb.startsWith('delete')) return `it deleted a record. ${insteadOfUndo(operation)}`
  // Where the outcome is unknown, the record tells: it has the new values, and they are taken back, or the old ones.
  if (outcome !== 'applied' && outcome !== 'unknown')
    return 'it was not applied, so there is nothing to take back.'
  if (namesOnly) return 'the history has only the names of its fields, without their old values.'
  if (!changes?.length || record === undefined || !undoableKind(operation))
    return 'the history does not have what it changed.'
  return undefined
}

const recordTypeOf = (operation: string) => operationById(operation)?.requestRecord

const undoableKind = (operation: string) =>
  kinds.find((kind) => operationsOf(kind.operation).some(({ id }) => id === operation))

const nameOfEntry = ({ reference, person, record }: HistoryEntry) => reference ?? person ?? record

const titleOf = (entry: HistoryEntry) =>
  `${entry.id} (${[entry.command, nameOfEntry(entry)].filter(Boolean).join(', ')})`

const wasDeletion = ({ operation }: HistoryEntry) => operation.split('.')[1]?.startsWith('delete') ?? false

/** The fields that the writes of one record left in it, each with its value before them. */
function leftBy(group: RecordWrites): readonly LeftField[] {
  const fields = new Map<string, { from: Json; to: Json[]; isSure: boolean }>()
  // The newest first: an older one can still stand only where what came after it may not have been applied.
  for (const { changes = [], outcome } of group) {
    for (const { path, from, to } of changes) {
      const field = fields.get(path) ?? { from: undefined, to: [], isSure: false }
      fields.set(path, field)
      field.from = from as Json
      if (!field.isSure) field.to.push(to as Json)
      field.isSure ||= outcome === 'applied'
    }
  }
  return [...fields].map(([path, { from, to }]) => ({ path, from, to }))
}

/** A record whose old values are sent back. */
interface Undoing {
  readonly group: RecordWrites
  readonly write: Change
  readonly asking: Asking & { readonly plan: UpdatePlan }
}

/** Reads the record, and makes the write that gives it its old values. Throws the Failure of what holds it. */
async function prepare(
  context: Context,
  group: RecordWrites,
  { seal, laterOf, unplanned }: Chosen,
  given: Options,
  { said, hide = () => {} }: { readonly said: Set<string>; readonly hide?: (() => void) | undefined },
): Promise<Undoing> {
  const [entry] = group
  const kind = undoableKind(entry.operation)
  if (!kind || entry.record === undefined) throw new TypeError(`${entry.id} cannot be undone`)
  const options: Options = {
    ...optionsFor(kind.operation, entry.operation),
    ...(entry.operation === operations.documents.update.id &&
      entry.person !== undefined && { employee: entry.person }),
    ...given,
    id: true,
  }
  const plan = planUpdate(context, kind, entry.record, options)
  const asking: Undoing['asking'] = {
    ...{
      writer: 'undo',
      plan,
      list: kind.list,
      isUnique: kind.isUnique,
      options,
      said,
      unplanned,
      beforeAsking: hide,
    },
  }
  const seen = await readPlace(await context.client(), plan)
  assertAllowable(plan.type, options, seen)
  const left = leftBy(group)
  const whose = recognitionsOf(plan.type, group, laterOf(group), seal)
  const undoes = { ids: group.map(({ id }) => id), whose, left }
  const read: Change = {
    kind: 'change',
    place: plan,
    typed: plan.id,
    seen,
    wanted: seen.body,
    changes: [],
    undoes,
  }
  await passGuards(read, 'read', asking)
  // null says that a field had no value: without it the service may keep the new one.
  const wanted = left
    .filter((field) => stateOf(plan.type, seen, field).is === 'left')
    .reduce<Json>(
      (whole, { path, from = null }) => withValueAt(whole, path.split('.'), from),
      seen.body,
    ) as JsonObject
  const isBank = ({ path }: Difference) => Number(isBankField(plan.type, path))
  const changes = differences(seen.body, wanted).sort((one, other) => isBank(other) - isBank(one))
  const write = { ...read, wanted, changes }
  if (changes.length > 0) await passGuards(write, 'wanted', asking)
  return { group, write, asking }
}

/** How a plan names a record: by its reference, or by its id where several have one reference. */
const planName = ({ place: { id, type }, seen }: Change) =>
  (properName(type).length > 0 && type.reference && nameIn(seen.body, [type.reference.request])) || id

/** The lines of a plan for one record. */
const planRowsOf = ({ write }: Undoing, at: number): readonly PlanRow[] =>
  write.changes.map(({ path, before, after }) => ({
    reference: planName(write),
    name: labelOf(write.place.type, write.seen.record) ?? '',
    field: headingFor(write.place.type, path),
    old: before ?? null,
    new: after ?? null,
    action: 'change',
    row: at + 1,
    reason: '',
  }))

function whyUnplanned(approved: ApprovedPlan, write: Change): Unplanned | undefined {
  const record = approved.records.get(keyOf(planName(write)))
  const why = `${approved.path} does not have it`
  if (!record) return { why, cause: why }
  return write.changes
    .map(({ path, before, after }) => {
      const field = headingFor(write.place.type, path)
      return whyNotPlanned(approved, record, { field, from: before ?? null, to: after ?? null })
    })
    .find((why) => why !== undefined)
}

/** The words of an update of the same record. */
const updateWords = async ({ context, target, operation, parameters, id }: UpdatePlan) => [
  nounOf(operation),
  'update',
  id,
  ...(await targetFlags(context, target, operation, parameters)),
]

/** The lines of what is sent back, one for each field. A person at a terminal sees bank details whole: nobody can confirm a mask. */
function changeLines(context: Context, { write: { changes, place, seen } }: Undoing): string[] {
  const isShown = context.interactive || context.reveal
  return [
    `${describeRecord(place.type, seen.record, place.id)}:`,
    ...changes.flatMap((change) => differenceLines(change, isShown, place.type)),
  ]
}

const asData = ({ group: [entry], write: { changes, place, undoes } }: Undoing) => ({
  id: place.id,
  reference: entry.reference ?? null,
  undoes: undoes?.ids ?? [],
  changes: changes.map(
    ({ path, before, after }): ChangeAsData => ({
      path,
      from: before ?? null,
      to: after ?? null,
    }),
  ),
})

/** Lines on the screen for the question and the result. */
const linesBelow = 2

type Counts = { -readonly [Name in keyof typeof countFields]: number }

/** The records so far, by outcome. */
interface Tally {
  readonly counts: Counts
  /** The reason for each record that is left as it is. */
  readonly issues: Issue[]
}

/**
 * Sends the old values of the chosen records back, each record by itself. Throws a Failure: of one record its own; of a run
 * exit 9 where some were held back, 8 where the outcome of one is unknown. What stops all of them, as a refused key does,
 * stops at once.
 */
async function undoAll(context: Context, chosen: Chosen, options: Options): Promise<void> {
  const { run, staying } = chosen
  const tally: Tally = {
    counts: {
      rows: run === undefined ? 1 : chosen.groups.length,
      undone: 0,
      unchanged: 0,
      held: 0,
      unknown: 0,
    },
    issues: [],
  }
  const { counts, issues } = tally
  const ready = await (run === undefined
    ? prepareOne(context, chosen, options, tally)
    : prepareAll(context, chosen, options, tally))
  const lines = ready.flatMap((undoing) => changeLines(context, undoing))
  const records = ready.map(asData)
  if (options.plan !== undefined)
    context.note(`Wrote ${options.plan}: ${await writePlanRows(options.plan, ready.map(planRowsOf))}.`)
  // A sentence about what stays takes four lines.
  const sentences = [staying.created.length, staying.unknown].filter((count) => count > 0)
  const below = linesBelow + issues.length + 4 * sentences.length
  const isForPerson = context.output.format.isForPerson
  if (options.dryRun) {
    const planned: ValuesOf<typeof undoneFields> = { dryRun: true, ...counts, undone: ready.length, records }
    const isEmpty = ready.length === 0
    const shown = isEmpty ? ['Nothing would change.'] : ['This would change:', ...lines]
    await context.output.value(planned, `${shown.join('\n')}\n`, below + (isEmpty ? 0 : 2))
    if (run !== undefined) await warnOfStaying(context, run, staying)
    if (isForPerson && !isEmpty) {
      const [first] = ready
      const words = run === undefined ? ['undo', first?.group[0].id ?? ''] : ['undo', '--run', run]
      const again = await commandLine(context, ...words)
      context.note(
        `Nothing was sent. To send the old values of ${plural(ready.length, 'record')} back: ${again}`,
      )
    }
  } else {
    await context.noteAll(lines, below)
    if (run === undefined) await saySiblings(context, chosen, ready)
    // Below the list, which may be longer than the screen.
    else await warnOfStaying(context, run, staying)
    for (const { path, message } of issues) context.warn(`${path} is left as it is: ${message}`)
    if (ready.length > 0) await confirmUndo(context, run, ready)
    await sendAll(context, ready, tally, run === undefined)
    const undone: ValuesOf<typeof undoneFields> = { ...counts, records, ...warningsOf(context, []) }
    await context.output.value(undone, `${undoSummary(counts)}\n`)
  }
  if (issues.length > 0) throw incomplete(tally)
}

/** The newest record that does not have its old values yet; of an entry that was named, that. */
async function prepareOne(
  context: Context,
  chosen: Chosen,
  options: Options,
  { counts }: Tally,
): Promise<readonly Undoing[]> {
  for (const group of chosen.groups) {
    await assertSealed(context, [group], chosen, options)
    const undoing = await prepare(context, group, chosen, options, { said: new Set() })
    if (undoing.write.changes.length > 0) return [undoing]
    const { place, seen } = undoing.write
    context.note(
      `${describeRecord(place.type, seen.record, place.id)} has its old values of ${group[0].id} already, so nothing is sent back.`,
    )
    // A command that was killed is typed again to end what it began, not to go one further back.
    if (await noteArrived(context, chosen, group, options)) break
  }
  counts.unchanged += 1
  return []
}

/** Notes in the history that an earlier undo arrived, where its run was killed before it could. Returns whether there was one. */
async function noteArrived(
  context: Context,
  { triedBy }: Chosen,
  group: RecordWrites,
  { dryRun }: Options,
): Promise<boolean> {
  const tried = triedBy(group)
  if (!tried) return false
  if (dryRun) return true
  await noteApplied(await context.directory(), tried).catch(onFailure(({ message }) => context.warn(message)))
  return true
}

/** Reads the records of a run; of those that can be taken back, what is sent. */
async function prepareAll(
  context: Context,
  chosen: Chosen,
  options: Options,
  tally: Tally,
): Promise<readonly Undoing[]> {
  await assertSealed(context, chosen.groups, chosen, options)
  const ready: Undoing[] = []
  const said = new Set<string>()
  await showEach(context, 'Reading the records', chosen.groups, async (group, hide) => {
    try {
      const undoing = await prepare(context, group, chosen, options, { said, hide })
      if (undoing.write.changes.length > 0) ready.push(undoing)
      else {
        await noteArrived(context, chosen, group, options)
        tally.counts.unchanged += 1
      }
    } catch (error) {
      hold(context, group[0], error, tally)
    }
  })
  return ready
}

/** Says that the last write is one of many of its command. */
async function saySiblings(
  context: Context,
  { groups }: Chosen,
  [undoing]: readonly Undoing[],
): Promise<void> {
  const run = undoing?.group[0].run
  const count = groups.filter(([entry]) => entry.run === run).length
  if (run === undefined || count < 2) return
  const all = await commandLine(context, 'undo', '--run', run)
  context.note(`It is one of ${count} updates of the same command. To take all of them back: ${all}`)
}

async function confirmUndo(
  context: Context,
  run: string | undefined,
  ready: readonly Undoing[],
): Promise<void> {
  if (context.options.yes) return
  const [first] = ready
  const what =
    run !== undefined
      ? `the old values of ${plural(ready.length, 'record')}`
      : first?.write.changes.length === 1
        ? 'the old value'
        : 'the old values'
  const { confirm } = await openPrompts(context)
  const where = placeName(await context.profile())
  if (!(await confirm({ message: `Send ${what} back on ${where}?`, default: false })))
    throw declined('Not confirmed.')
}

async function sendAll(
  context: Context,
  ready: readonly Undoing[],
  tally: Tally,
  isAlone: boolean,
): Promise<void> {
  let settled = 0
  await showEach(context, 'Sending the old values back', ready, async ({ group, write, asking }) => {
    try {
      await sendChange(write, asking)
      tally.counts.undone += 1
    } catch (error) {
      if (isAlone) throw await keptNewer(context, asking.plan, error)
      if (error instanceof Failure && !isOfOneRecord(error))
        throw stoppedEarly(error, tally.counts.undone, ready.length - settled)
      hold(context, group[0], error, tally)
    }
    settled += 1
  })
  const [first] = ready
  if (isAlone && first)
    context.note(`Undid ${titleOf(first.group[0])} on ${placeName(await context.profile())}.`)
}

/** The failure that stops a run, with how many records were undone before. */
function stoppedEarly(error: Failure, undone: number, waiting: number): Failure {
  const [were, wait, them] = [
    undone === 1 ? 'was' : 'were',
    ...(waiting === 1 ? ['waits', 'it'] : ['wait', 'them']),
  ]
  const said = `${plural(undone, 'record')} ${were} undone, and ${waiting} ${wait} to be: the same command again sends ${them}.`
  return new Failure(error.code, `${error.message} ${said}`, error.details)
}

/** A refusal, with what to do where it does not say so itself. */
async function keptNewer(context: Context, plan: UpdatePlan, error: unknown): Promise<unknown> {
  const isRefused =
    error instanceof Failure && error.code === 'refused' && error.details.outcome === 'refused'
  if (!isRefused || error.details.hint !== undefined) return error
  const update = await commandLine(context, ...(await updateWords(plan)), '--edit')
  return withHint(error, `The record keeps the newer values. To send others: ${update}`)
}

/** Tells whether a failure concerns one record alone, such as a No to a question about it. */
const isOfOneRecord = ({ code, details }: Failure) =>
  details.declined || ['refused', 'not-found', 'invalid-response', 'unknown'].includes(code)

/** Counts an update that is not undone, and says why. Throws what stops the others too. */
function hold(context: Context, entry: HistoryEntry, error: unknown, { counts, issues }: Tally): void {
  const { code, message, details } = asFailure(error)
  if (!isOfOneRecord(asFailure(error))) throw error
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
    unchanged > 0 && `${unchanged} already as before`,
    held > 0 && `${held} left alone`,
    unknown > 0 && `${unknown} with an unknown outcome`,
  ].filter((each) => each !== false)
  return `${plural(rows, 'update')}: ${parts.join(', ')}.`
}

function incomplete({ counts: { unknown, held, undone }, issues }: Tally): Failure {
  const isUnknown = unknown > 0
  return new Failure(
    isUnknown ? 'unknown' : 'partial',
    isUnknown
      ? `The outcome of ${plural(unknown, 'record')} is unknown.`
      : `${plural(held, 'record')} of this run ${held === 1 ? 'is left as it is' : 'are left as they are'}.`,
    {
      outcome: isUnknown ? 'unknown' : undone > 0 ? 'applied' : 'not-sent',
      issues,
      hint: 'Look at these records. The same command again sends only what does not have its old value yet.',
    },
  )
}
