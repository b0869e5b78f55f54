import { idOf } from '../../../api/contract/records/identity.ts'
import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import type { JsonObject } from '../../../json/path.ts'
import { placeName } from '../../../profile/profile.ts'
import type { Creation } from '../declare/create-request.ts'
import { answerType, chooseOperation } from '../declare/target.ts'
import { describeRecord } from '../lookup/describe-record.ts'
import { creationWrite, expectWrite, lookupCommand } from '../lookup/lookup-command.ts'
import { compareWithResponse } from '../steps/compare-with-response.ts'
import { showProgress } from '../steps/show-progress.ts'
import { findCreated } from './find-created.ts'
import { ownReference } from './same-reference.ts'

/**
 * Sends a new record, once. Returns the record that the service returned, if it returned one. Where the outcome is
 * unknown, the Failure that it throws names the command to check with.
 */
export async function sendCreate(
  context: Context,
  creation: Creation,
  body: JsonObject,
): Promise<JsonObject | undefined> {
  const { operation, parameters } = creation
  const client = await context.client()
  const lookup = await expectWrite(context, creationWrite(creation, body))
  const send = (beforeSending?: () => void) => {
    const request = { parameters, body, ...(beforeSending && { beforeSending }) }
    return operation.response.kind === 'one'
      ? client.record(operation, request)
      : client.call(operation, request).then(() => undefined)
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
    const hint = `Do not run it again before you have checked whether the record exists: ${lookup}`
    throw new Failure(error.code, error.message, { ...error.details, hint })
  })
}

/** Says what was created, and shows it. `record` is what the service returned. */
export async function reportCreated(
  context: Context,
  creation: Creation,
  body: JsonObject,
  record: JsonObject | undefined,
): Promise<void> {
  const { verb, operation, options, type } = creation
  const { find } = verb
  const id = idOf(record)
  // A log is told no name.
  const known = context.interactive ? (ownReference(creation, body) ?? id) : undefined
  const what = known === undefined ? type.displayName : describeRecord(type, body, known)
  context.note(`Created ${what} on ${placeName(await context.profile())}.`)
  if (record) {
    if (context.interactive && id !== undefined) context.note(`Its id is ${id}.`)
    for (const line of compareWithResponse(type, body, record, context.options.reveal ?? false))
      context.note(line)
    return context.output.record(record, answerType(operation))
  }
  const answered = operation.response.kind === 'one'
  if (answered) context.warn('the service says that the record was created, but did not return it.')
  const item =
    find && (options.find || answered) ? await findCreated(context, find, options, body) : undefined
  if (item)
    return context.output.record(
      item,
      answerType(chooseOperation(find?.operation ?? verb.operation, options)),
    )
  const reference = context.interactive ? ownReference(creation, body) : undefined
  if (reference !== undefined) {
    const write = { target: verb.operation, operation, parameters: { ...creation.parameters, id: reference } }
    context.note(`To see it: ${await lookupCommand(context, write)}`)
  } else {
    if (find && !options.find)
      context.note('The service returns no id; --find looks the record up by its agencyRef.')
    if (!answered)
      context.note(`To look it up now: ${await lookupCommand(context, creationWrite(creation, body))}`)
  }
  await context.output.record({ created: true, id: null })
}
