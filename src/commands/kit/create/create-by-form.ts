import { check } from '../../../api/contract/fields/check.ts'
import { leafFields } from '../../../api/contract/fields/field-tree.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import type { Draft } from '../../../drafts/draft.ts'
import { newDraftId, withDraftLock } from '../../../drafts/draft-folder.ts'
import { type JsonObject, valueAt } from '../../../json/path.ts'
import type { Creation } from '../declare/create-request.ts'
import { openSession } from '../drafts/draft-session.ts'
import { offerDrafts } from '../drafts/offer-drafts.ts'
import { assertSendable } from '../input/read-record.ts'
import { resumeDraft } from './resume-draft.ts'
import { runForm } from './run-form.ts'

/**
 * Creates one record by the form. The answers are saved until the record is created, so that neither Ctrl-C nor a
 * closed terminal loses them. The form names the service and asks for confirmation, so a protected profile does not
 * ask again.
 *
 * @param given a record to start from; without it, the drafts of this kind are offered
 */
export async function createByForm(
  context: Context,
  creation: Creation,
  given: JsonObject | undefined,
): Promise<void> {
  const { type } = creation
  if (given) assertSendable(given, check(type, given))
  const draft = given ? undefined : await offerDrafts(context, creation)
  if (draft) return resumeDraft(context, creation, draft.id)
  const { name, origin = null } = await context.profile()
  const fresh: Draft = {
    id: newDraftId(),
    operation: creation.operation.id,
    parameters: creation.parameters,
    profile: name,
    origin,
    changed: '',
    tool: '',
    // What the form does not ask for is not shown, and stays as it was given.
    before: type.documented ? {} : (given ?? {}),
    answers: answersIn(type, given ?? {}),
  }
  await withDraftLock(await context.directory(), fresh.id, async () =>
    runForm(context, creation, fresh, await openSession(context, fresh, false)),
  )
}

/** A record as the answers that would have made it. */
function answersIn(type: RecordType, given: JsonObject): Draft['answers'] {
  const values = leafFields(type.fields).map(({ path }) => [path, valueAt(given, path.split('.'))] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
