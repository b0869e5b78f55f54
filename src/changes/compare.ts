import type { Client } from '../api/client.ts'
import { type CountryId, countries } from '../api/contract/countries/countries.ts'
import { countryCandidates } from '../api/contract/countries/country-candidates.ts'
import { fieldAt, leafFields } from '../api/contract/fields/field-tree.ts'
import { mappingOf, requestPath } from '../api/contract/mapping/field-mapping.ts'
import { isMask } from '../api/contract/mapping/service-masks.ts'
import type { Person } from '../check/payroll.ts'
import { readPayroll } from '../check/read-payroll.ts'
import { keyOf } from '../import/natural-key.ts'
import { isBankField } from '../import/row-change.ts'
import { isObject, type Json } from '../json/path.ts'
import { stringifyJson } from '../json/stringify.ts'
import {
  type Fingerprint,
  fingerprintLength,
  type Mark,
  type MarkedPerson,
  type MarkHeader,
} from './marks.ts'

/** Somebody who is new or gone, or one field that changed. */
export interface Change {
  readonly change: 'new' | 'gone' | 'changed'
  readonly country: CountryId
  readonly reference: string | undefined
  /** Undefined for somebody who is gone: a mark keeps no names. */
  readonly person: Person | undefined
  /** Of a change: the path in a request. */
  readonly path?: string
  readonly label?: string
  /** Whether it says where somebody's pay goes. */
  readonly isBank: boolean
  /** The reference in the mark, where that is what changed. */
  readonly before?: string | undefined
}

/** The people of the countries that could be read, whole, and which fields the service shows. */
export interface PeopleNow {
  readonly people: readonly Person[]
  readonly fields: MarkHeader['fields']
  /** Sentences about what was not read. */
  readonly remarks: readonly string[]
}

/** The fields of a country that can change: what the service answers, and not the id. */
function fieldsOf(id: CountryId) {
  const { sent, answered } = candidateOf(id)
  const mapping = mappingOf(sent)
  return leafFields(answered.fields)
    .filter(({ path }) => path !== 'id')
    .map(({ path, field }) => ({ path: mapping ? requestPath(mapping, path) : path, field }))
}

function candidateOf(id: CountryId) {
  const candidate = countryCandidates.find((each) => each.id === id)
  if (!candidate) throw new RangeError('there is no such country')
  return candidate
}

/**
 * Reads the people of these countries, each list whole and once; one by one where the list shows less than the records.
 * Throws as a list does: exit 10 for one that is short or changes while it is read.
 */
export async function readPeople(
  client: Client,
  wanted: readonly CountryId[],
  today: string,
  onPerson: (read: number, total: number) => void,
): Promise<PeopleNow> {
  const remarks: string[] = []
  const paths = new Map(wanted.map((id) => [id, fieldsOf(id).map(({ path }) => path)]))
  const {
    people,
    shown,
    countries: read,
  } = await readPayroll(client, {
    today,
    day: today,
    week: undefined,
    days: { first: today, last: today },
    countries: wanted,
    lists: new Set(),
    needs: (id) => paths.get(id) ?? [],
    reads: [...new Set([...paths.values()].flat())],
    onClosed: (id) =>
      remarks.push(`the people ${placeOf(id)} were not compared: the service does not show them`),
    onPerson,
  })
  const masked = maskedPaths(people)
  for (const id of read) {
    const labels = [...(masked.get(id) ?? [])].map((path) => labelOf(id, path))
    if (labels.length > 0)
      remarks.push(
        `${labels.join(', ')} ${placeOf(id)}: not compared, because the service shows a mask instead`,
      )
  }
  const unnamed = people.filter((person) => identityOf(person) === undefined).length
  if (unnamed > 0)
    remarks.push(
      `${unnamed} people were not compared: the service shows neither an id nor a reference of them`,
    )
  const fields = Object.fromEntries(
    [...read].map((id) => [
      id,
      (paths.get(id) ?? []).filter((path) => shown[id].has(path) && !masked.get(id)?.has(path)),
    ]),
  )
  return { people: people.filter((person) => identityOf(person) !== undefined), fields, remarks }
}

/** A mask is the same before and after a change. */
function maskedPaths(people: readonly Person[]): ReadonlyMap<CountryId, Set<string>> {
  const masked = new Map<CountryId, Set<string>>()
  const fields = new Map(
    countries.map(({ id }) => [id, new Map(fieldsOf(id).map(({ path, field }) => [path, field]))]),
  )
  for (const { country, values } of people) {
    for (const [path, value] of values) {
      const name = path.split('.').at(-1) ?? ''
      if (!isMask({ name, standard: fields.get(country.id)?.get(path)?.standard }, value)) continue
      const paths = masked.get(country.id) ?? new Set()
      masked.set(country.id, paths.add(path))
    }
  }
  return masked
}

/** What a person is known by from one mark to the next. */
function identityOf({ id, reference }: Person): string | undefined {
  if (id !== undefined) return `id ${id}`
  return reference === undefined ? undefined : `reference ${keyOf(reference)}`
}

/** A value as text, the same whatever the order of names in an object is. */
function valueText(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value === undefined ? '' : stringifyJson(sorted(value))
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
 * The fingerprints of the people. The id and the path go into each, so that two equal values of two people, or of two
 * fields, have nothing in common. Those of `before` are used again for a person of whom nothing changed.
 */
export function markPeople(
  { people, fields }: PeopleNow,
  fingerprint: Fingerprint,
  before?: Mark,
): MarkedPerson[] {
  const earlier = new Map(before?.people.map((person) => [person.key, person]))
  const isAlike = (id: CountryId) => String(before?.header.fields[id]) === String(fields[id])
  const alike = new Map(countries.map(({ id }) => [id, isAlike(id)]))
  return people.map((person) => {
    const identity = identityOf(person) ?? ''
    const paths = fields[person.country.id] ?? []
    const key = fingerprint('person', identity)
    const texts = paths.map((path) => valueText(person.values.get(path)))
    const whole = fingerprint('whole', identity, ...texts)
    const old = alike.get(person.country.id) ? earlier.get(key) : undefined
    return {
      country: person.country.id,
      key,
      reference: person.reference ?? null,
      whole,
      fields:
        old?.whole === whole && old.country === person.country.id
          ? old.fields
          : paths.map((path, at) => fingerprint('field', identity, path, texts[at] ?? '')).join(''),
    }
  })
}

export interface Comparison {
  readonly changes: readonly Change[]
  readonly remarks: readonly string[]
  /** How many people were compared, or are new. */
  readonly people: number
}

/** Who is new, gone or changed since a mark; `now`: the fingerprints of `people`, in their order. */
export function compareWithMark(
  { header, people: before }: Mark,
  { people, fields }: PeopleNow,
  now: readonly MarkedPerson[],
): Comparison {
  const remarks: string[] = []
  const compared = new Set<CountryId>()
  const both = new Map<CountryId, readonly { path: string; old: number; now: number }[]>()
  for (const { id } of countries) {
    const [old, shown] = [header.fields[id], fields[id]]
    if (!shown) continue
    if (!old) {
      remarks.push(`the people ${placeOf(id)} were not compared: the mark ${header.name} does not have them`)
      continue
    }
    compared.add(id)
    both.set(
      id,
      shown.flatMap((path, at) => (old.includes(path) ? [{ path, now: at, old: old.indexOf(path) }] : [])),
    )
    const appeared = shown.filter((path) => !old.includes(path)).map((path) => labelOf(id, path))
    const vanished = old.filter((path) => !shown.includes(path)).map((path) => labelOf(id, path))
    if (appeared.length > 0)
      remarks.push(
        `${appeared.join(', ')} ${placeOf(id)}: not compared, because the mark ${header.name} does not have it`,
      )
    if (vanished.length > 0)
      remarks.push(
        `${vanished.join(', ')} ${placeOf(id)}: not compared, because the service does not show it now`,
      )
  }
  const earlier = new Map(before.map((person) => [person.key, person]))
  const changes: Change[] = []
  let count = 0
  for (const [at, marked] of now.entries()) {
    const person = people[at]
    if (!person || !compared.has(marked.country)) continue
    count += 1
    const old = earlier.get(marked.key)
    earlier.delete(marked.key)
    const about = { country: marked.country, reference: person.reference, person }
    if (!old || old.country !== marked.country) {
      changes.push({ change: 'new', ...about, isBank: false })
      continue
    }
    for (const { path, old: was, now: place } of both.get(marked.country) ?? []) {
      if (old.fields === marked.fields && was === place) continue
      if (fingerprintAt(old.fields, was) === fingerprintAt(marked.fields, place)) continue
      const isReference = path === candidateOf(marked.country).sent.reference?.request
      changes.push({
        change: 'changed',
        ...about,
        path,
        label: labelOf(marked.country, path),
        isBank: isBankField(candidateOf(marked.country).sent, path),
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

const fingerprintAt = (all: string, at: number) =>
  all.slice(at * fingerprintLength, (at + 1) * fingerprintLength)

const order = { new: 1, gone: 2, changed: 3 } as const

function bankFirst(one: Change, other: Change): number {
  const rank = ({ isBank, change }: Change) => (isBank ? 0 : order[change])
  return rank(one) - rank(other) || (one.reference ?? '').localeCompare(other.reference ?? '')
}

function placeOf(id: CountryId): string {
  return countries.find((each) => each.id === id)?.inPlace ?? id
}

function labelOf(id: CountryId, path: string): string {
  const { sent } = candidateOf(id)
  return (fieldAt(sent.fields, path) ?? fieldsOf(id).find((each) => each.path === path)?.field)?.label ?? path
}
