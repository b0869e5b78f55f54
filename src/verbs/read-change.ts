import { isDeepStrictEqual } from 'node:util'
import { isNothing, valueIn, withoutNulls } from '../api/contract/mapping/map-record.ts'
import { idsOf } from '../api/contract/records/identity.ts'
import { answeredIds } from '../api/outcome/same-record.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import { Failure, type Issue, invalidInput } from '../errors.ts'
import { formatPath, type Json, type JsonObject, valueAt, withValueAt } from '../json/path.ts'
import { type RecordAsRequest, unknownName } from '../values/read-record.ts'
import { assertSendable } from './input.ts'
import type { UpdatePlan } from './update-plan.ts'

/**
 * What a record that was given as JSON asks to change of the one on the service, as a part of its request. `id`, what only
 * the service sets and what no reader knows is compared with the record and left out where it is the same. Throws a Failure:
 * exit 3 for another record's id and for what cannot be changed, exit 6 for a copy that is older than the record.
 */
export async function changeOf(
  plan: UpdatePlan,
  seen: WholeRecord,
  { body, nulls, serviceOwned, unknown }: RecordAsRequest,
): Promise<JsonObject> {
  const { type, id } = plan
  const { record } = seen
  const atTheTop = [...serviceOwned, ...unknown].filter(({ at }) => at.length === 1)
  const ids = idsOf(Object.fromEntries(atTheTop.map(({ at, value }) => [at[0], value])), type.idNames)
  const own = [id, ...answeredIds(type, record)]
  if (ids.length > 0 && !ids.some((each) => own.includes(each))) {
    throw invalidInput('The record that was given is another one.', [
      { path: 'id', message: `it is ${ids[0]}, and the record to update is ${id}` },
    ])
  }
  const issues: Issue[] = []
  for (const { at, value } of serviceOwned) {
    const has = valueAt(record, at)
    if (has === undefined || value === null || isDeepStrictEqual(has, value)) continue
    if (at.at(-1) === 'updatedAt') throw await olderCopy(plan, has, value)
    // The service may have two ids for one record.
    if (at.at(-1) === 'id' && at.length === 1) continue
    issues.push({ path: formatPath(at), message: 'only the service sets this field: leave it as it is' })
  }
  let change: Json = withoutNulls(body)
  for (const each of unknown) {
    const has = valueAt(record, each.at)
    if (isDeepStrictEqual(has, each.value)) continue
    const { path, message } = unknownName(type, each)
    if (has === undefined) issues.push({ path, message })
    else if (type.documented) issues.push({ path, message: `${message}: leave it as the service has it` })
    else if (valueAt(body, each.at) === undefined) change = withValueAt(change, each.at, each.value)
  }
  assertSendable(body, issues)
  for (const place of nulls) {
    const has = valueIn(seen.body, place)
    // Null where the record has nothing is no change.
    if (has !== undefined && !isNothing(has)) change = withValueAt(change, place, null)
  }
  return change as JsonObject
}

async function olderCopy({ id, look }: UpdatePlan, has: Json, given: Json): Promise<Failure> {
  return new Failure('refused', `Somebody changed ${id} after the record that was given was read.`, {
    outcome: 'not-sent',
    issues: [{ path: 'updatedAt', message: `${String(given)} was given, and the record has ${String(has)}` }],
    hint: `Read the record again and make the change in it: ${await look('--json')}`,
  })
}
