import type { Context } from '../../context/context.ts'
import type { Draft } from '../../drafts/draft.ts'
import { usage } from '../../errors.ts'
import { operationsOf } from './declare/target.ts'
import type { Argument, Group, Verb } from './declare/verb.ts'
import type { CreateVerb } from './declare/verbs.ts'
import { nounOf, targetOptions } from './lookup/command-line.ts'

const draftArgument: Argument = { name: 'id', summary: 'the identifier, as drafts list shows it' }

/** `drafts list | resume | delete`: what a form was told, and the service does not have yet. */
export function draftsOf(verb: CreateVerb): Group {
  const operations = operationsOf(verb.operation)
  const noun = operations[0] ? nounOf(operations[0]) : ''

  const list: Verb = {
    name: 'list',
    summary: 'List the drafts of every profile',
    examples: [`payroll ${noun} drafts list`],
    async run(context) {
      const { readDrafts } = await import('../../drafts/draft-folder.ts')
      const { drafts, warnings } = await readDrafts(await context.directory(), context.host.now())
      for (const warning of warnings) context.warn(warning)
      const { nameOf } = await import('./drafts/describe-draft.ts')
      const rows = drafts.flatMap((draft) => {
        const operation = operations.find(({ id }) => id === draft.operation)
        return operation
          ? [{ ...shown(draft), kind: kindOf(operation.sends?.displayName), name: nameOf(draft) }]
          : []
      })
      await context.output.list(rows, { columns: ['id', 'kind', 'name', 'profile', 'changed', 'answers'] })
      if (context.output.format === 'table' && rows.length === 0) context.note('There are no drafts.')
    },
  }

  const resume: Verb = {
    name: 'resume',
    summary: 'Go on with a draft: shows it, asks what you choose, and sends it when you say so',
    arguments: [draftArgument],
    options: ['dryRun', ...(verb.find ? (['find'] as const) : [])],
    examples: [`payroll ${noun} drafts resume 3f2a1b2c`],
    async run(context, { arguments: { id = '' }, options }) {
      const { readDraft } = await import('../../drafts/draft-folder.ts')
      const draft = await readDraft(await context.directory(), id)
      const operation = operations.find((each) => each.id === draft?.operation)
      if (!draft || !operation) throw noSuchDraft(noun)
      if (!context.interactive) throw usage('A draft is resumed at a terminal: it asks. Nothing was sent.')
      await assertSamePlace(context, draft, noun)
      // Whoever has no key learns it before the form, not after.
      await context.client()
      const { creationOf } = await import('./declare/create-request.ts')
      const chosen = { ...options, ...targetOptions(verb.operation, operation.id, draft.parameters) }
      const { resumed } = await import('./create/create-by-form.ts')
      await resumed(context, creationOf(verb, chosen), id)
    },
  }

  const remove: Verb = {
    name: 'delete',
    summary: 'Delete a draft from this computer',
    arguments: [draftArgument],
    examples: [`payroll ${noun} drafts delete 3f2a1b2c`],
    async run(context, { arguments: { id = '' } }) {
      const { deleteDraft, holdingDraft, readDraft } = await import('../../drafts/draft-folder.ts')
      const directory = await context.directory()
      const draft = await readDraft(directory, id).catch(() => 'unreadable' as const)
      const isOurs = draft === 'unreadable' || operations.some((each) => each.id === draft?.operation)
      const deleted = isOurs && (await holdingDraft(directory, id, () => deleteDraft(directory, id)))
      if (!deleted) throw noSuchDraft(noun)
      context.note(`Deleted the draft ${id}.`)
      await context.output.record({ deleted: true, id })
    },
  }

  return {
    name: 'drafts',
    summary: 'What a form was told, and was not sent yet',
    about: `What a form was told, and was not sent yet. Drafts lie on this computer, in clear, readable by you alone,
without a key. They stay until they are sent or deleted: auth logout and profiles remove leave them.`,
    verbs: [list, resume, remove],
  }
}

function shown({ id, profile, origin, changed, sent, answers }: Draft) {
  return { id, profile, origin, changed, sent: sent ?? null, answers: Object.keys(answers).length }
}

/** "an Irish candidate" without its article. */
const kindOf = (noun = '') => noun.replace(/^an? /, '')

const noSuchDraft = (noun: string) => usage('There is no such draft.', `payroll ${noun} drafts list`)

/** A person begun on one service is not sent to another. */
async function assertSamePlace(context: Context, draft: Draft, noun: string): Promise<void> {
  const { name, origin = null } = await context.profile()
  if (draft.profile === name && draft.origin === origin) return
  const place = draft.origin === null ? draft.profile : `${draft.profile} (${draft.origin})`
  throw usage(
    `This draft is for ${place}, and ${name}${origin === null ? '' : ` (${origin})`} is in force. Nothing was sent.`,
    draft.profile === name
      ? undefined
      : `payroll ${noun} drafts resume ${draft.id} --profile ${draft.profile}`,
  )
}
