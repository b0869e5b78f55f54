import { SaxesParser } from 'saxes'
import { Failure, invalidInput } from '../../../errors.ts'
import { encodingOf } from '../text-encoding.ts'

/** The attributes of an element, by their names without a prefix. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** The callbacks of the XML reader. Names come without their prefix. */
interface XmlHandlers {
  open(name: string, attributes: Attributes): void
  /** The whole text between two tags. */
  text?(text: string): void
  close?(name: string): void
}

/** A cell has 32,767 characters at most, so no element is longer than this. */
const longestElement = 1024 * 1024
const mostLevels = 64

/** Reads XML piece by piece. Throws exit 3 if it is not well-formed, or could fill the memory (a DTD). */
export async function* xmlPieces(
  bytes: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  let silence = 0
  parser.on('doctype', () => {
    throw damagedWorkbook()
  })
  parser.on('opentag', ({ name, attributes }) => {
    silence = 0
    depth += 1
    if (depth > mostLevels) throw damagedWorkbook()
    handlers.open(local(name), withoutPrefixes(attributes))
  })
  parser.on('closetag', ({ name }) => {
    silence = 0
    depth -= 1
    handlers.close?.(local(name))
  })
  const onText = (text: string) => {
    silence = 0
    handlers.text?.(text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  try {
    for await (const text of decode(bytes)) {
      silence += text.length
      if (silence > longestElement + text.length)
        throw unreadableWorkbook('one of its cells is larger than 1 MiB')
      parser.write(text)
      yield
    }
    parser.close()
  } catch (error) {
    throw error instanceof Failure ? error : damagedWorkbook()
  }
  yield
}

/** Reads all of the XML. Throws as `xmlPieces` does. */
export async function readXml(bytes: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  for await (const _ of xmlPieces(bytes, handlers));
}

/** XML is UTF-8 or UTF-16; workbooks have no other encoding. */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece).label, { fatal: true })
    yield decoder.decode(piece, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

function withoutPrefixes(attributes: Readonly<Record<string, string>>): Attributes {
  let plain: Record<string, string> | undefined
  for (const name in attributes) {
    if (!name.includes(':') || name.startsWith('xmlns')) continue
    plain ??= { ...attributes }
    plain[local(name)] = attributes[name] as string
  }
  return plain ?? attributes
}

/** The failure (exit 3) for a workbook that cannot be read: why, and what to do. */
export function unreadableWorkbook(
  why: string,
  hint = 'Open it in a spreadsheet program and save it as XLSX.',
): Failure {
  return invalidInput(`The workbook cannot be read: ${why}.`, [], hint)
}

/** The failure (exit 3) for a workbook that is none, such as one of LibreOffice or Numbers, which are ZIPs too. */
export const damagedWorkbook = (): Failure =>
  unreadableWorkbook(
    'it is damaged, or not XLSX',
    'Open it in the program that made it, and save its table as XLSX or as CSV UTF-8. A ZIP has to be unpacked.',
  )

/** The hint for a workbook that is too large. */
export const saveAsCsv = 'Save it as CSV UTF-8: that is read a row at a time.'
