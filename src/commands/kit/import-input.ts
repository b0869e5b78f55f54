import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context/context.ts'
import { invalidInput } from '../../errors.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { ensurePrivateDirectory } from '../../files/local/private-directory.ts'
import { journalFolder } from '../../import/write-log.ts'
import { sayWhenWaiting } from './say-when-waiting.ts'

/** More than that should be a file: it can be looked at when something goes wrong. */
const largestInput = 64 * 1024 * 1024

/**
 * Keeps what standard input holds in a private file (0600) while it is imported, because an import reads its rows more
 * than once. Its name is made of its content: after a kill, the same rows continue the same import. Throws a Failure
 * (exit 3) for nothing at all, and for more than 64 MiB.
 */
export async function keepInput(
  context: Context,
): Promise<{ readonly path: string; readonly discard: () => Promise<void> }> {
  const bytes = await sayWhenWaiting(
    context,
    'the rows to import',
    'To import a file, name it in place of -.',
    readAll(context),
  )
  if (bytes.length === 0) throw invalidInput('Standard input is empty: there is no row to import.', [])
  const directory = await context.directory()
  await ensurePrivateDirectory(directory)
  const folder = journalFolder(directory)
  await ensurePrivateDirectory(folder)
  const path = join(folder, `${createHash('sha256').update(bytes).digest('hex')}.input`)
  await writeFileAtomic(path, bytes, true)
  return { path, discard: () => rm(path, { force: true }) }
}

async function readAll({ host }: Context): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of host.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > largestInput)
      throw invalidInput('Standard input is larger than 64 MiB.', [], 'Save the rows in a file.')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
