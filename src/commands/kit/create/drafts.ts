import type { Context } from '../../../context/context.ts'
import { usage } from '../../../errors.ts'
import { nounOfType } from '../../../model/records/record-type.ts'
import { withOrigin } from '../../../text/words.ts'
import type { OptionName } from '../../cli/options.ts'
import { type CreateVerb, safetyOptions, when } from '../../cli/resource-verbs.ts'
import { nounOf, operationsOf, optionsFor, type Target } from '../../cli/target.ts'
import type { Argument, Verb, VerbGroup } from '../../cli/verb.ts'
import type { DeletedDraft, DraftRow } from './describe-draft.ts'
import type { Draft } from './draft.ts'

const draftArgument: Argument = { name: 'id', summary: 'the id that drafts list shows' }

/** `drafts list | resume | delete`, for forms that were not sent yet. */
export function draftsOf(verb: CreateVerb, records: Target | undefined): VerbGroup {
  const operations = operationsOf(verb.operation)
  const noun = operations[0] ? nounOf(operations[0]) : ''

  const list: Verb = {
    name: 'list',
    answer: 'by-noun',
    isLocal: true,
    summary: 'List the drafts of every profile',
    examples: [`payroll ${noun} drafts list`],
    async run(context) {
      const { readDrafts } = await import('./draft.ts')
      const { drafts, warnings } = await readDrafts(await context.directory())
      for (const warning of warnings) context.warn(warning)
      const { draftFields, draftName: nameOf } = await import('./describe-draft.ts')
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

  const resume: Verb = {
    name: 'resume',
    answer: 'by-noun',
    writes: true,
    summary: 'Continue a draft in the form; it is sent when you choose Send',
    arguments: [draftArgument],
    // A getter: which options there are depends on the fields, which `list` does not load.
    get options(): readonly OptionName[] {
      return ['dryRun', 'mask', ...when(verb.find, 'find'), ...safetyOptions(verb)]
    },
    examples: [`payroll ${noun} drafts resume 3f2a1b2c`],
    async run(context, { arguments: { id = '' }, options }) {
      const { readDraft } = await import('./draft.ts')
      const draft = await readDraft(await context.directory(), id)
      const operation = operations.find((each) => each.id === draft?.operation)
      if (!draft || !operation) throw noSuchDraft(noun, id)
      if (!context.interactive) throw usage('Resuming a draft asks questions, so it needs a terminal.')
      await assertDraftOfService(context, draft, noun)
      // Fails before the form if there is no key.
      await context.client()
      const { creationOf } = await import('../../cli/create-request.ts')
      const chosen = { ...options, ...optionsFor(verb.operation, operation.id) }
      const { resumeDraft } = await import('./create-by-form.ts')
      await resumeDraft(context, creationOf(verb, chosen, records), id)
    },
  }

  const remove: Verb = {
    name: 'delete',
    answer: 'by-noun',
    isLocal: true,
    deletes: true,
    localEffect: 'deleted',
    summary: 'Delete a draft from this computer',
    arguments: [draftArgument],
    examples: [`payroll ${noun} drafts delete 3f2a1b2c`],
    async run(context, { arguments: { id = '' } }) {
      const { deleteDraft, withDraftLock, readDraft } = await import('./draft.ts')
      const directory = await context.directory()
      const draft = await readDraft(directory, id).catch(() => 'unreadable' as const)
      const isOurs = draft === 'unreadable' || operations.some((each) => each.id === draft?.operation)
      const deleted = isOurs && (await withDraftLock(directory, id, () => deleteDraft(directory, id)))
      if (!deleted) throw noSuchDraft(noun, id)
      context.note(`Deleted the draft ${id}.`)
      const answer: DeletedDraft = { deleted, id }
      await context.output.record(answer)
    },
  }

  return {
    name: 'drafts',
    summary: 'Unfinished forms: records that you began and have not sent',
    about: `Unfinished forms: records that you began and have not sent. They are saved on this computer, unencrypted, readable only by you. They stay until you send or delete them: auth logout and profiles remove do not delete them.`,
    verbs: [list, resume, remove],
  }
}

const noSuchDraft = (noun: string, id: string) =>
  usage(`There is no draft ${id}.`, `To list the drafts: payroll ${noun} drafts list`)

/** Throws a usage failure for a draft of another service, because its record must not be sent to this one. */
async function assertDraftOfService(context: Context, draft: Draft, noun: string): Promise<void> {
  const { name, origin = null } = await context.profile()
  if (draft.profile === name && draft.origin === origin) return
  throw usage(
    `The draft ${draft.id} is for ${withOrigin(draft.profile, draft.origin)}, but the profile in use is ${withOrigin(name, origin)}.`,
    draft.profile === name
      ? undefined
      : `payroll ${noun} drafts resume ${draft.id} --profile ${draft.profile}`,
  )
}
