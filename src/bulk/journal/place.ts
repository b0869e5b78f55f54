import { createHash } from 'node:crypto'
import { join } from 'node:path'

/**
 * Where the journal of an import is: one for each file and each service. The real path of the file is in its name
 * as a digest only; file names are about people too.
 */
export function journalFile(directory: string, origin: string, operation: string, file: string): string {
  const digest = createHash('sha256').update(`${origin}\n${operation}\n${file}`).digest('hex')
  return join(directory, 'imports', `${digest}.journal`)
}
