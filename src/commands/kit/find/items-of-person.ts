import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../../files/json/path.ts'
import { keyOf } from '../../../model/natural-key.ts'
import { collectSaid, type ItemPerson, nameWithReference, whoseIs } from '../../../model/whose.ts'
import { agree, nameSome, plural, wordList } from '../../../text/words.ts'
import { chosenCountry, type Options } from '../../cli/options.ts'
import type { WhoseItem } from '../../cli/resource-verbs.ts'
import { candidateTargets, operationsFor } from '../../cli/target.ts'
import { commandLine } from '../command-line.ts'
import { isReference, isSameName, matchNames, type NamedItem } from './match-names.ts'
import { type ListedName, readNames } from './search-lists.ts'

/** The items of one person, once all are read. Throws exit 5 for nobody, and 2 where it may be several people. */
export async function selectPerson(
  context: Context,
  words: readonly string[],
  whoseItem: WhoseItem,
): Promise<(pages: AsyncIterable<readonly Json[]>) => AsyncGenerator<readonly Json[]>> {
  const everybody = await listPeople(context, {})
  const person = await choosePerson(context, everybody, words, {}, isOnePerson)
  const own = everybody.filter((each) => each === person || isOnePerson(person, each))
  const isOwn = (each: ListedName) => own.includes(each)
  const alone = whoseIs(own, [])
  return async function* (pages) {
    const said = collectSaid()
    const mayBeOwn: { readonly item: JsonObject; readonly of: ItemPerson }[] = []
    for await (const items of pages) {
      for (const item of items) {
        if (!isObject(item)) continue
        const of = whoseItem(item)
        said.add(of)
        if (alone.whose(of).people.length > 0) mayBeOwn.push({ item, of })
      }
    }
    const { whose } = whoseIs(everybody, said.all())
    const found = mayBeOwn
      .map((each) => ({ ...each, ...whose(each.of) }))
      .filter(({ people }) => people.some(isOwn))
    const untold = found.find(({ people }) => !people.every(isOwn))
    if (untold) {
      const { people, of } = untold
      const [what, has] =
        of.reference === ''
          ? [`called ${person.name}`, 'a name and no reference']
          : [
              `with ${people.every((each) => isReference(each.reference, of.reference)) ? 'the reference' : 'the reference or the id'} ${of.reference}`,
              'a reference, and a name that tells nothing',
            ]
      throw severalPeople(
        `People ${what}`,
        people,
        `The service does not show which of them is meant: what it lists has ${has}.`,
      )
    }
    const isMistyped = ({ doubt }: (typeof found)[number]) => doubt === 'id'
    const [mistyped, wanted] = [found.filter(isMistyped), found.filter((each) => !isMistyped(each))]
    yield wanted.map(({ item }) => item)
    if (mistyped.length > 0) {
      const said = wordList([...new Set(mistyped.map(({ of }) => of.reference))], 'and')
      context.warn(
        `${plural(mistyped.length, 'item')} under ${said} ${agree(mistyped.length, 'is')} not shown: that is the id of ${nameWithReference(person)}, and others are listed under their references, so it may be mistyped.`,
      )
    }
    if (wanted.some(({ of }) => of.reference === ''))
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
  readNames(context, operationsFor(candidateTargets.list, options), { needsOne: true })

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
    throw severalPeople(`Several people fit ${typed}`, found, howToChoose(found, typed, everybody))
  return person
}

/** What tells people apart: the name of those whose numbers are mixed up, else the reference, or the id where that is of one alone. */
function howToChoose(people: readonly NamedItem[], typed: string, everybody: readonly NamedItem[]): string {
  const names = people.flatMap(({ name }) => name ?? [])
  const isNumberOfAll = people.every(({ id, reference }) => id === typed || isReference(reference, typed))
  if (isNumberOfAll && people.some(({ id }) => id === typed) && new Set(names).size === people.length)
    return `Name one of them by the name: ${wordList(names, 'or')}.`
  const isOwn = (text = '') => text !== '' && matchNames(everybody, text).whole.length === 1
  const byReference = people.filter(({ reference }) => isOwn(reference))
  if (byReference.length === people.length) return 'Name one of them by the reference.'
  const [isMixed, ids] = [byReference.length > 0, people.filter(({ id }) => isOwn(id))]
  if (ids.length + byReference.length === 0) return 'The service shows no id of them.'
  const says = people.flatMap((person) => {
    const { id, reference, name = 'one without a name' } = person
    const own = byReference.includes(person) ? reference : ids.includes(person) ? id : undefined
    return own ? [`${own} is ${name}`] : []
  })
  return `Name one of them by ${isMixed ? 'the reference or the id' : 'the id'}: ${wordList(says, 'and')}.`
}

const severalPeople = (what: string, people: readonly NamedItem[], hint: string): Failure =>
  usage(`${what}: ${nameSome(people.map(nameWithReference), 10)}.`, hint)
