import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import type {
  FoundRecord,
  ListReference,
  NameKind,
  ReadRecord,
  Reference,
  SeenRecord,
} from './find-record.ts'

/**
 * Reads a record by its id or reference, from the lists of all countries that the options allow. For reading,
 * the beginning of an id is enough. No list is read for a text that can only be an id. Throws the service's
 * 404 with the nearest records, exit 6 for a text that means several, exit 2 for another country's record,
 * and exit 10 where a write cannot rely on the list.
 */
export async function readNamedRecord<Seen extends SeenRecord>(
  context: Context,
  reference: Reference,
  read: ReadRecord<Seen>,
): Promise<FoundRecord & { readonly seen: Seen }> {
  const found = await findRecord(context, reference, read)
  return { ...found, seen: found.seen ?? (await read(found.id, found.options)) }
}

/**
 * Uses a named record that nothing has read before. A 404 shows that the text was not an id; then the lists are searched.
 */
export async function withRecord<T>(
  context: Context,
  reference: Reference,
  use: (found: FoundRecord) => Promise<T>,
): Promise<T> {
  const found = await findRecord(context, reference)
  try {
    return await use(found)
  } catch (error) {
    if (!found.otherwise || !isNotThere(error)) throw error
    return use(await found.otherwise(error))
  }
}

async function findRecord<Seen extends SeenRecord>(
  context: Context,
  reference: Reference,
  read?: ReadRecord<Seen>,
): Promise<FoundRecord<Seen>> {
  const { list, options } = reference
  const { id, meaning } = meaningOf(reference)
  const byId: FoundRecord<Seen> = { id, options, name: id }
  if (!list || meaning === 'id' || isNoName(id)) return byId
  const listReference: ListReference<Seen> = { ...reference, typed: id, list, meaning, read }
  const lookInLists = async (notThere?: Failure) =>
    (await import('./find-record.ts')).findInLists(context, listReference, notThere)
  const isId = meaning === undefined && surelyAnId.test(id)
  const found = isId ? { ...byId, otherwise: lookInLists } : await lookInLists()
  if (!read || !found.otherwise) return found
  try {
    return { ...byId, seen: await read(id, options) }
  } catch (error) {
    if (!isNotThere(error)) throw error
    return found.otherwise(error)
  }
}

const isNotThere = (error: unknown): error is Failure =>
  error instanceof Failure && error.details.status === 404

function meaningOf({ typed, options, option }: Reference) {
  if (option === undefined) {
    const meaning: NameKind | undefined = options.id ? 'id' : options.reference ? 'reference' : undefined
    return { id: typed, meaning }
  }
  const [, meaning, id = typed] = /^(id|reference):(.+)$/s.exec(typed) ?? []
  return { id, meaning: meaning as NameKind | undefined }
}

/** Whether a text cannot be a reference: it has no letter, digit, hyphen or underscore. */
const isNoName = (text: string) => !/[\p{L}\p{N}_-]/u.test(text)

/** A UUID, or a hexadecimal id as databases make them. No agency writes such references, so no list has to be read. */
const surelyAnId =
  /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?=\d*[a-f])(?=[a-f]*\d)([\da-f]{24}|[\da-f]{32}))$/i
