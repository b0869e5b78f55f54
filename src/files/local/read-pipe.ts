import { constants, open } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

/**
 * Reads a named pipe such as `<(jq . starter.json)`. An ordinary stream would block until another program writes, and
 * could not be cancelled; this one can be destroyed at any time. Throws system errors unchanged.
 */
export async function openPipe(path: string): Promise<Readable> {
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}
