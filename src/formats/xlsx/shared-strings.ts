import { readXml, saveAsCsv, unescapeText, unreadableWorkbook } from './read-xml.ts'

/** The most memory for all texts of a workbook, in bytes. */
const largest = 48 * 1024 * 1024
/** Bytes that a text needs besides its characters. */
const overhead = 32

/** The shared texts of the cells, by number. Throws a Failure (exit 3) if they are larger than 48 MiB. */
export async function readStrings(bytes: AsyncIterable<Uint8Array> | undefined): Promise<readonly string[]> {
  const strings: string[] = []
  if (!bytes) return strings
  let size = 0
  const text = textOfRuns()
  await readXml(bytes, {
    open(name) {
      if (name === 'si') text.start()
      text.open(name)
    },
    text: text.add,
    close(name) {
      text.close(name)
      if (name !== 'si') return
      const string = compact(unescapeText(text.taken()))
      size += overhead + (/[^\0-\xFF]/.test(string) ? 2 : 1) * string.length
      if (size > largest) throw unreadableWorkbook('its texts are larger than 48 MiB', saveAsCsv)
      strings.push(string)
    },
  })
  return strings
}

/**
 * Collects the text of `<t>` from one or several runs of formatting, but not of `<rPh>`, which has the pronunciation of
 * Japanese text.
 */
export function textOfRuns() {
  let parts = ''
  let inText = false
  let spoken = false
  return {
    start() {
      parts = ''
    },
    open(name: string) {
      if (name === 'rPh') spoken = true
      if (name === 't') inText = true
    },
    add(text: string) {
      if (inText && !spoken) parts += text
    },
    close(name: string) {
      if (name === 'rPh') spoken = false
      if (name === 't') inText = false
    },
    taken: () => parts,
  }
}

/** A copy, because a slice would keep the whole longer text in memory. */
function compact(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString()
}
