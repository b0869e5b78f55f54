import { mapAtOnce } from '../api/at-once.ts'
import type { Client } from '../api/client.ts'
import { fetchPages, lacksList, readSteadily } from '../api/pages.ts'
import { type Failure, onFailure } from '../errors.ts'
import { hasNoValue, isObject, type Json, type JsonObject, lastName } from '../files/json/path.ts'
import { type Country, type CountryId, countryById } from '../model/countries/countries.ts'
import { numberIn } from '../model/fields/amounts.ts'
import type { Field } from '../model/fields/field.ts'
import { fieldAt } from '../model/fields/field-tree.ts'
import { answerPath, placesOf, valueAtPlaces } from '../model/mapping/field-mapping.ts'
import { candidateKind, nameKey } from '../model/natural-key.ts'
import { textIn } from '../model/records/identity.ts'
import { isBlank } from '../model/records/record-type.ts'
import { candidateByCountry, countryCandidates } from '../model/resources/country-candidates.ts'
import { candidatesByCountry } from '../model/resources/operations.ts'
import { type Paid, paidBy, payFields } from '../model/standards/minimum-wage.ts'
import { type ComparedPerson, personReader } from '../model/values/person-likeness.ts'
import { isLeftStatus } from '../model/values/read-record.ts'
import { nameWithReference } from '../model/whose.ts'
import type { Days } from '../text/day.ts'
import { groupBy } from '../text/group-by.ts'
import { nameSome, wordList } from '../text/words.ts'
import { eachOnce, isTaxedElsewhere, listedName, readLists } from './lists.ts'
import { dayIn, type Unseen, unseenBecause } from './values.ts'

/** The values of wanted fields, by their paths in a request: `bankSetting.sortCode`. */
export interface FieldValues extends Iterable<readonly [path: string, value: Json]> {
  get(path: string): Json
}

/** A person of a country's list, with the wanted fields and the reasons why some of them could not be seen. */
export interface Person extends ComparedPerson {
  readonly country: Country
  readonly forename: string
  readonly surname: string
  readonly values: FieldValues
  /** By path: why the value of a field cannot be used. */
  readonly unseen: ReadonlyMap<string, Unseen>
  /** The fields that any record of the country has, with or without a value. Complete once all were read. */
  readonly shown: ReadonlySet<string>
  /** Whether it has tax details of another country, and none of its own. */
  readonly isOfOther: boolean
}

/** The fields that every reading needs: who it is, and whether the person has left. */
export const fieldsOfEveryone = [
  'generalSetting.agencyRef',
  'generalSetting.forename',
  'generalSetting.surname',
  'generalSetting.DOB',
  'generalSetting.dateOfJoining',
  'dateLeft',
  'status',
] as const

/** The text of a field; empty where there is none. */
export const textOf = ({ values }: Person, path: string): string => textIn(values.get(path))

/** The amount or number of a field, which may be text; undefined where there is none. */
export const numberOf = ({ values }: Person, path: string): number | undefined => numberIn(values.get(path))

/** The day of a field; undefined where there is none, or something else. */
export const dayOf = ({ values }: Person, path: string): string | undefined => dayIn(values.get(path))

/** Somebody as the minimum wage judges them. */
export const paidPerson = ({ country, values }: Person): Paid =>
  paidBy(country.id, (path) => values.get(path))

/** Why a field of a person could not be seen; undefined where it was seen, or is known to be empty. */
export function unseenOf({ unseen, shown, values }: Person, path: string): Unseen | undefined {
  return unseen.get(path) ?? (isBlank(values.get(path)) && !shown.has(path) ? 'hidden' : undefined)
}

/** Whether a field of a person is known to be empty. That no value was seen is not enough. */
export const lacks = (person: Person, path: string): boolean =>
  isBlank(person.values.get(path)) && unseenOf(person, path) === undefined

/** Whether somebody starts after a day. */
export const startsAfter = (person: Person, day: string): boolean =>
  (dayOf(person, payFields.start) ?? '') > day

const isUnread = (person: Person, path: string) =>
  unseenOf(person, path) === 'masked' || unseenOf(person, path) === 'unreadable'

/** Whether somebody is paid by the hour. A rate that cannot be read counts as a rate. */
export function isPaidByHour(person: Person): boolean {
  const { hourlyRate, salary } = payFields
  const hasRate = (numberOf(person, hourlyRate) ?? 0) > 0 || isUnread(person, hourlyRate)
  return hasRate || !((numberOf(person, salary) ?? 0) > 0)
}

/**
 * The last day of somebody who left: "nullable dateLeft". No day counts as none, and so does one before the start: that is
 * of an earlier job of somebody who came back.
 */
export function leftOn(person: Person): string | undefined {
  const day = dayOf(person, 'dateLeft')
  return day !== undefined && startsAfter(person, day) ? undefined : day
}

/** Whether somebody had left before a day. */
export function hasLeft(person: Person, day: string): boolean {
  if (dayOf(person, 'dateLeft') === undefined) return isLeftStatus(textOf(person, 'status'))
  return (leftOn(person) ?? day) < day
}

/** Who of the people with one reference was there on some days; all of them where none was, or no day is known. */
export function whoWasThere(sharing: readonly Person[], { first, last }: Days): readonly Person[] {
  const there = sharing.filter(
    (person) => !hasLeft(person, first) && !(last !== '' && startsAfter(person, last)),
  )
  return there.length === 0 ? sharing : there
}

/** The field at a path, of the request or of the answer, for people of a country. */
export function fieldOf(id: CountryId, path: string): Field | undefined {
  const { sent, answered } = candidateByCountry[id]
  return fieldAt(sent.fields, path) ?? fieldAt(answered.fields, answerPath(sent, path))
}

/** `Ann Sample (UK-07), Bob Ray (UK-08) and 12 more`. */
export const listNames = (people: readonly ComparedPerson[]): string =>
  nameSome(people.slice(0, mostPeopleNamed).map(nameWithReference), mostPeopleNamed, people.length)

const mostPeopleNamed = 5

/** The name of a person as `nameKey` writes it, and with the surname first. */
export const nameKeys = ({ forename, surname }: Pick<Person, 'forename' | 'surname'>) =>
  [nameKey(forename + surname), nameKey(surname + forename)] as const

/** Which people to read, and which of their fields, as paths of a request. */
export interface WantedPeople {
  readonly countries: readonly CountryId[]
  /** Fields that matter so much that records are read one by one where the list has none of them. */
  readonly needs: (country: CountryId) => readonly string[]
  readonly paths: readonly string[]
  /** Whether to try every record for a needed field; else only `usuallyTried`. */
  readonly isAskedFor?: boolean | undefined
  readonly onPerson?: ((read: number, total: number) => void) | undefined
}

/** The countries whose list the service does not have, or not for this key, and what it answered. */
export type ClosedCountries = ReadonlyMap<CountryId, Failure>

/** The people that were read, of which countries, and the lists that are closed. */
export interface PeopleRead<T> {
  readonly people: readonly T[]
  readonly countries: readonly CountryId[]
  readonly closed: ClosedCountries
}

/**
 * Reads the people of these countries: each list once, and the records one by one where the list shows less. `keep` gets
 * each as soon as it is complete. Who is in two lists is one person. Throws exit 10 for a list that is short or moves.
 */
export async function readPeople<T = Person>(
  client: Client,
  wanted: WantedPeople,
  keep: (person: Person) => T = (person) => person as T,
): Promise<PeopleRead<T>> {
  const { countries } = wanted
  const { read, closed } = await readLists(countries, async (id, noteAnswer) => {
    const withName = (person: Person) => [listedName(person, id), keep(person), person.isOfOther] as const
    const entries = await readPeopleOf(client, id, wanted, withName, noteAnswer)
    return { kept: entries, names: new Set(entries.map(([name]) => name)) }
  })
  const [first] = closed
  if (first && closed.length === countries.length) throw first.failure
  const without = new Map(closed.map(({ list, failure }) => [list, failure]))
  return { people: eachOnce(read), countries: countries.filter((id) => !without.has(id)), closed: without }
}

const atOnce = 8
/** After this many records without a field, it counts as one that no record shows. */
const usuallyTried = 24

async function readPeopleOf<T>(
  client: Client,
  id: CountryId,
  wanted: WantedPeople,
  keep: (person: Person) => T,
  noteAnswer: () => void,
): Promise<readonly T[]> {
  const { list, get } = candidatesByCountry[id]
  const reader = createReader(id, wanted.paths)
  // Who it is matters to every reading that asks for it: what is listed of somebody is found by the reference.
  const needs = [...wanted.needs(id), ...wanted.paths.filter((path) => path === fieldsOfEveryone[0])]
  const lackingNow = () => needs.filter((path) => !reader.shown.has(path))
  const { kept, waiting } = await readSteadily(async () => {
    reader.shown.clear()
    const results: T[] = []
    let waiting: Person[] = []
    for await (const items of fetchPages(client, list)) {
      noteAnswer()
      for (const item of items) if (isObject(item)) waiting.push(reader.read(item))
      // As long as the list lacks a needed field, the records may have to be read too.
      if (lackingNow().length > 0) continue
      for (const person of waiting) results.push(keep(person))
      waiting = []
    }
    return { kept: results, waiting }
  })
  const lacking = lackingNow()
  const whole = new Map<Person, Person>()
  const sample = spreadOver(
    waiting.filter((person) => person.id !== undefined),
    wanted.isAskedFor ? waiting.length : usuallyTried,
  )
  const showsMore = () => lacking.some((path) => reader.shown.has(path))
  const readInto = async (person: Person) => whole.set(person, await readOne(person))
  for (let from = 0; from < sample.length && !showsMore(); from += atOnce)
    await mapAtOnce(sample.slice(from, from + atOnce), atOnce, readInto)
  const readUnlessRead = async (person: Person) => whole.has(person) || readInto(person)
  await mapAtOnce(showsMore() ? waiting : [], atOnce, readUnlessRead, wanted.onPerson)
  return [...kept, ...waiting.map((person) => keep(whole.get(person) ?? person))]

  /** Reads one record. If that fails, the fields that the list lacks count as hidden. */
  async function readOne(person: Person): Promise<Person> {
    const reply = person.id === undefined ? undefined : await replyFor(person.id)
    if (!reply?.record) {
      const hidden = lacking.map((path) => [path, 'hidden'] as const)
      return { ...person, unseen: new Map([...hidden, ...person.unseen]) }
    }
    const whole = reader.read(reply.record)
    const unseen = new Map([...person.unseen].filter(([path]) => whole.values.get(path) === undefined))
    return {
      ...person,
      reference: person.reference ?? whole.reference,
      name: person.name ?? whole.name,
      forename: person.forename || whole.forename,
      surname: person.surname || whole.surname,
      number: person.number ?? whole.number,
      birthday: person.birthday ?? whole.birthday,
      values: new Map([...person.values, ...whole.values]),
      unseen: new Map([...unseen, ...whole.unseen]),
    }
  }

  function replyFor(id: string) {
    return client.call(get, { parameters: { id } }).catch(
      onFailure((failure) => {
        if (!lacksList(failure)) throw failure
      }),
    )
  }
}

/** At most this many items, spread over the whole list: new starters stand together at one end. */
function spreadOver<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  const step = (items.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, at) => items[Math.round(at * step)] as T)
}

const nothingUnseen: ReadonlyMap<string, Unseen> = new Map()

/** Makes a reader of fields, under their names in the answer or else in the request. */
function createReader(id: CountryId, paths: readonly string[]) {
  const { sent: type } = candidateByCountry[id]
  const identity = personReader(candidateKind, type)
  const otherTypes = countryCandidates.flatMap(({ sent }) => (sent === type ? [] : [sent]))
  const fields = paths.flatMap((path) => {
    const field = fieldOf(id, path)
    if (!field) return []
    const why = unseenBecause(field, lastName(path))
    return [{ path, places: placesOf(type, path), isDate: field.type === 'date', unseenBecause: why }]
  })
  const visible = new Set<string>()
  const placeOf = new Map(fields.map(({ path }, place) => [path, place]))
  return {
    shown: visible,
    read(item: JsonObject): Person {
      let unseen: Map<string, Unseen> | undefined
      const own = fields.map(({ path, places, isDate, unseenBecause }) => {
        const value = valueAtPlaces(item, places)
        if (value === undefined) return undefined
        visible.add(path)
        if (hasNoValue(value)) return undefined
        const why = unseenBecause(value)
        if (why) unseen = (unseen ?? new Map<string, Unseen>()).set(path, why)
        return (isDate && dayIn(value)) || value
      })
      const values = new ValuesInPlace(placeOf, own)
      const text = (path: string) => {
        const value = values.get(path)
        return typeof value === 'string' ? value.trim() : ''
      }
      return {
        ...identity.listed(item),
        country: countryById[id],
        forename: text('generalSetting.forename'),
        surname: text('generalSetting.surname'),
        values,
        unseen: unseen ?? nothingUnseen,
        shown: visible,
        isOfOther: isTaxedElsewhere(item, type, otherTypes),
      }
    },
  }
}

/** The values of one person. All share the places of the paths: a map for each would take ten times the memory. */
class ValuesInPlace implements FieldValues {
  readonly #places: ReadonlyMap<string, number>
  readonly #values: readonly Json[]

  constructor(places: ReadonlyMap<string, number>, values: readonly Json[]) {
    this.#places = places
    this.#values = values
  }

  get(path: string): Json {
    const place = this.#places.get(path)
    return place === undefined ? undefined : this.#values[place]
  }

  *[Symbol.iterator](): Iterator<readonly [string, Json]> {
    for (const [path, place] of this.#places) {
      const value = this.#values[place]
      if (value !== undefined) yield [path, value]
    }
  }
}

/** A field that could not be seen for some people of a country, or for all. */
export interface Gap {
  readonly country: Country
  readonly path: string
  readonly why: Unseen
  readonly people: readonly ComparedPerson[]
  readonly isAll: boolean
}

/** The needed fields that could not be seen, grouped. */
export function gapsOf(people: readonly Person[], matters: (person: Person) => Iterable<string>): Gap[] {
  const gaps = new Map<string, { country: Country; path: string; why: Unseen; people: Person[] }>()
  const counts = new Map<Country, number>()
  for (const person of people) {
    const { country } = person
    counts.set(country, (counts.get(country) ?? 0) + 1)
    for (const path of matters(person)) {
      const why = unseenOf(person, path)
      if (!why) continue
      const key = `${country.id} ${why} ${path}`
      const gap = gaps.get(key)
      if (gap) gap.people.push(person)
      else gaps.set(key, { country, path, why, people: [person] })
    }
  }
  return [...gaps.values()].map((gap) => ({ ...gap, isAll: gap.people.length === counts.get(gap.country) }))
}

/** A sentence for each country and reason: `for people paid in the UK the service does not return …`. */
export function gapSentences(
  gaps: readonly Gap[],
  done: string,
  named = ({ country, path }: Gap): string => fieldOf(country.id, path)?.label ?? path,
): string[] {
  const groups = groupBy(gaps, ({ country, why, isAll, people }) => {
    const whose = isAll ? 'all' : people.map(({ id, reference }) => id ?? reference).join('\n')
    return `${country.id} ${why} ${whose}`
  })
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const whom = first.isAll ? `people paid ${first.country.inPlace}` : listNames(first.people)
    return [`for ${whom} ${unseenWords[first.why](wordList(group.map(named), 'and'))}: that was not ${done}`]
  })
}

const unseenWords: Readonly<Record<Unseen, (labels: string) => string>> = {
  unmarked: (labels) => `the last mark has no ${labels} to compare with`,
  hidden: (labels) => `the service does not return ${labels}`,
  masked: (labels) => `the service shows a mask, or no real value, instead of ${labels}`,
  unreadable: (labels) => `${labels} cannot be read as a date or an amount`,
}

/** Says, without a full stop, that the people of a country were not `done`. */
export const closedSentence = (country: CountryId, done: string): string =>
  `the people ${countryById[country].inPlace} were not ${done}: the service does not show them`
