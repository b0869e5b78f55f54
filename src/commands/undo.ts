import { array, flag, integer, object, text, type ValuesOf } from '../api/contract/fields/field.ts'
import { compareStored, type Difference, differences } from '../api/contract/mapping/compare-stored.ts'
import { withNulls } from '../api/contract/mapping/map-record.ts'
import { describeRecord } from '../api/contract/mapping/record-name.ts'
import { maskedFields } from '../api/contract/mapping/service-masks.ts'
import { candidatesByCountry, operationById, operations } from '../api/contract/operations/operations.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import type { Options } from '../cli/options.ts'
import { countryTargets, nounOf, operationsOf, optionsFor, type Target } from '../cli/target.ts'
import type { Verb } from '../cli/verb.ts'
import type { Context } from '../context/context.ts'
import { declined, Failure, type Issue, usage, withHint } from '../errors.ts'
import { plural, wordList } from '../formats/words.ts'
import { type FieldChange, type HistoryEntry, longestPauseMs, readHistory } from '../history/history.ts'
import { isBankField } from '../import/row-change.ts'
import { type Json, type JsonObject, valueAt, withValueAt } from '../json/path.ts'
import { headingFor } from '../values/read-heading.ts'
import { commandLine, targetFlags } from '../verbs/command-line.ts'
import {
  type ChangeAsData,
  changeFields,
  differenceLines,
  formatChange,
} from '../verbs/compare-with-response.ts'
import { mustAsk } from '../verbs/confirm.ts'
import { dryRun, dryRunFields, dryRunOfNothing } from '../verbs/dry-run.ts'
import {
  assertAllowable,
  confirmMissing,
  findMissing,
  warnOfLosses,
  warnOfSections,
} from '../verbs/missing-fields.ts'
import { openPrompts, placeName } from '../verbs/open-prompts.ts'
import { showEach } from '../verbs/show-one-by-one.ts'
import { assertIdentified, planUpdate, readWhole, type UpdatePlan } from '../verbs/update-plan.ts'
import { sendUpdate } from '../verbs/update-send.ts'

/** A kind of record whose updates can be taken back, and how it is read and changed. */
interface Kind {
  readonly operation: Target
  readonly reads: Target
  readonly list: Target
}

const ofPeople = countryTargets(candidatesByCountry)

const kinds: readonly Kind[] = [
  { ...ofPeople, operation: ofPeople.update, reads: ofPeople.get },
  ...[operations.paymentRates, operations.timesheets, operations.documents].map(({ update, get, list }) => ({
    operation: update,
    reads: get,
    list,
  })),
]

/** A write that is to be taken back, and the record as it is now. */
interface Undoing {
  readonly entry: HistoryEntry
  readonly plan: UpdatePlan
  readonly list: Target
  readonly options: Options
  readonly seen: WholeRecord
  /** The record with the old values; as it is now, where it has them already. */
  readonly after: JsonObject
  /** Bank details first. */
  readonly changes: readonly Difference[]
}

/** What the undoing of one update answers. */
const undoneFields = {
  undone: flag('Whether anything was sent'),
  id: text('Id of the record'),
  undoes: text('Id of the entry of the history'),
  changes: array('What was sent back', object('', changeFields)),
}

/** What became of the writes of a run. Each counts once: all but `rows` add up to it. */
const countFields = {
  rows: integer('Updates of the run', { help: 'Each counts once: all others add up to it.' }),
  undone: integer('Undone'),
  unchanged: integer('Had their old values already'),
  held: integer('Left as they are, because they were changed since'),
  unknown: integer('With an unknown outcome'),
}

/** What a dry run of that answers. */
const plannedRunFields = {
  dryRun: flag('Nothing was sent'),
  ...countFields,
  changes: array(
    'What would be sent back',
    object('', {
      entry: text('Id of the entry of the history'),
      id: text('Id of the record'),
      reference: text('Reference of the record', { nullable: true }),
      ...changeFields,
    }),
  ),
}

/** `undo`: sends the old values of an update back, or of all updates of one command. */
export const undo: Verb = {
  name: 'undo',
  summary: 'Send the old values of an update back, or of every update of one command',
  arguments: [
    {
      name: 'entry',
      summary: 'a write, by the id that history shows; without it, at a terminal, the last update',
      optional: true,
    },
  ],
  options: ['run', 'dryRun', 'allowMissing'],
  writes: true,
  answer: {
    prints: 'json',
    shapes: [
      { fields: undoneFields },
      { with: '--dry-run', fields: dryRunFields },
      { with: '--run', fields: countFields },
      { with: '--run', about: 'With --dry-run too.', fields: plannedRunFields },
    ],
  },
  notes: [
    'Only what is still as this computer left it is sent back: a record that has another value since is left as it is, and named. The difference is shown, and asked about; in a script it needs --yes.',
    'An update can be taken back. A create or a deletion cannot: the service deletes nobody, and brings nothing back. Where the history has only the names of fields, or nothing, there is no old value to send.',
    'A field that had no value goes back as null. Where the service keeps the new value anyway, the record is read again, and it is said: exit 8.',
    'An import that was stopped and continued is several runs, which history lists: undo each of them, the last one first.',
    'It is a write of its own in the history, and can be taken back in the same way. After an interruption, type the same command again: what has its old values already is not sent.',
  ],
  examples: ['payroll undo', 'payroll undo 3f2a91c0 --dry-run', 'payroll undo --run 7be01d42 --yes'],
  async run(context, { arguments: { entry: id }, options }) {
    const { run, dryRun: isDryRun = false } = options
    if (id !== undefined && run !== undefined)
      throw usage('An entry and --run were given. Leave one of them out.')
    const { entries, staying, ofSameRun } = await chooseEntries(context, id, run)
    // Without a terminal and --yes it is refused before a record is read.
    if (!isDryRun) await mustAsk(context, 'send old values back', 'always')
    const [first] = entries
    if (run === undefined && first) return undoOne(context, first, options, ofSameRun)
    return undoRun(context, { run: run ?? '', entries, staying }, options)
  },
}

interface Chosen {
  readonly entries: readonly HistoryEntry[]
  /** What the run created or deleted, which stays: for sure, and in numbers perhaps. */
  readonly staying: { readonly created: readonly HistoryEntry[]; readonly unknown: number }
  /** Where no entry was named: how many updates of the same command can be undone, the last one included. */
  readonly ofSameRun?: number
}

/** The writes that are meant, each one that can be taken back. Throws a Failure that says why one cannot. */
async function chooseEntries(
  context: Context,
  id: string | undefined,
  run: string | undefined,
): Promise<Chosen> {
  if (id === undefined && run === undefined && !context.interactive) {
    throw usage(
      'Which write is meant?',
      `To see them, each with the id that undo takes: ${await commandLine(context, 'history')}`,
    )
  }
  const { name, origin } = await context.profile()
  const undoneBy = new Map<string, string>()
  const chosen: HistoryEntry[] = []
  const created: HistoryEntry[] = []
  let unknown = 0
  let wasListed = false
  // The last write may be one of many of its command.
  let [ofSameRun, lastAt] = [0, 0]
  for await (const entry of readHistory(await context.directory())) {
    if (run === undefined && entry.at < lastAt - longestPauseMs) break
    if (entry.undoes !== undefined && entry.outcome === 'applied') undoneBy.set(entry.undoes, entry.id)
    if (run !== undefined) {
      if (entry.run !== run) continue
      wasListed = true
      if (entry.outcome === 'refused' || entry.outcome === 'not-sent') continue
      if (entry.changes === undefined) {
        if (entry.outcome === 'unknown') unknown += 1
        else created.push(entry)
        continue
      }
    } else if (id !== undefined) {
      if (entry.id !== id) continue
    } else if (entry.origin !== (origin ?? '') || entry.profile !== name || reasonAgainst(entry)) continue
    if (id === undefined && undoneBy.has(entry.id)) continue
    if (run !== undefined) chosen.push(entry)
    else if (chosen.length === 0) chosen.push(entry)
    else if (chosen[0]?.run !== entry.run) continue
    if (id !== undefined) break
    ofSameRun += 1
    lastAt = entry.at
  }
  const staying = { created, unknown }
  const [first] = chosen
  if (!first) {
    if (run !== undefined) await warnOfStaying(context, run, staying)
    throw await nothingToUndo(context, { id, run, wasListed })
  }
  for (const entry of chosen) {
    const reason = reasonAgainst(entry)
    if (reason) throw usage(`${titleOf(entry)} cannot be undone: ${reason}`)
    if (entry.profile === name && entry.origin === (origin ?? '')) continue
    const words = run === undefined ? ['undo', entry.id] : ['undo', '--run', run]
    throw usage(
      `${titleOf(entry)} was sent to ${entry.profile}${entry.origin ? ` (${entry.origin})` : ''}, and this is ${name}${origin ? ` (${origin})` : ''}.`,
      entry.profile === name
        ? undefined
        : `To undo it there: payroll ${words.join(' ')} --profile ${entry.profile}`,
    )
  }
  const undoing = id === undefined ? undefined : undoneBy.get(id)
  if (undoing !== undefined) {
    throw usage(
      `${titleOf(first)} was undone already, by ${undoing}.`,
      `To take that back: ${await commandLine(context, 'undo', undoing)}`,
    )
  }
  return { entries: chosen, staying, ofSameRun }
}

/** What a person can do where the service deletes nothing, or brings nothing back. */
function insteadOfUndo(operation: string): string {
  const [noun = '', verb = ''] = operation.split('.')
  if (verb.startsWith('delete')) return 'Create it again.'
  if (noun === 'documents') return 'A document is removed by documents delete.'
  if (noun === 'candidates')
    return "A person is ended in the service's own pages, because its interface takes no leaving date."
  return ''
}

/** So many records are named. */
const mostNamed = 3

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
    const more = count - names.length
    const named =
      names.length === 0 ? '' : ` (${wordList([...names, ...(more > 0 ? [`${more} more`] : [])], 'and')})`
    const look = await commandLine(context, 'history', '--run', run)
    const says = [
      `${plural(count, 'record')} that the run ${run} ${did} ${stay}${named}: the service has no way back for ${them}.`,
      insteadOfUndo(first.operation),
      ...(more > 0 ? [`To see ${them}: ${look}`] : []),
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
  if (!changes?.length || record === undefined || !kindOf(operation))
    return 'the history does not have what it changed.'
  return undefined
}

const recordTypeOf = (operation: string) => operationById(operation)?.requestRecord

const kindOf = (operation: string) =>
  kinds.find((kind) => operationsOf(kind.operation).some(({ id }) => id === operation))

const nameOfEntry = ({ reference, person, record }: HistoryEntry) => reference ?? person ?? record

const titleOf = (entry: HistoryEntry) =>
  `${entry.id} (${[entry.command, nameOfEntry(entry)].filter(Boolean).join(', ')})`

const wasDeletion = ({ operation }: HistoryEntry) => operation.split('.')[1]?.startsWith('delete') ?? false

/**
 * Reads the record, and holds it against what the write left. Throws a Failure (exit 6) where somebody has changed one of
 * the fields since, and (exit 10) where the service does not show one of them.
 */
async function prepare(context: Context, entry: HistoryEntry, { allowMissing }: Options): Promise<Undoing> {
  const kind = kindOf(entry.operation)
  if (!kind || entry.record === undefined) throw new TypeError(`${entry.id} cannot be undone`)
  const options: Options = {
    ...optionsFor(kind.operation, entry.operation),
    ...(entry.operation === operations.documents.update.id && { employee: entry.person }),
    ...(allowMissing && { allowMissing }),
    id: true,
  }
  const plan = planUpdate(context, kind, entry.record, options)
  assertAllowable(plan.type, options)
  const seen = await readWhole(plan)
  await assertIdentified(plan, kind.list, seen, options, entry.record)
  const sent = (entry.changes ?? []).map(asDifference)
  const now = compareStored(plan.type, sent, seen.body, seen)
  const subject = describeRecord(plan.type, seen.record, plan.id)
  if (now.notReturned.length > 0) {
    throw new Failure(
      'invalid-response',
      `The service does not show all that ${entry.id} changed of ${subject}, so whether it is still so is unknown.`,
      {
        outcome: 'not-sent',
        issues: now.notReturned.map((path) => ({ path, message: 'is not returned by the service' })),
        hint: `To set the values yourself: ${await commandLine(context, ...(await updateWords(plan)), ...sent.flatMap(({ path }) => ['--set', `${path}=…`]))}`,
      },
    )
  }
  if (now.other.length > 0) {
    throw new Failure('refused', `${subject} was changed again after ${entry.id}.`, {
      outcome: 'not-sent',
      issues: now.other.map((each) => changedSince(context, each)),
      hint: `Look at the record as it is now: ${await plan.look()}`,
    })
  }
  const left = sent.filter(({ path }) => !now.old.some((each) => each.path === path))
  const after = withOldValues(seen.body, left)
  return {
    entry,
    plan,
    list: kind.list,
    options,
    seen,
    after,
    changes: differences(seen.body, after).sort(
      (a, b) => Number(isBankField(plan.type, b.path)) - Number(isBankField(plan.type, a.path)),
    ),
  }
}

/** The words of an update of the same record. */
const updateWords = async ({ context, target, operation, parameters, id }: UpdatePlan) => [
  nounOf(operation),
  'update',
  id,
  ...(await targetFlags(context, target, operation, parameters)),
]

const asDifference = ({ path, from, to }: FieldChange): Difference => ({
  path,
  before: from as Json,
  after: to as Json,
})

function changedSince(context: Context, each: Difference): Issue {
  const { path } = each
  return { path, message: `left as, and is now: ${formatChange(each, context.options.reveal ?? false)}` }
}

/** The record with the values that the fields had before. null says that one had none: without it the service may keep the new one. */
const withOldValues = (body: JsonObject, changes: readonly Difference[]) =>
  changes.reduce<Json>(
    (whole, { path, before = null }) => withValueAt(whole, path.split('.'), before),
    body,
  ) as JsonObject

const linesOf = (context: Context, { changes, plan }: Undoing) =>
  changes.flatMap((change) => differenceLines(change, context.options.reveal ?? false, plan.type))

const asData = ({ changes }: Undoing) =>
  changes.map(({ path, before, after }): ChangeAsData => ({ path, from: before ?? null, to: after ?? null }))

const nameOf = ({ plan, seen }: Undoing) => describeRecord(plan.type, seen.record, plan.id)

/**
 * Throws a Failure where the record cannot be sent back without losing a field of it.
 *
 * @param beforeAsking is called where a question follows
 * @param isFirst of a run: what a service hides of one record it hides of all, so it is said once
 */
async function assertNothingIsLost(
  { plan, list, seen, options, after }: Undoing,
  { beforeAsking = () => {}, isFirst = true }: { beforeAsking?: () => void; isFirst?: boolean } = {},
): Promise<void> {
  const masked = maskedFields(plan.type, after)
  if (masked.length > 0) {
    throw new Failure(
      'invalid-response',
      `The service masks ${masked.join(', ')} of ${plan.id}; sending that back would overwrite the real value with the mask.`,
      {
        outcome: 'not-sent',
        hint: `To send the old values yourself, with the real ones of these: ${await commandLine(plan.context, ...(await updateWords(plan)), '--edit')}`,
      },
    )
  }
  const isGiven = (path: string) => valueAt(after, path.split('.')) !== undefined
  const { stopping } = await findMissing(plan, list, seen, options, isGiven)
  const missing = stopping.filter(({ path }) => seen.absent.includes(path) || !isGiven(path))
  if (missing.length > 0) beforeAsking()
  await confirmMissing(plan, missing, options.dryRun ?? false)
  if (isFirst) warnOfLosses(plan, after)
  warnOfSections(plan, seen, after)
}

async function confirmUndo(context: Context, what: string): Promise<void> {
  if (context.options.yes) return
  const { confirm } = await openPrompts(context)
  const where = placeName(await context.profile())
  if (!(await confirm({ message: `${what} on ${where}?`, default: false }))) throw declined('Not confirmed.')
}

const send = ({ plan, seen, after, changes, entry }: Undoing) =>
  sendUpdate(plan, seen, after, changes, entry.id)

/** The question, and what became of it. */
const linesBelow = 2

/** Undoes one update, and prints what it did. Throws as an update does. */
async function undoOne(
  context: Context,
  entry: HistoryEntry,
  options: Options,
  ofSameRun = 0,
): Promise<void> {
  const undoing = await prepare(context, entry, options)
  const { plan, seen, after, changes } = undoing
  if (changes.length === 0) {
    if (options.dryRun) return dryRunOfNothing(context)
    context.note(`${nameOf(undoing)} has its old values already, so nothing was sent back.`)
    return context.output.record(undoneOf(undoing, false))
  }
  await assertNothingIsLost({ ...undoing, options: { ...undoing.options, ...options, id: true } })
  const lines = linesOf(context, undoing)
  if (options.dryRun) {
    const { operation, parameters } = plan
    const body = withNulls(after, seen)
    return dryRun(context, operation, { parameters, body }, [], { changes: asData(undoing), lines })
  }
  const isOneOf = ofSameRun > 1 && !options.dryRun
  await context.noteAll([`${nameOf(undoing)}:`, ...lines], linesBelow + (isOneOf ? 2 : 0))
  if (isOneOf) {
    const all = await commandLine(context, 'undo', '--run', entry.run)
    context.note(`It is one of ${ofSameRun} updates of the same command. To take all of them back: ${all}`)
  }
  await confirmUndo(context, `Send ${changes.length === 1 ? 'the old value' : 'the old values'} back`)
  await send(undoing).catch(async (error: unknown) => {
    const isRefused =
      error instanceof Failure && error.code === 'refused' && error.details.outcome === 'refused'
    if (!isRefused || error.details.hint !== undefined) throw error
    const update = await commandLine(context, ...(await updateWords(plan)), '--edit')
    throw withHint(error, `The record keeps the newer values. To send others: ${update}`)
  })
  context.note(`Undid ${titleOf(entry)} on ${placeName(await context.profile())}.`)
  const { changes: sentBack, ...undone } = undoneOf(undoing, true)
  // A person has seen them above, with what is sensitive masked.
  const shown = context.output.format.isForPerson ? {} : { changes: sentBack }
  await context.output.record({ ...undone, ...shown })
}

const undoneOf = (undoing: Undoing, undone: boolean): ValuesOf<typeof undoneFields> => ({
  undone,
  id: undoing.plan.id,
  undoes: undoing.entry.id,
  changes: asData(undoing),
})

type Counts = { -readonly [Name in keyof typeof countFields]: number }

/** What became of the updates of a run so far. */
interface RunUndoing {
  readonly counts: Counts
  /** Of each record that is left as it is, why. */
  readonly issues: Issue[]
}

/**
 * Undoes every update of a run, each record by itself. Throws a Failure: exit 9 where some were held back, 8 where the
 * outcome of one is unknown. What stops all of them, as a refused key does, stops at once.
 */
async function undoRun(
  context: Context,
  { run, entries, staying }: Chosen & { readonly run: string },
  options: Options,
): Promise<void> {
  const counts: Counts = { rows: entries.length, undone: 0, unchanged: 0, held: 0, unknown: 0 }
  const undone: RunUndoing = { counts, issues: [] }
  const ready = await prepareAll(context, entries, options, undone)
  const { issues } = undone
  const lines = ready.flatMap((undoing) => [`${nameOf(undoing)}:`, ...linesOf(context, undoing)])
  // A sentence about what stays takes four lines.
  const sentences = [staying.created.length, staying.unknown].filter((count) => count > 0)
  const below = linesBelow + issues.length + 4 * sentences.length
  if (options.dryRun) {
    const changes = ready.flatMap(changesOf)
    const planned: ValuesOf<typeof plannedRunFields> = {
      dryRun: true,
      ...counts,
      undone: ready.length,
      changes,
    }
    const isEmpty = ready.length === 0
    const shown = isEmpty ? ['Nothing would change.'] : ['This would change:', ...lines]
    await context.output.value(planned, `${shown.join('\n')}\n`, below + (isEmpty ? 0 : 2))
    await warnOfStaying(context, run, staying)
    if (context.output.format.isForPerson && !isEmpty) {
      const again = await commandLine(context, 'undo', '--run', run)
      context.note(
        `Nothing was sent. To send the old values of ${plural(ready.length, 'record')} back: ${again}`,
      )
    }
  } else {
    await context.noteAll(lines, below)
    // Below the list, which may be longer than the screen.
    await warnOfStaying(context, run, staying)
    for (const { path, message } of issues) context.warn(`${path} is left as it is: ${message}`)
    if (ready.length > 0)
      await confirmUndo(context, `Send the old values of ${plural(ready.length, 'record')} back`)
    await sendAll(context, ready, undone)
    await context.output.value({ ...counts }, `${summaryOf(counts)}\n`)
  }
  if (issues.length > 0) throw incomplete(undone)
}

/** Reads the records of the updates; of those that can be taken back, what is sent. */
async function prepareAll(
  context: Context,
  entries: readonly HistoryEntry[],
  options: Options,
  undone: RunUndoing,
): Promise<readonly Undoing[]> {
  const ready: Undoing[] = []
  await showEach(context, 'Reading the records', entries, async (entry, hide) => {
    try {
      const undoing = await prepare(context, entry, options)
      if (undoing.changes.length === 0) undone.counts.unchanged += 1
      else {
        const isFirst = ready.length === 0
        const whole = { ...undoing, options: { ...undoing.options, ...options, id: true } }
        await assertNothingIsLost(whole, { beforeAsking: hide, isFirst })
        ready.push(undoing)
      }
    } catch (error) {
      hold(context, entry, error, undone)
    }
  })
  return ready
}

function sendAll(context: Context, ready: readonly Undoing[], undone: RunUndoing): Promise<void> {
  return showEach(context, 'Sending the old values back', ready, async (undoing) => {
    try {
      await send(undoing)
      undone.counts.undone += 1
    } catch (error) {
      hold(context, undoing.entry, error, undone)
    }
  })
}

/** Counts an update that is not undone, and says why. Throws what stops the others too. */
function hold(context: Context, entry: HistoryEntry, error: unknown, { counts, issues }: RunUndoing): void {
  if (!(error instanceof Failure)) throw error
  const isOfThisRecord = ['refused', 'not-found', 'invalid-response', 'unknown'].includes(error.code)
  if (!isOfThisRecord) throw error
  counts[error.code === 'unknown' ? 'unknown' : 'held'] += 1
  const type = context.output.format.isForPerson ? recordTypeOf(entry.operation) : undefined
  const fields = error.details.issues?.map(({ path }) => (type ? headingFor(type, path) : path)).join(', ')
  issues.push({
    path: nameOfEntry(entry) ?? entry.id,
    message: `${error.message}${fields ? ` (${fields})` : ''}`,
  })
}

const changesOf = (undoing: Undoing) =>
  asData(undoing).map((change) => ({
    entry: undoing.entry.id,
    id: undoing.plan.id,
    reference: undoing.entry.reference ?? null,
    ...change,
  }))

function summaryOf({ rows, undone, unchanged, held, unknown }: Counts): string {
  const parts = [
    `${undone} undone`,
    unchanged > 0 && `${unchanged} already as before`,
    held > 0 && `${held} left alone`,
    unknown > 0 && `${unknown} with an unknown outcome`,
  ].filter((each) => each !== false)
  return `${plural(rows, 'update')}: ${parts.join(', ')}.`
}

function incomplete({ counts: { unknown, held, undone }, issues }: RunUndoing): Failure {
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
