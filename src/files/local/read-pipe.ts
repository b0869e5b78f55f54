import { constants, open } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

/** Reads a named pipe such as `<(jq . starter.json)`. Unlike an ordinary stream, it can be cancelled. */
export async function openPipe(path: string): Promise<Readable> {
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}
