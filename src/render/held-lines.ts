import { lines } from '../files/formats/ndjson.ts'

/** The lines of a text that was held, of any length: a long record must not be left out. */
export async function* heldLines(parts: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  async function* chunks() {
    // Copied, because a part is valid only until the next one is asked for, and a line may begin in it.
    for await (const part of parts) yield Buffer.from(part as string)
  }
  for await (const { bytes = new Uint8Array() } of lines(chunks(), Number.POSITIVE_INFINITY))
    yield Buffer.from(bytes).toString()
}
