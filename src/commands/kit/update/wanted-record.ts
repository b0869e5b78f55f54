import { isDeepStrictEqual } from 'node:util'
import { answeredIds } from '../../../api/outcome/same-record.ts'
import type { WholeRecord } from '../../../api/whole-record.ts'
import { declined, Failure, type Issue, invalidInput } from '../../../errors.ts'
import {
  formatPath,
  type Json,
  type JsonObject,
  mergeDeep,
  valueAt,
  withoutValueAt,
  withValueAt,
} from '../../../files/json/path.ts'
import type { Field } from '../../../model/fields/field.ts'
import { emptyValue } from '../../../model/fields/field-tree.ts'
import { neverReturned } from '../../../model/mapping/field-mapping.ts'
import { isNothing, withoutNulls } from '../../../model/mapping/map-record.ts'
import { idsOf } from '../../../model/records/identity.ts'
import type { RecordType } from '../../../model/records/record-type.ts'
import {
  onlyServiceSets,
  type RecordAsRequest,
  setOtherwise,
  tellsAge,
  unknownName,
} from '../../../model/values/read-record.ts'
import type { Change, RecordTarget } from '../../../write/record-write.ts'
import { askAboutGaps } from '../doubts.ts'
import { assertChanged, assertSendable } from '../input.ts'
import { formHost } from '../open-prompts.ts'
import { withFieldChanges } from '../set-fields.ts'
import { editInEditor } from './editor.ts'
import type { WriteSession } from './write-session.ts'

interface WantedRecord {
  readonly record: Json
  readonly givenValues?: JsonObject
  /** How values were understood that have more than one reading. */
  readonly doubts: readonly Issue[]
}

/** The record with the given JSON and options applied. Throws a Failure for what cannot be changed. */
export async function applyGiven(
  { context, options }: WriteSession,
  { target, seen }: Change,
  record: RecordAsRequest,
): Promise<WantedRecord> {
  const { type } = target
  const merged = mergeDeep(seen.body, await changeOf(target, seen, record)) as JsonObject
  // A field that is never returned may have a value. It is cleared explicitly, because a service may keep
  // what a request does not name.
  const cleared = (field: Field, path: string) =>
    emptyValue(field) ?? (neverReturned(type).includes(path) ? null : undefined)
  const words = await (await context.knowledge()).wordsOf(type)
  const reading = { today: context.today(), cleared, serviceWords: words }
  const { body, givenValues, doubts } = withFieldChanges(type, merged, options, reading)
  return { record: body, givenValues, doubts }
}

/** The record as a person edited it in the form or the editor. */
export async function letPersonChange(
  session: WriteSession,
  { target, seen: { body: before } }: Change,
  by: 'form' | 'editor',
): Promise<WantedRecord> {
  const { context, options } = session
  const { operation, type } = target
  if (by === 'editor') return { record: await editInEditor(context, before), doubts: [] }
  const { fillForm } = await import('../../../prompts/form/fill-form.ts')
  const end = await fillForm(await formHost(context, operation, options), operation, {
    before,
    beforeSending: async (body) =>
      options.incomplete ? undefined : askAboutGaps(context, type, body, before),
  })
  // A change is not saved as a draft: the record may have changed by the time it is resumed.
  if (end.next === 'draft') throw declined('Stopped.')
  return { record: end.body, doubts: [] }
}

/** Throws exit 3 for faults that the change adds. A field that is cleared with null has no value to check. */
export function assertIsRecord(
  type: RecordType,
  { body: before }: WholeRecord,
  after: Json,
  isIncomplete: boolean,
): void {
  const paths = neverReturned(type)
    .map((path) => path.split('.'))
    .filter((path) => valueAt(after, path) === null && valueAt(before, path) === undefined)
    .reduce<Json>(withoutValueAt, after)
  assertChanged(type, before, paths, isIncomplete)
}

/** The changes as a part of a request. Throws exit 3 for another record's id, exit 6 for a copy older than the record. */
async function changeOf(
  target: RecordTarget,
  wholeRecord: WholeRecord,
  { body, nulls, serviceOwned, unknown }: RecordAsRequest,
): Promise<JsonObject> {
  const { type, id } = target
  const { record } = wholeRecord
  const atTheTop = [...serviceOwned, ...unknown].filter(({ at }) => at.length === 1)
  const ids = idsOf(Object.fromEntries(atTheTop.map(({ at, value }) => [at[0], value])), type.idNames)
  const recordIds = [id, ...answeredIds(type, record)]
  if (ids.length > 0 && !ids.some((each) => recordIds.includes(each))) {
    throw invalidInput('The record that was given is another one.', [
      { path: 'id', message: `it is ${ids[0]}, and the record to update is ${id}` },
    ])
  }
  const issues: Issue[] = []
  for (const each of setOtherwise(type, serviceOwned, record)) {
    if (tellsAge(each)) throw await olderCopy(target, valueAt(record, each.at), each.value)
    issues.push({ path: formatPath(each.at), message: `${onlyServiceSets}: leave it as it is` })
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
  for (const path of nulls) {
    const has = valueAt(wholeRecord.body, path)
    // A null is not a change where the record has no value.
    if (has !== undefined && !isNothing(has)) change = withValueAt(change, path, null)
  }
  return change as JsonObject
}

async function olderCopy({ id, lookUpCommand }: RecordTarget, has: Json, copy: Json): Promise<Failure> {
  return new Failure('refused', `Somebody changed ${id} after the record that was given was read.`, {
    outcome: 'not-sent',
    issues: [{ path: 'updatedAt', message: `${String(copy)} was given, and the record has ${String(has)}` }],
    hint: `Read the record again and make the change in it: ${await lookUpCommand('--json')}`,
  })
}
