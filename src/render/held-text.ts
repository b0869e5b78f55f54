/** Text that waits outside of memory, and comes out as it went in. */
export interface TextSpool {
  add(text: string): Promise<void>
  /** Each piece is there until the next is asked for. */
  pieces(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export type OpenSpool = () => Promise<TextSpool>

/** The text of a list that is printed when it is whole, and not before. */
export interface HeldText {
  add(text: string): Promise<void>
  /** All that was added, from its start. Each part is there until the next is asked for. */
  parts(): AsyncGenerator<string | Uint8Array>
  /** Deletes the file, if there was one. */
  close(): Promise<void>
}

/** So many characters stay in memory: most lists are shorter, and need no file. */
const mostInMemory = 256 * 1024

/** Memory does not grow with the text, except without a spool to open. */
export function holdText(open: OpenSpool | undefined): HeldText {
  let spool: TextSpool | undefined
  let held: string[] = []
  let size = 0
  return {
    async add(text) {
      held.push(text)
      size += text.length
      if (size < mostInMemory || !open) return
      spool ??= await open()
      await spool.add(held.join(''))
      held = []
      size = 0
    },
    async *parts() {
      if (spool) yield* spool.pieces()
      yield held.join('')
    },
    close: async () => spool?.close(),
  }
}
