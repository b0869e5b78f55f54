import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What is set aside until all of it is there: on disk, where it takes no memory. */
export interface Spool {
  add(text: string): Promise<void>
  /** All that was added, from its start. */
  chunks(): AsyncIterable<Uint8Array>
  /** Leaves nothing behind. */
  close(): Promise<void>
}

/**
 * A file without a name in a folder of our own, for its owner alone. The name is taken away at once, so that the
 * system clears it away however the run ends; where an open file cannot lose its name, at the end.
 */
export async function openSpool(folder: string): Promise<Spool> {
  const path = join(folder, `spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  const remove = () => rm(path, { force: true }).catch(() => {})
  await remove()
  return {
    async add(text) {
      await file.appendFile(text)
    },
    chunks: () => file.createReadStream({ start: 0, autoClose: false }),
    async close() {
      await file.close()
      await remove()
    },
  }
}
