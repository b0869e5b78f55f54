import { type Difference, differences } from '../api/contract/mapping/compare-stored.ts'
import { declaredAt, withNulls } from '../api/contract/mapping/map-record.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import { Failure, withHint } from '../errors.ts'
import { type Json, type JsonObject, withValueAt } from '../json/path.ts'
import { expectWrite } from './command-line.ts'
import { formatChange } from './compare-with-response.ts'
import { lookAfterDoubt, type SentUpdate, verifyUpdate } from './update-compare.ts'
import { readWhole, type UpdatePlan } from './update-plan.ts'

/**
 * Sends a changed record, once, if it is still as it was seen, and compares what the service has afterwards with what was
 * asked. Returns the record as it is now; undefined when it cannot be shown. Throws a Failure that knows the
 * outcome.
 */
export async function sendUpdate(
  plan: UpdatePlan,
  seen: WholeRecord,
  wanted: JsonObject,
  requested: readonly Difference[],
): Promise<JsonObject | undefined> {
  const { context, operation, parameters } = plan
  const before = await readUnchanged(plan, seen)
  const { etag, moved } = before
  const newer = moved.filter(({ path }) => !requested.some((change) => change.path === path))
  const body = newer.reduce<Json>(
    (whole, { path, after }) => withValueAt(whole, path.split('.'), after),
    wanted,
  ) as JsonObject
  const client = await context.client()
  let status: number | undefined
  const request = {
    parameters,
    body: withNulls(body, before),
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
    if (error.details.status === 412) throw await afterPreconditionFailed(plan, before, error)
    return afterFailure(plan, { requested, body }, error, lookup)
  }
  return verifyUpdate(plan, { requested, body, status }, answer)
}

/** Throws the failure again, with what was seen and what to type next, unless the record shows that it was applied. */
async function afterFailure(
  plan: UpdatePlan,
  sent: SentUpdate,
  failure: Failure,
  lookup: string,
): Promise<JsonObject> {
  const { code, message, details } = failure
  if (code !== 'unknown') throw failure
  const seen = await lookAfterDoubt(plan, sent)
  if (seen.record) {
    const why =
      details.status === undefined
        ? 'the response was lost'
        : 'the response did not say whether the update was applied'
    plan.context.warn(`${why}; the record was read again and has the change.`)
    plan.context.writes.confirm()
    return seen.record
  }
  const hint = `Do not run it again before you have checked the record: ${lookup}`
  const issues = [...(details.issues ?? []), ...seen.issues]
  throw new Failure(code, `${message} ${seen.says}`, { ...details, issues, hint })
}

/**
 * Reads the record again just before it is sent: the update sends the whole record, and would undo what another person
 * changed since. Throws a Failure (exit 6) with the difference; nothing is sent. A field that the document does not have, such
 * as the time of the last visit, may change by itself: `moved` tells it, and it is sent as it is now.
 */
async function readUnchanged(
  plan: UpdatePlan,
  seen: WholeRecord,
): Promise<WholeRecord & { readonly moved: readonly Difference[] }> {
  const { context, id, type } = plan
  const now = await readWhole(plan)
  const all = differences(seen.body, now.body)
  const mayMove = ({ path }: Difference) => type.documented && !declaredAt(type.fields, path.split('.'))
  const moved = all.filter((each) => !mayMove(each))
  if (moved.length === 0) return { ...now, moved: all }
  throw new Failure('refused', `Somebody changed ${id} after it was read, and the update would undo that.`, {
    outcome: 'not-sent',
    issues: moved.map((each) => ({
      path: each.path,
      message: formatChange(each, context.options.reveal ?? false),
    })),
    hint: await startAgain(plan),
  })
}

/** A 412, with what the record is now: where it did not change, the service does not know the ETag that it gave. */
async function afterPreconditionFailed(
  plan: UpdatePlan,
  before: WholeRecord,
  failure: Failure,
): Promise<Failure> {
  const now = await readWhole(plan).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
  if (!now || differences(before.body, now.body).length > 0) {
    return withHint(failure, await startAgain(plan))
  }
  const { code, details } = failure
  const what =
    before.etag === undefined ? 'asks for a condition' : 'refused the ETag that it gave a moment before'
  return new Failure(code, `The service ${what} (412), and the record ${plan.id} did not change meanwhile.`, {
    ...details,
    hint: `Run the update again. If it ends so each time, send the record without an ETag: run the update with --dry-run --json, save .body of its answer as body.json, then: payroll api PUT ${details.path} --file body.json`,
  })
}

/** What to do when the record has changed meanwhile. */
async function startAgain({ look }: UpdatePlan): Promise<string> {
  return `Look at the record as it is now, then run the update again: ${await look()}`
}
