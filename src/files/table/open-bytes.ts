import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Failure, invalidInput, usage } from '../../errors.ts'
import { asOpenFailure, openFailure } from './open-failure.ts'

/** A file that must not change while it is imported, or what was piped in. */
export interface OpenedFile {
  readonly sha256: string
  /** Its first bytes, up to 64. */
  readonly start: Uint8Array
  /** Reads it again. Throws a Failure (exit 3) if it has changed. */
  bytes(): AsyncGenerator<Uint8Array>
}

/** Reads a file once to the end, for its digest. Throws a usage failure if it cannot be read. */
export async function openFile(path: string): Promise<OpenedFile> {
  const before = await fileStamp(path)
  const hash = createHash('sha256')
  let start: Uint8Array = new Uint8Array()
  for await (const chunk of chunks(path, hash)) {
    if (start.length < 64) start = Buffer.concat([start, chunk]).subarray(0, 64)
  }
  const sha256 = hash.digest('hex')
  if ((await fileStamp(path)) !== before) throw changedFailure(path)

  async function* bytes(): AsyncGenerator<Uint8Array> {
    if ((await fileStamp(path)) !== before) throw changedFailure(path)
    const again = createHash('sha256')
    yield* chunks(path, again)
    if (again.digest('hex') !== sha256) throw changedFailure(path)
  }

  return { sha256, start, bytes }
}

/** What was piped in. It is in memory, where no other run changes it. */
export function openPiped(bytes: Uint8Array): OpenedFile {
  return {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    start: bytes.subarray(0, 64),
    async *bytes() {
      for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
    },
  }
}

/** The words for a file, or for what was piped in (`-`). */
export const fileInWords = (path: string): string => (path === '-' ? 'Standard input' : path)

/** So much is read at once, in bytes: a chunk takes as long to ask for as a hundred lines to read. */
const chunkSize = 256 * 1024

async function* chunks(path: string, hash: Hash): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkSize })) {
      hash.update(chunk)
      yield chunk
    }
  } catch (error) {
    throw asOpenFailure(path, error)
  }
}

/** The file's marks, which change when it is saved again. Refuses a pipe or a device, which may never end. */
async function fileStamp(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch((error) => {
    throw asOpenFailure(path, error)
  })
  if (stats.isDirectory()) throw openFailure(path, 'EISDIR')
  if (stats.isFIFO()) throw pipe(path)
  if (!stats.isFile()) {
    throw invalidInput(
      `${path} is not a regular file.`,
      [],
      'An import reads its file twice and may be resumed later: save the data as a file first.',
    )
  }
  const { ino, size, mtimeNs, ctimeNs } = stats
  return [ino, size, mtimeNs, ctimeNs].join(' ')
}

/** The failure of a pipe that was named as a file: `<(cat x.csv)`, /dev/stdin. */
export const pipe = (path: string): Failure =>
  usage(
    `${path} is a pipe, which can be read only once, and an import reads its file twice.`,
    'Pipe it in instead, with - for the file: it is then kept for the run.',
  )

function changedFailure(path: string): Failure {
  return invalidInput(
    `${path} was changed while payroll was importing it.`,
    [],
    'Close it in the spreadsheet, and run the same command again.',
  )
}

/** Larger files must be CSV or NDJSON, which are read a row at a time. */
const largestWhole = 64 * 1024 * 1024

/** The whole file. Throws a Failure (exit 3) if it is larger than 64 MiB. */
export async function readWhole(file: OpenedFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.bytes()) {
    size += chunk.length
    if (size > largestWhole) {
      const hint = 'Save it as CSV UTF-8, or as NDJSON: they are read a row at a time.'
      throw invalidInput('The file is larger than 64 MiB.', [], hint)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
