import { constants, fdatasync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { uptime } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '../api/http/clock.ts'
import { Failure, isNoRoom, systemCode } from '../errors.ts'
import { ensurePrivateDirectory, syncDirectory } from '../files/private-directory.ts'
import type { JsonObject } from '../json/path.ts'
import { encode } from './journal-file.ts'
import { type Header, type Replay, version } from './replay.ts'

/** Records what was sent and with which result, synced to the disk before the import relies on it. */
export interface Journal {
  /**
   * Resolves when the line is on the disk. If it cannot be written, this and every later call throw a Failure
   * (exit 1): after a failed sync there is no telling what is on the disk.
   */
  append(line: JsonObject): Promise<void>
  close(): Promise<void>
}

interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly clock: Pick<Clock, 'monotonicNow'>
}

/**
 * Opens the journal that was replayed, or starts a new one. Only its owner can read it (0600). The rows' keys are the
 * only data about people in it.
 */
export async function openJournal(
  path: string,
  header: Omit<Header, 'v'>,
  before: Replay | undefined,
  time: Time,
): Promise<Journal> {
  await ensurePrivateDirectory(dirname(path))
  try {
    const file = before ? await reopen(path, before.end) : await begin(path)
    const journal = appendTo(file, before?.seq ?? 0, time)
    if (before?.header === undefined) await journal.append({ v: version, ...header })
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

/** Cuts off a line that a crash left incomplete, so that the next line does not continue it. */
async function reopen(path: string, end: number): Promise<FileHandle> {
  const { O_APPEND, O_NOFOLLOW, O_WRONLY } = constants
  // By a handle of its own: Windows lets none that appends cut a file off (EPERM).
  const torn = await open(path, O_NOFOLLOW | O_WRONLY)
  try {
    await torn.chmod(0o600)
    await torn.truncate(end)
  } finally {
    await torn.close()
  }
  return open(path, O_APPEND | O_NOFOLLOW | O_WRONLY)
}

/**
 * Lines that arrive while the disk is busy are written together: one fdatasync covers all of them.
 */
function appendTo(file: FileHandle, last: number, { now, clock }: Time): Journal {
  const booted = clock.monotonicNow() - uptime() * 1000
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
      // `at` is clock time, for people; `up` counts from when the machine started, so it does not jump.
      const text = encode({ seq, ...line, at: now(), up: Math.round(clock.monotonicNow() - booted) })
      const written = new Promise<void>((resolve, reject) => waiting.push({ text, resolve, reject }))
      if (!writing) void write()
      return written
    },
    close: () => file.close(),
  }
}

const syncData = promisify(fdatasync)

/** At once: to give it to the system takes less time than to wait for another thread that does. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

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
