import type { Json } from '../../files/json/path.ts'
import { fieldAt } from '../../model/fields/field-tree.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import { isSensitive } from '../../model/resources/sensitive.ts'
import { type Difference, withinList } from '../../model/values/compare-stored.ts'
import { headingFor } from '../../model/values/find-field.ts'
import { agree } from '../../text/words.ts'
import { toText } from './format-field.ts'
import { mask } from './mask.ts'
import { valueInWords } from './value-in-words.ts'

/** `new`: only the new value is shown, which a person has just typed. */
type Reveal = boolean | 'new'

/** The lines for a difference. With `type` they are for a person: labels in place of paths, and the words of the form. */
export function differenceLines(difference: Difference, reveal: Reveal, type?: RecordType): string[] {
  return withinList(difference).map(
    (each) => `  ${type ? headingFor(type, each.path) : each.path}: ${formatChange(each, reveal, type)}`,
  )
}

/** The old and the new value. A sensitive one is masked. */
export function formatChange({ path, before, after }: Difference, reveal: Reveal, type?: RecordType): string {
  const hide = path.split('.').some(isSensitive) && reveal !== true
  const field = type && fieldAt(type.fields, path)
  const inWords = (value: Json) => valueInWords(value, field, type?.currency ?? '')
  // Where two values have the same words, as 12.1 and 12.10 do, they are shown as they are.
  const write = type && inWords(before) !== inWords(after) ? inWords : toText
  const show = (value: Json, isHidden: boolean) => {
    if (value === undefined || value === null) return '(not set)'
    const text = toText(value)
    return text === '' ? '(empty)' : isHidden ? mask(text) : write(value)
  }
  // The service does not return the field, and it is emptied.
  if (before === undefined && after === null) return '(not known) → (not set)'
  const [old, now] = [show(before, hide), show(after, hide && reveal !== 'new')]
  return `${old} → ${now}${old === now ? ` (${howMuchDiffers(toText(before), toText(after))})` : ''}`
}

/** Says how much two values differ whose masks are the same. */
function howMuchDiffers(one: string, other: string): string {
  if (one.length !== other.length) return 'of another length'
  const count = [...one].filter((letter, at) => letter !== other[at]).length
  return `${count} of ${one.length} ${agree(count, 'differs')}`
}
