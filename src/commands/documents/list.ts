import type { Context } from '../../context/context.ts'
import { usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { object, text } from '../../model/fields/field.ts'
import { document } from '../../model/resources/document.ts'
import type { Person } from '../../reading/people.ts'
import { countOf } from '../../text/words.ts'
import type { Input, Shape, Verb } from '../cli/verb.ts'
import { limitItems } from '../kit/list/list.ts'
import { selectItems } from '../kit/list/where.ts'
import { assertPeopleShown } from '../kit/show-report.ts'
import { readDocuments } from './read-documents.ts'
import { withPerson } from './with-person.ts'

const whose = {
  person: object('Person', {
    reference: text('Reference', { nullable: true }),
    name: text('Person', { nullable: true }),
    country: text('Country'),
    id: text('ID of the person', { nullable: true }),
  }),
}

/** With the id of the document: else `--where id=…` would mean that of the person. */
const fields = { ...whose, ...document.fields, id: text('ID') }

export const ofEverybody: Shape = {
  about: 'Without a person.',
  list: true,
  records: [document],
  fields: whose,
}

const columns = ['person.reference', 'person.name', 'name', 'id']

/** Lists the documents of the named person, by `ofOne`; without one those of everybody. */
export async function listDocuments(context: Context, input: Input, ofOne: Verb): Promise<void> {
  const {
    options,
    arguments: { person },
  } = input
  const { employee, page, size, consistent } = options
  if (employee !== undefined && person !== undefined)
    throw usage('--employee cannot be combined with a person: both say whose documents these are.')
  const typed = employee ?? person
  if (typed !== undefined)
    // Of an id that no list has, a service may answer an empty list.
    return withPerson(
      context,
      { ...options, employee: typed },
      { mustBeListed: person !== undefined },
      (of) => ofOne.run(context, { ...input, arguments: {}, options: of }),
    )
  if ([page, size, consistent].some((value) => value !== undefined))
    throw usage(
      '--page, --size and --consistent have no effect without a person: all lists are read, each whole.',
    )
  const select = selectItems(context, fields, options)
  const { people: everybody, closed } = await readDocuments(context, options)
  const rows = everybody.flatMap(({ person, documents }): JsonObject[] =>
    documents.map((one) => ({ person: personIn(person), ...one })),
  )
  const pages = async function* () {
    yield rows
  }
  let matching = 0
  const onMatching = (count: number) => {
    matching = count
  }
  const selected = limitItems(select(pages()), options.limit, { readsOn: true, onMatching })
  const count = await context.output.pages(selected, () => ({ fields, columns }))
  if (context.output.format.isForPerson) context.note(countOf(count, rows.length, 'document', matching))
  await assertPeopleShown(context, options, closed, 'looked at')
}

const personIn = ({ reference, name, country, id }: Person): JsonObject => ({
  reference: reference ?? null,
  name: name ?? null,
  country: country.id,
  id: id ?? null,
})
