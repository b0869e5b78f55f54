import { saysOnlyId, showsNoRecord } from '../../../api/outcome/judge-success.ts'
import type { Context } from '../../../context/context.ts'
import { Failure, type Issue } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { flag, text, type ValuesOf } from '../../../model/fields/field.ts'
import { mapRecord } from '../../../model/mapping/map-record.ts'
import { describeRecord } from '../../../model/mapping/record-name.ts'
import { idOf } from '../../../model/records/identity.ts'
import { answerType } from '../../../model/records/operation.ts'
import { compareCreated } from '../../../model/values/compare-stored.ts'
import { capital } from '../../../text/words.ts'
import { needsLook } from '../../../write/judge.ts'
import { sendWrite } from '../../../write/send-write.ts'
import type { Creation, ReadyCreation } from '../../cli/create-request.ts'
import { nounOf } from '../../cli/target.ts'
import { expectWrite, lookUpCommand, lookUpOf } from '../command-line.ts'
import { type Say, sayAround, warningFields, warningsOf, withWarnings } from '../doubts.ts'
import { assertUnique, ownReference } from '../find/search-reference.ts'
import { serviceName } from '../open-prompts.ts'
import { withRecordLock } from '../record-lock.ts'
import { notCompared, storedOtherwise } from '../show-changes.ts'
import { showProgress } from '../show-progress.ts'
import { newRecord } from './ask-guards.ts'

/** What a create prints where the service does not return the record. */
export const createdFields = {
  created: flag('Created'),
  id: text('Id of the record, where the service says it', { nullable: true }),
  ...warningFields,
}

type CreatedAnswer = ValuesOf<typeof createdFields>

/**
 * Sends a new record once. Returns the record that the service returned, or that was found after an unclear
 * answer. Where the outcome is unknown, the Failure names the command to check with.
 */
export async function sendCreate(context: Context, creation: ReadyCreation): Promise<JsonObject | undefined> {
  const lookup = await expectWrite(context, lookUpOf(creation))
  const own = ownReference(creation)
  if (own !== undefined) {
    const { forgetReference } = await import('../find/reference-memory.ts')
    await forgetReference(context, nounOf(creation.operation), own)
  }
  const reference = creation.options.unique ? own : undefined
  const send = async (beforeSending?: () => void) => {
    if (reference === undefined) return createNow(context, creation, beforeSending)
    // Two runs that both looked before either sent would create it twice, so it is looked for again.
    return withRecordLock(context, reference, async () => {
      await assertUnique(context, creation, reference)
      return createNow(context, creation, beforeSending)
    })
  }
  const { kind, journal } = await context.profile()
  // An address from the environment may belong to a stored profile, which may have a journal.
  const mayBeShared = journal || kind === 'environment'
  const sending = mayBeShared
    ? import('./claim-reference.ts').then((claims) => claims.sendClaimed(context, creation, lookup, send))
    : send()
  return showProgress(context, 'Creating', sending).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.details.outcome !== 'unknown') throw error
    const under = creation.verb.isRenamed ? ', under another name too' : ''
    const hint = `Do not run it again before you have checked whether the record exists${under}: ${lookup}`
    throw error.with({ hint })
  })
}

async function createNow(
  context: Context,
  creation: ReadyCreation,
  beforeSending: (() => void) | undefined,
): Promise<JsonObject | undefined> {
  const { operation, parameters, body } = creation
  const { key } = newRecord(creation)
  const sender = { client: await context.client(), beforeSending }
  const { answerKind, failure, answer } = await sendWrite(operation, { parameters, body, key }, sender)
  if (!failure) return answer
  if (!needsLook(answerKind)) throw failure
  const { settleCreate } = await import('./find-created.ts')
  return settleCreate(context, creation, { answerKind, failure })
}

interface ShownRecord {
  readonly creation: ReadyCreation
  /** The record as the service returned it or as it was found; undefined if neither. */
  readonly record: JsonObject | undefined
  readonly doubts: readonly Issue[]
  /** Whether the form has just shown the record, so that it is not shown again. */
  readonly isSeen?: boolean
}

export async function reportCreated(context: Context, created: ShownRecord): Promise<void> {
  const { creation, record, doubts } = created
  const { type, body } = creation
  await sayAround(context, { type, doubts }, async (say) => {
    const id = idOf(record)
    // The output of a script may be a log, which gets no name.
    const whom = context.interactive ? (ownReference(creation) ?? id) : undefined
    const what = whom === undefined ? type.displayName : describeRecord(type, body, whom)
    say(`Created ${what} on ${serviceName(await context.profile())}.`)
    if (context.interactive && id !== undefined) say(`Its id is ${id}.`)
    const { operation } = creation
    const showsNone = operation.response.kind === 'nothing' ? saysOnlyId : showsNoRecord
    await (record && !showsNone(operation, record)
      ? showReturned(context, created, record, say)
      : showUnreturned(context, created, say))
  })
}

async function showReturned(
  context: Context,
  { creation, doubts, isSeen }: ShownRecord,
  record: JsonObject,
  say: Say,
): Promise<void> {
  const { operation, options, type, body } = creation
  const id = idOf(record)
  const isAnswered = operation.response.kind === 'one'
  // The record was looked for; a script expects what interface.md shows: none.
  if (!isAnswered && !options.find) return printCreated(context, id, doubts)
  if (type.answer) {
    const comparison = compareCreated(type, body, mapRecord(type, record), () =>
      saysOnlyId(operation, record),
    )
    for (const [heading, ...lines] of storedOtherwise(context, type, comparison))
      [capital(heading), ...lines].forEach(say)
    const hidden = notCompared(comparison)
    if (hidden !== undefined) say(hidden)
  }
  if (isSeen && id !== undefined && isForPerson(context))
    return say(`To see it: ${await getCommand(context, creation, ownReference(creation) ?? id)}`)
  const source = isAnswered ? operation : (creation.list ?? operation)
  await context.output.record(withWarnings(context, record, doubts), answerType(source))
}

async function showUnreturned(
  context: Context,
  { creation, record, doubts }: ShownRecord,
  say: Say,
): Promise<void> {
  const { operation, options, verb } = creation
  const id = idOf(record)
  const isAnswered = operation.response.kind === 'one'
  if (isAnswered) context.warn('the service says that the record was created, but did not return it.')
  // A script that asks for the id is not told null.
  const { query, columns = [] } = context.options
  const asksByQuery = query !== undefined && query.trim() !== 'created'
  // Without `created`, what they name is the record, or its id.
  const ofRecord = columns.length > 0 && !columns.includes('created') && id === undefined
  const asksByColumns = ofRecord || columns.some((name) => !Object.hasOwn(createdFields, name))
  const more = asksByQuery ? '--query' : asksByColumns ? '--columns' : undefined
  if (verb.find && (options.find || isAnswered || more)) {
    const { findToShow } = await import('./find-created.ts')
    const item = await findToShow(context, creation)
    const answer = answerType(creation.list ?? creation.operation)
    if (item) return context.output.record(withWarnings(context, item, doubts), answer)
  }
  const command = await lookUpCommand(context, lookUpOf(creation))
  const reference = context.interactive ? ownReference(creation) : undefined
  if (reference !== undefined) say(`To see it: ${await getCommand(context, creation, reference)}`)
  else {
    if (verb.find && !options.find && !more && id === undefined)
      say('The service returns no id; --find looks the record up by its agencyRef.')
    say(`To look it up now: ${command}`)
  }
  if (more) {
    throw new Failure(
      'invalid-response',
      `The record was created, but the service did not return it, so there is nothing for ${more}.`,
      { outcome: 'applied', hint: `To look it up: ${command}` },
    )
  }
  // What the service says instead may be a name of the record that payroll does not know: `{"receipt": "TS-7"}`.
  await printCreated(context, id, doubts, isAnswered ? record : undefined)
}

const getCommand = (context: Context, { operation, parameters }: Creation, id: string) =>
  lookUpCommand(context, { operation, parameters: { ...parameters, id } })

/** Prints the answer of a create, unless a person has already read it in a sentence. */
async function printCreated(
  context: Context,
  id: string | undefined,
  doubts: readonly Issue[],
  more: JsonObject = {},
): Promise<void> {
  const report: CreatedAnswer = { created: true, id: id ?? null }
  const answer = { ...report, ...warningsOf(context, doubts), ...more, ...report }
  if (!isForPerson(context)) await context.output.record(answer)
}

const isForPerson = ({ host, output }: Context) => host.stdout.isTTY && output.format.isForPerson
