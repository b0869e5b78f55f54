import { check } from '../../../api/contract/fields/check.ts'
import { fieldAt, leafFields } from '../../../api/contract/fields/field-tree.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import type { Draft } from '../../../drafts/draft.ts'
import { newDraftId, readDraft, withDraftLock } from '../../../drafts/draft-folder.ts'
import { Failure, usage } from '../../../errors.ts'
import { parseJson } from '../../../json/parse.ts'
import { type JsonObject, valueAt } from '../../../json/path.ts'
import { stringifyJson } from '../../../json/stringify.ts'
import type { FormEnd } from '../../../prompts/form/fill-form.ts'
import type { Creation } from '../declare/create-request.ts'
import { bodyOfDraft, when } from '../drafts/describe-draft.ts'
import { type DraftSession, openSession, resumeCommand } from '../drafts/draft-session.ts'
import { offerDrafts } from '../drafts/offer-drafts.ts'
import { assertSendable } from '../input/read-record.ts'
import { creationWrite, lookupCommand } from '../lookup/lookup-command.ts'
import { dryRun } from '../steps/dry-run.ts'
import { formHost, openPrompts } from '../steps/open-prompts.ts'
import { saveToFile } from '../steps/save-to-file.ts'
import { reportCreated, sendCreate } from './send-create.ts'

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
  if (draft) return resumed(context, creation, draft.id)
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

/** Resumes a draft, as it is on the disk once no other run has it open. */
export async function resumed(context: Context, creation: Creation, id: string): Promise<void> {
  const directory = await context.directory()
  await withDraftLock(directory, id, async () => {
    const draft = await readDraft(directory, id)
    if (!draft) throw usage(`The draft ${id} is gone: it was sent or deleted.`)
    await warnOfDoubt(context, creation, draft)
    await runForm(
      context,
      creation,
      withoutUnknownAnswers(context, creation, draft),
      await openSession(context, draft, true),
    )
  })
}

/** Warns before a record is sent again that may exist already. */
async function warnOfDoubt(context: Context, creation: Creation, draft: Draft): Promise<void> {
  if (draft.sent === undefined) return
  const command = await lookupCommand(context, creationWrite(creation, bodyOfDraft(draft)))
  context.warn(
    `this record was sent on ${when(draft.sent)} and may exist already. Check before you send it again: ${command}`,
  )
}

/** Without the answers to questions that this version of the tool does not ask. */
function withoutUnknownAnswers(context: Context, { type }: Creation, draft: Draft): Draft {
  const strange = Object.keys(draft.answers).filter((path) => type.documented && !fieldAt(type.fields, path))
  if (strange.length > 0)
    context.warn(
      `left out of the draft, because ${type.displayName} has no such field: ${strange.join(', ')}.`,
    )
  const answers = Object.entries(draft.answers).filter(([path]) => !strange.includes(path))
  return { ...draft, answers: Object.fromEntries(answers) }
}

async function runForm(
  context: Context,
  creation: Creation,
  draft: Draft,
  kept: DraftSession,
): Promise<void> {
  const { fillForm } = await import('../../../prompts/form/fill-form.ts')
  const { before, answers } = draft
  const resume = await resumeCommand(context, creation, draft.id)
  let end: FormEnd
  try {
    end = await fillForm(await formHost(context), creation.operation, {
      ...(Object.keys(before).length > 0 && { before }),
      ...(Object.keys(answers).length > 0 && { answers }),
      keep: (now) => kept.keep(now),
      get kept() {
        return kept.current() ? `Your answers are saved. To continue: ${resume}` : 'Nothing was saved.'
      },
    })
  } catch (error) {
    throw withResume(error, kept.current() && resume)
  }
  await handleFormEnd(context, creation, end, kept, resume)
}

async function handleFormEnd(
  context: Context,
  creation: Creation,
  end: FormEnd,
  kept: DraftSession,
  resume: string,
): Promise<void> {
  const { operation, parameters, type, options, verb } = creation
  if (end.next === 'draft') {
    await kept.keep(end.answers)
    const draft = kept.current()
    context.note(
      draft ? `Saved as a draft. To continue: ${resume}` : 'You gave no answers, so nothing was saved.',
    )
    return context.output.record({ sent: false, draft: draft?.id ?? null })
  }
  const body = withoutEmptied(end.body)
  try {
    if (end.next === 'file') {
      await saveToFile(
        context,
        { target: verb.operation, operation, parameters, verb: ['create'] },
        body,
        end.path,
      )
      return await kept.remove()
    }
    assertSendable(body, check(type, body))
    if (end.next === 'dry-run' || options.dryRun) {
      await dryRun(context, operation, { parameters, body })
      if (kept.current()) context.note(`Nothing was sent. To continue: ${resume}`)
      return
    }
    if (kept.current()?.sent !== undefined) await confirmAgain(context)
  } catch (error) {
    throw withResume(error, kept.current() && resume)
  }
  const record = await sent(context, creation, body, kept, resume)
  await reportCreated(context, creation, body, record)
}

/** The only question after the form: creating the same person twice is hard to undo. */
async function confirmAgain(context: Context): Promise<void> {
  if (context.options.yes) return
  const ask = await openPrompts(context)
  const message = 'This record was sent before and may exist already. Send it again?'
  if (await ask.confirm({ message, default: false })) return
  throw new Failure('usage', 'Not sent again.', { outcome: 'not-sent', declined: true })
}

/** Sends the record. The draft notes it beforehand, in case this run is killed, and is deleted once it is created. */
async function sent(
  context: Context,
  creation: Creation,
  body: JsonObject,
  kept: DraftSession,
  resume: string,
): Promise<JsonObject | undefined> {
  const before = kept.current()?.sent
  await kept.sent(new Date(context.host.now()).toISOString())
  let record: JsonObject | undefined
  try {
    record = await sendCreate(context, creation, body)
  } catch (error) {
    const outcome = error instanceof Failure ? error.details.outcome : 'unknown'
    if (outcome === 'refused' || outcome === 'not-sent') await kept.sent(before)
    throw withResume(error, kept.current() && resume)
  }
  await kept.remove().catch(async (error: unknown) => {
    if (!(error instanceof Failure)) throw error
    context.warn(
      `the record was created, but its draft is still there: do not send it again. ${error.message}`,
    )
  })
  return record
}

/** The failure, with the command that resumes the draft. */
function withResume(error: unknown, command: string | undefined): unknown {
  if (!(error instanceof Failure) || command === undefined) return error
  const resume = `Your answers are saved. To continue: ${command}`
  return new Failure(error.code, error.message, { ...error.details, resume })
}

/** The record as JSON will carry it: a field that was emptied is absent. */
const withoutEmptied = (body: JsonObject): JsonObject => parseJson(stringifyJson(body)) as JsonObject
