import type { Json } from '../../json/path.ts'
import { stringifyJson } from '../../json/stringify.ts'
import { safeJson } from '../text/safe-text.ts'
import { holdText, type OpenSpool } from './held-text.ts'

interface JsonOptions {
  readonly spool: OpenSpool | undefined
  readonly write: (text: string | Uint8Array) => Promise<void>
}

/** The items of all pages as one JSON array, and how many they are. Nothing is written before all are there. */
export async function jsonPages(
  pages: AsyncIterable<readonly Json[]>,
  { spool, write }: JsonOptions,
): Promise<number> {
  const text = holdText(spool)
  let count = 0
  try {
    for await (const items of pages) {
      if (items.length === 0) continue
      // A page is an array of its own: without its brackets, its items stand as they do in the whole.
      const page = safeJson(stringifyJson(items, 2)).slice(1, -2)
      await text.add(`${count === 0 ? '[' : ','}${page}`)
      count += items.length
    }
    await text.add(count === 0 ? '[]\n' : '\n]\n')
    for await (const part of text.parts()) await write(part)
    return count
  } finally {
    await text.close()
  }
}
