import type { Draft } from '../drafts/draft.ts'
import { plural } from '../formats/words.ts'
import { type JsonObject, valueAt, withValueAt } from '../json/path.ts'
import { safeText } from '../render/text/safe-text.ts'

/** What a record is called among others like it; the first of them that has a value. */
const names: readonly (readonly string[])[] = [
  ['generalSetting.forename', 'generalSetting.surname'],
  ['generalSetting.agencyRef'],
  ['code'],
  ['subcontractorRef', 'startDate'],
  ['name'],
  ['description'],
]

/** Whom or what a draft is about, by nothing that is sensitive: Aoife Example. Empty where that is not known yet. */
export function nameOf(draft: Draft): string {
  const body = bodyOfDraft(draft)
  for (const paths of names) {
    const values = paths.map((path) => valueAt(body, path.split('.')))
    const parts = values.filter((part) => typeof part === 'string' && part.trim() !== '')
    if (parts.length > 0) return safeText(parts.join(' ')).slice(0, 80)
  }
  return ''
}

/** The record that a draft makes, as it stands. */
export function bodyOfDraft({ before, answers }: Draft): JsonObject {
  return Object.entries(answers).reduce(
    (body, [path, value]) => withValueAt(body, path.split('.'), value) as JsonObject,
    before,
  )
}

/** "3 Nov 2026, 14:05: Aoife Example, 12 answers"; and whether it was sent with an unknown outcome. */
export function describeDraft(draft: Draft): string {
  const name = nameOf(draft)
  const count = Object.keys(draft.answers).length
  const parts = [
    ...(name === '' ? [] : [name]),
    plural(count, 'answer'),
    ...(draft.sent ? ['sent, outcome unknown'] : []),
  ]
  return `${when(draft.changed)}: ${parts.join(', ')}`
}

/** A time as people here write it, by the clock of this computer: 3 Nov 2026, 14:05. */
export function when(iso: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return format.format(new Date(iso))
}
