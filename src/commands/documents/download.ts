import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Operation } from '../../api/contract/operations/operation.ts'
import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import { writeFileAtomic } from '../../files/atomic-file.ts'
import { fileName } from '../../files/file-name.ts'
import type { JsonObject } from '../../json/path.ts'

/**
 * Writes the bytes of a document to a file, or into a folder under the service's own name for it, of which only
 * the last part counts. Returns the record without its content.
 */
export async function download(
  context: Context,
  operation: Operation,
  record: JsonObject,
  { out, force }: { out: string; force: boolean },
): Promise<JsonObject> {
  const { content, ...rest } = record
  if (typeof content !== 'string' || !isBase64(content)) {
    throw new Failure(
      'invalid-response',
      'The document came back without usable content. Nothing was written.',
      {
        method: operation.method,
        path: operation.path,
      },
    )
  }
  const path = await placeFor(out, record.name)
  const bytes = Buffer.from(content, 'base64')
  await writeFileAtomic(path, bytes, force)
  context.note(`Wrote ${bytes.byteLength} bytes to ${path}.`)
  return { ...rest, file: path }
}

/** Whether it is valid base64, with or without line breaks: Node would skip damaged parts silently. */
function isBase64(text: string): boolean {
  const characters = text.replace(/\s+/g, '')
  return characters.length % 4 === 0 && !/[^A-Za-z0-9+/=]|=[^=]|={3}/.test(characters)
}

async function placeFor(out: string, name: unknown): Promise<string> {
  const there = await stat(out).catch(() => undefined)
  if (!there?.isDirectory()) return out
  const safe = typeof name === 'string' ? fileName(name) : undefined
  if (safe === undefined)
    throw usage('The document has no usable file name: name the file with --out. Nothing was written.')
  return join(out, safe)
}
