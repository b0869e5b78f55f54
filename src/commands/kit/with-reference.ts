import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { Meaning, Reference, SeenRecord, UseRecord } from './command-line.ts'

/**
 * Uses a record by its whole id or reference, in the lists of all countries that the options allow; to
 * read, the beginning of an id will do. No list is read where the text can only be an id. Throws the
 * 404 of the service with the nearest there are, exit 6 for a reference that is another's id, exit 2
 * for one of several, exit 10 where a write cannot rely on the list.
 */
export async function withReference<T, Seen extends SeenRecord>(
  context: Context,
  reference: Reference<Seen>,
  use: UseRecord<T, Seen>,
): Promise<T> {
  const { options, list } = reference
  const { id, meaning } = meaningOf(reference)
  if (!list || meaning === 'id' || isNoName(id)) return use(id, options, id)
  let notThere: Failure | undefined
  if (meaning === undefined && isSurelyId(id)) {
    try {
      return await use(id, options, id)
    } catch (error) {
      if (!(error instanceof Failure) || error.details.status !== 404) throw error
      notThere = error
    }
  }
  const { useReferred } = await import('./find-record.ts')
  return useReferred(context, { ...reference, id, list, meaning, notThere }, use)
}

function meaningOf({ id, options, option }: Reference): { readonly id: string; readonly meaning?: Meaning } {
  if (option !== undefined) {
    const [, meaning, text = ''] = /^(id|reference):(.+)$/s.exec(id) ?? []
    return meaning ? { id: text, meaning: meaning as Meaning } : { id }
  }
  return { id, ...(options.id ? { meaning: 'id' } : options.reference ? { meaning: 'reference' } : {}) }
}

/** Without a letter of any alphabet no reference is looked for. */
const isNoName = (text: string) => !/[\p{L}\p{N}_-]/u.test(text)

/** A UUID; or as many digits of base 16 as databases give, letters and digits among them. */
const surelyAnId =
  /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?=\d*[a-f])(?=[a-f]*\d)([\da-f]{24}|[\da-f]{32}))$/i

/** Whether a text can only be an id, because no agency writes references like it: then no list has to be read. */
const isSurelyId = (text: string): boolean => surelyAnId.test(text)
