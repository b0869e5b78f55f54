import { Writable } from 'node:stream'
import type { AtomicFile } from './atomic-file.ts'

export type OutFile = Writable & Pick<AtomicFile, 'finish' | 'discard'>

/**
 * A stream that becomes a file when it is finished, whole or not at all. Takes the place of what is there. Nothing
 * is opened before there is something to write, and little of it is held in memory.
 */
export function outFile(path: string): OutFile {
  let opened: Promise<AtomicFile> | undefined
  const file = () => {
    opened ??= import('./atomic-file.ts').then(({ openAtomic }) => openAtomic(path, true))
    return opened
  }
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      file()
        .then((whole) => whole.write(chunk))
        .then(() => done(), done)
    },
  })
  // Whoever writes is told; nobody else waits for it.
  stream.on('error', () => {})
  let finished: Promise<void> | undefined
  return Object.assign(stream, {
    async finish() {
      finished ??= file().then((whole) => whole.finish())
      await finished
    },
    discard: async () => (await opened?.catch(() => undefined))?.discard(),
  })
}
