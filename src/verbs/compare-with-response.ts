import { isDeepStrictEqual } from 'node:util'
import { anything, text, type ValuesOf } from '../api/contract/fields/field.ts'
import { fieldAt, leafFields } from '../api/contract/fields/field-tree.ts'
import { type Difference, withinList } from '../api/contract/mapping/compare-stored.ts'
import { mappingOf, unreturnedFields } from '../api/contract/mapping/field-mapping.ts'
import { requestFrom } from '../api/contract/mapping/map-record.ts'
import type { RecordType } from '../api/contract/records/record-type.ts'
import type { Context } from '../context/context.ts'
import { hasNoValue, type Json, type JsonObject, valueAt } from '../json/path.ts'
import { cell } from '../render/text/format-field.ts'
import { isSensitive, mask } from '../render/text/mask.ts'
import { valueInWords } from '../render/text/value-in-words.ts'
import { headingFor } from '../values/read-heading.ts'

/** A change as a script reads it. */
export const changeFields = {
  path: text('Path of the field'),
  from: anything('Old value', { help: 'null: none.' }),
  to: anything('New value', { help: 'null: none.' }),
}

export type ChangeAsData = ValuesOf<typeof changeFields>

/**
 * What differs between a record that came back and what was sent, and which fields the service does not return and so
 * cannot be compared. One line each; none where everything is as it was sent.
 */
export function compareWithResponse(
  type: RecordType,
  sent: JsonObject,
  record: JsonObject,
  context: Context,
): string[] {
  const correspondence = mappingOf(type)
  if (!correspondence) return []
  const returned = requestFrom(correspondence, record)
  const hidden = new Set(unreturnedFields(type))
  const differences = leafFields(type.fields)
    .map(({ path }) => {
      const segments = path.split('.')
      return { path, before: valueAt(sent, segments), after: valueAt(returned, segments) }
    })
    .filter(({ before }) => !holdsNothing(before))
  const notReturned = differences.filter(({ path }) => hidden.has(path)).map(({ path }) => path)
  const otherwise = differences.filter(
    ({ path, before, after }) => !hidden.has(path) && !isDeepStrictEqual(before, after),
  )
  return [
    ...(otherwise.length > 0 ? ['The service stored these fields differently from what was sent:'] : []),
    ...otherwise.flatMap((difference) =>
      differenceLines(difference, context.options.reveal ?? false, labelsFor(context, type)),
    ),
    ...(notReturned.length > 0
      ? [`The service does not return these fields, so they cannot be compared: ${notReturned.join(', ')}.`]
      : []),
  ]
}

/** Whether sensitive values are shown: all of them, none, or only the new one, which a person has just typed. */
type Reveal = boolean | 'new'

/** The type, whose labels a person reads; none for a script, which reads paths. */
export const labelsFor = ({ output }: Context, type: RecordType): RecordType | undefined =>
  output.format.isForPerson ? type : undefined

/**
 * A difference, a field a line: what it was, what it is. What is sensitive is masked. With `type`, a person reads it: fields
 * have their labels in place of their paths, and values are in the words of the form.
 */
export function differenceLines(difference: Difference, reveal: Reveal, type?: RecordType): string[] {
  return withinList(difference).map(
    (each) => `  ${type ? headingFor(type, each.path) : each.path}: ${formatChange(each, reveal, type)}`,
  )
}

/** What a field was, and what it is. What is sensitive is masked. */
export function formatChange({ path, before, after }: Difference, reveal: Reveal, type?: RecordType): string {
  const hide = isSensitive(path.split('.').at(-1) ?? '') && reveal !== true
  const field = type && fieldAt(type.fields, path)
  const inWords = (value: Json) => valueInWords(value, field, type?.currency ?? '')
  // Where two values have the same words, as 12.1 and 12.10 do, they are shown as they are.
  const write = type && inWords(before) !== inWords(after) ? inWords : cell
  const show = (value: Json, isHidden: boolean) => {
    if (value === undefined || value === null) return '(not set)'
    const text = cell(value)
    return text === '' ? '(empty)' : isHidden ? mask(text) : write(value)
  }
  // The service does not return it, and it is emptied.
  if (before === undefined && after === null) return '(not known) → (not set)'
  const [old, now] = [show(before, hide), show(after, hide && reveal !== 'new')]
  return `${old} → ${now}${old === now ? ' (changed; --reveal shows how)' : ''}`
}

/** An object with nothing in it is no value either. */
function holdsNothing(value: Json): boolean {
  if (hasNoValue(value)) return true
  return typeof value === 'object' && Object.values(value).every(holdsNothing)
}
