import type { Json, JsonObject } from '../../../json/path.ts'
import type { Samples } from '../candidate/samples.ts'
import { variantCandidates } from '../countries/variant-candidates.ts'
import type { RecordType } from '../records/record-type.ts'
import type { Field, Fields } from './field.ts'

/**
 * A record with made-up values in these fields. It passes every check, except that the standards warn that the values
 * are examples: so an example that is left in by mistake is noticed.
 */
export function sample(type: RecordType, fields: Fields = type.fields): JsonObject {
  const [ofDefault] = variantCandidates
  const variant = variantCandidates.find(({ sent }) => sent === type) ?? ofDefault
  return sampleOf(fields, variant as Example)
}

/** The country of an example and its values. */
interface Example {
  readonly country: string
  readonly sample: Samples
}

function sampleOf(fields: Fields, variant: Example): JsonObject {
  const entries = Object.entries(fields).map(([name, field]) => [name, sampleValue(name, field, variant)])
  return Object.fromEntries(entries)
}

/** The sample of this field or its standard, or else an example or standard value, or else a value of its type. */
function sampleValue(name: string, field: Field, variant: Example): Json {
  const { named, standard } = variant.sample
  if (field.fields) return sampleOf(field.fields, variant)
  if (Object.hasOwn(named, name)) return named[name]
  const typical = field.standard && standard[field.standard]
  if (typical !== undefined) return typical
  const [known] = [...(field.exampleValues ?? []), ...(field.standardValues ?? [])]
  if (known !== undefined) return known
  if (field.item) return [sampleValue(name, field.item, variant)]
  if (field.type === 'string' || field.type === 'unknown') return madeUpText(field)
  return field.type === 'country' ? variant.country : valuesByType[field.type]
}

/** The example text of a field that has no value of its own for one. */
const madeUpText = ({ label }: Field) => `Example ${lowerFirst(label)}`

const valuesByType: Readonly<Record<Exclude<Field['type'], 'string' | 'unknown' | 'country'>, Json>> = {
  number: 123.45,
  integer: 1,
  boolean: true,
  date: '2026-04-06',
  timestamp: '2026-04-06T00:00:00.000Z',
  decimal: '37.50',
  lines: ['12 Example Road', 'Example District'],
  array: [],
  object: {},
}

/** A label within a sentence; abbreviations keep their capitals. */
const lowerFirst = (label: string) => label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
