import type { Leaf } from '../../api/contract/fields/field-tree.ts'
import { isObject, type Json, valueAt } from '../../json/path.ts'
import { isDay } from '../questions/format-value.ts'

/** Whether a field is to be asked for, by what the record says so far. */
export function isAskedFor({ path, field }: Leaf, body: Json): boolean {
  const { when } = field
  if (!when) return true
  if ('without' in when) return isEmpty(siblingOf(path, when.without, body))
  const value = siblingOf(path, when.field, body)
  return 'is' in when ? when.is.some((each) => each === value) : !when.isNot.some((each) => each === value)
}

/** What Enter gives where nothing was answered yet; undefined for nothing. */
export function presetOf({ path, field }: Leaf, body: Json): Json {
  const { preset } = field
  if (!preset) return undefined
  if ('value' in preset) return preset.value
  if ('by' in preset) return preset.values[String(siblingOf(path, preset.by, body))]
  const date = valueAt(body, preset.dateOf.split('.'))
  if (typeof date !== 'string') return undefined
  return field.type === 'timestamp' && isDay(field) ? `${date}T00:00:00.000Z` : date
}

export const isEmpty = (value: Json) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The value of the field beside one: of the same object, under another name. */
function siblingOf(path: string, name: string, body: Json): Json {
  const above = valueAt(body, path.split('.').slice(0, -1))
  return path.includes('.') ? (isObject(above) ? above[name] : undefined) : valueAt(body, [name])
}
