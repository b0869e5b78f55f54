import { mapAtOnce } from '../../api/at-once.ts'
import { readSteadily } from '../../api/pages.ts'
import type { Context } from '../../context/context.ts'
import { asFailure, Failure, isTemporary } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { operations } from '../../model/resources/operations.ts'
import { nameWithReference } from '../../model/whose.ts'
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

/** What could not be read of many: `path` names it. */
export interface Unread {
  readonly path: string
  readonly failure: Failure
}

const atOnce = 8

/** How many may fail for a time in a row until it is the service that fails, or the way to it. */
const mostInARow = 12

/**
 * Makes a function that reads one of many and returns its failure: what the service cannot give of one must not keep the
 * others out of each run. It throws what is of all: a key that is not known, too many requests, a service that is down.
 */
export function readAlone() {
  let failedInARow = 0
  return async <T>(read: () => Promise<T>): Promise<T | Failure> => {
    try {
      const value = await read()
      failedInARow = 0
      return value
    } catch (error) {
      const failure = asFailure(error)
      const { status } = failure.details
      // A 500 is an answer, as a 403 is: it may be all that the service ever says of some, however many they are.
      failedInARow = isTemporary(failure.code) && status !== 500 ? failedInARow + 1 : 0
      if (status === 401 || status === 429 || failedInARow === mostInARow) throw failure
      return failure
    }
  }
}

/**
 * The documents of everybody, or of the person whom `name` means: one list for each person. Throws as a list
 * does, exit 5 for a name that nobody has, and 6 for one that several have. With `isPartial` lists that fail are in
 * `unread`, unless all do; else the first of them is thrown at once.
 */
export async function readDocuments(
  context: Context,
  options: Options,
  { name, isPartial = false }: { readonly name?: string | undefined; readonly isPartial?: boolean } = {},
): Promise<{
  readonly people: readonly PersonDocuments[]
  readonly closed: ClosedCountries
  readonly unread: readonly Unread[]
}> {
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
  const people = name === undefined ? everybody : [await choosePerson(context, everybody, name, options)]
  const failures: { readonly person: Person; readonly failure: Failure }[] = []
  const readOne = readAlone()
  const withDocuments = async (person: Person) => ({ person, documents: await documentsOf(person) })
  const byPerson = await showReading(
    context,
    (onEach) => mapAtOnce(people, atOnce, withDocuments, onEach),
    'Reading the documents of each person',
  )
  const [first] = failures
  if (first && failures.length === people.length) throw first.failure
  const isThere = ({ failure }: (typeof failures)[number]) => failure.code !== 'not-found'
  const notThere = failures.filter((each) => !isThere(each))
  if (notThere.length > 0)
    context.warn(
      `the service has no list of documents for ${plural(notThere.length, 'person')}: ${listNames(notThere.map(({ person }) => person))}.`,
    )
  const unread = failures
    .filter(isThere)
    .map(({ person, failure }) => ({ path: nameWithReference(person), failure }))
  return { people: byPerson, closed, unread }

  async function documentsOf(person: Person): Promise<readonly JsonObject[]> {
    const documents = await readOne(() => {
      const { id: employeeId } = person
      if (employeeId === undefined) throw new Failure('not-found', 'The service shows no id of the person.')
      return readSteadily(async () => {
        const items: JsonObject[] = []
        const parameters = { employeeId }
        await eachItem(client, operations.documents.list, (item) => items.push(item), { parameters })
        return items
      })
    })
    if (!(documents instanceof Failure)) return documents
    if (!isPartial && documents.code !== 'not-found')
      throw documents.with({
        message: `The documents of ${nameWithReference(person)} could not be listed. ${documents.message}`,
      })
    failures.push({ person, failure: documents })
    return []
  }
}
