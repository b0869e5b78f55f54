import type { Context } from '../../../context/context.ts'
import { usage } from '../../../errors.ts'
import { describeDoubt } from '../../../import/entry.ts'
import type { ImportJob } from '../../../import/job.ts'
import type { JournalState } from '../../../import/read-journal.ts'
import { timeText } from '../../../import/results.ts'
import { rowLabel } from '../../../import/running.ts'
import {
  assertOpen,
  checkVerdict,
  type JournalRow,
  noteVerdict,
  readJournalRows,
  type Verdict,
} from '../../../import/verdict.ts'
import { choice, integer, text, type ValuesOf } from '../../../model/fields/field.ts'
import { keyInWords } from '../../../model/natural-key.ts'
import { agree, capital, nameSome, plural } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import type { ImportVerb } from '../../cli/resource-verbs.ts'
import { nounOf } from '../../cli/target.ts'
import { commandLine, placeFlags } from '../command-line.ts'
import { mayAsk, requireYes } from '../confirm.ts'
import { readingFlags } from './command-again.ts'
import { importAlone, importedJournal, openImport, openShared, takeFile } from './open-import.ts'

/** The fields of a row in doubt, in a list. */
export const unknownRowFields = {
  row: integer('Row', { nullable: true, help: 'null: it is no longer in the file.' }),
  key: text('What the record is found by'),
  doubt: text('What is in doubt'),
}

/** The answer once a row was resolved. */
export const resolvedFields = {
  row: unknownRowFields.row,
  key: unknownRowFields.key,
  resolved: choice('What was found out', ['created', 'send-again', 'leave']),
  id: text('Id of the record', { nullable: true }),
  by: text('Who noted it'),
  time: text('When, as 2026-08-12T09:30:00Z'),
  unknown: integer('Rows that are still unknown'),
}

/** Lists the rows whose outcome is unknown, or notes what a person found out about one. Sends nothing. */
export async function importResolve(
  context: Context,
  verb: ImportVerb,
  given: string,
  options: Options,
): Promise<void> {
  const verdict = verdictOf(options)
  const file = await takeFile(context, given, options)
  // The rows are read as the import read them, where `[clear]` empties a field; and only an import that changes records
  // knows how to read one whole.
  const update = verb.changes !== undefined
  const job = await openImport(context, verb, file, { ...options, update }, true)
  const { create } = job.service
  const flags = [...(await placeFlags(context, { operation: create })), ...readingFlags(options)]
  const command = await commandLine(context, nounOf(create), 'import', given, ...flags)
  // Without --update an import leaves records as they are.
  const again: CommandFor = (rows) => (rows.some(({ change }) => change) ? `${command} --update` : command)
  if (options.row === undefined) return await listUnknown(context, job, again)
  if (!verdict) return await refuseUndecided(job, options.row)
  await importAlone(context, job, () => resolveRow(context, job, verdict, again))
}

/** The verdict in the options, if any. Throws a usage failure for one without `--row`. */
function verdictOf({ row, created, sendAgain, leave }: Options): Verdict | undefined {
  if (created !== undefined && created.trim() === '') throw usage('--created needs the id of the record.')
  const type =
    created !== undefined ? 'created' : sendAgain ? 'send-again' : leave ? ('leave' as const) : undefined
  if (type && row === undefined) throw usage('Which row? Name it with --row.')
  return type && row !== undefined ? { type, row, id: created?.trim() } : undefined
}

/** The command that imports the file with these rows. */
type CommandFor = (rows: readonly JournalRow[]) => string

async function listUnknown(context: Context, job: ImportJob, again: CommandFor): Promise<void> {
  const { unknown } = await readJournalRows(job, await importedJournal(job))
  const { isForPerson } = context.output.format
  if (unknown.length === 0 && isForPerson) return context.note(`No row of ${job.typedFile} is unknown.`)
  const rows = unknown.map((each): ValuesOf<typeof unknownRowFields> => {
    const { row, reference } = each
    return { row: row || null, key: isForPerson ? keyInWords(reference) : reference, doubt: doubtOf(each) }
  })
  await context.output.list(rows)
  if (rows.length > 0)
    context.note(
      `${plural(rows.length, 'row')} unknown. Look at the service, then name each with --row and --created, --send-again or --leave; or import the file again, which looks once more: ${again(unknown)}`,
    )
}

const doubtOf = ({ row, creation, change }: JournalRow) =>
  change
    ? 'its change was sent, and the record does not show that it was applied'
    : describeDoubt({ row, state: 'unclear', tries: [], ...creation })

/** Throws a usage failure for a row that was named without a verdict: with what is in doubt, or that nothing is. */
async function refuseUndecided(job: ImportJob, row: string): Promise<never> {
  const { target } = await findRow(job, await importedJournal(job), row)
  assertOpen(target)
  throw usage(
    `What became of ${rowLabel(target)}? ${capital(doubtOf(target))}.`,
    'Add --created and the id of its record, or --send-again if it is not there, or --leave to leave it.',
  )
}

/** The row of an import that was named, and those that are unknown. Throws a usage failure where there is none. */
async function findRow(job: ImportJob, journal: JournalState, named: string) {
  const { target, unknown } = await readJournalRows(job, journal, named)
  if (target) return { target, unknown }
  const labels = unknown.map((each) => rowLabel(each))
  throw usage(
    `No row of ${job.typedFile} has the number or the reference ${named}.`,
    unknown.length === 0
      ? 'No row is unknown.'
      : `What is unknown, each by its number or reference: ${nameSome(labels, 5)}.`,
  )
}

/** Notes what a person found out about one row, once the service agrees. */
async function resolveRow(
  context: Context,
  job: ImportJob,
  verdict: Verdict,
  again: CommandFor,
): Promise<void> {
  const { sending, typedFile } = job
  const { settleMs, clock } = sending
  const { type, row } = verdict
  const shared = await openShared(context, job, 1)
  try {
    const journal = await importedJournal(job)
    const { target, unknown } = await findRow(job, journal, row)
    assertOpen(target, type)
    const sentAt = target.creation?.at ?? target.change?.at ?? 0
    const left = Math.min(sentAt + settleMs - clock.now(), settleMs)
    if (type === 'send-again' && left > 0) {
      context.note(`Waiting ${Math.ceil(left / 1000)} s: what was sent may still arrive.`)
      await clock.sleep(left)
    }
    const { id, doubts } = await checkVerdict(job, target, verdict)
    await confirmDoubts(context, target, doubts, verdict)
    const { by, at } = await noteVerdict({ ...job, sending: { ...sending, shared } }, journal, target, {
      type,
      id,
    })
    const label = rowLabel(target, 'Row')
    const says: Readonly<Record<Verdict['type'], string>> = {
      created: `${label} counts as created${id === undefined ? '' : ` (${id})`}, by ${by}.`,
      'send-again': `${label} is sent again by the next import: ${again([target])}`,
      leave: `${label} is left as it is, by ${by}.`,
    }
    const others = unknown.filter((each) => each !== target).length
    const open =
      others === 0 ? '' : `\n${plural(others, 'row')} of ${typedFile} ${agree(others, 'is')} still unknown.`
    const resolved: ValuesOf<typeof resolvedFields> = {
      row: target.row || null,
      key: target.reference,
      resolved: type,
      id: id ?? null,
      by,
      time: timeText(at),
      unknown: others,
    }
    context.writes.changedHere()
    await context.output.value(resolved, `${says[type]}${open}\n`)
  } finally {
    await shared?.close()
  }
}

/** Asks where the record is nearly that of the row. Throws a Failure (exit 2) without a yes, and without a terminal. */
async function confirmDoubts(
  context: Context,
  target: JournalRow,
  doubts: readonly string[],
  { type }: Verdict,
): Promise<void> {
  if (doubts.length === 0) return
  const isCreated = type === 'created'
  const message = `${rowLabel(target, 'Row')}: ${doubts.join('; ')}.`
  if (mayAsk(context)) context.note(message)
  const question = isCreated ? 'Is it the person of this row?' : 'Send the row again anyway?'
  const who = isCreated ? 'it is the person of this row' : 'they are different people'
  await requireYes(context, question, message, `If ${who}, add --yes.`)
}
