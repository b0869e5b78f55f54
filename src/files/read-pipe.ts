import { constants, open } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

/**
 * What another program writes into a pipe with a name, as `<(jq . starter.json)` is one. An ordinary stream would
 * block in the system until somebody writes, and could not be given up; this one can be destroyed at any time.
 * Throws what the system throws.
 */
export async function openPipe(path: string): Promise<Readable> {
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}
