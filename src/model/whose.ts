import { isNumber } from '../files/json/numbers.ts'
import type { JsonObject } from '../files/json/path.ts'
import { once } from '../once.ts'
import { addTo, groupBy } from '../text/group-by.ts'
import { keyOf, nameKey, withoutLeadingZeros, withoutTitle, wordsOfName } from './natural-key.ts'
import { textIn } from './records/identity.ts'

/** What an item, which is a timesheet or a payslip, says of its person. A text is empty where it does not say it. */
export interface ItemPerson {
  /** assumed: the reference of the person or the id. "Fields of timesheet, payslip …: not shown." */
  readonly reference: string
  /** Whether the reference is a JSON number, which has lost its leading zeros. */
  readonly isNumber: boolean
  readonly name: string
}

/** assumed: the fields seen for this kind of service, in both forms of the list of payslips. */
export const personOn = ({ subcontractorRef, subcontractorName, subcontractor }: JsonObject): ItemPerson => ({
  reference: textIn(subcontractorRef),
  isNumber: isNumber(subcontractorRef),
  name: textIn(subcontractorName) || textIn(subcontractor),
})

/** Asks once for all items that say the same: a person has many payslips, and a text of reference and name would be made for each. */
function onceForPerson<T extends object>(ask: (item: ItemPerson) => T): (item: ItemPerson) => T {
  const [texts, numbers] = [new Map<string, Map<string, T>>(), new Map<string, Map<string, T>>()]
  return (item) => {
    const { reference, name } = item
    const byReference = item.isNumber ? numbers : texts
    const known = byReference.get(reference)?.get(name)
    if (known) return known
    const found = ask(item)
    byReference.set(reference, (byReference.get(reference) ?? new Map<string, T>()).set(name, found))
    return found
  }
}

/** Collects what the items of a list say of their people, each once. */
export function collectSaid() {
  const said: ItemPerson[] = []
  const add = onceForPerson(({ reference, isNumber, name }) => {
    const item = { reference, isNumber, name }
    said.push(item)
    return item
  })
  return { add: (item: ItemPerson): unknown => add(item), all: (): readonly ItemPerson[] => said }
}

/** Somebody by what an item may name them. */
export interface KnownBy {
  readonly id?: string | undefined
  readonly reference?: string | undefined
  readonly name?: string | undefined
  readonly forename?: string | undefined
  readonly surname?: string | undefined
}

/** `Ann Sample (UK-07)` */
export function nameWithReference({ name, reference, id }: KnownBy): string {
  const known = reference ?? id
  return name === undefined ? (known ?? 'somebody without a name') : `${name}${known ? ` (${known})` : ''}`
}

/** Whose an item is: one person, nobody, or each whom it may be of, and then why that is not certain. */
export interface Whose<P> {
  readonly people: readonly P[]
  /**
   * `shared`: several people have the reference, or the name, that it says. `both`: it is the reference of one and the id
   * of another. `id`: a number that is somebody's id, and most items of the list say a reference: it may be mistyped.
   */
  readonly doubt?: 'shared' | 'both' | 'id'
}

/** How a list names its people. */
interface ListOfPeople<P> {
  /** Whether most of its items name people by their ids. */
  readonly usesIds: boolean
  /** Whether many name them by the reference, and many by the id. */
  readonly isMixed: boolean
  readonly whose: (item: ItemPerson) => Whose<P>
}

/**
 * Whom an item may mean: those who have what it says as their reference, and others who have it as their id. Where some of
 * them have the name of the item, those alone.
 */
interface Readings<P> {
  readonly referred: readonly P[]
  readonly identified: readonly P[]
  readonly isNamed: boolean
}

function readerOf<P extends KnownBy>(people: readonly P[]): (item: ItemPerson) => Readings<P> {
  const byReference = groupBy(people, ({ reference }) => reference && keyOf(reference))
  const byNumber = groupBy(people, ({ reference }) => reference && withoutLeadingZeros(keyOf(reference)))
  const byId = groupBy(people, ({ id }) => id && keyOf(id))
  return ({ reference, isNumber, name }) => {
    const key = keyOf(reference)
    const referred =
      byReference.get(key) ?? (isNumber ? byNumber.get(withoutLeadingZeros(key)) : undefined) ?? []
    const identified = (byId.get(key) ?? []).filter((person) => !referred.includes(person))
    const hasIt = (person: P) => hasName(person, name)
    const isNamed = referred.some(hasIt) || identified.some(hasIt)
    return isNamed
      ? { referred: referred.filter(hasIt), identified: identified.filter(hasIt), isNamed }
      : { referred, identified, isNamed }
  }
}

/** Whether an item names its person by reference or id, `either` where nothing tells; undefined where it names nobody. */
function wayOf({ referred, identified, isNamed }: Readings<KnownBy>, { name }: ItemPerson) {
  if (identified.length === 0) return referred.length === 0 ? undefined : 'reference'
  if (referred.length > 0) return 'either'
  return !isNamed && identified.every((person) => isOtherName(person, name)) ? undefined : 'id'
}

/** How most items of a list name their people. */
function waysOf<P extends KnownBy>(
  listed: Iterable<ItemPerson>,
  readings: (item: ItemPerson) => Readings<P>,
) {
  /** Whether an id is not merely a number, which the reference of somebody whom no list has may be too. */
  const isProved = (item: ItemPerson) => !isDigits(item.reference) || readings(item).isNamed
  const counts = { reference: 0, id: 0, either: 0, provedId: 0 }
  for (const items of groupBy(listed, ({ reference }) => keyOf(reference)).values()) {
    const [way, ...others] = new Set(items.map((item) => wayOf(readings(item), item)))
    if (way === undefined || others.length > 0) continue
    counts[way] += 1
    if (way === 'id' && items.some(isProved)) counts.provedId += 1
  }
  const { reference, id, either, provedId } = counts
  return {
    // One mistyped number, or the references of people who left, must not give the hours of everybody to others.
    usesIds: id > reference + either || (id > fewOfMany * reference && fewOfMany * id > either),
    isMixed: fewOfMany * Math.min(provedId, reference) > Math.max(provedId, reference),
  }
}

/**
 * Decides for all items of a list whose each is. `listed`: what the items of the whole list say, because most of them tell
 * whether the service names people by their references or by their ids. A name on an item tells one from the other.
 */
export function whoseIs<P extends KnownBy>(
  people: readonly P[],
  listed: Iterable<ItemPerson>,
): ListOfPeople<P> {
  const readings = readerOf(people)
  const byName = once(() => groupBy(people, namesOf))
  const { usesIds, isMixed } = waysOf(listed, readings)

  function whose(item: ItemPerson): Whose<P> {
    const { reference, name } = item
    if (reference === '')
      return among([...new Set(nameForms(name).flatMap((form) => byName().get(form) ?? []))])
    const { referred, identified, isNamed } = readings(item)
    if (identified.length === 0) return among(referred)
    if (referred.length > 0) {
      if (isMixed) return { people: [...referred, ...identified], doubt: 'both' }
      return among(usesIds ? identified : referred)
    }
    const isSure =
      isNamed || !isDigits(reference) || (usesIds && !identified.every((person) => isOtherName(person, name)))
    return isSure ? among(identified) : { people: identified, doubt: 'id' }
  }

  return { usesIds, isMixed, whose: onceForPerson(whose) }
}

/** Items of a list, and what all of the list says of its people. */
export interface ReadItems<T> {
  readonly items: readonly T[]
  readonly said: readonly ItemPerson[]
}

/** The items of each person, of several where it is not certain whose they are. */
export interface ItemsOfPeople<P, T> extends ListOfPeople<P> {
  readonly items: readonly T[]
  readonly of: (person: P) => readonly T[]
}

/** Finds the items of people. `people`: those of all countries. */
export function itemsOf<P extends KnownBy, T extends ItemPerson>(
  people: readonly P[],
  { items, said }: ReadItems<T>,
): ItemsOfPeople<P, T> {
  const list = whoseIs(people, said)
  const byPerson = new Map<P, T[]>()
  for (const item of items) for (const person of list.whose(item).people) addTo(byPerson, person, item)
  return { ...list, items, of: (person) => byPerson.get(person) ?? [] }
}

/** assumed: one item in so many may have a mistyped reference. Where more say the other, a service has both. */
const fewOfMany = 4

const isDigits = (reference: string) => /^\d+$/.test(reference)

const among = <P>(people: readonly P[]): Whose<P> =>
  people.length > 1 ? { people, doubt: 'shared' } : { people }

/** A name in the forms in which two are compared: without signs, and its words without titles in one order. */
const nameForms = (name: string): readonly string[] =>
  [nameKey(withoutTitle(name)), wordsOfName(name).join(' ')].filter(Boolean)

const namesOf = ({ name, forename = '', surname = '' }: KnownBy): readonly string[] => [
  ...nameForms(name ?? `${forename} ${surname}`),
  ...[nameKey(surname + withoutTitle(forename))].filter(Boolean),
]

const hasName = (person: KnownBy, name: string) => {
  const forms = nameForms(name)
  return namesOf(person).some((form) => forms.includes(form))
}

/** Whether an item has a name of which no word is that of the person: somebody who married keeps the forename. */
function isOtherName(person: KnownBy, name: string): boolean {
  const own = wordsOfName(person.name ?? '')
  const words = wordsOfName(name)
  return words.length > 0 && own.length > 0 && !words.some((word) => own.includes(word))
}
