import { Writable } from 'node:stream'

/** A stream that becomes a file when it is finished, whole or not at all. Takes the place of what is there. */
export function outFile(path: string): Writable & { finish(): Promise<void> } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer | string, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return Object.assign(stream, {
    async finish() {
      const { writeWhole } = await import('./write-whole.ts')
      await writeWhole(path, Buffer.concat(chunks), true)
    },
  })
}
