import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../context/context.ts'
import type { Draft } from '../../../drafts/draft.ts'
import { deleteDraft, type Found, isOpen, readDrafts } from '../../../drafts/draft-folder.ts'
import { Failure } from '../../../errors.ts'
import { foldMessage } from '../../../render/text/fold-message.ts'
import type { Creation } from '../declare/create-request.ts'
import { openPrompts } from '../steps/open-prompts.ts'
import { describeDraft } from './describe-draft.ts'

/**
 * Offers the drafts of this kind, the one changed last first. Returns the one to resume; undefined to start a new
 * record, which keeps them all. A draft that another run has open is not offered.
 */
export async function offerDrafts(context: Context, creation: Creation): Promise<Draft | undefined> {
  const directory = await context.directory()
  const { drafts, warnings } = await readDrafts(directory, context.host.now()).catch(unreadable)
  for (const warning of warnings) context.warn(warning)
  const { name, origin = null } = await context.profile()
  let left: Draft[] = []
  for (const draft of drafts) {
    const isOfThisKind = draft.operation === creation.operation.id && draft.profile === name
    const isForHere = draft.origin === origin && isDeepStrictEqual(draft.parameters, creation.parameters)
    if (isOfThisKind && isForHere && !(await isOpen(directory, draft.id))) left.push(draft)
  }
  if (left.length === 0) return undefined
  const { select } = await openPrompts(context)
  while (left.length > 0) {
    const draft = left.length === 1 ? left[0] : await one()
    if (!draft) return undefined
    const chosen = await whatWith(draft)
    if (chosen === 'resume') return draft
    if (chosen === 'new') return undefined
    if (chosen === 'delete') {
      await deleteDraft(directory, draft.id)
      context.note(`Deleted the draft of ${describeDraft(draft)}.`)
      left = left.filter((other) => other !== draft)
    }
  }
  return undefined

  function one(): Promise<Draft | undefined> {
    return select<Draft | undefined>({
      message: `There are ${left.length} drafts. Resume one?`,
      choices: [
        ...left.map((draft) => ({ value: draft, name: describeDraft(draft), short: describeDraft(draft) })),
        { value: undefined, name: 'None: start a new one and keep these', short: 'None' },
      ],
    })
  }

  function whatWith(draft: Draft): Promise<'resume' | 'new' | 'delete' | 'back'> {
    // A line of its own: as a question it would not fit a narrow screen.
    const { columns } = context.host.stderr
    context.host.stderr.write(`${foldMessage(`There is a draft of ${describeDraft(draft)}.`, columns)}\n`)
    return select<'resume' | 'new' | 'delete' | 'back'>({
      message: 'Resume it?',
      choices: [
        { value: 'resume', name: 'Resume it' },
        ...(left.length > 1 ? [{ value: 'back' as const, name: 'Back to the list' }] : []),
        { value: 'new', name: 'Start a new one and keep this' },
        { value: 'delete', name: 'Delete it' },
      ],
    })
  }
}

/** A folder that cannot be read gives a warning; a record can be created without it. */
function unreadable(error: unknown): Found {
  if (!(error instanceof Failure)) throw error
  return { drafts: [], warnings: [error.message] }
}
