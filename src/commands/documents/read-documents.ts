import { mapAtOnce } from '../../api/at-once.ts'
import { operations } from '../../api/contract/operations/operations.ts'
import { fetchPages, readSteadily } from '../../api/pages.ts'
import type { Person } from '../../check/payroll.ts'
import { closedList, readPeople } from '../../check/read-payroll.ts'
import { countriesOf, type Options } from '../../cli/options.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import { grouped, plural } from '../../formats/words.ts'
import { isObject, type JsonObject } from '../../json/path.ts'
import { choosePerson } from '../../verbs/items-of-person.ts'
import { showReading } from '../../verbs/show-one-by-one.ts'

/** Somebody, and the documents that were uploaded for them, as the service lists them. */
export interface PersonDocuments {
  readonly person: Person
  readonly documents: readonly JsonObject[]
}

/** The fields of a person that say which document shows the right to work, and until when. */
export const rightToWork = {
  name: 'generalSetting.document',
  documentType: 'generalSetting.documentType',
  documentExpiryDate: 'generalSetting.documentExpiryDate',
} as const

const [forename, surname] = ['generalSetting.forename', 'generalSetting.surname'] as const

/** So many people's documents are asked for at the same time. */
const atOnce = 8

/** Most people who are named in one sentence. */
const mostNamed = 5

/**
 * The people of the country of the options, without one those of all, each with their documents: one list each, because
 * the service has no list of everybody's. With words, the one person whom they name. `expiry`: each person is read whole
 * where the list of people does not show when a document expires. Throws as a list does, and exit 5 or 2 for words that
 * name nobody or several.
 */
export async function readDocuments(
  context: Context,
  options: Options,
  { words = [], expiry = false }: { readonly words?: readonly string[]; readonly expiry?: boolean },
): Promise<readonly PersonDocuments[]> {
  const client = await context.client()
  const read = await showReading(context, (onPerson) =>
    readPeople(
      client,
      {
        countries: countriesOf(options).map(({ id }) => id),
        needs: () => (expiry ? [rightToWork.documentExpiryDate] : []),
        reads: [...Object.values(rightToWork), forename, surname],
        onPerson,
        onClosed: (id) => context.warn(`${closedList(id, 'looked at')}.`),
      },
      (person) => person,
    ),
  )
  const everybody = read.flatMap(({ people }) => people)
  const people =
    words.length > 0 ? [await choosePerson(context, everybody, words.join(' ').trim())] : everybody
  const notThere: { readonly person: Person; readonly failure?: Failure }[] = []
  const withDocuments = async (person: Person) => ({ person, documents: await documentsOf(person) })
  const found = await showReading(
    context,
    (onEach) => mapAtOnce(people, atOnce, withDocuments, onEach),
    'Reading the documents of each person:',
  )
  const [first] = notThere
  if (first?.failure && notThere.length === people.length) throw first.failure
  if (first) {
    const names = notThere.slice(0, mostNamed).map(({ person }) => describePerson(person))
    const more = notThere.length - names.length
    context.warn(
      `the service has no list of documents for ${plural(notThere.length, 'person')}: ${names.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}.`,
    )
  }
  return found

  async function documentsOf(person: Person): Promise<readonly JsonObject[]> {
    if (person.id === undefined) {
      notThere.push({ person })
      return []
    }
    const parameters = { employeeId: person.id }
    try {
      return await readSteadily(async () => {
        const documents: JsonObject[] = []
        for await (const items of fetchPages(client, operations.documents.list, { parameters }))
          documents.push(...items.filter(isObject))
        return documents
      })
    } catch (error) {
      if (!(error instanceof Failure) || error.details.status !== 404) throw error
      notThere.push({ person, failure: error })
      return []
    }
  }
}

/** `Aoife Ní Shampla (IE-1042)`. */
export function describePerson({ name, reference, id }: Person): string {
  const known = reference ?? id
  return name === undefined ? (known ?? 'somebody without a name') : `${name}${known ? ` (${known})` : ''}`
}
