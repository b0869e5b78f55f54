import type { Context } from '../../context/context.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { namePartsIn } from '../../files/table/whole-names.ts'
import { nameKey } from '../../model/natural-key.ts'
import { payFields } from '../../model/standards/minimum-wage.ts'
import { textAt } from '../../model/standards/warning.ts'
import { bareReference } from '../../model/values/person-likeness.ts'
import { nameWithReference, whoseIs } from '../../model/whose.ts'
import { dayOf, leftOn, nameKeys, numberOf, type Person, whoWasThere } from '../../reading/people.ts'
import { spelledOut } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import { wordList } from '../../text/words.ts'
import { openPrompts } from '../kit/open-prompts.ts'
import type { LineFindings } from './findings.ts'
import { firstAndLastDay } from './hours.ts'

/** By the `nameKey` of a name in the sheet: the person that the user chose; null where the user said that it is none. */
type NamedPeople = ReadonlyMap<string, Person | null>

/** The people of the service, by what a sheet may say of them. */
export interface People {
  readonly all: readonly Person[]
  readonly whose: ReturnType<typeof whoseIs<Person>>['whose']
  /** By the reference without zeros, dashes and spaces, which a spreadsheet may have dropped. */
  readonly byBareReference: ReadonlyMap<string, readonly Person[]>
  /** By `nameKey` of forename and surname, in both orders. */
  readonly byName: ReadonlyMap<string, readonly Person[]>
  readonly named: NamedPeople
}

/** Indexes people. Who is meant by a name is asked later. */
export const indexPeople = (people: readonly Person[]): People => ({
  all: people,
  // By what is listed, `checkWhose` judges later.
  whose: whoseIs(people, []).whose,
  byBareReference: groupBy(people, ({ reference }) => reference && bareReference(reference)),
  byName: groupBy(people, nameKeys),
  named: new Map(),
})

/** The name by which alone a row says who worked; undefined where it has a reference, or neither. */
export function nameWithoutReference(record: JsonObject): string | undefined {
  const { name, reference } = whoIn(record)
  return name !== '' && reference === '' ? name : undefined
}

/** Asks who is meant by each name, by its `nameKey`. Without a terminal it guesses at none. */
export async function askNames(
  context: Context,
  names: ReadonlyMap<string, string>,
  { byName }: People,
): Promise<NamedPeople> {
  const named = new Map<string, Person | null>()
  if (!context.interactive) return named
  const only = [...names].flatMap(([key, name]) => {
    const [person, other] = byName.get(key) ?? []
    return person && !other ? [{ key, name, person }] : []
  })
  if (only.length > 0) {
    context.note(`These have a name and no reference:`)
    for (const { name, person } of only) context.note(`  ${name}: ${nameWithReference(person)}`)
    const right = await askWhoIsRight(context, only)
    for (const each of only) named.set(each.key, right.includes(each) ? each.person : null)
  }
  for (const [key, name] of names) {
    const people = byName.get(key) ?? []
    if (people.length < 2) continue
    const ask = await openPrompts(context)
    const person = await ask.choose<Person | null>({
      message: `${name}: which of ${people.length} people is it?`,
      choices: [
        { value: null, name: 'None of them, or not known' },
        ...people.map((each) => ({ value: each, name: `${nameWithReference(each)}, ${termsOf(each)}` })),
      ],
    })
    named.set(key, person)
  }
  return named
}

/** `UK, since 3 April 2026, £12.50 an hour`: what tells people of one name apart, where the sheet has no reference. */
function termsOf(person: Person): string {
  const [start, left] = [dayOf(person, payFields.start), leftOn(person)]
  const [hourly, salary] = [payFields.hourlyRate, payFields.salary].map((path) => numberOf(person, path))
  const { place, currency } = person.country
  const pay =
    hourly === undefined ? salary && `${currency}${salary} a year` : `${currency}${hourly.toFixed(2)} an hour`
  return [place, start && `since ${spelledOut(start)}`, left && `left on ${spelledOut(left)}`, pay]
    .filter(Boolean)
    .join(', ')
}

interface NamedPerson {
  readonly key: string
  readonly name: string
  readonly person: Person
}

/** Asks whether these are the people, and of which name not, until the others are right. */
async function askWhoIsRight(context: Context, people: readonly NamedPerson[]) {
  const ask = await openPrompts(context)
  for (let right = people; right.length > 0; ) {
    const isFirst = right === people
    const [one, several] = isFirst
      ? ['Is this the person?', `Are these the ${right.length} people?`]
      : ['Is the other one right?', `Are the other ${right.length} right?`]
    if (await ask.confirm({ message: right.length === 1 ? one : several, default: false })) return right
    if (right.length === 1) break
    const wrong = await ask.choose<NamedPerson | null>({
      message: 'Which one is wrong?',
      help: 'The rows of that name are left out. The others are asked about once more.',
      choices: [
        { value: null, name: 'All of them, or not known' },
        ...right.map((each) => ({ value: each, name: `${each.name}: ${nameWithReference(each.person)}` })),
      ],
    })
    if (!wrong) break
    right = right.filter((each) => each !== wrong)
  }
  return []
}

/** What a row says of who worked. The name is without a title, and empty where there is none. */
function whoIn(record: JsonObject) {
  const whole = textAt(record, 'personName').trim()
  const [reference, referencePath] = [textAt(record, 'subcontractorRef'), 'subcontractorRef']
  // A column "Employee" may have references, and no name is one word with a digit.
  if (reference === '' && /^(?=.*\d)\S+$/.test(whole))
    return { reference: whole, referencePath: 'personName', name: '', path: 'personName' }
  const [forename, surname] = ['personForename', 'personSurname'].map((path) => textAt(record, path).trim())
  const parts = whole === '' ? { forename, surname } : namePartsIn(whole)
  const name = [parts.forename, parts.surname].filter(Boolean).join(' ')
  return { reference, referencePath, name, path: whole === '' && surname ? 'personSurname' : 'personName' }
}

/** Who worked: by the reference, or by a name that the user confirmed. */
export function personOf(
  record: JsonObject,
  people: People,
  { wrong, leaveOut, hold, hasColumn }: LineFindings,
): Person | undefined {
  const { name, path, reference, referencePath } = whoIn(record)
  if (reference === '') {
    const person = people.named.get(nameKey(name))
    if (person) return person
    const write = hasColumn('subcontractorRef')
      ? 'write the reference of the person'
      : 'add a column Reference, with the reference of the person'
    if (name === '') wrong('subcontractorRef', 'no reference: who worked?')
    else if (person === null)
      leaveOut(
        path,
        `it was not confirmed that this is ${whoAre(name, people)}: ${write}, or leave the row out`,
      )
    else wrong(path, whoIsCalled(name, people, write))
    return undefined
  }
  const [first, last] = firstAndLastDay(record)
  const written = people.whose({ reference, isNumber: false, name: '' })
  // A name tells the reference of one from the id of another; between two who share a reference, the service hears no name.
  const meant = written.doubt === 'shared' ? written : people.whose({ reference, isNumber: false, name })
  // Somebody who came back may have an old record too.
  const [person, ...others] = whoWasThere(meant.people, {
    first: first || last,
    last: last || first,
  })
  if (!person || others.length > 0) {
    wrong(
      referencePath,
      person
        ? `${others.length + 1} people on the service have this reference`
        : whoIsMeant(reference, people),
    )
    return undefined
  }
  const names = nameKeys(person)
  if (name !== '' && names[0] !== '' && !names.includes(nameKey(name)))
    hold(path, `the service has ${person.name} under this reference`)
  return person
}

function whoIsCalled(name: string, people: People, write: string): string {
  const who = whoAre(name, people)
  return who === ''
    ? `nobody on the service has this name: ${write}`
    : `${write}, because a name counts only once somebody at a terminal said who it is: ${who}?`
}

const whoAre = (name: string, { byName }: People) =>
  wordList((byName.get(nameKey(name)) ?? []).slice(0, 3).map(nameWithReference), 'or')

function whoIsMeant(reference: string, { byName, byBareReference }: People): string {
  const [called] = byName.get(nameKey(reference)) ?? []
  if (called) return `this is a name: write the reference of the person. ${nameWithReference(called)}?`
  const [similar] = byBareReference.get(bareReference(reference)) ?? []
  const suggestion = similar ? `: did you mean ${nameWithReference(similar)}?` : ''
  return `nobody on the service has this reference${suggestion}`
}
