import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePrivateDirectory } from './private-directory.ts'

/** A buffer on disk for output that is printed only when it is complete. */
interface Spool {
  add(text: string): Promise<void>
  /** Everything that was added, from the start. */
  chunks(): AsyncIterable<Uint8Array>
  /** The same through one buffer: each piece is there until the next is asked for. */
  pieces(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** Opens a temporary file in our own folder, unlinked at once, so that it goes however the run ends. */
export async function openSpool(folder: string): Promise<Spool> {
  await ensurePrivateDirectory(folder)
  const path = join(folder, `spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  const remove = () => rm(path, { force: true }).catch(() => {})
  await remove()
  return {
    async add(text) {
      await file.appendFile(text)
    },
    chunks: () => file.createReadStream({ start: 0, autoClose: false }),
    async *pieces() {
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
