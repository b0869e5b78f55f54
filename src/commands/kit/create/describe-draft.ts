import { flag, integer, text, timestamp, type ValuesOf } from '../../../model/fields/field.ts'
import { namesOf } from '../../../model/mapping/record-name.ts'
import { operationById } from '../../../model/resources/operations.ts'
import { bodyIn } from '../../../prompts/form/form.ts'
import { safeText } from '../../../render/text/safe-text.ts'
import { plural } from '../../../text/words.ts'
import type { Draft } from './draft.ts'

export const draftFields = {
  id: text('ID'),
  profile: text('Profile'),
  origin: text('Origin of the address', { nullable: true, help: 'null: the sandbox.' }),
  changed: timestamp('Changed'),
  sent: timestamp('When it was sent', {
    nullable: true,
    help: 'The answer was lost: the record may exist.',
  }),
  answers: integer('Answers'),
  kind: text('Kind'),
  name: text('Name'),
}

export const deletedDraftFields = { deleted: flag('Deleted'), id: text('Id of the draft') }

/** The answer of a form that was not sent: its draft, null if nothing was answered. */
export const notSentFields = { sent: flag('Sent'), draft: text('Id of the draft', { nullable: true }) }

export type NotSent = ValuesOf<typeof notSentFields>
export type DraftRow = ValuesOf<typeof draftFields>
export type DeletedDraft = ValuesOf<typeof deletedDraftFields>

/** Whose draft it is, by no sensitive field: Aoife Example. Empty while no name was given. */
export function draftName(draft: Draft): string {
  const type = operationById(draft.operation)?.requestRecord
  const [name = ''] = type ? namesOf(type, bodyIn({ type, ...draft })) : []
  return safeText(name).slice(0, 80)
}

/** `3 Nov 2026, 14:05: Aoife Example, 12 answers`; and whether it was sent with an unknown outcome. */
export function describeDraft(draft: Draft): string {
  const name = draftName(draft)
  const count = Object.keys(draft.answers).length
  const parts = [
    ...(name === '' ? [] : [name]),
    plural(count, 'answer'),
    ...(draft.sent ? ['sent, outcome unknown'] : []),
  ]
  return `${localTime(draft.changed)}: ${parts.join(', ')}`
}

/** A time in British form, in this computer's time zone: 3 Nov 2026, 14:05. */
export function localTime(iso: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(new Date(iso))
}
