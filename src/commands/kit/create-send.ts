import type { Context } from '../../context/context.ts'
import { Failure, type Issue, withHint } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { flag, text, type ValuesOf } from '../../model/fields/field.ts'
import { describeRecord } from '../../model/mapping/record-name.ts'
import { idOf } from '../../model/records/identity.ts'
import { createOne } from '../../write/send.ts'
import type { Creation } from '../cli/create-request.ts'
import { answerType, chooseOperation } from '../cli/target.ts'
import { creationWrite, expectWrite, lookupCommand } from './command-line.ts'
import { compareWithResponse } from './compare-with-response.ts'
import { newRecord } from './create-guards.ts'
import { repeatDoubts, warningFields, warningsOf, withWarnings } from './doubts.ts'
import { placeName } from './open-prompts.ts'
import { ownReference } from './same-reference.ts'
import { showProgress } from './show-progress.ts'

/** What a create answers where the service does not return the record. */
export const createdFields = {
  created: flag('Created'),
  id: text('Id of the record, where the service says it', { nullable: true }),
  ...warningFields,
}

type Created = ValuesOf<typeof createdFields>

/**
 * Sends a new record, once. Returns the record that the service returned, if it returned one, or that was looked for and
 * found after an unclear answer. Where the outcome is unknown, the Failure that it throws names the command to check with.
 */
export async function sendCreate(
  context: Context,
  creation: Creation,
  body: JsonObject,
): Promise<JsonObject | undefined> {
  const { operation } = creation
  const client = await context.client()
  const lookup = await expectWrite(context, creationWrite(creation, body))
  const send = async (beforeSending?: () => void) => {
    const { record, remark } = await createOne(newRecord(creation, body), {
      ...{ client, beforeSending, onSettled: context.writes.noteSettled },
      find: async () => (await import('./find-created.ts')).findCreated(context, creation, body),
    })
    if (remark !== undefined) {
      context.remark(remark)
      const knowledge = await context.knowledge()
      knowledge.noteCreated(operation, body, idOf(record))
    }
    return record
  }
  const { kind, journal } = await context.profile()
  // An address of the environment may be that of a stored profile, which has a journal.
  const mayBeShared = context.host.env.PAYROLL_JOURNAL || journal || kind === 'environment'
  const sent = mayBeShared
    ? import('./claim-reference.ts').then((claims) =>
        claims.sendClaimed(context, creation, body, lookup, send),
      )
    : send()
  return showProgress(context, 'Creating', sent).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.details.outcome !== 'unknown') throw error
    const under = creation.verb.isRenamed ? ', under another name too' : ''
    const hint = `Do not run it again before you have checked whether the record exists${under}: ${lookup}`
    throw withHint(error, hint)
  })
}

/**
 * Says what was created, and shows it. `record` is what the service returned. On a terminal a whole record fills the screen,
 * so what was done stands below it, and what is doubtful of it last. `isSeen`: a person has just seen it in the form, so it is not
 * shown again.
 */
export async function reportCreated(
  context: Context,
  creation: Creation,
  body: JsonObject,
  record: JsonObject | undefined,
  { doubts = [], isSeen = false }: { readonly doubts?: readonly Issue[]; readonly isSeen?: boolean } = {},
): Promise<void> {
  const below: string[] = []
  const say = context.host.stdout.isTTY ? (text: string) => void below.push(text) : context.note
  try {
    await showCreated(context, creation, body, record, { say, isSeen, doubts })
  } finally {
    if (context.host.stdout.isTTY) {
      for (const text of below) context.note(text)
      await repeatDoubts(context, creation.type, doubts)
    }
  }
}

async function showCreated(
  context: Context,
  creation: Creation,
  body: JsonObject,
  record: JsonObject | undefined,
  {
    say,
    isSeen,
    doubts,
  }: { readonly say: (text: string) => void; readonly isSeen: boolean; readonly doubts: readonly Issue[] },
): Promise<void> {
  const { verb, operation, options, type, list } = creation
  const { find, operation: target } = verb
  const lookUp = () => lookupCommand(context, creationWrite(creation, body))
  const lookAt = (id: string) =>
    lookupCommand(context, { target, operation, parameters: { ...creation.parameters, id } })
  const listed = chooseOperation(list ?? target, options)
  const id = idOf(record)
  const answered = operation.response.kind === 'one'
  // The output of a script may be a log, which gets no name.
  const whom = context.interactive ? (ownReference(creation, body) ?? id) : undefined
  const what = whom === undefined ? type.displayName : describeRecord(type, body, whom)
  say(`Created ${what} on ${placeName(await context.profile())}.`)
  if (record) {
    if (context.interactive && id !== undefined) say(`Its id is ${id}.`)
    // The record was looked for; a script expects what interface.md shows: none.
    if (!answered && !options.find)
      return printCreated(context, { created: true, id: id ?? null, ...warningsOf(context, doubts) })
    for (const line of compareWithResponse(type, body, record, context)) say(line)
    if (isSeen && id !== undefined && isForPerson(context))
      return say(`To see it: ${await lookAt(ownReference(creation, body) ?? id)}`)
    return context.output.record(
      withWarnings(context, record, doubts),
      answerType(answered ? operation : listed),
    )
  }
  if (answered) context.warn('the service says that the record was created, but did not return it.')
  // A script that asks for the id is not told null.
  const query = context.options.query?.trim()
  const asksForMore = query !== undefined && query !== 'created'
  if (find && (options.find || answered || asksForMore)) {
    const { lookUpCreated } = await import('./find-created.ts')
    const item = await lookUpCreated(context, creation, body)
    if (item) return context.output.record(withWarnings(context, item, doubts), answerType(listed))
  }
  const reference = context.interactive ? ownReference(creation, body) : undefined
  if (reference !== undefined) say(`To see it: ${await lookAt(reference)}`)
  else {
    if (find && !options.find && !asksForMore)
      say('The service returns no id; --find looks the record up by its agencyRef.')
    if (!answered) say(`To look it up now: ${await lookUp()}`)
  }
  if (asksForMore) {
    throw new Failure(
      'invalid-response',
      'The record was created, but the service did not return it, so there is nothing for --query.',
      { outcome: 'applied', hint: `To look it up: ${await lookUp()}` },
    )
  }
  await printCreated(context, { created: true, id: null, ...warningsOf(context, doubts) })
}

/** A person has read it in the sentence above. */
const printCreated = async (context: Context, created: Created) => {
  if (!isForPerson(context)) await context.output.record(created)
}

const isForPerson = ({ host, output }: Context) => host.stdout.isTTY && output.format.isForPerson
