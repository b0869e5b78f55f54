import { check } from '../../../api/contract/fields/check.ts'
import type { Context } from '../../../context/context.ts'
import type { Draft } from '../../../drafts/draft.ts'
import { Failure } from '../../../errors.ts'
import { parseJson } from '../../../json/parse.ts'
import type { JsonObject } from '../../../json/path.ts'
import { stringifyJson } from '../../../json/stringify.ts'
import type { FormEnd } from '../../../prompts/form/fill-form.ts'
import type { Creation } from '../declare/create-request.ts'
import { type DraftSession, resumeCommand } from '../drafts/draft-session.ts'
import { assertSendable } from '../input/read-record.ts'
import { dryRun } from '../steps/dry-run.ts'
import { formHost, openPrompts } from '../steps/open-prompts.ts'
import { previewRequest } from '../steps/preview-request.ts'
import { saveToFile } from '../steps/save-to-file.ts'
import { askBeforeSending } from './ask-before-sending.ts'
import { reportCreated, sendCreate } from './send-create.ts'

/**
 * Asks the form for one record and does what was chosen at its end: sends it, keeps it as a draft, writes it to a file
 * or shows it. Throws a Failure; it says how to continue where answers are saved.
 */
export async function runForm(
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
    end = await fillForm(await formHost(context, creation.options), creation.operation, {
      preview: (body) =>
        previewRequest(
          context,
          creation.operation,
          { parameters: creation.parameters, body },
          creation.options,
        ),
      ...(Object.keys(before).length > 0 && { before }),
      ...(Object.keys(answers).length > 0 && { answers }),
      keep: (now) => kept.keep(now),
      beforeSending: (body) => askBeforeSending(context, creation, body),
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
    if (options.dryRun) {
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
