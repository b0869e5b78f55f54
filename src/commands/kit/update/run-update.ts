import { differences } from '../../../api/contract/mapping/differences.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import { warnings } from '../../../api/contract/standards/warnings.ts'
import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import { type Json, type JsonObject, mergeDeep } from '../../../json/path.ts'
import { placeName } from '../../../profile/profile.ts'
import type { FormEnd } from '../../../prompts/form/fill-form.ts'
import type { Options } from '../declare/options.ts'
import type { UpdateVerb } from '../declare/resource-verbs.ts'
import { answerType, type Target } from '../declare/target.ts'
import { assertChange, assertChanged, assertMaskUsed, givenRecord, wantsForm } from '../input/read-record.ts'
import { emptyValue, withChanges } from '../input/set-fields.ts'
import { describeRecord } from '../lookup/describe-record.ts'
import { withReference } from '../lookup/with-reference.ts'
import { askAboutGaps } from '../steps/ask-about-gaps.ts'
import { formatDifference } from '../steps/compare-with-response.ts'
import { confirmWrite, mustAsk } from '../steps/confirm.ts'
import { dryRun } from '../steps/dry-run.ts'
import { formHost } from '../steps/open-prompts.ts'
import { previewRequest } from '../steps/preview-request.ts'
import { saveToFile } from '../steps/save-to-file.ts'
import { showProgress } from '../steps/show-progress.ts'
import { assertUnmasked, warnOfMasked } from './check/assert-unmasked.ts'
import { acceptAbsence } from './check/confirm-absent-sections.ts'
import { warnOfLosses } from './check/warn-of-losses.ts'
import { editInEditor } from './editor/edit-in-editor.ts'
import { sendUpdate } from './send-update.ts'
import { planUpdate, type UpdatePlan } from './update-plan.ts'
import { readWhole } from './whole-record.ts'

/** Updates one record by reading it, changing it and sending it whole. */
export async function runUpdate(
  context: Context,
  { verb, list }: { readonly verb: UpdateVerb; readonly list?: Target | undefined },
  typed: string,
  options: Options,
): Promise<void> {
  const { operation, type } = planUpdate(context, verb, typed, options)
  const by = options.edit ? 'editor' : wantsForm(context, options) ? 'form' : 'input'
  assertMaskUsed(options, by === 'form')
  // The input is checked before any request is sent.
  const given = by === 'input' ? await givenRecord(context, options) : {}
  if (by === 'input') assertChange(type, given, options)
  await context.client()
  if (!options.dryRun) await mustAsk(context, `update ${type.displayName} (${typed})`)
  const about = { target: verb.operation, list, id: typed, options, anyCountry: false }
  const { plan, seen } = await withReference(context, about, async (known, chosen) => {
    const plan = planUpdate(context, verb, known, chosen)
    return { plan, seen: await readWhole(plan) }
  })
  const { id, parameters } = plan
  const before = seen.body
  if (by !== 'input') warnOfMasked(context, type, before)
  // In the form the person can still give the values.
  if (by === 'form') warnOfLosses(context, type, before)
  const end = by === 'form' ? await askFor(context, plan, options, before) : undefined
  if (end?.next === 'file') {
    const unsent = { target: verb.operation, operation, parameters, verb: ['update', id] }
    return saveToFile(context, unsent, end.body, end.path)
  }
  const after: Json = end
    ? end.body
    : by === 'editor'
      ? await editInEditor(context, before)
      : withChanges(type, mergeDeep(before, given) as JsonObject, options, emptyValue)
  // The form has asked.
  assertChanged(type, before, after, options.incomplete || by === 'form')
  // What was null and is given as null is as it was.
  const asked = differences(before, after).filter((each) => each.after !== null || !seen.nulls.has(each.path))
  if (asked.length === 0) context.note('Nothing to change: the service already has these values.')
  for (const change of asked) context.note(formatDifference(change, context.options.reveal ?? false))
  const isDryRun = options.dryRun === true
  if (asked.length === 0 && !isDryRun) return context.output.record(seen.record, answerType(operation))
  if (asked.length > 0 && by !== 'form') warnOfLosses(context, type, after)
  assertUnmasked(type, before, after, options)
  await acceptAbsence(context, { type, absent: seen.absent, after, isDryRun })
  const ifMatch = seen.etag === undefined ? {} : { ifMatch: seen.etag }
  if (isDryRun) return dryRun(context, operation, { parameters, body: after, ...ifMatch })
  for (const remark of newRemarks(context, type, before, after)) context.note(remark)
  const described = describeRecord(type, seen.record, id)
  // The form has named the service and asked for confirmation.
  if (by !== 'form') await confirmWrite(context, `update ${described}`)
  const record = await showProgress(context, 'Updating', sendUpdate(plan, seen, after, asked))
  const isShown = context.host.stdout.isTTY
  const what = isShown ? described : `${type.displayName} (${id})`
  const done = `Updated ${what} on ${placeName(await context.profile())}.`
  const print = () => context.output.record(record ?? { updated: true, id }, answerType(operation))
  if (!isShown) {
    context.note(done)
    return print()
  }
  // A whole record fills the screen: what changed stands below it.
  await print()
  context.note(done)
  for (const change of asked) context.note(formatDifference(change, context.options.reveal ?? false))
}

/** The warnings of the public standards that the record did not have before the change. */
function newRemarks(context: Context, type: RecordType, before: JsonObject, after: JsonObject): string[] {
  const remarks = (body: JsonObject) =>
    warnings(type, body, context.today()).map(({ path, message }) => `${path}: ${message}`)
  const old = new Set(remarks(before))
  return remarks(after).filter((remark) => !old.has(remark))
}

/** A change is not saved as a draft: the record may have changed by the time it is resumed. */
async function askFor(
  context: Context,
  { operation, parameters }: UpdatePlan,
  options: Options,
  before: JsonObject,
): Promise<Exclude<FormEnd, { next: 'draft' }>> {
  const { fillForm } = await import('../../../prompts/form/fill-form.ts')
  const end = await fillForm(await formHost(context, options), operation, {
    before,
    preview: (body) =>
      previewRequest(
        context,
        operation,
        { parameters, body },
        { incomplete: options.incomplete, known: before },
      ),
    beforeSending: async (body) =>
      options.incomplete || !operation.requestRecord
        ? undefined
        : askAboutGaps(context, operation.requestRecord, body, before),
  })
  if (end.next !== 'draft') return end
  throw new Failure('usage', 'Stopped. Nothing was sent.', { outcome: 'not-sent', declined: true })
}
