import type { Issue } from '../../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../../json/path.ts'
import { type Samples, sharedSamples } from '../candidate/samples.ts'
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

/** The texts that are the example's in this record still: its reference, and what begins with "Example". */
export function leftExamples(type: RecordType, record: Json): Issue[] {
  const issues: Issue[] = []
  look(type.fields, record, '')
  return issues

  // Every record of an import passes here, so no list is made of what is fine.
  function look(fields: Fields, value: Json, above: string): void {
    if (!isObject(value)) return
    for (const name in value) {
      const inner = value[name]
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (!field) continue
      if (typeof inner === 'string') {
        if (isExample(inner, field)) issues.push({ path: above + name, message: left })
      } else if (field.fields) look(field.fields, inner, `${above}${name}.`)
      else if (Array.isArray(inner)) {
        const of = field.item?.fields
        if (of) for (const [at, each] of inner.entries()) look(of, each, `${above}${name}[${at}].`)
      }
    }
  }
}

const left = 'this is still the value of the example'

function isExample(value: string, field: Field): boolean {
  if (!/^example[ -]/i.test(value)) return false
  return references.has(value) || value === madeUpText(field)
}

const references: ReadonlySet<Json> = new Set(
  Object.values(sharedSamples.named).filter((value) => typeof value === 'string' && /^EXAMPLE-/.test(value)),
)

const valuesByType: Readonly<Record<Exclude<Field['type'], 'string' | 'unknown' | 'country'>, Json>> = {
  number: 123.45,
  integer: 1,
  boolean: true,
  date: '2026-04-06',
  timestamp: '2026-04-06T00:00:00.000Z',
  decimal: '37.50',
  lines: ['1 Example Street', 'Example District'],
  array: [],
  object: {},
}

/** A label within a sentence; abbreviations keep their capitals. */
const lowerFirst = (label: string) => label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
