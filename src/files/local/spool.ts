import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePrivateDirectory } from './private-directory.ts'

/**
 * A buffer on disk for output that is printed only when it is complete: a temporary file in our own folder,
 * unlinked at once, so that it goes however the run ends.
 */
export async function openSpool(folder: string) {
  await ensurePrivateDirectory(folder)
  const path = join(folder, `spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  const remove = () => rm(path, { force: true }).catch(() => {})
  await remove()
  return {
    async add(text: string) {
      await file.appendFile(text)
    },
    /** Everything that was added, from the start, through one buffer: each piece is there until the next is asked for. */
    async *pieces(): AsyncGenerator<Uint8Array> {
      const buffer = Buffer.allocUnsafe(64 * 1024)
      for (let at = 0; ; ) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
        if (bytesRead === 0) return
        yield buffer.subarray(0, bytesRead)
        at += bytesRead
      }
    },
    async close() {
      await file.close()
      await remove()
    },
  }
}
