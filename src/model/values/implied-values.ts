import { isEmpty, isObject, type Json, valueAt } from '../../files/json/path.ts'
import type { Field, FieldKind, Law } from '../fields/field.ts'
import { fieldAt, type Leaf, siblingOf } from '../fields/field-tree.ts'
import type { RecordType } from '../records/record-type.ts'
import { splitTaxCode } from '../standards/tax-code.ts'
import { usualCode, usualLetter } from '../standards/uk-checks.ts'

/** What a value says of a field beside its own: `1257L W1` of the tax basis, `Plan 2` in place of yes of its first day. */
export type Implied = { readonly taxBasis: string } | { readonly kind: FieldKind }

/** The value that is stored of one that was read, and what else it says. `kind`: the one that was named in place of yes. */
export function splitImplied(
  { standard }: Field,
  value: Json,
  kind: FieldKind | undefined,
): { readonly value: Json; readonly implied?: Implied | undefined } {
  const parts = standard === 'tax-code' && typeof value === 'string' ? splitTaxCode(value) : undefined
  if (parts) return { value: parts.taxCode, implied: { taxBasis: parts.taxBasis } }
  return { value, implied: kind && { kind } }
}

interface RecordSoFar {
  /** With all values that it has. */
  readonly record: Json
  /** Only the values that were given with it. */
  readonly given: Json
}

/** The field beside `path` that a value there speaks of: what it gets, or why it cannot; undefined where it has that. */
export function impliedValue(
  { fields }: RecordType,
  path: readonly string[],
  implied: Implied,
  { record, given }: RecordSoFar,
):
  | { readonly path: string; readonly value?: Json; readonly note?: string; readonly flaw?: string }
  | undefined {
  const besidePath = [...path.slice(0, -1), 'kind' in implied ? implied.kind.field : 'taxBasis'].join('.')
  const besideIn = (body: Json) => valueAt(body, besidePath)
  if ('taxBasis' in implied) {
    const { taxBasis: value } = implied
    const note = `W1, M1 or X after the code is sent as the tax basis ${value}`
    if (besideIn(given) === undefined) return { path: besidePath, value, note }
    const flaw = 'it contradicts the W1, M1 or X after the tax code'
    return besideIn(given) === value ? undefined : { path: besidePath, flaw }
  }
  if (!isEmpty(besideIn(record))) return undefined
  const field = fieldAt(fields, besidePath)
  const label = field?.label ?? implied.kind.field
  const value = field && presetOf({ path: besidePath, field }, record)
  return value === undefined
    ? { path: besidePath, flaw: `${implied.kind.name} needs the day of its first deduction too: “${label}”` }
    : { path: besidePath, value, note: `${label} is sent as the start date, because nothing else was given` }
}

/** The value that the form proposes for a field, by the rest of the record; undefined for none. */
export function presetOf({ path, field }: Leaf, body: Json, law?: Law): Json {
  const { preset } = field
  if (!preset) return undefined
  if ('value' in preset) return preset.value
  if ('byLaw' in preset) return law && isObject(body) ? presetsByLaw[preset.byLaw](body, law) : undefined
  if ('by' in preset) return preset.values[String(siblingOf(path, preset.by, body))]
  const date = valueAt(body, preset.dateOf)
  if (typeof date !== 'string') return undefined
  return field.type === 'timestamp' ? `${date}T00:00:00.000Z` : date
}

const presetsByLaw = { 'ni-letter': usualLetter, 'tax-code': usualCode } as const
