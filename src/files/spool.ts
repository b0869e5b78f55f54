import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Lines that are more than memory should hold. They come out as they went in. */
export interface Spool {
  add(lines: string): Promise<void>
  lines(): AsyncIterable<string>
  close(): Promise<void>
}

/**
 * A spool in a directory of this user alone. Its file loses its name as soon as it is open, so that nobody finds it
 * and nothing stays, however the run ends.
 */
export async function openSpool(directory: string): Promise<Spool> {
  const path = join(directory, `.spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return {
    add: async (lines) => void (await file.write(lines)),
    lines: () => file.readLines({ start: 0, autoClose: false }),
    close: () => file.close(),
  }
}
