import type { Client } from '../api/client.ts'
import { type CountryId, countries, countryById } from '../api/contract/countries/countries.ts'
import { candidateByCountry } from '../api/contract/countries/country-candidates.ts'
import { fieldAt, leafFields } from '../api/contract/fields/field-tree.ts'
import { mappingOf, requestPath } from '../api/contract/mapping/field-mapping.ts'
import { isMask } from '../api/contract/mapping/service-masks.ts'
import type { FieldValues, Person } from '../check/payroll.ts'
import { closedList, readPeople } from '../check/read-payroll.ts'
import { keyOf } from '../import/natural-key.ts'
import { isBankField } from '../import/row-change.ts'
import { isObject, type Json } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import { type Fingerprint, fingerprintBytes, type Mark, type MarkedPerson, type MarkHeader } from './marks.ts'

/** Somebody who is new or gone, or one field that changed. */
export interface Change {
  readonly change: 'new' | 'gone' | 'changed'
  readonly country: CountryId
  readonly reference: string | undefined
  /** Undefined for somebody who is gone: a mark keeps no names. */
  readonly person: PersonNow | undefined
  /** Of a change: the path in a request. */
  readonly path?: string
  readonly label?: string
  /** Whether it says where somebody's pay goes. */
  readonly isBank: boolean
  /** The reference in the mark, where that is what changed. */
  readonly before?: string | undefined
}

/** Somebody who was read, with the fingerprints. The values are kept of those alone who are not as the mark has them. */
interface PersonNow extends Pick<Person, 'id' | 'reference' | 'name'> {
  readonly marked: MarkedPerson
  /** What the fingerprints of the mark are compared with, and the values. Undefined where there is nothing to compare. */
  readonly differs?: { readonly fields: Buffer; readonly values: FieldValues } | undefined
}

/** The people of the countries that could be read, whole, and which fields the service shows. */
export interface PeopleNow {
  readonly people: readonly PersonNow[]
  readonly fields: MarkHeader['fields']
  readonly paths: MarkHeader['paths']
  /** Sentences about what was not read. */
  readonly remarks: readonly string[]
}

/** The fields of a country that can change: what the service answers, and not the id. */
function fieldsOf(id: CountryId) {
  const { sent, answered } = candidateByCountry[id]
  const mapping = mappingOf(sent)
  return leafFields(answered.fields)
    .filter(({ path }) => path !== 'id')
    .map(({ path: answered, field }) => {
      const path = mapping ? requestPath(mapping, answered) : answered
      return { path, field, masks: { name: path.split('.').at(-1) ?? '', standard: field.standard } }
    })
}

interface Reading {
  readonly countries: readonly CountryId[]
  readonly fingerprint: Fingerprint
  /** What is compared with. */
  readonly before: Mark | undefined
  readonly onPerson: (read: number, total: number) => void
}

/**
 * Reads the people of these countries, each list whole and once; one by one where the list shows less than the records.
 * Of each page the fingerprints are made while the next ones are on their way, and the values are dropped. Throws as a list
 * does: exit 10 for one that is short or changes while it is read.
 */
export async function readMarkedPeople(
  client: Client,
  { countries: wanted, fingerprint, before, onPerson }: Reading,
): Promise<PeopleNow> {
  const remarks: string[] = []
  const fields = new Map(wanted.map((id) => [id, fieldsOf(id)]))
  const paths = new Map([...fields].map(([id, own]) => [id, own.map(({ path }) => path)]))
  const masked = new Map(wanted.map((id) => [id, new Set<string>()]))
  const mark = createMarker(fingerprint, paths, before)
  const onMask = (id: CountryId, values: FieldValues) => {
    for (const { path, masks } of fields.get(id) ?? []) {
      const value = values.get(path)
      if (value !== undefined && isMask(masks, value)) masked.get(id)?.add(path)
    }
  }
  const read = await readPeople(
    client,
    {
      countries: wanted,
      needs: (id) => paths.get(id) ?? [],
      reads: [...new Set([...paths.values()].flat())],
      onClosed: (id) => remarks.push(closedList(id, 'compared')),
      onPerson,
    },
    (person) => {
      onMask(person.country.id, person.values)
      return mark(person)
    },
  )
  for (const { country } of read) {
    const labels = [...(masked.get(country) ?? [])].map((path) => labelOf(country, path))
    if (labels.length > 0)
      remarks.push(
        `${labels.join(', ')} ${countryById[country].inPlace}: not compared, because the service shows a mask instead`,
      )
  }
  const all = read.flatMap(({ people }) => people)
  const people = all.filter((person) => person !== undefined)
  if (people.length < all.length)
    remarks.push(
      `${all.length - people.length} people were not compared: the service shows neither an id nor a reference of them`,
    )
  const isCompared = ({ country, shown }: (typeof read)[number], path: string) =>
    shown.has(path) && !masked.get(country)?.has(path)
  return {
    people,
    fields: Object.fromEntries(
      read.map((each) => [
        each.country,
        (paths.get(each.country) ?? []).filter((path) => isCompared(each, path)),
      ]),
    ),
    paths: Object.fromEntries(read.map(({ country }) => [country, paths.get(country) ?? []])),
    remarks,
  }
}

/** What a person is known by from one mark to the next. */
function identityOf({ id, reference }: Person): string | undefined {
  if (id !== undefined) return `id ${id}`
  return reference === undefined ? undefined : `reference ${keyOf(reference)}`
}

/** A value as text, the same whatever the order of names in an object is; undefined where there is none. */
function valueText(value: Json): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value)
  return value === undefined ? undefined : stringifyJson(sorted(value))
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

/**
 * Makes the fingerprints of a person; undefined for one who has neither id nor reference. The id and the path go into each,
 * so that two equal values of two people, or of two fields, have nothing in common. Those of `before` are used again for a
 * person of whom nothing changed.
 */
function createMarker(
  fingerprint: Fingerprint,
  pathsOf: ReadonlyMap<CountryId, readonly string[]>,
  before: Mark | undefined,
): (person: Person) => PersonNow | undefined {
  const earlier = new Map(before?.people.map((person) => [person.key, person]))
  const listOf = (paths: readonly string[] = []) => paths.join('\0')
  const lists = new Map([...pathsOf].map(([id, paths]) => [id, fingerprint('paths', listOf(paths))]))
  const alike = new Map(
    [...pathsOf].map(([id, paths]) => [id, listOf(before?.header.paths[id]) === listOf(paths)]),
  )
  return (person) => {
    const identity = identityOf(person)
    if (identity === undefined) return undefined
    const { id, reference, name, values } = person
    const country = person.country.id
    const paths = pathsOf.get(country) ?? []
    const texts = paths.map((path) => valueText(values.get(path)))
    const key = fingerprint('person', identity)
    const whole = fingerprint('whole', identity, lists.get(country) ?? '', texts.join('\0'))
    const old = earlier.get(key)
    const common = { country, key, reference: reference ?? null, whole }
    if (old?.whole === whole && old.country === country && alike.get(country))
      return { id, reference, name, marked: { ...common, fields: old.fields } }
    const own = { identity, paths, texts }
    const fields = fingerprint.ofFields(own)
    const differs = old && {
      fields: before?.isFirstFormat ? fingerprint.ofFieldsAtFirst(own) : fields,
      values,
    }
    return { id, reference, name, marked: { ...common, fields }, differs }
  }
}

/** What differs from a mark. */
export interface Comparison {
  readonly changes: readonly Change[]
  readonly remarks: readonly string[]
  /** How many people were compared, or are new. */
  readonly people: number
}

/** Who is new, gone or changed since the mark with which they were read. */
export function compareWithMark(
  { header, people: before }: Mark,
  { people, fields, paths }: PeopleNow,
): Comparison {
  const remarks: string[] = []
  const compared = new Set<CountryId>()
  const both = new Map<CountryId, readonly { path: string; old: number; now: number }[]>()
  for (const { id } of countries) {
    const [old, shown] = [header.fields[id], fields[id]]
    if (!shown) continue
    if (!old) {
      remarks.push(
        `the people ${countryById[id].inPlace} were not compared: the mark ${header.name} does not have them`,
      )
      continue
    }
    compared.add(id)
    const [places, oldPlaces] = [paths, header.paths].map((each) => each[id] ?? [])
    both.set(
      id,
      shown
        .filter((path) => old.includes(path))
        .map((path) => ({ path, now: places?.indexOf(path) ?? -1, old: oldPlaces?.indexOf(path) ?? -1 })),
    )
    const appeared = shown.filter((path) => !old.includes(path)).map((path) => labelOf(id, path))
    const vanished = old.filter((path) => !shown.includes(path)).map((path) => labelOf(id, path))
    if (appeared.length > 0)
      remarks.push(
        `${appeared.join(', ')} ${countryById[id].inPlace}: not compared, because the mark ${header.name} does not have it`,
      )
    if (vanished.length > 0)
      remarks.push(
        `${vanished.join(', ')} ${countryById[id].inPlace}: not compared, because the service does not show it now`,
      )
  }
  const earlier = new Map(before.map((person) => [person.key, person]))
  const changes: Change[] = []
  let count = 0
  for (const person of people) {
    const { marked, differs } = person
    if (!compared.has(marked.country)) continue
    count += 1
    const old = earlier.get(marked.key)
    earlier.delete(marked.key)
    const about = { country: marked.country, reference: person.reference, person }
    if (!old || old.country !== marked.country) {
      changes.push({ change: 'new', ...about, isBank: false })
      continue
    }
    if (!differs) continue
    for (const { path, old: was, now: place } of both.get(marked.country) ?? []) {
      if (fingerprintAt(old.fields, was).equals(fingerprintAt(differs.fields, place))) continue
      const isReference = path === candidateByCountry[marked.country].sent.reference?.request
      changes.push({
        change: 'changed',
        ...about,
        path,
        label: labelOf(marked.country, path),
        isBank: isBankField(candidateByCountry[marked.country].sent, path),
        ...(isReference && { before: old.reference ?? undefined }),
      })
    }
  }
  for (const { country, reference } of earlier.values())
    if (compared.has(country))
      changes.push({
        change: 'gone',
        country,
        reference: reference ?? undefined,
        person: undefined,
        isBank: false,
      })
  return { changes: changes.sort(bankFirst), remarks, people: count }
}

const fingerprintAt = (all: Buffer, at: number) =>
  all.subarray(at * fingerprintBytes, (at + 1) * fingerprintBytes)

const order = { new: 1, gone: 2, changed: 3 } as const

function bankFirst(one: Change, other: Change): number {
  const rank = ({ isBank, change }: Change) => (isBank ? 0 : order[change])
  return rank(one) - rank(other) || (one.reference ?? '').localeCompare(other.reference ?? '')
}

function labelOf(id: CountryId, path: string): string {
  const { sent } = candidateByCountry[id]
  return (fieldAt(sent.fields, path) ?? fieldsOf(id).find((each) => each.path === path)?.field)?.label ?? path
}
