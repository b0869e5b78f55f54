import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileOf, isTerminal } from '../../context/choose-format.ts'
import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { text } from '../../model/fields/field.ts'
import { textIn } from '../../model/records/identity.ts'
import type { Operation } from '../../model/records/operation.ts'
import { document } from '../../model/resources/document.ts'
import { write } from '../../render/output.ts'
import { safeText } from '../../render/text/safe-text.ts'
import { groupDigits } from '../../text/words.ts'
import type { Options } from '../cli/options.ts'
import type { Shape } from '../cli/verb.ts'
import { typedCommand } from '../kit/command-line.ts'

/** Throws a usage failure for a place that bytes cannot be written to. */
export function assertPlace(context: Context, { out = '-' }: Options): void {
  if (fileOf(out) === undefined) {
    if (isTerminal(context.host.stdout)) {
      throw usage(
        'A document is not shown at a terminal: its bytes are not text.',
        'Name a file or a folder, such as --out . for this one, or give the bytes to a program: --out - | less',
      )
    }
  } else if (/[/\\]$/.test(out) && !isFolder(out)) {
    throw usage(
      `There is no folder ${safeText(out)}. Nothing was written.`,
      'Make it first, or name another.',
    )
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Writes a document to a file, or into a folder under its own name, and gives the record with the path; or writes it to standard output. */
export async function download(
  context: Context,
  operation: Operation,
  record: JsonObject,
  { out, force }: { out: string; force: boolean },
): Promise<JsonObject | undefined> {
  const { content: _, ...rest } = record
  const bytes = contentOf(record, operation)
  if (fileOf(out) === undefined) {
    await write(context.output.stream, bytes)
    return undefined
  }
  const path = placeFor(out, record.name)
  await writeFileAtomic(path, bytes, force)
  context.note(`Wrote ${bytes.byteLength} bytes to ${path}.`)
  return { ...rest, file: path }
}

export const savedShape: Shape = {
  with: '--out',
  about: 'Without its content. With --out - it is the bytes of the document, and nothing else.',
  records: [document],
  fields: { file: text('Path of the file') },
}

/**
 * The bytes of a document. Throws exit 10 for content that is damaged, empty, cut short or an error page. Its
 * size and name are those of the list, where they are given.
 */
export function contentOf(
  record: JsonObject,
  { method, path }: Operation,
  { size = record.size, name = record.name }: JsonObject = {},
): Buffer {
  const unusable = (why: string) =>
    new Failure('invalid-response', `The document came back ${why}. It was not written.`, {
      method,
      path,
      hint: 'As the service sent it: documents get with --json in place of --out.',
    })
  const bytes = decode(record.content, size)
  if (!bytes) throw unusable('without usable content')
  if (bytes.length === 0) throw unusable('empty')
  // assumed: a size in bytes, or that of the base64, of which as much came then.
  if (typeof size === 'number' && bytes.length < size && textIn(record.content).length !== size)
    throw unusable(`cut short: ${groupDigits(bytes.length)} of ${groupDigits(size)} bytes`)
  if (isOnlyWebPage(bytes, textIn(name))) throw unusable('as a web page, which may say what went wrong')
  return bytes
}

/** Whether these bytes are a web page under the name of a document: some services answer with an error page in its place. */
export const isOnlyWebPage = (bytes: Buffer, name: string): boolean =>
  !/\.(html?|xhtml|mht(ml)?)$/i.test(name) &&
  /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body)\b/is.test(
    bytes.toString('utf8', 0, 1024),
  )

/** The record without its content, and a note how to save it. For a program, and where columns are chosen, the record as it is. */
export function documentSummary(context: Context, record: JsonObject): JsonObject {
  const { content, ...rest } = record
  if (!context.output.isRead || context.options.columns || typeof content !== 'string') return record
  const name = (typeof record.name === 'string' && fileName(record.name)) || 'document'
  context.note(`To save it: ${typedCommand(context, [...context.host.argv, '--out', name])}`)
  return { ...rest, size: rest.size ?? Buffer.from(content, 'base64').byteLength }
}

/**
 * The bytes of base64 in either alphabet (RFC 4648, sections 4 and 5), with or without line breaks, also in a
 * data URL (RFC 2397); undefined where it is damaged, as Node would skip such parts silently. Without its
 * padding it may have been cut, unless it has the size that it should have.
 */
function decode(content: unknown, size: unknown): Buffer | undefined {
  if (typeof content !== 'string') return undefined
  const text = content.replace(/^data:[^,]*;base64,/i, '').replace(/\s+/g, '')
  if (/[^\w+/=-]|=[^=]|={3}/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return text.length % 4 === 0 || bytes.length === size ? bytes : undefined
}

function placeFor(out: string, name: unknown): string {
  if (!isFolder(out)) return out
  const safe = typeof name === 'string' ? fileName(name) : undefined
  if (safe === undefined)
    throw usage('The document has no usable file name: name the file with --out. Nothing was written.')
  return join(out, safe)
}

/** Names that Windows treats as devices, whatever extension they have. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i

/** Control, format and separator characters, and those with a meaning in paths or patterns on some system. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu

const longestName = 200

/** What begins as a place in folders, or has the separator of Windows: `C:\fakepath\scan.pdf`, `../scan.pdf`. */
const placeInFolders = /^([a-z]:|[/~.])|\\/i

/**
 * A given name, safe for every system and of at most 200 bytes; undefined when nothing remains. Of a place in folders it
 * is the last part; else a slash is one of its signs, as in `P60 2026/27.pdf`.
 */
export function fileName(name: string): string | undefined {
  const own = placeInFolders.test(name) ? basename(name.replaceAll('\\', '/')) : name.replaceAll('/', '-')
  const last = own.replace(unsafe, '')
  const plain = last.replace(/^[.\s]+/, '').replace(/[.\s]+$/, '')
  if (plain === '') return undefined
  return shorten(devices.test(plain) ? `_${plain}` : plain)
}

/** Shortens the name before its extension, so that a PDF stays a PDF. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longestName) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  let stem = name.slice(0, name.length - ending.length)
  while (Buffer.byteLength(stem + ending) > longestName) stem = [...stem].slice(0, -1).join('')
  return stem + ending
}
