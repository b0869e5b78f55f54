import { createHash, hash } from 'node:crypto'
import { constants, fdatasync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { Failure, isNoRoom, systemCode } from '../errors.ts'
import { isObject, type JsonObject } from '../files/json/path.ts'
import { writeWhole } from '../files/local/atomic-file.ts'
import { ensurePrivateDirectory, syncDirectory } from '../files/local/private-directory.ts'
import type { ServicePlace } from '../origin.ts'

/** Writes what is sent, and its outcome, to the disk before the import relies on it. */
export interface JournalWriter {
  /** Resolves when the line is on the disk. If it cannot be, this and every later call throw (exit 1). */
  append(line: JsonObject): Promise<void>
  close(): Promise<void>
}

/** The folder of the journals, in the folder of the tool. */
export const journalFolder = (directory: string): string => join(directory, 'imports')

/** The path of the journal for a file and a service. It is named by a digest, because file names can name people. */
export function journalFile(
  directory: string,
  { origin, base, operation }: Omit<ServicePlace, 'account'>,
  file: string,
  account?: string,
): string {
  const parts = [`${origin}${base}`, operation, file, ...(account === undefined ? [] : [account])]
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex')
  return join(journalFolder(directory), `${digest}.journal`)
}

/** The version of the journal's format. */
export const journalVersion = 1

/** The first line of a journal: which file, service and profile it is for. */
export const headerShape = z.object({
  v: z.literal(journalVersion),
  /** Scheme, host and port of the service. */
  origin: z.string(),
  /** The path of the base URL. */
  base: z.string(),
  /** A digest of the API key, if there is one. */
  account: z.optional(z.string()),
  profile: z.string(),
  operation: z.string(),
  /** Digest of the file when the journal was started. */
  sha256: z.string(),
  salt: z.string(),
})

export type Header = z.infer<typeof headerShape>

/** A line of a journal: a checksum of eight digits, which shows that the line is whole, a space, and JSON. */
export function encodeLine(object: JsonObject): string {
  const text = JSON.stringify(object)
  return `${checksum(text)} ${text}\n`
}

/** The object in a line (without its line feed); undefined if the line is damaged. */
export function decodeLine(line: Buffer): JsonObject | undefined {
  const text = line.toString('utf8')
  // `toString` replaces bytes that are not UTF-8, which changes the length.
  if (Buffer.byteLength(text) !== line.byteLength || text[8] !== ' ') return undefined
  const json = text.slice(9)
  if (checksum(json) !== text.slice(0, 8)) return undefined
  const object: unknown = JSON.parse(json)
  return isObject(object) ? object : undefined
}

const checksum = (text: string) => hash('sha256', text).slice(0, 8)

interface JournalEnd {
  readonly header: Header | undefined
  /** Where the next line goes, in bytes: every line before it is complete. */
  readonly end: number
  readonly seq: number
}

/** Opens the journal that was read, or a new one (0600). The keys of the rows are its only data about people. */
export async function openJournal(
  path: string,
  header: Omit<Header, 'v'>,
  before: JournalEnd | undefined,
  now: () => number,
): Promise<JournalWriter> {
  await ensurePrivateDirectory(dirname(path))
  try {
    const file = before ? await reopen(path, before.end) : await begin(path)
    const journal = appendTo(file, before?.seq ?? 0, now)
    if (before?.header === undefined) await journal.append({ v: journalVersion, ...header })
    if (!before) await syncDirectory(dirname(path))
    return journal
  } catch (error) {
    throw error instanceof Failure ? error : notWritten(error)
  }
}

function begin(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
  return open(path, O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600)
}

/** Opens a journal to append to it. Cuts off an incomplete last line first. */
async function reopen(path: string, end: number): Promise<FileHandle> {
  const { O_APPEND, O_NOFOLLOW, O_WRONLY } = constants
  // With its own handle: Windows refuses to truncate through one that appends (EPERM).
  const torn = await open(path, O_NOFOLLOW | O_WRONLY)
  try {
    await torn.chmod(0o600)
    await torn.truncate(end)
  } finally {
    await torn.close()
  }
  return open(path, O_APPEND | O_NOFOLLOW | O_WRONLY)
}

/** Lines that arrive while the disk is busy are written together, with one fdatasync. */
function appendTo(file: FileHandle, last: number, now: () => number): JournalWriter {
  let seq = last
  let broken: Failure | undefined
  let waiting: { text: string; resolve: () => void; reject: (error: Failure) => void }[] = []
  let writing = false

  async function write(): Promise<void> {
    writing = true
    while (waiting.length > 0 && !broken) {
      const batch = waiting
      waiting = []
      try {
        writeWhole(file.fd, Buffer.from(batch.map(({ text }) => text).join('')))
        await syncData(file.fd)
        for (const { resolve } of batch) resolve()
      } catch (error) {
        broken = notWritten(error)
        for (const { reject } of [...batch, ...waiting]) reject(broken)
        waiting = []
      }
    }
    writing = false
  }

  return {
    append(line) {
      if (broken) return Promise.reject(broken)
      seq += 1
      const text = encodeLine({ seq, ...line, at: now() })
      const written = new Promise<void>((resolve, reject) => waiting.push({ text, resolve, reject }))
      if (!writing) void write()
      return written
    },
    close: () => file.close(),
  }
}

const syncData = promisify(fdatasync)

function notWritten(error: unknown): Failure {
  const code = systemCode(error) ?? (error instanceof Error ? error.name : 'unknown')
  const isFull = isNoRoom(code)
  return new Failure(
    isFull ? 'temporary' : 'bug',
    `The journal of this import cannot be written (${code}), so nothing more is sent.`,
    {
      retryable: isFull,
      hint: 'Make room on the disk, then run the same command again: it first looks up the rows that were sent.',
    },
  )
}
