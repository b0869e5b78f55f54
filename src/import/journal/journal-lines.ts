import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { systemCode, usage } from '../../errors.ts'
import { refuseForeign } from '../../files/private-directory.ts'

/** Opens a journal: a plain file that this user owns, not a link. Undefined if it does not exist. */
export async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    refuseForeign(path, (await file.stat()).uid)
    return file
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw usage(`The journal ${path} cannot be opened (${code}). Nothing was sent.`)
  }
}

/** The lines of a file; the last one is not `whole` if it does not end with a line feed. */
export async function* lines(file: FileHandle) {
  for await (const batch of batches(file)) yield* batch
}

/**
 * Calls `onLine` for each line of a journal, until it returns false. For the journals of other files, which may have
 * very many lines: a promise for each line would take most of the time.
 */
export async function eachLine(
  path: string,
  onLine: (line: Buffer, whole: boolean) => boolean,
): Promise<void> {
  const file = await openPlain(path)
  if (!file) return
  try {
    for await (const batch of batches(file)) {
      for (const { line, whole } of batch) if (!onLine(line, whole)) return
    }
  } finally {
    await file.close()
  }
}

interface Line {
  readonly line: Buffer
  /** Its length with the line feed. */
  readonly bytes: number
  readonly whole: boolean
}

async function* batches(file: FileHandle): AsyncGenerator<Line[]> {
  let rest = Buffer.alloc(0)
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    const batch: Line[] = []
    let from = 0
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10, from)) {
      batch.push({ line: rest.subarray(from, at), bytes: at + 1 - from, whole: true })
      from = at + 1
    }
    rest = rest.subarray(from)
    yield batch
  }
  if (rest.byteLength > 0) yield [{ line: rest, bytes: rest.byteLength, whole: false }]
}
