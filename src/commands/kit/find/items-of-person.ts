import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../../files/json/path.ts'
import { keyOf } from '../../../model/natural-key.ts'
import {
  collectSaid,
  type ItemPerson,
  type KnownBy,
  nameWithReference,
  whoseIs,
} from '../../../model/whose.ts'
import { nameSome, plural } from '../../../text/words.ts'
import { chosenCountry, type Options } from '../../cli/options.ts'
import type { WhoseItem } from '../../cli/resource-verbs.ts'
import { candidateTargets, operationsFor } from '../../cli/target.ts'
import { chooseNear, chooseWhole, describe, inWords, type RecordName, searchHint } from './choose-meant.ts'
import { isSameName, matchNames } from './match-names.ts'
import { readName } from './named-record.ts'
import { type ListedName, readNames } from './search-lists.ts'

/** The items of one person, once all are read. Throws exit 5 for nobody, and 2 where it may be several people. */
export async function selectPerson(
  context: Context,
  text: string,
  whoseItem: WhoseItem,
): Promise<(pages: AsyncIterable<readonly Json[]>) => AsyncGenerator<readonly Json[]>> {
  const everybody = await listPeople(context, {})
  const person = await choosePerson(context, everybody, text, {}, isOnePerson)
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
    if (untold)
      throw usage(
        `What is listed under ${untold.of.reference || person.name} may be of ${nameSome(untold.people.map(nameWithReference), 10)}.`,
        'The service does not show which of them is meant.',
      )
    const isMistyped = ({ doubt }: (typeof found)[number]) => doubt === 'id'
    const [mistyped, wanted] = [found.filter(isMistyped), found.filter((each) => !isMistyped(each))]
    yield wanted.map(({ item }) => item)
    if (mistyped.length > 0)
      context.warn(
        `${plural(mistyped.length, 'item')} under the id of ${nameWithReference(person)} not shown: others are listed under their references, so it may be mistyped.`,
      )
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

/** The person whom a text means, as every command names a person. Throws exit 5 for none, and 6 for several who are not one. */
export async function choosePerson<P extends KnownBy>(
  context: Context,
  everybody: readonly P[],
  text: string,
  options: Options = {},
  isOne: (one: P, other: P) => boolean = () => false,
): Promise<P> {
  const name: RecordName = { ...readName(text.trim()), writes: false }
  const { typed } = name
  const { whole, ...near } = matchNames(everybody, name)
  const onePerson = (people: readonly P[]) =>
    people.every((each, _, [first = each]) => each === first || isOne(first, each))
      ? people.slice(0, 1)
      : people
  const known = await chooseWhole(context, name, onePerson(whole))
  if (known) return known
  const person = await chooseNear(context, name, {
    begun: onePerson(near.begun),
    named: onePerson(near.named),
  })
  if (person) {
    context.note(`${typed} is ${describe(person)}.`)
    return person
  }
  const where = chosenCountry(options)?.inPlace
  const nobody = where === undefined ? 'Nobody' : `Nobody ${where}`
  throw new Failure('not-found', `${nobody} has ${inWords(name)}.`, {
    hint: searchHint(context, 'candidates', typed),
  })
}
