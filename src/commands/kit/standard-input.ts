import type { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Failure } from '../../errors.ts'

/** After this time a person is told what the command waits for. A program may keep a pipe open and write nothing. */
const delayMs = 2000

/** Says after a while what standard input is waited for. `what`: `the record, as JSON`; `instead`: what to type. */
export async function sayWhenWaiting<T>(
  { host, warn }: Context,
  what: string,
  instead: string,
  reading: Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const remind = async () => {
    // Input that is already there has been read by now, so no timer is needed.
    await new Promise((resolve) => setImmediate(resolve))
    if (ended.signal.aborted) return
    await host.sleep(delayMs, ended.signal)
    if (!ended.signal.aborted) warn(`waiting for standard input: ${what}. Nothing was sent yet. ${instead}`)
  }
  void remind()
  try {
    return await reading
  } finally {
    ended.abort()
  }
}

/** Reads a whole stream. Throws `tooLarge` if it has more bytes than `most`. */
export async function readBytes(stream: Readable, most: number, tooLarge: Failure): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.byteLength
    if (size > most) throw tooLarge
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
