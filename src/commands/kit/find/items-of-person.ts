import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { isObject, type Json } from '../../../files/json/path.ts'
import { keyOf } from '../../../model/natural-key.ts'
import { nameWithReference } from '../../../reading/people.ts'
import { foldText, nameSome, wordsOf } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import type { WhoseItem } from '../../cli/resource-verbs.ts'
import { candidateTargets } from '../../cli/target.ts'
import { commandLine } from '../command-line.ts'
import { isReference, type ListedRecord, listsOf, searchLists } from './search-lists.ts'

type ListedPerson = Pick<ListedRecord, 'name' | 'reference' | 'id'>

/** The items of one person: by reference, or by a whole name that only one has. Throws exit 5 for nobody, 2 for several. */
export async function selectPerson(
  context: Context,
  words: readonly string[],
  whoseItem: WhoseItem,
): Promise<(pages: AsyncIterable<readonly Json[]>) => AsyncGenerator<readonly Json[]>> {
  const typed = words.join(' ').trim()
  const everybody = await listPeople(context, {})
  const person = await choosePerson(context, everybody, typed)
  const key = person.reference === undefined ? undefined : keyOf(person.reference)
  const name = wordsKey(person.name ?? '')
  const namesakes = everybody.filter((each) => each !== person && wordsKey(each.name ?? '') === name)
  return async function* (pages) {
    let byName = 0
    for await (const items of pages) {
      const wanted = items.filter((item) => {
        if (!isObject(item)) return false
        const whose = whoseItem(item)
        if (whose.reference !== '') return keyOf(whose.reference) === key
        if (name === '' || wordsKey(whose.name) !== name) return false
        byName += 1
        return true
      })
      if (byName > 0 && namesakes.length > 0)
        throw severalPeople(
          `People called ${person.name}`,
          [person, ...namesakes],
          'The service does not show which of them is meant: what it lists has a name and no reference.',
        )
      yield wanted
    }
    if (byName > 0)
      context.note(
        `The service shows no reference here. These are for the name ${person.name}, which only one person has.`,
      )
  }
}

/** The people of the country that the options name, or of all countries. */
export async function listPeople(context: Context, options: Options): Promise<ListedPerson[]> {
  const everybody: ListedPerson[] = []
  // Keeps only the identity, because whole records would take too much memory.
  const keep = ({ name, reference, id }: ListedRecord) => {
    everybody.push({ name, reference, id })
    return false
  }
  const lists = listsOf(candidateTargets.list, options)
  await searchLists(context, lists, keep, { mayBeMissing: true, mayBeClosed: true })
  return everybody
}

/** The person of a reference, an id, a whole name or a part of it. Throws exit 5 for nobody, exit 2 for several. */
export async function choosePerson<P extends ListedPerson>(
  context: Context,
  everybody: readonly P[],
  typed: string,
): Promise<P> {
  const wanted = foldText(typed).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) throw usage('Name a person, by the reference or the name.')
  const byReference = everybody.filter(({ reference, id }) => id === typed || isReference(reference, typed))
  const whole = everybody.filter(({ name = '' }) => name !== '' && wordsKey(name) === wordsKey(typed))
  const part = everybody.filter(({ name = '' }) => {
    const parts = wordsOf(name)
    return wanted.every((word) => parts.includes(word))
  })
  const [found = []] = [byReference, whole, part].filter(({ length }) => length > 0)
  const [person, ...others] = found
  if (!person) {
    throw new Failure('not-found', `Nobody has the reference or the name ${typed}.`, {
      hint: `To look for a person: ${await commandLine(context, 'candidates', 'find', ...typed.split(/\s+/))}`,
    })
  }
  if (others.length > 0) throw severalPeople(`Several people fit ${typed}`, found)
  return person
}

function severalPeople(
  what: string,
  people: readonly ListedPerson[],
  hint = 'Name one of them by the reference.',
): Failure {
  return usage(`${what}: ${nameSome(people.map(nameWithReference), 10)}.`, hint)
}

/** A comparable form of a name: the order of its parts and titles do not matter. */
function wordsKey(name: string): string {
  return wordsOf(name)
    .filter((part) => !titles.has(part))
    .sort()
    .join(' ')
}

const titles: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr'])
