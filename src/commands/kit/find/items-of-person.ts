import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { isObject, type Json } from '../../../files/json/path.ts'
import { keyOf } from '../../../model/natural-key.ts'
import { nameWithReference } from '../../../reading/people.ts'
import { nameSome, wordList } from '../../../text/words.ts'
import { chosenCountry, type Options } from '../../cli/options.ts'
import type { WhoseItem } from '../../cli/resource-verbs.ts'
import { candidateTargets, operationsFor } from '../../cli/target.ts'
import { commandLine } from '../command-line.ts'
import { isSameName, matchNames, type NamedItem } from './match-names.ts'
import { type ListedName, readNames } from './search-lists.ts'

/** The items of one person: by reference, or by a whole name that only one has. Throws exit 5 for none, 2 for several. */
export async function selectPerson(
  context: Context,
  words: readonly string[],
  whoseItem: WhoseItem,
): Promise<(pages: AsyncIterable<readonly Json[]>) => AsyncGenerator<readonly Json[]>> {
  const everybody = await listPeople(context, {})
  const person = await choosePerson(context, everybody, words, {}, isOnePerson)
  const key = person.reference === undefined ? undefined : keyOf(person.reference)
  const isNamesake = (name = '') => name !== '' && isSameName(name, person.name ?? '')
  // A service may name people by their ids, of which one may be the reference of somebody else.
  const id = keyOf(person.id ?? '')
  const isOwnId = !everybody.some(({ reference }) => keyOf(reference ?? '') === id)
  // A number may be the reference of somebody whom no list has any more, or one without its zeros: the name says it.
  const isSure = /\D/.test(id)
  const isOwn = ({ reference, name }: ReturnType<WhoseItem>) =>
    keyOf(reference) === key || (isOwnId && keyOf(reference) === id && (isSure || isNamesake(name)))
  const isRival = (each: ListedName) => each !== person && !isOnePerson(person, each)
  const namesakes = everybody.filter((each) => isRival(each) && isNamesake(each.name))
  const sharers = everybody.filter((each) => isRival(each) && keyOf(each.reference ?? '') === key)
  return async function* (pages) {
    let [byName, untold] = [0, 0]
    for await (const items of pages) {
      const wanted = items.filter((item) => {
        if (!isObject(item)) return false
        const whose = whoseItem(item)
        if (whose.reference !== '' && !isOwn(whose)) return false
        if (whose.reference !== '') {
          // A person in another country may have the reference: then the name says whose it is.
          const isOfSharer =
            whose.name !== '' && sharers.some(({ name = '' }) => isSameName(whose.name, name))
          if (sharers.length > 0 && isNamesake(whose.name) === isOfSharer) untold += 1
          return sharers.length === 0 || !isOfSharer
        }
        if (!isNamesake(whose.name)) return false
        byName += 1
        return true
      })
      if (byName > 0 && namesakes.length > 0)
        throw severalPeople(
          `People called ${person.name}`,
          [person, ...namesakes],
          'The service does not show which of them is meant: what it lists has a name and no reference.',
        )
      if (untold > 0)
        throw severalPeople(
          `People with the reference ${person.reference}`,
          [person, ...sharers],
          'The service does not show which of them is meant: what it lists has a reference, and a name that tells nothing.',
        )
      yield wanted
    }
    if (byName > 0)
      context.note(
        `The service shows no reference here. These are for the name ${person.name}, which only one person has.`,
      )
  }
}

/** Whether two records are of one person, who is paid in two countries under one reference, or came back under it. */
const isOnePerson = (one: ListedName, other: ListedName) =>
  one.reference !== undefined &&
  keyOf(one.reference) === keyOf(other.reference ?? '') &&
  isSameName(one.name ?? '', other.name ?? '')

/** The people of the country that the options name, or of all countries. */
export const listPeople = (context: Context, options: Options): Promise<readonly ListedName[]> =>
  readNames(context, operationsFor(candidateTargets.list, options))

/**
 * The person of a reference, an id, a whole name or a part of it, among the people of the country that the
 * options name. Throws exit 5 for none, exit 2 for several, unless those are one person.
 */
export async function choosePerson<P extends NamedItem>(
  context: Context,
  everybody: readonly P[],
  words: readonly string[],
  options: Options = {},
  isOne: (one: P, other: P) => boolean = () => false,
): Promise<P> {
  const typed = words.join(' ').trim()
  if (typed === '') throw usage('Name a person, by the reference or the name.')
  const { whole, named } = matchNames(everybody, typed)
  const found = whole.length > 0 ? whole : named
  const [person, ...others] = found
  if (!person) {
    const where = chosenCountry(options)?.inPlace
    const nobody = where === undefined ? 'Nobody' : `Nobody ${where}`
    const isBlind = everybody.length > 0 && everybody.every(({ reference }) => reference === undefined)
    const find = await commandLine(context, 'candidates', 'find', ...typed.split(/\s+/))
    throw new Failure('not-found', `${nobody} has the reference or the name ${typed}.`, {
      hint: isBlind ? 'The list shows no references: type the id.' : `To look for a person: ${find}`,
    })
  }
  if (!others.every((other) => isOne(person, other)))
    throw severalPeople(`Several people fit ${typed}`, found, howToChoose(found))
  return person
}

/** What tells people apart: the reference, unless two of them have the same one, or one has none. */
function howToChoose(people: readonly NamedItem[]): string {
  const references = new Set(people.flatMap(({ reference }) => (reference ? [keyOf(reference)] : [])))
  if (references.size === people.length) return 'Name one of them by the reference.'
  const ids = people.flatMap(({ id, name }) => (id ? [`${id} is ${name ?? 'one without a name'}`] : []))
  return ids.length === 0
    ? 'The service shows no id of them.'
    : `Name one of them by the id: ${wordList(ids, 'and')}.`
}

const severalPeople = (what: string, people: readonly NamedItem[], hint: string): Failure =>
  usage(`${what}: ${nameSome(people.map(nameWithReference), 10)}.`, hint)
