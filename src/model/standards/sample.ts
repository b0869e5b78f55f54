import type { Issue } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../files/json/path.ts'
import { onceFor } from '../../once.ts'
import type { Field, Fields, Standard } from '../fields/field.ts'
import type { RecordType } from '../records/record-type.ts'
import { countryCandidates } from '../resources/country-candidates.ts'
import { knownWords } from './known-words.ts'

/** A made-up record that passes every check, but for the standards' warnings that its values are examples. */
export function sample(type: RecordType, fields: Fields = type.fields): JsonObject {
  const country = countryCandidates.find(({ sent }) => sent === type) ?? countryCandidates[0]
  return sampleOf(fields, country as Example)
}

type Example = (typeof countryCandidates)[number]

function sampleOf(fields: Fields, country: Example): JsonObject {
  const entries = Object.entries(fields).map(([name, field]) => [name, sampleValue(name, field, country)])
  return Object.fromEntries(entries)
}

function sampleValue(name: string, field: Field, country: Example): Json {
  const { named, standard } = country.sample
  if (field.fields) return sampleOf(field.fields, country)
  if (Object.hasOwn(named, name)) return named[name]
  const typical = field.standard && standard[field.standard]
  if (typical !== undefined) return typical
  const [known] = Object.keys(knownWords(field))
  if (known !== undefined) return known
  if (field.item) return [sampleValue(name, field.item, country)]
  if (field.type === 'string' || field.type === 'unknown') return `Example ${lowerFirst(field.label)}`
  return field.type === 'country' ? country.isoCode : valuesByType[field.type]
}

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

/** Issues for values left from the example of `template` that nobody has by chance: a name, not a town. */
export function leftExamples(type: RecordType, record: Json): Issue[] {
  const issues: Issue[] = []
  visit(type.fields, exampleOf(type), record, '')
  return issues

  // Every record of an import passes here, so no list is made of what is fine.
  function visit(fields: Fields, example: Json, value: Json, above: string): void {
    if (!isObject(value) || !isObject(example)) return
    for (const name in value) {
      const [inner, shown] = [value[name], example[name]]
      if (typeof inner === 'string' ? inner !== shown : typeof inner !== 'object') continue
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (!field) continue
      const path = above + name
      if (field.fields) visit(field.fields, shown, inner, `${path}.`)
      else if (!Array.isArray(inner)) judge(field, inner, path)
      else if (Array.isArray(shown))
        for (const [at, each] of inner.entries()) {
          if (field.item?.fields) visit(field.item.fields, shown[0], each, `${path}[${at}].`)
          else if (shown.includes(each)) judge(field, each, `${path}[${at}]`)
        }
    }
  }

  function judge({ standard }: Field, example: Json, path: string): void {
    if (typeof example === 'string' && (owned.has(standard) || /example/i.test(example)))
      issues.push({ path, message: 'this is still the value of the example' })
  }
}

const exampleOf = onceFor((type: RecordType) => sample(type))

/** The standards of what belongs to one person, account or company. */
const owned: ReadonlySet<Standard | undefined> = new Set<Standard>([
  'reference',
  'nino',
  'ppsn',
  'account-number',
  'roll-number',
  'iban',
  'utr',
  'vat-number',
  'company-number',
  'cis-verification',
  'phone',
  'email',
])
