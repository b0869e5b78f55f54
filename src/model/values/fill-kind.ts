import { isObject, type Json, valueAt } from '../../files/json/path.ts'
import { usualCode, usualLetter } from '../countries/uk/checks.ts'
import type { FieldKind, Law } from '../fields/field.ts'
import { fieldAt, isEmpty, type Leaf, siblingOf } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'

/** The field that goes with a kind, as the start date of Plan 2, and its value, given or proposed. */
export interface KindValue {
  readonly path: string
  readonly label: string
  /** Undefined where nothing was given and nothing can be proposed. */
  readonly value: Json
  readonly isGiven: boolean
}

/** `Plan 2` at `path` means yes, and a day in the field of Plan 2 beside it: that field with its value. */
export function valueOfKind(
  { fields }: RecordType,
  path: readonly string[],
  kind: FieldKind,
  record: Json,
): KindValue {
  const segments = [...path.slice(0, -1), kind.field]
  const ownPath = segments.join('.')
  const field = fieldAt(fields, ownPath)
  const label = field?.label ?? kind.field
  const ownValue = valueAt(record, segments)
  if (!isEmpty(ownValue)) return { path: ownPath, label, value: ownValue, isGiven: true }
  return { path: ownPath, label, value: field && presetOf({ path: ownPath, field }, record), isGiven: false }
}

/** The message about a kind that was named without its day. */
export const dayIsMissing = ({ label }: KindValue, { name }: FieldKind): string =>
  `${name} needs the day of its first deduction too: “${label}”`

/** The value that the form proposes for a field, by the rest of the record; undefined for none. */
export function presetOf({ path, field }: Leaf, body: Json, law?: Law): Json {
  const { preset } = field
  if (!preset) return undefined
  if ('value' in preset) return preset.value
  if ('byLaw' in preset) return law && isObject(body) ? presetsByLaw[preset.byLaw](body, law) : undefined
  if ('by' in preset) return preset.values[String(siblingOf(path, preset.by, body))]
  const date = valueAt(body, preset.dateOf.split('.'))
  if (typeof date !== 'string') return undefined
  return field.type === 'timestamp' ? `${date}T00:00:00.000Z` : date
}

const presetsByLaw = { 'ni-letter': usualLetter, 'tax-code': usualCode } as const
