import { Writable } from 'node:stream'
import type { AtomicFile } from './atomic-file.ts'

export type OutFile = Writable & Pick<AtomicFile, 'finish' | 'discard'>

/**
 * A stream that becomes a file when it is finished, whole or not at all, and replaces an existing one. The file is
 * opened at the first write, and little is held in memory.
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
  // The write callback reports errors; without a listener the event would crash the process.
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
