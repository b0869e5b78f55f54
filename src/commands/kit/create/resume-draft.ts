import { fieldAt } from '../../../api/contract/fields/field-tree.ts'
import type { Context } from '../../../context/context.ts'
import type { Draft } from '../../../drafts/draft.ts'
import { readDraft, withDraftLock } from '../../../drafts/draft-folder.ts'
import { usage } from '../../../errors.ts'
import type { Creation } from '../declare/create-request.ts'
import { bodyOfDraft, when } from '../drafts/describe-draft.ts'
import { openSession } from '../drafts/draft-session.ts'
import { creationWrite, lookupCommand } from '../lookup/lookup-command.ts'
import { runForm } from './run-form.ts'

/** Resumes a draft, as it is on the disk once no other run has it open. */
export async function resumeDraft(context: Context, creation: Creation, id: string): Promise<void> {
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
