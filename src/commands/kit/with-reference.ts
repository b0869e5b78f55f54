import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { Meaning, Reference, SeenRecord, UseRecord } from './command-line.ts'

/**
 * Uses a record by what was typed: its id or its reference, whole, in the lists of all countries that the options allow. The
 * beginning of an id is enough to read, and at a terminal for a question that names the record. The list is not read where
 * --id is given, or where the text can only be an id. The record is named on standard error if its id was not typed. Throws
 * a Failure: the service's own 404 with the nearest there are, exit 6 for what is the reference of one and the id of
 * another, exit 2 for the reference of several, and for a write exit 10 where the list cannot be relied on.
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

/** The typed text, and its meaning where it is said: by --id and --reference, and in an option by `id:` and `reference:` before it. */
function meaningOf({ id, options, option }: Reference): { readonly id: string; readonly meaning?: Meaning } {
  if (option !== undefined) {
    const [, meaning, text = ''] = /^(id|reference):(.+)$/s.exec(id) ?? []
    return meaning ? { id: text, meaning: meaning as Meaning } : { id }
  }
  return { id, ...(options.id ? { meaning: 'id' } : options.reference ? { meaning: 'reference' } : {}) }
}

/** Nothing that an id could begin with, and no letter of any alphabet: no reference is looked for. As an id it is refused (exit 3). */
const isNoName = (text: string) => !/[\p{L}\p{N}_-]/u.test(text)

/** A UUID; or as many digits of base 16 as databases give, letters and digits among them. */
const surelyAnId =
  /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?=\d*[a-f])(?=[a-f]*\d)([\da-f]{24}|[\da-f]{32}))$/i

/** Whether a text can only be an id, because no agency writes references like it: then no list has to be read. */
const isSurelyId = (text: string): boolean => surelyAnId.test(text)
