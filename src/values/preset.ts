import { type Leaf, siblingOf } from '../api/contract/fields/field-tree.ts'
import { type Json, valueAt } from '../json/path.ts'

/** What a field has where nothing was given for it yet, by the rest of the record; undefined for nothing. */
export function presetOf({ path, field }: Leaf, body: Json): Json {
  const { preset } = field
  if (!preset) return undefined
  if ('value' in preset) return preset.value
  if ('by' in preset) return preset.values[String(siblingOf(path, preset.by, body))]
  const date = valueAt(body, preset.dateOf.split('.'))
  if (typeof date !== 'string') return undefined
  return field.type === 'timestamp' ? `${date}T00:00:00.000Z` : date
}
