import type { Context } from '../../context/context.ts'
import { openSharedJournal } from '../../context/shared-journal.ts'
import { declined, usage } from '../../errors.ts'
import type { ImportJob } from '../../import/job.ts'
import {
  checkVerdict,
  describeDoubt,
  isOpen,
  type JournalledRow,
  journalledRows,
  noteVerdict,
  type Verdict,
} from '../../import/person-verdict.ts'
import { choice, integer, text, type ValuesOf } from '../../model/fields/field.ts'
import { keyOf } from '../../model/natural-key.ts'
import { plural, wordList } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import type { ImportVerb } from '../cli/resource-verbs.ts'
import { nounOf } from '../cli/target.ts'
import type { Input } from '../cli/verb.ts'
import { commandLine, targetFlags } from './command-line.ts'
import { asImported, importAlone, importedJournal, openImport, realFile } from './import-open.ts'
import { openPrompts } from './open-prompts.ts'

/** A row in doubt, as it is listed. */
export const unknownRowFields = {
  row: integer('Row', { nullable: true, help: 'null: it is no longer in the file.' }),
  key: text('What the record is found by'),
  doubt: text('What is in doubt'),
}

/** What was noted of a row. */
export const resolvedFields = {
  row: unknownRowFields.row,
  key: unknownRowFields.key,
  resolved: choice('What was found out', ['created', 'send-again', 'leave']),
  id: text('Id of the record', { nullable: true }),
  by: text('Who noted it'),
  time: text('When, as 2026-08-12T09:30:00Z'),
  unknown: integer('Rows that are still unknown'),
}

/** Lists the rows of an import whose outcome is unknown, or notes what a person found out about one of them. Sends nothing. */
export async function importResolve(
  context: Context,
  verb: ImportVerb,
  given: string,
  input: Pick<Input, 'options' | 'typed'>,
): Promise<void> {
  const verdict = verdictOf(input.options)
  if (given !== '-') return resolveIn(context, verb, { given, path: given }, input, verdict)
  const { keepInput } = await import('./import-input.ts')
  const { path, discard } = await keepInput(context)
  try {
    await resolveIn(context, verb, { given, path }, input, verdict)
  } finally {
    await discard()
  }
}

/** Throws a usage failure for one of `--row` and the three verdicts without the other. */
function verdictOf({ row, created, sendAgain, leave }: Options): Verdict | undefined {
  const verdict: Verdict | undefined =
    created !== undefined
      ? { type: 'created', given: created.trim() }
      : sendAgain
        ? { type: 'send-again' }
        : leave
          ? { type: 'leave' }
          : undefined
  if (verdict?.type === 'created' && verdict.given === '')
    throw usage('--created needs the id of the record.')
  if (verdict && row === undefined) throw usage('Which row? Name it with --row.')
  if (!verdict && row !== undefined)
    throw usage(
      `What became of row ${row}?`,
      'Add --created and the id of its record, or --send-again if it is not there, or --leave to leave it.',
    )
  return verdict
}

interface ResolvedFile {
  /** As it was typed. */
  readonly given: string
  /** Where its rows are. */
  readonly path: string
}

async function resolveIn(
  context: Context,
  verb: ImportVerb,
  { given, path }: ResolvedFile,
  input: Pick<Input, 'options' | 'typed'>,
  verdict: Verdict | undefined,
): Promise<void> {
  const options = await asImported(context, verb, path, input)
  // What reads a record whole is known of an import that changes records.
  const job = await openImport(context, verb, path, { ...options, update: verb.changes !== undefined }, true)
  const { create } = job.service
  const flags = await targetFlags(context, verb.operation, create, {})
  const again = await commandLine(context, nounOf(create), 'import', given, ...flags)
  if (!verdict) return list(context, job, given, again)
  const file = await realFile(path)
  await importAlone(context, job, file, () =>
    settle(context, job, { given, again }, options.row ?? '', verdict),
  )
}

/** The rows in doubt, as a list. */
async function list(context: Context, job: ImportJob, given: string, again: string): Promise<void> {
  const { before } = await importedJournal(job, given)
  const rows: ValuesOf<typeof unknownRowFields>[] = []
  for await (const each of journalledRows(job, before)) {
    if (each.outcome !== 'unknown') continue
    rows.push({ row: each.number === 0 ? null : each.number, key: each.name, doubt: describeDoubt(each) })
  }
  if (rows.length === 0 && context.output.format.isForPerson) {
    context.note(`No row of ${given} is unknown.`)
    return
  }
  await context.output.list(rows)
  if (rows.length > 0)
    context.note(
      `${plural(rows.length, 'row')} unknown. Look at the service, then name each with --row and --created, --send-again or --leave; or import the file again, which looks once more: ${again}`,
    )
}

async function settle(
  context: Context,
  job: ImportJob,
  { given, again }: { readonly given: string; readonly again: string },
  named: string,
  verdict: Verdict,
): Promise<void> {
  const { settleMs, source, clock, now } = job
  const shared = await openSharedJournal(context, {
    place: job.place,
    settleMs,
    file: source.sha256,
    connections: 1,
  })
  try {
    const journal = await importedJournal(job, given)
    const { target, others } = await findRow(job, journal.before, named, given)
    assertOpen(target, verdict)
    const sentAt = target.created?.at ?? target.change?.at ?? 0
    const left = Math.min(sentAt + settleMs - now(), settleMs)
    if (verdict.type === 'send-again' && left > 0) {
      context.note(`Waiting ${Math.ceil(left / 1000)} s: what was sent may still arrive.`)
      await clock.sleep(left)
    }
    const { id, doubts, differing } = await checkVerdict(job, target, verdict)
    await confirmDoubts(context, target, doubts, verdict)
    const { by, at } = await noteVerdict({ ...job, shared }, journal, target, verdict, id)
    if (differing.length > 0)
      context.warn(`the record differs from the row in ${wordList(differing, 'and')}.`)
    const says: Readonly<Record<Verdict['type'], string>> = {
      created: `${labelOf(target)} counts as created${id === undefined ? '' : ` (${id})`}, by ${by}.`,
      'send-again': `${labelOf(target)} is sent again by the next import: ${again}`,
      leave: `${labelOf(target)} is left as it is, by ${by}.`,
    }
    const open =
      others === 0
        ? ''
        : `\n${plural(others, 'row')} of ${given} ${others === 1 ? 'is' : 'are'} still unknown.`
    const resolved: ValuesOf<typeof resolvedFields> = {
      row: target.number === 0 ? null : target.number,
      key: target.name,
      resolved: verdict.type,
      id: id ?? null,
      by,
      time: new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
      unknown: others,
    }
    context.writes.changedHere()
    await context.output.value(resolved, `${says[verdict.type]}${open}\n`)
  } finally {
    await shared?.close()
  }
}

/** The row that was named, and how many others are unknown. Throws a usage failure where there is none. */
async function findRow(
  job: ImportJob,
  before: Parameters<typeof journalledRows>[1],
  named: string,
  given: string,
): Promise<{ readonly target: JournalledRow; readonly others: number }> {
  const number = /^\d+$/.test(named) ? Number(named) : undefined
  let [target, unknown]: [JournalledRow | undefined, number] = [undefined, 0]
  for await (const each of journalledRows(job, before)) {
    if (each.outcome === 'unknown') unknown += 1
    const isNamed =
      number === undefined || each.number === 0
        ? keyOf(each.name) === keyOf(named.trim())
        : each.number === number
    if (isNamed) target ??= each
  }
  if (!target)
    throw usage(
      number === undefined
        ? `No row of ${given} has the reference ${named}.`
        : `${given} has no row ${named} with a reference.`,
    )
  return { target, others: unknown - (target.outcome === 'unknown' ? 1 : 0) }
}

/** Throws a usage failure for a row of which nothing is to be found out, and for a verdict that says nothing of it. */
function assertOpen(target: JournalledRow, { type }: Verdict): void {
  const label = labelOf(target)
  if (!isOpen(target))
    throw usage(
      `${label}: its outcome is known (${target.outcome}), so there is nothing to resolve.`,
      'Only a row whose outcome is unknown can be resolved.',
    )
  if (type === 'created' && target.change)
    throw usage(
      `${label} changes a record that exists, so it was not created.`,
      'If the record is as the row says, import the file again: it sees that. Else use --send-again or --leave.',
    )
  if (type === 'send-again' && target.number === 0)
    throw usage(
      `${label} is no longer in the file, so it cannot be sent again.`,
      'Put the row back first, or use --created or --leave.',
    )
}

/** Asks where the record is nearly that of the row. Throws a Failure (exit 2) without a yes, and without a terminal. */
async function confirmDoubts(
  context: Context,
  target: JournalledRow,
  doubts: readonly string[],
  { type }: Verdict,
): Promise<void> {
  if (doubts.length === 0 || context.options.yes) return
  const message = `${labelOf(target)}: ${doubts.join('; ')}.`
  if (!context.interactive)
    throw usage(
      message,
      `If ${type === 'created' ? 'it is the person of this row' : 'they are different people'}, add --yes.`,
    )
  context.note(message)
  const ask = await openPrompts(context)
  if (
    !(await ask.confirm({
      message: type === 'created' ? 'Is it the person of this row?' : 'Send the row again anyway?',
      default: false,
    }))
  )
    throw declined('Stopped.')
}

const labelOf = ({ number, name }: JournalledRow) => (number === 0 ? name : `Row ${number}, ${name}`)
