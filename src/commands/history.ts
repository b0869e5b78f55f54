import type { Context } from '../context/context.ts'
import { outcomes, usage } from '../errors.ts'
import { lastName } from '../files/json/path.ts'
import {
  array,
  choice,
  flag,
  integer,
  object,
  text,
  timestamp,
  type ValuesOf,
} from '../model/fields/field.ts'
import { operationById, operations } from '../model/resources/operations.ts'
import { headingFor } from '../model/values/find-field.ts'
import { screenWidth } from '../render/text/fold-message.ts'
import { differenceLines } from '../render/text/format-change.ts'
import { safeText } from '../render/text/safe-text.ts'
import { wrapText } from '../render/text/wrap-text.ts'
import { dayAt, spelledOut } from '../text/day.ts'
import { utcMinute } from '../text/duration.ts'
import { agree, plural, wordList } from '../text/words.ts'
import {
  forgetHistory,
  type HistoryEntry,
  noteRemoved,
  readHistory,
  usualHistoryDays,
} from '../write/history/history.ts'
import type { Options } from './cli/options.ts'
import type { Resource, Verb } from './cli/verb.ts'
import { commandLine, lookUpCommand } from './kit/command-line.ts'
import { confirmRemoval } from './kit/confirm.ts'
import { matchNames } from './kit/find/match-names.ts'
import { readName } from './kit/find/named-record.ts'
import { readDay } from './kit/read-day.ts'
import { changeFields } from './kit/show-changes.ts'
import { showReport } from './kit/show-report.ts'

const entryFields = {
  id: text('Entry', { help: 'Its id, as undo takes it.' }),
  at: timestamp('Sent'),
  user: text('User'),
  run: text('Run', { help: 'The same for all writes of one command.' }),
  command: text('Command'),
  profile: text('Profile'),
  origin: text('Origin of the address'),
  operation: text('Operation'),
  record: text('Id of the record', { nullable: true }),
  reference: text('Reference', { nullable: true }),
  name: text('Name of the person, or what the record is called', { nullable: true }),
  person: text('Id of the person of a document', { nullable: true }),
  personReference: text('Reference by which that person was named', { nullable: true }),
  outcome: choice('Outcome', outcomes),
  ended: flag('Whether its end was noted', { help: 'false: the command was killed, or is still running.' }),
  namesOnly: flag('Whether only the names of its fields were noted'),
  undoes: text('Id of the entry that it takes back', { nullable: true }),
  undoesToo: array('Ids of older entries of the record that it takes back with it', text('')),
  undoneBy: text('Id of the entry that took it back', { nullable: true }),
  changes: array('Changes', object('', changeFields)),
}

const forgottenFields = { forgotten: flag('Removed'), days: integer('Days of the history') }

const forget: Verb = {
  name: 'forget',
  isLocal: true,
  deletes: true,
  localEffect: 'removed',
  summary: 'Remove writes from the history of this computer',
  options: ['all', 'before'],
  optionTexts: { all: 'the whole history' },
  notes: ['The service keeps what it was sent. What is removed here cannot be brought back.'],
  answer: { prints: 'json', shapes: [{ fields: forgottenFields }] },
  examples: ['payroll history forget --before 2026-09-01 --yes', 'payroll history forget --all --yes'],
  async run(context, { options: { all, before } }) {
    if ((all === undefined) === (before === undefined))
      throw usage('Say what to forget: --all, or --before with a day.')
    const day = before === undefined ? undefined : await readDay(context, '--before', before)
    const what =
      day === undefined ? 'the whole history of this computer' : `the history before ${spelledOut(day)}`
    await confirmRemoval(context, `remove ${what}`)
    const directory = await context.directory()
    context.writes.changedHere()
    const { length: days } = await forgetHistory(directory, day)
    if (days > 0) await noteRemoved(directory, day === undefined ? context.host.now() : Date.parse(day))
    context.note(days === 0 ? 'There was nothing to remove.' : `Removed ${what}: ${plural(days, 'day')}.`)
    const answer: ValuesOf<typeof forgottenFields> = { forgotten: true, days }
    await context.output.record(answer)
  },
}

/** `history`: the writes of this computer, newest first. */
export const history: Resource & Verb = {
  name: 'history',
  isLocal: true,
  summary: 'List what this computer has written to services, the newest first',
  options: ['since', 'person', 'run', 'failed', 'limit'],
  optionTexts: { limit: 'at most this many writes' },
  notes: [
    'Each write of a command, a form, an import or the command api is noted before it is sent, and after. For an update, every field is noted as it was and as it was sent.',
    `It is kept on this computer for ${usualHistoryDays} days, readable only by you. With names, of an update only the fields are kept, without their values; with off, nothing. To change that for a profile: payroll profiles set acme --history 30. There is one history: each write of acme then removes from it what is older than 30 days, of every profile.`,
    'A write without an end was cut off: the command was killed, or is still running. Its outcome is unknown until you look.',
  ],
  examples: [
    'payroll history --limit 20',
    'payroll history --person SANDBOX-UK-01',
    'payroll history --since 2026-11-01 --failed --json',
  ],
  verbs: [forget],
  answer: { prints: 'json', shapes: [{ list: true, fields: entryFields }] },
  async run(context, { options }) {
    const { entries, undoneBy, damaged } = await readEntries(context, options)
    const isForPerson = context.output.format.isForPerson
    const data = entries.map((entry) => asData(entry, undoneBy.get(entry.id)))
    // One that was taken back since had arrived.
    const unknown = entries
      .filter(({ id, outcome }) => outcome === 'unknown' && !undoneBy.has(id))
      .slice(0, 3)
    await showReport(context, () => data, {
      fields: entryFields,
      text: () => screenOf(context, entries, undoneBy),
    })
    if (isForPerson && entries.length === 0) {
      const { person, run, since, failed } = options
      const what = [person, run, since, failed].some(Boolean) ? 'no such write' : 'no write yet'
      context.note(`The history of this computer has ${what}.`)
    }
    if (damaged.size > 0) {
      const count = [...damaged.values()].reduce((sum, each) => sum + each, 0)
      context.warn(
        `${plural(count, 'line')} of the history ${agree(count, 'is')} damaged and left out (${wordList([...damaged.keys()], 'and')}).`,
      )
    }
    for (const entry of unknown) {
      const command = await lookCommand(context, entry)
      context.note(
        `What became of ${entry.id} (${entry.command}) is unknown.${command === undefined ? '' : ` To check it: ${command}`}`,
      )
    }
  },
}

/** Reads the history backwards, as far as the writes that are meant can reach. */
async function readEntries(context: Context, options: Options) {
  const isMeant = filterOf(options)
  const since = options.since === undefined ? undefined : await readDay(context, '--since', options.since)
  const entries: HistoryEntry[] = []
  /** The id of the undo of each write that was taken back. */
  const undoneBy = new Map<string, string>()
  const damaged = new Map<string, number>()
  const onDamaged = (day: string) => void damaged.set(day, (damaged.get(day) ?? 0) + 1)
  for await (const entry of readHistory(await context.directory(), onDamaged)) {
    // The file of a day may begin with writes from just before its midnight.
    if (since !== undefined && dayAt(entry.at) < since) break
    if (entries.length === options.limit) break
    // An undo is newer than what it takes back, and so it is read first.
    if (entry.outcome === 'applied' && !undoneBy.has(entry.id))
      for (const each of entry.undoes ?? []) undoneBy.set(each, entry.id)
    if (isMeant(entry)) entries.push(entry)
  }
  return { entries, undoneBy, damaged }
}

/** A person is named as elsewhere where nothing is written; the writes of several who fit all name whose they are. */
function filterOf({ person, run, failed }: Options): (entry: HistoryEntry) => boolean {
  const named = person === undefined ? undefined : readName(person)
  const isNamed = (entry: HistoryEntry) => {
    const known = [
      { id: entry.record, reference: entry.reference, name: entry.name },
      { id: entry.person, reference: entry.personReference },
    ]
    return named === undefined || Object.values(matchNames(known, named)).some(({ length }) => length > 0)
  }
  return (entry) =>
    isNamed(entry) && (run === undefined || entry.run === run) && (!failed || entry.outcome !== 'applied')
}

function asData(
  { at, changes = [], hasNoEnd, ...entry }: HistoryEntry,
  undoneBy?: string,
): ValuesOf<typeof entryFields> {
  const { id, user, run, command, profile, origin, operation, record, reference, person, outcome } = entry
  return {
    id,
    at: new Date(at).toISOString(),
    user,
    run,
    command,
    profile,
    origin,
    operation,
    record: record ?? null,
    reference: reference ?? null,
    name: entry.name ?? null,
    person: person ?? null,
    personReference: entry.personReference ?? null,
    outcome,
    ended: !hasNoEnd,
    namesOnly: entry.namesOnly ?? false,
    undoes: entry.undoes?.[0] ?? null,
    undoesToo: entry.undoes?.slice(1) ?? [],
    undoneBy: undoneBy ?? null,
    changes: changes.map(({ path, from, to }) => ({ path, from: from ?? null, to: to ?? null })),
  }
}

function changesInWords({ reveal }: Context, entry: HistoryEntry): string {
  const type = operationById(entry.operation)?.requestRecord
  return (entry.changes ?? [])
    .flatMap(({ path, from, to }) =>
      entry.namesOnly
        ? [type ? headingFor(type, path) : path]
        : differenceLines({ path, before: from, after: to }, reveal, type).map((line) => line.trim()),
    )
    .join('; ')
}

const verbOf = ({ operation }: HistoryEntry) => lastName(operation)
const outcomeText = ({ outcome }: HistoryEntry, undoneBy?: string) =>
  undoneBy === undefined ? outcome : `${outcome}, undone by ${undoneBy}`

/** `UK-1`; of a document `p45.pdf of UK-1`. */
function whomOf({ operation, reference, person, personReference, record }: HistoryEntry): string | null {
  if (!operation.startsWith('documents.')) return reference ?? person ?? record ?? null
  return [reference ?? record, personReference ?? person].filter(Boolean).join(' of ') || null
}

/** Writes below their run: a table with the ids that undo takes would not fit 80 columns. */
function screenOf(
  context: Context,
  entries: readonly HistoryEntry[],
  undoneBy: ReadonlyMap<string, string>,
): string {
  const { style } = context.output
  const width = screenWidth(context.host.stdout)
  const wrapLines = (text: string, indent: string) =>
    wrapText(safeText(text), width, indent, true).split('\n')
  return entries
    .flatMap((entry, at) => {
      const { id, run, command, user, profile, operation } = entry
      const isSame = entries[at - 1]?.run === run
      const words = command === 'api' ? `api ${operation}` : command
      const title = `${utcMinute(entry.at)}  ${words} by ${user} on ${profile}, run ${run}`
      // An import with --update creates and changes.
      const verb = command.endsWith(' import') && verbOf(entry).startsWith('create') ? 'create' : null
      const about = [
        id,
        whomOf(entry),
        entry.name ?? null,
        verb,
        outcomeText(entry, undoneBy.get(id)),
      ].filter((text) => text !== null)
      const changes = changesInWords(context, entry)
      return [
        ...(isSame || at === 0 ? [] : ['']),
        ...(isSame ? [] : wrapLines(title, '').map(style.bold)),
        ...wrapLines(about.join('  '), '  '),
        ...(changes ? wrapLines(changes, '            ') : []),
      ]
    })
    .map((line) => `${line}\n`)
    .join('')
}

async function lookCommand(
  context: Context,
  { operation: id, record, reference, person, profile }: HistoryEntry,
): Promise<string | undefined> {
  const { name } = await context.profile()
  if (profile === 'environment' && profile !== name) return undefined
  // Without a terminal, the sandbox is used only where it is named.
  const more = profile === name && profile !== 'sandbox' ? [] : ['--profile', profile]
  const [method, path] = id.split(' ')
  if (method !== undefined && path !== undefined) return commandLine(context, 'api', 'GET', path, ...more)
  const operation = operationById(id)
  if (!operation) return undefined
  const isOfPerson = operation === operations.documents.create || operation === operations.documents.update
  const parameters = {
    ...(record !== undefined && { id: record }),
    ...(isOfPerson && person !== undefined && { employeeId: person }),
  }
  return lookUpCommand(context, { operation, parameters, reference }, ...more)
}
