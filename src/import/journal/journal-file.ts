import { createHash, createHmac } from 'node:crypto'
import { join } from 'node:path'

/** The service that a journal is about. */
export interface Place {
  /** Scheme, host and port. */
  readonly origin: string
  /** The path of the base URL; empty if it has none. */
  readonly base: string
  /** The digest of the API key; undefined if the service needs no key. */
  readonly account: string | undefined
  /** The id of the create operation. */
  readonly operation: string
}

export const journalFolder = (directory: string): string => join(directory, 'imports')

/**
 * The path of an import's journal: one for each file and service. Its name holds only a digest of the file's real
 * path, because file names can name people. With `account` it is the journal for one of several keys.
 */
export function journalFile(
  directory: string,
  { origin, base, operation }: Omit<Place, 'account'>,
  file: string,
  account?: string,
): string {
  const parts = [`${origin}${base}`, operation, file, ...(account === undefined ? [] : [account])]
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex')
  return join(journalFolder(directory), `${digest}.journal`)
}

/** Tells two keys apart without revealing them: a keyed digest of a fixed text, cut to 64 bits. */
export function accountOf(key: string): string {
  return createHmac('sha256', key).update('payroll account').digest('hex').slice(0, 16)
}
