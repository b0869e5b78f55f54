import type { Difference } from '../../../api/contract/mapping/differences.ts'
import { Failure } from '../../../errors.ts'
import { type Json, type JsonObject, withValueAt } from '../../../json/path.ts'
import { expectWrite } from '../lookup/lookup-command.ts'
import { foundApplied, type SentUpdate, verifyUpdate } from './check/verify-update.ts'
import { readUnchanged, startAgain } from './read-again.ts'
import type { UpdatePlan } from './update-plan.ts'
import type { WholeRecord } from './whole-record.ts'

/**
 * Sends a changed record, once, if it is still as it was seen, and compares what the service has afterwards with what was
 * asked. Returns the record as it is now; undefined when it cannot be shown. Throws a Failure that knows the
 * outcome.
 */
export async function sendUpdate(
  plan: UpdatePlan,
  seen: WholeRecord,
  wanted: JsonObject,
  asked: readonly Difference[],
): Promise<JsonObject | undefined> {
  const { context, operation, parameters } = plan
  const { etag, moved } = await readUnchanged(plan, seen)
  const newer = moved.filter(({ path }) => !asked.some((change) => change.path === path))
  const body = newer.reduce<Json>(
    (whole, { path, after }) => withValueAt(whole, path.split('.'), after),
    wanted,
  ) as JsonObject
  const client = await context.client()
  let status: number | undefined
  const request = {
    parameters,
    body,
    ...(etag !== undefined && { ifMatch: etag }),
    onHead: (head: { readonly status: number }) => {
      status = head.status
    },
  }
  const lookup = await expectWrite(context, plan)
  let answer: JsonObject | undefined
  try {
    answer = await client.record(operation, request)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return afterFailure(plan, { asked, body }, error, lookup)
  }
  return verifyUpdate(plan, { asked, body, status }, answer)
}

/** Throws the failure again, with what to type next, unless the record shows that the update was applied after all. */
async function afterFailure(
  plan: UpdatePlan,
  sent: SentUpdate,
  failure: Failure,
  lookup: string,
): Promise<JsonObject> {
  const { code, message, details } = failure
  if (details.status === 412) {
    throw new Failure(code, message, { ...details, hint: await startAgain(plan) })
  }
  if (code !== 'unknown') throw failure
  const record = await foundApplied(plan, sent)
  if (record) {
    const why =
      details.status === undefined
        ? 'the response was lost'
        : 'the response did not say whether the update was applied'
    plan.context.warn(`${why}; the record was read again and has the change.`)
    return record
  }
  const hint = `Do not run it again before you have checked the record: ${lookup}`
  throw new Failure(code, message, { ...details, hint })
}
