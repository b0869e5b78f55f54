import type { Options } from '../cli/options.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors.ts'
import type { Reference } from './command-line.ts'

/**
 * Uses a record by what was typed: as its id, and where the service has no such id, as the beginning of one or as the
 * record's own reference, in the lists of all countries that the options allow. The one match is named on standard
 * error. Throws the service's own 404 where there is none, exit 2 with the matches where there are several, and exit
 * 10 for a list that cannot be relied on.
 */
export async function withReference<T>(
  context: Context,
  reference: Reference,
  use: (id: string, options: Options) => Promise<T>,
): Promise<T> {
  try {
    return await use(reference.id, reference.options)
  } catch (error) {
    // An id that was refused before it was sent is not looked for either.
    if (!(error instanceof Failure) || error.details.status !== 404 || !reference.list) throw error
    const { findReferred } = await import('./find-record.ts')
    const found = await findReferred(context, reference, reference.list)
    if (!found) throw error
    return use(found.id, found.options)
  }
}
