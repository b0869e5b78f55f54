import { createHash, createHmac } from 'node:crypto'
import { join } from 'node:path'

/** The service that a journal is about. */
export interface Place {
  /** Scheme, host and port. */
  readonly origin: string
  /** The path behind them; empty where there is none. */
  readonly base: string
  /** The digest of the key; undefined for a service that takes none. */
  readonly account: string | undefined
  /** The id of the operation that creates. */
  readonly operation: string
}

export const journalFolder = (directory: string): string => join(directory, 'imports')

/**
 * Where the journal of an import is: one for each file and each service. The real path of the file is in its name
 * as a digest only; file names are about people too. With `account` it is the journal of one of several keys.
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

/** Tells two keys apart, and gives neither away: a keyed digest of a fixed text, cut to 64 bits. */
export function accountOf(key: string): string {
  return createHmac('sha256', key).update('payroll account').digest('hex').slice(0, 16)
}
