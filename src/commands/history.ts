import {
  array,
  choice,
  flag,
  integer,
  object,
  text,
  timestamp,
  type ValuesOf,
} from '../api/contract/fields/field.ts'
import { allOperations, candidatesByCountry, operations } from '../api/contract/operations/operations.ts'
import type { Options } from '../cli/options.ts'
import { countryTargets, operationsOf } from '../cli/target.ts'
import type { Resource, Verb } from '../cli/verb.ts'
import type { Context } from '../context/context.ts'
import { type Outcome, usage } from '../errors.ts'
import { plural } from '../formats/words.ts'
import { forgetHistory, type HistoryEntry, noteRemoved, readHistory, usualDays } from '../history/history.ts'
import { keyOf } from '../import/natural-key.ts'
import { commandLine, lookupCommand } from '../verbs/command-line.ts'
import { changeFields, differenceLines } from '../verbs/compare-with-response.ts'
import { openPrompts } from '../verbs/open-prompts.ts'

const outcomes = ['not-sent', 'refused', 'applied', 'unknown'] as const satisfies readonly Outcome[]

/** An entry as a script reads it. */
const entryFields = {
  id: text('Id of the entry'),
  at: timestamp('When it was sent'),
  user: text('User'),
  run: text('Id of the run of the command'),
  command: text('Command'),
  profile: text('Profile'),
  origin: text('Origin of the address'),
  operation: text('Operation'),
  record: text('Id of the record', { nullable: true }),
  reference: text('Reference of the record', { nullable: true }),
  person: text('Id of the person of a document', { nullable: true }),
  outcome: choice('Outcome', outcomes),
  ended: flag('Whether its end was noted', { help: 'false: the command was killed, or is still running.' }),
  namesOnly: flag('Whether only the names of its fields were noted'),
  undoes: text('Id of the entry that it takes back', { nullable: true }),
  undoneBy: text('Id of the entry that took it back', { nullable: true }),
  changes: array('What an update changed', object('', changeFields)),
}

const forgottenFields = { forgotten: flag('Removed'), days: integer('Days of the history') }

const forget: Verb = {
  name: 'forget',
  isLocal: true,
  deletes: true,
  summary: 'Remove writes from the history of this computer',
  options: ['all', 'before'],
  optionTexts: { all: 'the whole history' },
  notes: ['The service keeps what it was sent. What is removed here cannot be brought back.'],
  answer: { prints: 'json', shapes: [{ fields: forgottenFields }] },
  examples: ['payroll history forget --before 2026-09-01 --yes', 'payroll history forget --all --yes'],
  async run(context, { options: { all, before } }) {
    if ((all === undefined) === (before === undefined))
      throw usage('Say what to forget: --all, or --before with a day.')
    const day = before === undefined ? undefined : readDay(before, '--before')
    const what = day === undefined ? 'the whole history of this computer' : `the history before ${day}`
    if (!context.options.yes) {
      if (!context.interactive) throw usage('This needs your confirmation.', `To remove ${what}, add --yes.`)
      const { confirm } = await openPrompts(context)
      if (!(await confirm({ message: `Remove ${what}?`, default: false })))
        throw usage('Stopped. Nothing was removed.')
    }
    const directory = await context.directory()
    const days = await forgetHistory(directory, day)
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
    'Each write of a command, a form, an import or the verb api is noted before it is sent, and after. Of an update every field is noted, as it was and as it was sent.',
    `It is kept on this computer for ${usualDays} days, readable only by you. With names, of an update only the fields are kept, without their values; with off, nothing. To change that for a profile: payroll profiles set acme --history 30`,
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
    const entries: HistoryEntry[] = []
    const isMeant = filterOf(options)
    const undoneBy = new Map<string, string>()
    const since = options.since === undefined ? undefined : Date.parse(readDay(options.since, '--since'))
    for await (const entry of readHistory(await context.directory())) {
      // The file of a day may begin before it: a write of a minute before midnight ends in it.
      if (since !== undefined && entry.at < since) break
      // An undo is newer than what it takes back, and so it is read first.
      if (entry.undoes !== undefined && entry.outcome === 'applied') undoneBy.set(entry.undoes, entry.id)
      if (!isMeant(entry)) continue
      entries.push(entry)
      if (entries.length === options.limit) break
    }
    const isForPerson = context.output.format.isForPerson
    const rows = isForPerson
      ? entries.map((entry) => shownRow(context, entry, undoneBy.get(entry.id)))
      : entries.map((entry) => asData(entry, undoneBy.get(entry.id)))
    await context.output.list(rows, {
      columns: ['at', 'command', 'reference', 'outcome', 'changes', 'profile', 'id', 'run'],
    })
    if (isForPerson && entries.length === 0)
      context.note(
        options.run === undefined
          ? 'Nothing was written from this computer.'
          : `The history of this computer has no run ${options.run}.`,
      )
    for (const entry of entries.filter(({ outcome }) => outcome === 'unknown').slice(0, 3)) {
      const look = await lookCommand(context, entry)
      context.note(
        `What became of ${entry.id} (${entry.command}) is unknown.${look === undefined ? '' : ` To check it: ${look}`}`,
      )
    }
  },
}

function filterOf({ person, run, failed }: Options): (entry: HistoryEntry) => boolean {
  const key = person === undefined ? undefined : keyOf(person.trim())
  return (entry) =>
    (key === undefined ||
      [entry.reference, entry.record, entry.person].some(
        (each) => each !== undefined && keyOf(each) === key,
      )) &&
    (run === undefined || entry.run === run) &&
    (!failed || entry.outcome !== 'applied')
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
    person: person ?? null,
    outcome,
    ended: !hasNoEnd,
    namesOnly: entry.namesOnly ?? false,
    undoes: entry.undoes ?? null,
    undoneBy: undoneBy ?? null,
    changes: changes.map(({ path, from, to }) => ({ path, from: from ?? null, to: to ?? null })),
  }
}

/** The same as a person reads it: what is sensitive is masked, unless --reveal is given. */
function shownRow({ options: { reveal = false } }: Context, entry: HistoryEntry, undoneBy?: string) {
  const { at, reference, record, person, changes = [], namesOnly } = entry
  const lines = changes.flatMap(({ path, from, to }) =>
    namesOnly
      ? [path]
      : differenceLines({ path, before: from, after: to }, reveal).map((line) => line.trim()),
  )
  return {
    ...asData(entry),
    outcome: undoneBy === undefined ? entry.outcome : `${entry.outcome}, undone by ${undoneBy}`,
    at: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    reference: reference ?? person ?? record ?? null,
    changes: lines.join('; ') || null,
  }
}

/** The command that shows whether a write was applied; undefined where its operation is not known here. */
async function lookCommand(
  context: Context,
  { operation: id, record, reference, person, profile }: HistoryEntry,
): Promise<string | undefined> {
  const more = profile === 'sandbox' ? ['--profile', profile] : []
  const [method, path] = id.split(' ')
  if (method !== undefined && path !== undefined) return commandLine(context, 'api', 'GET', path, ...more)
  const target = [...Object.values(countryTargets(candidatesByCountry)), ...allOperations].find((each) =>
    operationsOf(each).some((operation) => operation.id === id),
  )
  const operation = target && operationsOf(target).find((each) => each.id === id)
  if (!operation) return undefined
  const isOfPerson = target === operations.documents.create || target === operations.documents.update
  const parameters = {
    ...(record !== undefined && { id: record }),
    ...(isOfPerson && person !== undefined && { employeeId: person }),
  }
  return lookupCommand(context, { target, operation, parameters, reference }, ...more)
}

/** Throws a usage failure for what is no day. */
function readDay(text: string, option: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text
  throw usage(`${option} takes a day as YYYY-MM-DD, and not ${text}.`)
}
