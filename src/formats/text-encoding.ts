import { usage } from '../errors.ts'

/** What stands in text where bytes could not be read as text. No name is written with it. */
export const unreadable = '\uFFFD'

/** How a file of text was written. */
export interface Encoding {
  /** A label of the Encoding Standard: `utf-8`, `utf-16le`, `windows-1252`. */
  readonly label: string
  /** Whether a byte-order mark says so. */
  readonly marked: boolean
}

/**
 * The encoding of a file by its first bytes: its byte-order mark, or the zeros of UTF-16, else `given`, else UTF-8.
 * Throws a usage failure for an unknown encoding.
 */
export function encodingOf(start: Uint8Array, given?: string): Encoding {
  const [a, b, c] = start
  if (a === 0xef && b === 0xbb && c === 0xbf) return { label: 'utf-8', marked: true }
  if (a === 0xff && b === 0xfe) return { label: 'utf-16le', marked: true }
  if (a === 0xfe && b === 0xff) return { label: 'utf-16be', marked: true }
  if (given !== undefined) return { label: checkEncoding(given), marked: false }
  // Names of columns begin with letters of ASCII: every other byte of them is zero in UTF-16.
  if (a && b === 0) return { label: 'utf-16le', marked: false }
  if (a === 0 && b) return { label: 'utf-16be', marked: false }
  return { label: 'utf-8', marked: false }
}

function checkEncoding(given: string): string {
  try {
    return new TextDecoder(given).encoding
  } catch {
    throw usage(
      'Unknown encoding.',
      'Spreadsheets write utf-8, utf-16le or windows-1252, in an older Windows also windows-1250.',
    )
  }
}

/** The text of the bytes without its byte-order mark; what is no text is `unreadable`. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  { label }: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(label)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
