import type { Context } from '../../context/context.ts'
import { sealSecret } from '../../credentials/mark-key.ts'
import { Failure, usage } from '../../errors.ts'
import type { Json } from '../../files/json/path.ts'
import { operationById, operations } from '../../model/resources/operations.ts'
import { differenceLines } from '../../render/text/format-change.ts'
import { groupBy } from '../../text/group-by.ts'
import { nameSome, withOrigin } from '../../text/words.ts'
import { type HistoryEntry, longestPauseOfRunMs, readHistory } from '../../write/history/history.ts'
import { type Seal, sealWith } from '../../write/history/seal.ts'
import type { WrittenField } from '../../write/record-write.ts'
import type { Options } from '../cli/options.ts'
import { candidateTargets, operationsOf } from '../cli/target.ts'
import { commandLine } from '../kit/command-line.ts'
import { assertYes } from '../kit/confirm.ts'
import type { WriteSession } from '../kit/update/write-session.ts'

/** The updates that can be taken back: how each kind of record is read and changed. */
const undoableVerbs: readonly WriteSession['verb'][] = [
  {
    get: candidateTargets.get,
    operation: candidateTargets.update,
    list: candidateTargets.list,
    unique: true,
  },
  ...Object.values(operations).flatMap((of): readonly WriteSession['verb'][] => {
    if (of === operations.candidates || !('update' in of && 'get' in of && 'list' in of)) return []
    const unique = of === operations.paymentRates && { unique: true as const }
    return [{ get: of.get, operation: of.update, list: of.list, ...unique }]
  }),
]

/** Entries of one record by one command: they are taken back together. The newest first. */
export type EntryGroup = readonly [HistoryEntry, ...HistoryEntry[]]

/** The writes that are taken back, by record: the newest first. */
export interface ChosenWrites {
  readonly run: string | undefined
  readonly seal: Seal
  /** The groups that are meant, the newest first; where nothing was named, only the first is. */
  readonly groups: readonly EntryGroup[]
  /** The later writes of the same record, the oldest first: they may have changed whose it is. */
  readonly laterOf: (group: EntryGroup) => readonly HistoryEntry[]
  /** An undo of the group that was sent already, and whose outcome is unknown. */
  readonly triedBy: (group: EntryGroup) => HistoryEntry | undefined
  /** What the run created or deleted, or may have: it stays as it is. */
  readonly staying: readonly HistoryEntry[]
}

/** What was named: an entry, a whole run, or nothing, which is the last update of this profile. */
interface NamedWrites {
  readonly id: string | undefined
  readonly run: string | undefined
}

/** The writes that are meant, each one that can be taken back. Throws a Failure that says why one cannot. */
export async function chooseWrites(context: Context, names: NamedWrites): Promise<ChosenWrites> {
  const { id, run } = names
  const { name, origin = '' } = await context.profile()
  const isOfThisService = (entry: HistoryEntry) => entry.profile === name && entry.origin === origin
  const entries = await readMeant(context, names, isOfThisService)
  const { entry, takenBack, changed, stays } = entries
  const undoOf = (each: HistoryEntry) => {
    const undo = takenBack.get(each.id)
    return undo?.outcome === 'applied' ? undo : undefined
  }
  const undo = entry && undoOf(entry)
  if (undo) {
    throw usage(
      `${titleOf(entry)} was undone already, by ${undo.id}.`,
      `To take that back: ${await commandLine(context, 'undo', undo.id)}`,
    )
  }
  // Where the clock was wrong, an undo can look older than the write that it took back.
  const open = entries.meant.filter((each) => !undoOf(each))
  const staying = run === undefined ? [] : open.filter(({ changes }) => changes === undefined)
  const isLast = id === undefined && run === undefined
  const lost = stays.find(({ changes }) => changes !== undefined)
  if (lost && isLast) {
    throw usage(
      `${titleOf(lost)} is the last update, and cannot be undone: ${reasonAgainst(lost)}`,
      idHint(await commandLine(context, 'history')),
    )
  }
  const groups = groupByRecord(open.filter((each) => !staying.includes(each)))
  const [newest] = groups.flat()
  const [passedOver] = stays
  if (!newest) {
    if (run !== undefined) await warnOfStaying(context, run, staying)
    throw nothingToUndo(names, entries, await commandLine(context, 'history'))
  }
  if (isLast) {
    await assertLast(context, newest, entries.damagedOn)
    if (passedOver) context.warn(`${titleOf(passedOver)} is newer, and stays: ${reasonAgainst(passedOver)}`)
  }
  for (const each of groups.flat()) {
    const reason = reasonAgainst(each)
    if (reason) throw usage(`${titleOf(each)} cannot be undone: ${reason}`)
    if (!isOfThisService(each)) throw sentElsewhere(each, run, { name, origin })
  }
  return {
    run,
    groups,
    staying,
    seal: sealWith(await sealSecret(context.place, await context.access())),
    laterOf: ([first]) =>
      changed
        .slice(0, changed.indexOf(first))
        .filter(({ record, operation }) => record === first.record && operation === first.operation)
        .reverse(),
    triedBy: (group) => group.map((each) => takenBack.get(each.id)).find((undo) => undo !== undefined),
  }
}

function sentElsewhere(
  entry: HistoryEntry,
  run: string | undefined,
  { name, origin }: { readonly name: string; readonly origin: string },
): Failure {
  const { id, profile } = entry
  const words = run === undefined ? id : `--run ${run}`
  const says = `${titleOf(entry)} was sent to ${withOrigin(profile, entry.origin)}, and this is ${withOrigin(name, origin)}.`
  const way =
    profile === 'environment'
      ? 'set PAYROLL_BASE_URL and PAYROLL_API_KEY as they were then, and leave --profile out.'
      : profile !== name && `payroll undo ${words} --profile ${profile}`
  return usage(says, way ? `To undo it there: ${way}` : undefined)
}

/** Reads the history backwards, as far as the writes that are meant may be. */
async function readMeant(
  context: Context,
  { id, run }: NamedWrites,
  isOfThisService: (entry: HistoryEntry) => boolean,
) {
  /** By the id of a write, the undo that took it back, or whose outcome is unknown. */
  const takenBack = new Map<string, HistoryEntry>()
  /** The writes that may be meant, the changes of this profile, and its newest writes that cannot be undone. */
  const [writesToUndo, changesHere, stays]: [HistoryEntry[], HistoryEntry[], HistoryEntry[]] = [[], [], []]
  let entryOfId: HistoryEntry | undefined
  let wasListed = false
  /** The day of a damaged line that is newer than all that is meant. */
  let damagedOn: string | undefined
  const onDamaged = (day: string) => {
    if (writesToUndo.length === 0) damagedOn = day
  }
  for await (const entry of readHistory(await context.directory(), onDamaged)) {
    const [newest] = writesToUndo
    const isOlder = newest && !isLater(context, newest) && entry.at < newest.at - longestPauseOfRunMs
    if (run === undefined && isOlder) break
    const isUndone = takenBack.get(entry.id)?.outcome === 'applied'
    // An undo that was taken back itself has undone nothing.
    for (const each of isUndone ? [] : (entry.undoes ?? []))
      if (entry.outcome === 'applied' || (entry.outcome === 'unknown' && !takenBack.has(each)))
        takenBack.set(each, entry)
    if (isOfThisService(entry) && entry.changes && entry.outcome !== 'refused') changesHere.push(entry)
    if (entry.id === id) entryOfId = entry
    const isWritten = ['applied', 'unknown'].includes(entry.outcome)
    const isNewest = writesToUndo.length === 0 && isWritten && !isUndone && entry.undoes === undefined
    if (isNewest && isOfThisService(entry) && reasonAgainst(entry)) stays.push(entry)
    if (!isMeant(entry)) continue
    wasListed = true
    const isApplied = entry === entryOfId || !['refused', 'not-sent'].includes(entry.outcome)
    if (!isUndone && isApplied) writesToUndo.push(entry)
  }
  return {
    entry: entryOfId,
    meant: writesToUndo,
    takenBack,
    changed: changesHere,
    stays,
    wasListed,
    damagedOn,
  }

  function isMeant(entry: HistoryEntry): boolean {
    if (run !== undefined) return entry.run === run
    if (entryOfId) return entry.run === entryOfId.run && entry.record === entryOfId.record
    return id === undefined && isOfThisService(entry) && entry.undoes === undefined && !reasonAgainst(entry)
  }
}

/** The writes of each record by one command. */
function groupByRecord(entries: readonly HistoryEntry[]): readonly EntryGroup[] {
  const groups = groupBy(entries, ({ run, operation, person, record, id }) =>
    JSON.stringify([run, operation, person, record ?? id]),
  )
  return [...groups.values()].flatMap(([first, ...later]) => (first ? [[first, ...later] as const] : []))
}

/** Whether a write is dated in the future: the clock was wrong then, or is now. */
const isLater = ({ host }: Context, { at }: HistoryEntry) => at > host.now() + clocksDifferMs

/** How much a clock may jump when a time server sets it. */
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
  throw usage(says, idHint(await commandLine(context, 'history')))
}

/**
 * Throws a Failure (exit 10) for a line that somebody changed. Values without a seal may be anybody's: a
 * person is shown them in full and asked, and a script has to say --unsealed.
 */
export async function assertSealed(
  context: Context,
  groups: readonly EntryGroup[],
  { seal }: ChosenWrites,
  options: Options,
): Promise<void> {
  const nameEntries = (entries: readonly HistoryEntry[]) => nameSome(entries.map(titleOf), mostRecordsNamed)
  const broken = groups.flat().filter(({ line }) => seal.check(line) === 'broken')
  if (broken.length > 0) {
    throw new Failure(
      'invalid-response',
      `The history was changed after it was written: the seal of ${nameEntries(broken)} is broken.`,
      {
        outcome: 'not-sent',
        hint: 'Find out who changed it. Values that you know are right can be sent by an update.',
      },
    )
  }
  const loose = groups.filter((group) => group.some(({ line }) => seal.check(line) === 'none'))
  if (loose.length === 0 || options.unsealed || options.dryRun) return
  if (!context.interactive) {
    throw usage(
      `There is no seal that can be checked on ${nameEntries(loose.map(([entry]) => entry))}: the key could not be read when it was written, or the key of this profile changed since.`,
      'Look at the values with --dry-run --reveal; to send them back, add --unsealed.',
    )
  }
  const lines = loose.flatMap((group) => [
    `${titleOf(group[0])}:`,
    ...fieldsWrittenBy(group).flatMap(({ path, from, to: [to] }) =>
      differenceLines({ path, before: to, after: from }, true, recordTypeOf(group[0].operation)),
    ),
  ])
  await context.noteAll(lines)
  context.warn(
    'these values have no seal that can be checked: the key could not be read when they were written, or the key of this profile changed since.',
  )
  await assertYes(context, 'Are these the values that were there before?')
}

/** Records that a sentence names; the others are counted. */
const mostRecordsNamed = 3

/**
 * What a write did that undo cannot take back, and what to do instead; undefined for an update. A raw request
 * (`api`) may have created or deleted.
 */
function lastingEffect(operation: string): { readonly did: string; readonly instead: string } | undefined {
  const [noun = '', verb = ''] = operation.split('.')
  if (operation.includes(' ')) return { did: 'created or deleted', instead: '' }
  if (verb.startsWith('delete')) return { did: 'deleted', instead: 'Create it again.' }
  return verb.startsWith('create') ? { did: 'created', instead: insteadOfDeletion[noun] ?? '' } : undefined
}

const insteadOfDeletion: Readonly<Partial<Record<string, string>>> = {
  documents: 'A document is removed by documents delete.',
  timesheets: 'timesheets update sets the hours of a timesheet to 0.',
  candidates: "A person is ended in the service's own pages, because its interface takes no leaving date.",
}

/** Warns of the records that a run created or deleted, or may have: undo leaves them. */
export async function warnOfStaying(
  context: Context,
  run: string,
  staying: ChosenWrites['staying'],
): Promise<void> {
  const [first] = staying
  if (!first) return
  const { did = 'wrote', instead = '' } = lastingEffect(first.operation) ?? {}
  const names = nameSome(staying.map(titleOf), mostRecordsNamed)
  const command = await commandLine(context, 'history', '--run', run)
  context.warn(
    `of what the run ${run} ${did}, undo takes nothing back: ${names}. ${`${instead} To see all of it: ${command}`.trim()}`,
  )
}

function nothingToUndo(
  { id, run }: NamedWrites,
  { wasListed, stays: [newest] }: Pick<Awaited<ReturnType<typeof readMeant>>, 'wasListed' | 'stays'>,
  historyCommand: string,
): Failure {
  const history = 'The history of this computer has no'
  const says =
    id !== undefined
      ? `${history} write ${id}.`
      : run === undefined
        ? `${history} update of this profile to undo.${newest ? ` ${titleOf(newest)} stays: ${reasonAgainst(newest)}` : ''}`
        : wasListed
          ? `No update of the run ${run} is left to undo.`
          : `${history} run ${run}.`
  return usage(says, idHint(historyCommand))
}

export const idHint = (historyCommand: string) =>
  `To see what was written, each with the id that undo takes: ${historyCommand}`

/** Why a write cannot be taken back, and what to do instead; undefined where it can. */
function reasonAgainst({ operation, outcome, changes, namesOnly, record }: HistoryEntry): string | undefined {
  if (operation.includes(' ')) return 'the history does not have the fields that the command api sent.'
  const { did, instead } = lastingEffect(operation) ?? {}
  if (did)
    return `it ${did} a record${did === 'created' ? ', which undo does not delete' : ''}. ${instead}`.trim()
  // Where the outcome is unknown, the record shows whether it has the new values, which are taken back, or
  // the old ones.
  if (outcome !== 'applied' && outcome !== 'unknown')
    return 'it was not applied, so there is nothing to take back.'
  if (namesOnly) return 'the history has only the names of its fields, without their old values.'
  if (!changes?.length || record === undefined || !undoableVerb(operation))
    return 'the history does not have what it changed.'
  return undefined
}

export const recordTypeOf = (operation: string) => operationById(operation)?.requestRecord

export const undoableVerb = (operation: string) =>
  undoableVerbs.find((verb) => operationsOf(verb.operation).some(({ id }) => id === operation))

export const nameOfEntry = ({ reference, person, record }: HistoryEntry) => reference ?? person ?? record

export const titleOf = (entry: HistoryEntry) =>
  `${entry.id} (${[entry.command, nameOfEntry(entry)].filter(Boolean).join(', ')})`

/** The fields that the writes of one record left in it, each with its value before them. */
export function fieldsWrittenBy(group: EntryGroup): readonly WrittenField[] {
  const fields = new Map<string, { from: Json; to: Json[]; isSure: boolean }>()
  // The newest first: an older value can still be there only where no later write was surely applied.
  for (const { changes = [], made = [], outcome } of group) {
    for (const { path, from, to } of changes) {
      const field = fields.get(path) ?? { from: undefined, to: [], isSure: false }
      fields.set(path, field)
      field.from = from as Json
      const own = made.flatMap((each) => (each.path === path ? [each.value as Json] : []))
      if (!field.isSure) field.to.push(...own, to as Json)
      field.isSure ||= outcome === 'applied'
    }
  }
  return [...fields].map(([path, { from, to }]) => ({ path, from, to }))
}
