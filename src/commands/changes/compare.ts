import type { Client } from '../../api/client.ts'
import type { Json } from '../../files/json/path.ts'
import { canonicalJson } from '../../files/json/stringify.ts'
import { type CountryId, countries, countryById, countryIds } from '../../model/countries/countries.ts'
import { leafFields } from '../../model/fields/field-tree.ts'
import { requestPath } from '../../model/mapping/field-mapping.ts'
import { keyOf } from '../../model/natural-key.ts'
import { isBankField } from '../../model/records/bank-fields.ts'
import { candidateByCountry } from '../../model/resources/country-candidates.ts'
import { plainValue } from '../../model/values/compare-stored.ts'
import type { ComparedPerson } from '../../model/values/person-likeness.ts'
import { onceForText } from '../../once.ts'
import {
  type ClosedCountries,
  type FieldValues,
  fieldOf,
  type Gap,
  gapsOf,
  type Person,
  readPeople,
  type WantedPeople,
} from '../../reading/people.ts'
import { type Fingerprint, fingerprintBytes, type Mark, type MarkedPerson, type MarkHeader } from './marks.ts'

/** Somebody who is new or gone, or one field that changed. */
export interface PersonChange {
  readonly change: 'new' | 'gone' | 'changed'
  readonly country: CountryId
  readonly reference: string | undefined
  /** Undefined for somebody who is gone: a mark keeps no names. */
  readonly person: PersonNow | undefined
  readonly path?: string
  readonly label?: string
  /** Whether it is a bank detail. */
  readonly isBank: boolean
  readonly before?: string | undefined
}

/** A person who was read, with the fingerprints. `differs` has the values of a person who is not as in the mark. */
interface PersonNow extends ComparedPerson {
  readonly marked: MarkedPerson
  readonly differs?: Differs | undefined
}

interface Differs {
  readonly values: FieldValues
  readonly unseen: Person['unseen']
}

/** Everybody in the countries that could be read. */
export interface PeopleNow {
  readonly people: readonly PersonNow[]
  readonly paths: MarkHeader['paths']
  readonly closed: ClosedCountries
  readonly gaps: readonly Gap[]
  /** How many people have neither an id nor a reference: no mark can have them. */
  readonly nameless: number
}

/** The fields of a country that are compared: all that the service answers but the id, as paths of a request. */
function changedPaths(id: CountryId): readonly string[] {
  const { sent, answered } = candidateByCountry[id]
  return leafFields(answered.fields).flatMap(({ path }) => (path === 'id' ? [] : [requestPath(sent, path)]))
}

interface PeopleReading extends Pick<WantedPeople, 'countries' | 'isAskedFor' | 'onPerson'> {
  readonly fingerprint: Fingerprint
  readonly before: Mark | undefined
}

/** Reads the people and makes their fingerprints, page by page. Throws as a list does. */
export async function readMarkedPeople(
  client: Client,
  { countries: wantedCountries, fingerprint, before, ...reading }: PeopleReading,
): Promise<PeopleNow> {
  const paths = Object.fromEntries(wantedCountries.map((id) => [id, changedPaths(id)]))
  const { mark, keep } = createMarker(fingerprint, paths, before)
  /** The people with a field that was not seen. The values of all others are dropped. */
  const unread: Person[] = []
  const visible = new Map<CountryId, ReadonlySet<string>>()
  const peopleRead = await readPeople(
    client,
    {
      ...reading,
      countries: wantedCountries,
      needs: (id) => paths[id] ?? [],
      paths: [...new Set(Object.values(paths).flat())],
    },
    (person) => {
      visible.set(person.country.id, person.shown)
      if (person.unseen.size > 0) unread.push(person)
      return mark(person)
    },
  )
  const people = peopleRead.people.filter((person) => person !== undefined)
  const hidden = [...visible].flatMap(([id, fields]) =>
    (paths[id] ?? [])
      .filter((path) => !fields.has(path))
      .map((path): Gap => ({ country: countryById[id], path, why: 'hidden', people: [], isAll: true })),
  )
  // A field that the service did not show keeps the fingerprint of the last mark.
  for (const { path, country } of hidden)
    for (const { marked } of people) if (marked.country === country.id) keep(marked, path)
  // Only hidden and masked fields are gaps: a day that cannot be read is compared as text.
  const gaps = gapsOf(unread, ({ unseen }) => unseen.keys()).filter(isUncompared)
  const countIn = (id: CountryId) => people.filter(({ marked }) => marked.country === id).length
  return {
    people,
    paths: Object.fromEntries(peopleRead.countries.map((id) => [id, paths[id] ?? []])),
    closed: peopleRead.closed,
    gaps: [
      ...hidden,
      ...gaps.map((gap) => ({ ...gap, isAll: gap.people.length >= countIn(gap.country.id) })),
    ],
    nameless: peopleRead.people.length - people.length,
  }
}

const isUncompared = ({ why }: Pick<Gap, 'why'>) => why === 'hidden' || why === 'masked'

/** What may identify a person from one mark to the next, the surest first. */
const identitiesOf = ({ id, reference }: Person): readonly string[] => [
  ...(id === undefined ? [] : [`id ${id}`]),
  ...(reference === undefined ? [] : [`reference ${keyOf(reference)}`]),
]

/** A key for the people of all countries together: a service may count the ids of each country from one. */
const countryKey = (country: CountryId, key: string) => `${country} ${key}`

const markedByKey = (people: readonly MarkedPerson[]) =>
  new Map(people.map((person) => [countryKey(person.country, person.key), person]))

/** A value as text, whatever the order of names in an object; undefined where there is none. */
const valueText = (value: Json) => (value === undefined ? undefined : canonicalJson(value))

/** The text whose fingerprint is kept: two spellings of one value have the same. */
const markedText = ({ country, values }: Person, path: string): string | undefined =>
  valueText(plainValue(candidateByCountry[country.id].sent, path, values.get(path)))

/**
 * Makes the fingerprints of a person; undefined without an id and a reference. The person and the path go
 * into each one, so that equal values have different fingerprints. Those of `before` are used again where
 * nothing changed. A field that is not seen keeps its old fingerprint, or has all zeros for none.
 */
function createMarker(fingerprint: Fingerprint, pathsOf: MarkHeader['paths'], before: Mark | undefined) {
  const earlier = markedByKey(before?.people ?? [])
  const listOf = onceForText((id) => fingerprint('paths', (pathsOf[id] ?? []).join('\0')))
  function keep({ country, key, fields }: MarkedPerson, path: string): void {
    const old = earlier.get(countryKey(country, key))
    const at = indexIn(pathsOf, country, path)
    if (at < 0 || old?.fields === fields) return
    const oldField = before && old && oldFieldOf(before, old, path)
    const place = fingerprintAt(fields, at)
    if (oldField) place.set(oldField)
    else place.fill(0)
  }

  function mark(person: Person): PersonNow | undefined {
    const { id, reference, name, values } = person
    const country = person.country.id
    const identities = identitiesOf(person)
    // A service that shows ids only since the mark was made has the same people as before.
    const identity =
      identities.find((each) => earlier.has(countryKey(country, fingerprint('person', each)))) ??
      identities[0]
    if (identity === undefined) return undefined
    const who = { id, reference, name, birthday: undefined, number: undefined }
    const paths = pathsOf[country] ?? []
    const texts = paths.map((path) => markedText(person, path))
    const key = fingerprint('person', identity)
    const whole = fingerprint('whole', identity, listOf(country), texts.join('\0'))
    const old = earlier.get(countryKey(country, key))
    const common = { country, key, reference: reference ?? null, whole }
    if (old?.whole === whole) return { ...who, marked: { ...common, fields: old.fields } }
    const ofField = fingerprint.ofPerson(identity)
    const fields = paths.map((path, at) => ofField(path, texts[at]))
    const marked = { ...common, fields: Buffer.concat(fields) }
    const unseen = new Map([...person.unseen].filter(([, why]) => isUncompared({ why })))
    for (const path of unseen.keys()) keep(marked, path)
    return { ...who, marked, differs: old && { values, unseen } }
  }
  return { mark, keep }
}

/** The fingerprint of a field of somebody in a mark; undefined where it has none. */
const oldFieldOf = ({ header }: Mark, old: MarkedPerson, path: string): Buffer | undefined => {
  const at = indexIn(header.paths, old.country, path)
  return at < 0 ? undefined : fingerprintAt(old.fields, at)
}

/** The differences from a mark. */
export interface MarkComparison {
  readonly changes: readonly PersonChange[]
  /** The fields that people have now, and that had no fingerprint in the mark. */
  readonly unmarked: readonly Gap[]
  readonly unmarkedCountries: readonly CountryId[]
  readonly people: number
}

/** Who is new, gone or changed since a mark. The people must have been read with the same mark. */
export function compareWithMark({ header, people: before }: Mark, now: PeopleNow): MarkComparison {
  const { paths } = now
  const isCompared = (id: CountryId) => header.paths[id] !== undefined && paths[id] !== undefined
  const people = now.people.filter(({ marked }) => isCompared(marked.country))
  const earlier = markedByKey(before)
  const changes: PersonChange[] = []
  const unmarked: Gap[] = []
  // Of two countries whose lists both have somebody, a mark may have either, or both.
  const wereThere = new Set(
    before.flatMap((each) => namesAnywhere(each).map((name) => countryKey(each.country, name))),
  )
  const areThere = new Set(now.people.flatMap(({ marked }) => namesAnywhere(marked)))
  for (const country of countries.filter(({ id }) => isCompared(id))) {
    const { id } = country
    const fields = comparedFields(id, header, now)
    const elsewhere = countryIds.filter((other) => other !== id)
    const wasElsewhere = (name: string) => elsewhere.some((other) => wereThere.has(countryKey(other, name)))
    const ofCountry = people.filter(({ marked }) => marked.country === id)
    const withoutMark = new Map<string, PersonNow[]>()
    for (const person of ofCountry) {
      const key = countryKey(id, person.marked.key)
      const old = earlier.get(key)
      earlier.delete(key)
      if (!old && namesAnywhere(person.marked).some(wasElsewhere)) {
        for (const { path } of fields) withoutMark.set(path, [...(withoutMark.get(path) ?? []), person])
        continue
      }
      if (!old) {
        changes.push({ change: 'new', country: id, reference: person.reference, person, isBank: false })
        continue
      }
      for (const name of namesAnywhere(old)) areThere.add(name)
      for (const field of fields) {
        const change = fieldChange(person, old, field)
        if (change === 'unmarked')
          withoutMark.set(field.path, [...(withoutMark.get(field.path) ?? []), person])
        else if (change) changes.push(change)
      }
    }
    for (const [path, people] of withoutMark)
      unmarked.push({ country, path, why: 'unmarked', people, isAll: people.length === ofCountry.length })
  }
  for (const old of earlier.values()) {
    const { country } = old
    const reference = old.reference ?? undefined
    if (isCompared(country) && !namesAnywhere(old).some((name) => areThere.has(name)))
      changes.push({ change: 'gone', country, reference, person: undefined, isBank: false })
  }
  return {
    changes: changes.sort(bankFirst),
    unmarked,
    unmarkedCountries: countryIds.filter((id) => paths[id] !== undefined && header.paths[id] === undefined),
    people: people.length,
  }
}

/** What names somebody in the lists of all countries: without a reference nothing, because each may count its ids from one. */
const namesAnywhere = ({ key, reference }: MarkedPerson): readonly string[] =>
  reference === null ? [] : [`${key} ${reference}`]

/** A field that is compared, with the place of its fingerprint now and in the mark: there -1 for none. */
interface ComparedField {
  readonly path: string
  readonly now: number
  readonly was: number
}

function comparedFields(id: CountryId, header: MarkHeader, { paths, gaps }: PeopleNow): ComparedField[] {
  const hidden = gaps.flatMap(({ isAll, country, why, path }) =>
    isAll && why === 'hidden' && country.id === id ? path : [],
  )
  return (paths[id] ?? [])
    .map((path, now) => ({ path, now, was: indexIn(header.paths, id, path) }))
    .filter(({ path }) => !hidden.includes(path))
}

/** How a field of a person changed since the mark; `unmarked` where it has no fingerprint in it. */
function fieldChange(
  person: PersonNow,
  old: MarkedPerson,
  { path, now, was }: ComparedField,
): PersonChange | 'unmarked' | undefined {
  const { marked, differs, reference } = person
  if (!differs || differs.unseen.has(path)) return undefined
  const then = fingerprintAt(old.fields, was)
  if (isNone(then)) return 'unmarked'
  if (then.equals(fingerprintAt(marked.fields, now))) return undefined
  const { country } = marked
  const { sent } = candidateByCountry[country]
  return {
    change: 'changed',
    country,
    reference,
    person,
    path,
    label: fieldOf(country, path)?.label ?? path,
    isBank: isBankField(sent, path),
    ...(path === sent.reference && { before: old.reference ?? undefined }),
  }
}

/** Whether a mark has a fingerprint of a field, of anybody. */
export function hasMarked({ header, people }: Mark, id: CountryId, path: string): boolean {
  const place = indexIn(header.paths, id, path)
  return people.some(({ country, fields }) => country === id && !isNone(fingerprintAt(fields, place)))
}

/**
 * The people of the mark that is made, and since when they are as in it. It keeps those of a list that is closed now, and
 * where it is made again those of a country that was not asked for, so that they are compared with what was seen last.
 */
export function withUnread({ people, paths, closed }: PeopleNow, before: Mark | undefined, name: string) {
  const isKept = (id: CountryId) =>
    before?.header.paths[id] !== undefined &&
    paths[id] === undefined &&
    (closed.has(id) || before.header.name === name)
  const kept = before ? countryIds.filter(isKept).map((id) => ({ id, ...before.header })) : []
  return {
    people: [
      ...people.map(({ marked }) => marked),
      ...(before?.people.filter(({ country }) => isKept(country)) ?? []),
    ],
    paths: { ...paths, ...Object.fromEntries(kept.map(({ id, paths: were }) => [id, were[id] ?? []])) },
    readAt: Object.fromEntries(kept.map(({ id, readAt, at }) => [id, readAt?.[id] ?? at])),
  }
}

/** Since when a mark tells what changed in some countries. */
export const sinceOf = ({ at, readAt }: MarkHeader, countries: readonly string[]): string =>
  countries.map((id) => readAt?.[id] ?? at).sort()[0] ?? at

/** The place of a field among the fingerprints of a person in a mark; -1 for none. */
const indexIn = (paths: MarkHeader['paths'], id: CountryId, path: string) => paths[id]?.indexOf(path) ?? -1

const isNone = (fingerprint: Buffer) => fingerprint.every((byte) => byte === 0)

/** One of many fingerprints, by its index; empty for -1. */
const fingerprintAt = (buffer: Buffer, at: number) =>
  buffer.subarray(Math.max(0, at) * fingerprintBytes, (at + 1) * fingerprintBytes)

const order = { new: 1, gone: 2, changed: 3 } as const

function bankFirst(one: PersonChange, other: PersonChange): number {
  const rank = ({ isBank, change }: PersonChange) => (isBank ? 0 : order[change])
  return rank(one) - rank(other) || (one.reference ?? '').localeCompare(other.reference ?? '')
}
