import { mapAtOnce } from '../../api/at-once.ts'
import { readSteadily } from '../../api/pages.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { operations } from '../../model/resources/operations.ts'
import { eachItem } from '../../reading/lists.ts'
import {
  type ClosedCountries,
  closedSentence,
  fieldsOfEveryone,
  listNames,
  type Person,
  readPeople,
} from '../../reading/people.ts'
import { plural } from '../../text/words.ts'
import { countriesOf, type Options } from '../cli/options.ts'
import { choosePerson } from '../kit/find/items-of-person.ts'
import { showReading } from '../kit/show-progress.ts'

/** A person, and the documents that were uploaded for them. */
export interface PersonDocuments {
  readonly person: Person
  readonly documents: readonly JsonObject[]
}

const atOnce = 8

/**
 * The documents of everybody, or of the person whom `words` name: one list for each person. Throws as a list
 * does, exit 5 for a name that no person has, and 2 for one that several have.
 */
export async function readDocuments(
  context: Context,
  options: Options,
  words: readonly string[] = [],
): Promise<{ readonly people: readonly PersonDocuments[]; readonly closed: ClosedCountries }> {
  const client = await context.client()
  const { people: everybody, closed } = await showReading(context, (onPerson) =>
    readPeople(client, {
      countries: countriesOf(options).map(({ id }) => id),
      needs: () => [],
      paths: fieldsOfEveryone,
      onPerson,
    }),
  )
  for (const id of closed.keys()) context.warn(`${closedSentence(id, 'looked at')}.`)
  const people = words.length > 0 ? [await choosePerson(context, everybody, words, options)] : everybody
  const notThere: { readonly person: Person; readonly failure?: Failure }[] = []
  const withDocuments = async (person: Person) => ({ person, documents: await documentsOf(person) })
  const byPerson = await showReading(
    context,
    (onEach) => mapAtOnce(people, atOnce, withDocuments, onEach),
    'Reading the documents of each person',
  )
  const [first] = notThere
  if (first?.failure && notThere.length === people.length) throw first.failure
  if (first)
    context.warn(
      `the service has no list of documents for ${plural(notThere.length, 'person')}: ${listNames(notThere.map(({ person }) => person))}.`,
    )
  return { people: byPerson, closed }

  async function documentsOf(person: Person): Promise<readonly JsonObject[]> {
    if (person.id === undefined) {
      notThere.push({ person })
      return []
    }
    const parameters = { employeeId: person.id }
    try {
      return await readSteadily(async () => {
        const documents: JsonObject[] = []
        await eachItem(client, operations.documents.list, (item) => documents.push(item), { parameters })
        return documents
      })
    } catch (error) {
      if (!(error instanceof Failure) || error.details.status !== 404) throw error
      notThere.push({ person, failure: error })
      return []
    }
  }
}
