import { mapAtOnce } from '../api/at-once.ts'
import type { Client } from '../api/client.ts'
import { type CountryId, countryById, countryIds } from '../api/contract/countries/countries.ts'
import { candidateByCountry } from '../api/contract/countries/country-candidates.ts'
import { answerPath, mappingOf } from '../api/contract/mapping/field-mapping.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import { candidatesByCountry, operations } from '../api/contract/operations/operations.ts'
import { idOf } from '../api/contract/records/identity.ts'
import { textIn } from '../api/contract/standards/warning.ts'
import { fetchPages, lacksList, readSteadily } from '../api/pages.ts'
import type { Failure } from '../errors.ts'
import { dayOf, keyOf, nameKey } from '../import/natural-key.ts'
import { personReader } from '../import/person-likeness.ts'
import type { ImportKind } from '../import/service.ts'
import { hasNoValue, isObject, type Json, type JsonObject, valueAt } from '../json/path.ts'
import type { Days, FieldValues, Payroll, Person, Timesheet } from './payroll.ts'
import { amountOf, type ReadList } from './rule.ts'

/** What is wanted of the lists. */
export interface Wanted {
  readonly day: string
  readonly today: string
  readonly week: Days | undefined
  /** Timesheets that have a day in them are read. */
  readonly days: Days
  /** The countries whose people are read. */
  readonly countries: readonly CountryId[]
  readonly lists: ReadonlySet<ReadList>
  /** Of a country: the fields that a rule says nothing without. */
  readonly needs: (country: CountryId) => readonly string[]
  /** All fields that the rules read. */
  readonly reads: readonly string[]
  /** Told of how many people, who are read one by one, so many are there. */
  readonly onPerson?: (read: number, total: number) => void
  /** Told of a list that the key may not read, beside one that it may. */
  readonly onClosed?: (country: CountryId) => void
}

/** How a person is known in a list: as `candidates import` knows one. */
const kind: ImportKind = {
  noun: 'candidates',
  key: { request: ['generalSetting.agencyRef'], item: ['agencyRef'] },
  identityFields: [
    ['generalSetting.forename', 'forename'],
    ['generalSetting.surname', 'surname'],
    ['generalSetting.DOB', 'DOB'],
  ],
}

/** So many people are asked for at the same time. */
const atOnce = 8

/**
 * Reads each list that is needed, whole and once, and keeps of each record what the rules look at. Where the list of a
 * country lacks a field that is needed, and one record shows it, everybody is read one by one. Throws as a list does: exit
 * 10 for one that is short or changes while it is read.
 */
export async function readPayroll(client: Client, wanted: Wanted): Promise<Payroll> {
  const { lists, day, today, week } = wanted
  const [groups, timesheets, paid] = await Promise.all([
    readPeople(client, wanted, (person) => person),
    lists.has('timesheets') ? readTimesheets(client, wanted.days) : new Map<string, Timesheet[]>(),
    lists.has('payslips') ? readPaid(client) : undefined,
  ])
  const people = groups.flatMap((group) => group.people)
  return {
    day,
    today,
    week,
    people,
    byReference: personByReference(people),
    countries: new Set(groups.map(({ country }) => country)),
    shown: Object.fromEntries(
      countryIds.map((id) => [id, groups.find(({ country }) => country === id)?.shown ?? new Set()]),
    ) as Payroll['shown'],
    timesheets,
    paid,
  }
}

/** By the reference, as `keyOf` writes it; of several with one reference, the first. */
export function personByReference(people: readonly Person[]): ReadonlyMap<string, Person> {
  const found = new Map<string, Person>()
  for (const person of people) {
    const key = person.reference === undefined ? undefined : keyOf(person.reference)
    if (key !== undefined && !found.has(key)) found.set(key, person)
  }
  return found
}

interface PeopleOfCountry<T> {
  readonly country: CountryId
  readonly people: readonly T[]
  readonly shown: ReadonlySet<string>
}

/** That the people of a country were not `checked`, or whatever is done with people, for a warning. */
export const closedList = (country: CountryId, done: string): string =>
  `the people ${countryById[country].inPlace} were not ${done}: the service does not show them`

/** What of `Wanted` is about people. */
type WantedPeople = Pick<Wanted, 'countries' | 'needs' | 'reads' | 'onPerson' | 'onClosed'>

/**
 * The people of these countries, each list whole and once; one by one where the list shows less than the records.
 * `keep`: what is kept of each of them, called as soon as all of a person is there. Throws as a list does.
 */
export async function readPeople<T>(
  client: Client,
  wanted: WantedPeople,
  keep: (person: Person) => T,
): Promise<PeopleOfCountry<T>[]> {
  const refusals: Failure[] = []
  const read = await Promise.all(
    wanted.countries.map(async (id) => {
      try {
        return [await readCountry(client, id, wanted, keep)]
      } catch (error) {
        if (!lacksList(error)) throw error
        refusals.push(error)
        wanted.onClosed?.(id)
        return []
      }
    }),
  )
  const [refusal] = refusals
  if (refusal && refusals.length === wanted.countries.length) throw refusal
  return read.flat()
}

async function readCountry<T>(
  client: Client,
  id: CountryId,
  wanted: WantedPeople,
  keep: (person: Person) => T,
): Promise<PeopleOfCountry<T>> {
  const { list, get } = candidatesByCountry[id]
  const reader = createReader(id, wanted.reads)
  const needs = wanted.needs(id)
  const lackingNow = () => needs.filter((path) => !reader.shown.has(path))
  const { kept, waiting } = await readSteadily(async () => {
    reader.shown.clear()
    const kept: T[] = []
    let waiting: Person[] = []
    for await (const items of fetchPages(client, list)) {
      for (const item of items) if (isObject(item)) waiting.push(reader.read(item))
      // Until the list shows all that is needed, the records may have to be read as well.
      if (lackingNow().length > 0) continue
      for (const person of waiting) kept.push(keep(person))
      waiting = []
    }
    return { kept, waiting }
  })
  const lacking = lackingNow()
  const first = waiting.find((person) => person.id !== undefined)
  // One record shows whether the others would say more than the list.
  if (first) await readOne(first)
  if (!first || lacking.every((path) => !reader.shown.has(path)))
    return { country: id, people: [...kept, ...waiting.map(keep)], shown: reader.shown }
  const readWhole = async (person: Person) => keep(person.id === undefined ? person : await readOne(person))
  const whole = await mapAtOnce(waiting, atOnce, readWhole, wanted.onPerson)
  return { country: id, people: whole, shown: reader.shown }

  async function readOne(person: Person): Promise<Person> {
    const record = await client.record(get, { parameters: { id: person.id ?? '' } })
    return record ? merged(person, reader.read(record)) : person
  }
}

/** Values at the places of their paths, which all people of a list share: a map for each takes ten times the memory. */
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

/** What the list says, and what the record says besides. */
function merged(listed: Person, whole: Person): Person {
  const values = new Map([...listed.values, ...whole.values])
  return {
    ...listed,
    number: listed.number ?? whole.number,
    birthday: listed.birthday ?? whole.birthday,
    values,
  }
}

interface Reader {
  /** The fields that some record had, with a value or without. */
  readonly shown: Set<string>
  read(item: JsonObject): Person
}

/** Reads these fields of a person in an answer, under the names of the answer or else of the request. */
function createReader(id: CountryId, paths: readonly string[]): Reader {
  const { sent: type } = candidateByCountry[id]
  const mapping = mappingOf(type)
  const identity = personReader(kind, type)
  const places = paths.map((path) => ({
    path,
    answered: (mapping ? answerPath(mapping, path) : path).split('.'),
    sent: path.split('.'),
  }))
  const shownFields = new Set<string>()
  const placeOf = new Map(paths.map((path, place) => [path, place]))
  return {
    shown: shownFields,
    read(item) {
      const found = places.map(({ path, answered, sent }) => {
        const one = valueAt(item, answered)
        const other = hasNoValue(one) ? valueAt(item, sent) : undefined
        const value = other === undefined ? one : other
        if (value !== undefined) shownFields.add(path)
        return hasNoValue(value) ? undefined : value
      })
      const values = new ValuesInPlace(placeOf, found)
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
      }
    },
  }
}

/** Reads a list page by page, and drops each item once it was used: all of them may be many. */
export async function eachItem(
  client: Client,
  list: Operation,
  use: (item: JsonObject) => void,
): Promise<void> {
  for await (const items of fetchPages(client, list)) for (const item of items) if (isObject(item)) use(item)
}

/** The timesheets that have a day in these, by the reference of their person. */
async function readTimesheets(client: Client, { first, last }: Days): Promise<Map<string, Timesheet[]>> {
  const rates = await readSteadily(() => readRates(client))
  return readSteadily(async () => {
    const byPerson = new Map<string, Timesheet[]>()
    await eachItem(client, operations.timesheets.list, (item) => {
      const sheet = timesheetOf(item, rates)
      if ((sheet.last !== '' && sheet.last < first) || (sheet.first !== '' && sheet.first > last)) return
      const key = keyOf(sheet.reference)
      const others = byPerson.get(key)
      if (others) others.push(sheet)
      else byPerson.set(key, [sheet])
    })
    return byPerson
  })
}

/** By id and by code: how many hours one unit of a payment rate is; undefined where its unit is no time. */
type HoursPerUnit = ReadonlyMap<string, number | undefined>

async function readRates(client: Client): Promise<HoursPerUnit> {
  const hours = new Map<string, number | undefined>()
  await eachItem(client, operations.paymentRates.list, (rate) => {
    const perUnit = hoursPerUnit(rate)
    for (const key of [idOf(rate), rate.code]) if (typeof key === 'string') hours.set(key, perUnit)
  })
  return hours
}

/** How many hours one unit of a payment rate is; undefined where its unit is no time. */
export function hoursPerUnit({ hoursPerUnit: own, units }: JsonObject): number | undefined {
  const hours = amountOf(own)
  const isHourly = typeof units === 'string' && /hour/i.test(units)
  return hours !== undefined && hours > 0 ? hours : isHourly ? 1 : undefined
}

/** assumed: the fields seen for this kind of service. A rate that is not known is one of an hour. */
function timesheetOf(item: JsonObject, rates: HoursPerUnit): Timesheet {
  const day = (name: string) => dayOf(textIn(item, name)).slice(0, 10)
  const lines = (Array.isArray(item.rates) ? item.rates : []).filter(isObject).map((line) => {
    const id = typeof line.rateId === 'string' ? line.rateId : ''
    const perUnit = rates.has(id) ? rates.get(id) : 1
    const [rate, units] = [amountOf(line.rate), amountOf(line.units)]
    const isTime = perUnit !== undefined
    return {
      hourly: isTime && rate !== undefined ? rate / perUnit : undefined,
      hours: isTime && units !== undefined ? units * perUnit : undefined,
    }
  })
  return {
    id: idOf(item),
    reference: idOf({ id: item.subcontractorRef }) ?? '',
    first: day('startDate'),
    last: day('endDate'),
    lines,
  }
}

/** Whom the payslips are of; undefined where they do not say it of anybody. */
function readPaid(client: Client): Promise<ReadonlySet<string> | undefined> {
  return readSteadily(async () => {
    // Somebody has many payslips: each text is folded once.
    const [names, references] = [new Set<string>(), new Set<string>()]
    let count = 0
    await eachItem(client, operations.payslips.list, (item) => {
      count += 1
      const { subcontractorName: name, subcontractorRef: reference } = item
      if (typeof name === 'string' && name.trim() !== '') names.add(name)
      if (typeof reference === 'string' && reference.trim() !== '') references.add(reference.trim())
    })
    const paid = new Set([...[...names].map(nameKey), ...[...references].map(keyOf)])
    return count > 0 && paid.size === 0 ? undefined : paid
  })
}
