import { usage } from '../../errors.ts'
import { nounOfType } from '../../model/records/record-type.ts'
import { nounOf, operationsOf, type Target } from '../cli/target.ts'
import type { Argument, Verb, VerbGroup } from '../cli/verb.ts'
import type { DeletedDraft, DraftRow } from './create/describe-draft.ts'

const draftArgument: Argument = { name: 'id', summary: 'the id that drafts list shows' }

/** `drafts list | delete`, for forms that were not sent yet: `create` offers to go on with them. */
export function draftsOf(create: Target): VerbGroup {
  const operations = operationsOf(create)
  const noun = operations[0] ? nounOf(operations[0]) : ''

  const list: Verb = {
    name: 'list',
    answer: async () => (await import('./answers.ts')).answers.drafts,
    isLocal: true,
    summary: 'List the drafts of every profile',
    examples: [`payroll ${noun} drafts list`],
    async run(context) {
      const { readDrafts } = await import('./create/draft.ts')
      const { drafts, warnings } = await readDrafts(await context.directory())
      for (const warning of warnings) context.warn(warning)
      const { draftFields, draftName: nameOf } = await import('./create/describe-draft.ts')
      const rows = drafts.flatMap((draft): DraftRow[] => {
        const operation = operations.find(({ id }) => id === draft.operation)
        if (!operation) return []
        const { id, profile, origin, changed, sent = null } = draft
        const { requestRecord } = operation
        const kind = requestRecord ? nounOfType(requestRecord) : ''
        const answers = Object.keys(draft.answers).length
        return [{ id, profile, origin, changed, sent, answers, kind, name: nameOf(draft) }]
      })
      const columns = ['id', 'kind', 'name', 'profile', 'changed', 'answers']
      await context.output.list(rows, { fields: draftFields, columns })
      if (context.output.format.isForPerson && rows.length === 0) context.note('There are no drafts.')
    },
  }

  const remove: Verb = {
    name: 'delete',
    answer: async () => (await import('./answers.ts')).answers.deletedDraft,
    isLocal: true,
    deletes: true,
    localEffect: 'deleted',
    summary: 'Delete a draft from this computer',
    arguments: [draftArgument],
    examples: [`payroll ${noun} drafts delete 3f2a1b2c`],
    async run(context, { arguments: { id = '' } }) {
      const { deleteDraft, withDraftLock, readDraft } = await import('./create/draft.ts')
      const directory = await context.directory()
      const draft = await readDraft(directory, id).catch(() => 'unreadable' as const)
      const isOurs = draft === 'unreadable' || operations.some((each) => each.id === draft?.operation)
      const deleted = isOurs && (await withDraftLock(directory, id, () => deleteDraft(directory, id)))
      if (!deleted) throw usage(`There is no draft ${id}.`, `To list the drafts: payroll ${noun} drafts list`)
      context.note(`Deleted the draft ${id}.`)
      const answer: DeletedDraft = { deleted, id }
      await context.output.record(answer)
    },
  }

  return {
    name: 'drafts',
    summary: 'Unfinished forms: records that you began and have not sent',
    about: `Unfinished forms: records that you began and have not sent. They are saved on this computer, unencrypted, readable only by you. They stay until you send or delete them (create offers to go on with those of its profile): auth logout and profiles remove do not delete them.`,
    verbs: [list, remove],
  }
}
