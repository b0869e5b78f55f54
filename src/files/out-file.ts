import { Writable } from 'node:stream'
import { writeWhole } from './write-whole.ts'

/** A stream that becomes a file when it is finished, whole or not at all. Takes the place of what is there. */
export function outFile(path: string): Writable & { finish(): Promise<void> } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return Object.assign(stream, { finish: () => writeWhole(path, Buffer.concat(chunks), true) })
}
