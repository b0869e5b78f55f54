import { usage } from '../../errors.ts'

/** The character that replaces unreadable bytes. No name contains it. */
export const unreadableLetter = '\uFFFD'

/** The sentence about a text that has it. */
export const lostLetters = 'not UTF-8, so a letter is lost'

/** The encoding in which Excel for Windows saves a CSV where nobody chooses UTF-8. */
export const encodingOfExcel = ['--encoding', 'windows-1252'] as const

/** The hint for a text that has it. */
export const readAsExcelSaves = 'Read it as Excel for Windows saves a CSV, or save it as CSV UTF-8'

interface Encoding {
  /** A label of the Encoding Standard: `utf-8`, `utf-16le`, `windows-1252`. */
  readonly label: string
  readonly hasByteOrderMark: boolean
}

/** The encoding of a file: by its byte-order mark or UTF-16's zero bytes, else `option`, else UTF-8. */
export function encodingOf(start: Uint8Array, option?: string): Encoding {
  const [a, b, c] = start
  if (a === 0xef && b === 0xbb && c === 0xbf) return { label: 'utf-8', hasByteOrderMark: true }
  if (a === 0xff && b === 0xfe) return { label: 'utf-16le', hasByteOrderMark: true }
  if (a === 0xfe && b === 0xff) return { label: 'utf-16be', hasByteOrderMark: true }
  if (option !== undefined) return { label: checkEncoding(option), hasByteOrderMark: false }
  // Column names start with ASCII letters, so in UTF-16 every other byte is zero.
  if (a && b === 0) return { label: 'utf-16le', hasByteOrderMark: false }
  if (a === 0 && b) return { label: 'utf-16be', hasByteOrderMark: false }
  return { label: 'utf-8', hasByteOrderMark: false }
}

function checkEncoding(option: string): string {
  try {
    return new TextDecoder(option).encoding
  } catch {
    throw usage(
      'Unknown encoding.',
      'Spreadsheets write utf-8, utf-16le or windows-1252, in an older Windows also windows-1250.',
    )
  }
}

/** The bytes as text, without the byte-order mark; bytes that are not text become `unreadable`. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  { label }: Encoding,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(label)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
