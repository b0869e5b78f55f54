import { randomUUID } from 'node:crypto'
import { closeSync, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { type Outcome, outcomes, systemCode, usage } from '../../errors.ts'
import { parseJson } from '../../files/json/parse.ts'
import { isObject, type Json } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import { newerFormat } from '../../files/local/newer-format.ts'
import { checkPrivateDirectory, ensurePrivateDirectory } from '../../files/local/private-directory.ts'
import { readAs } from '../../files/local/private-json.ts'
import type { Seal } from './seal.ts'

/** A field that a write changed; undefined where it had no value, or has none. Both are missing where only names are kept. */
export interface FieldChange {
  readonly path: string
  readonly from?: Json | undefined
  readonly to?: Json | undefined
}

/** A write before it is sent. */
export interface PlannedWrite {
  readonly user: string
  /** The same for all writes of one command. */
  readonly run: string
  /** The words that were typed: `candidates update`. */
  readonly command: string
  readonly profile: string
  /** Scheme, host and port of the service. */
  readonly origin: string
  /** The operation of the contract: `candidates.update`; or method and path. */
  readonly operation: string
  /** The id of the record, where it has one already. */
  readonly record?: string | undefined
  readonly reference?: string | undefined
  /** The key of the record in an import, where that is not its reference: a person and a week. */
  readonly key?: string | undefined
  /** The name of the person: `Aoife Ní Shampla`. */
  readonly name?: string | undefined
  /** By the paths of a birthday and of an NI or PPS number, a mark of each that the record had. */
  readonly whose?: Readonly<Record<string, string>> | undefined
  /** Whom the record is about, where it is not a person: the reference in a timesheet, the id of whom a document is. */
  readonly person?: string | undefined
  /** The reference of whom a document is, where it was named by that. */
  readonly personReference?: string | undefined
  /** The fields that an update changes. */
  readonly changes?: readonly FieldChange[] | undefined
  /** True where the profile keeps only the names of fields. */
  readonly namesOnly?: true | undefined
  /** The writes that it takes back, of one record. */
  readonly undoes?: readonly string[] | undefined
}

/** A write, as the history has it. */
export interface HistoryEntry extends PlannedWrite {
  readonly id: string
  /** When it was sent; milliseconds since 1970. */
  readonly at: number
  /** `unknown` also where its end is missing: the command was killed, or is still running. */
  readonly outcome: Outcome
  /** True where no end was noted. */
  readonly hasNoEnd: boolean
  /** The line, to be held against its seal. */
  readonly line: string
}

/** A line after a write. The last one counts: what was unclear may be found out. */
const endShape = z.object({
  end: z.string(),
  outcome: z.enum(outcomes),
  /** The id that the service gave a new record. */
  record: z.optional(z.string()),
})

const anyJson = z.optional(z.custom<Json>(() => true))

/** A line before a write. An earlier version knows one write that is taken back. */
const beginningShape = z.object({
  id: z.string(),
  at: z.number(),
  user: z.string(),
  run: z.string(),
  command: z.string(),
  profile: z.string(),
  origin: z.string(),
  operation: z.string(),
  record: z.optional(z.string()),
  reference: z.optional(z.string()),
  key: z.optional(z.string()),
  name: z.optional(z.string()),
  whose: z.optional(z.record(z.string(), z.string())),
  person: z.optional(z.string()),
  personReference: z.optional(z.string()),
  changes: z.optional(z.array(z.object({ path: z.string(), from: anyJson, to: anyJson }))),
  namesOnly: z.optional(z.literal(true)),
  undoes: z.optional(z.string()),
  undoesToo: z.optional(z.array(z.string())),
})

/** The line in which a later format names itself. */
const newerShape = z.object({ format: z.number() })

type End = z.infer<typeof endShape>
type Beginning = Readonly<Omit<z.infer<typeof beginningShape>, 'changes' | 'undoesToo'>> & {
  readonly changes?: readonly FieldChange[] | undefined
  readonly undoesToo?: readonly string[] | undefined
}
type Newer = z.infer<typeof newerShape>

/** A line of this format does not say so. */
const format = 1

/** A write that is under way. */
export interface WriteUnderWay {
  /** Notes what became of it. May be called again when that is found out. */
  end(outcome: Outcome, record?: string): Promise<void>
}

interface History {
  /**
   * Notes a write before it is sent: the line is on the disk afterwards, or is left to the system with `isJournalled`, where
   * a journal on the disk has the write already. Throws a Failure where it cannot be written.
   */
  begin(write: PlannedWrite, at: number, seal: Seal, isJournalled?: boolean): Promise<WriteUnderWay>
  /** Closes its files, until something is noted again. */
  close(): void
}

/** How long a write is kept, unless the profile says otherwise. In days. */
export const usualDays = 90

const dayMs = 24 * 60 * 60 * 1000

/** A command that still runs writes again within this time: of a run whose last write is known, nothing older is looked for. */
export const longestPauseMs = dayMs

const folderIn = (directory: string) => join(directory, 'history')
const fileDay = (at: number) => new Date(at).toISOString().slice(0, 10)
const fileName = /^(\d{4}-\d\d-\d\d)\.ndjson$/

/**
 * The writes of this computer: a file for each day in the settings directory, readable by its owner only (0600), with a line
 * before each write and one after. Several processes may write at once. Removes what is older than `keepDays` when the first
 * write is noted.
 */
export function openHistory(directory: string, keepDays: number): History {
  const folder = folderIn(directory)
  let opened: Promise<void> | undefined
  const files = new Map<string, Appender>()

  const prepare = async (at: number) => {
    await ensurePrivateDirectory(directory)
    await ensurePrivateDirectory(folder)
    const [last] = await forgetHistory(directory, fileDay(at - keepDays * dayMs))
    // With a clock that was wrong, or the fewer days of another profile, what is gone was not old.
    if (last !== undefined) await noteRemoved(directory, Date.parse(last) + dayMs)
  }
  const fileOf = (day: string) => {
    const file = files.get(day) ?? createAppender(join(folder, `${day}.ndjson`))
    files.set(day, file)
    return file
  }

  return {
    close() {
      for (const file of files.values()) file.close()
    },
    async begin({ undoes: [undoes, ...undoesToo] = [], ...write }, at, seal, isJournalled) {
      opened ??= prepare(at)
      await opened
      const id = randomUUID().slice(0, 8)
      // Both lines stand in one file, also around midnight: they are forgotten together.
      const file = fileOf(fileDay(at))
      const taken = {
        ...(undoes !== undefined && { undoes }),
        ...(undoesToo.length > 0 && { undoesToo }),
      }
      const line = seal.close(stringifyJson({ id, at, ...write, ...taken } satisfies Beginning))
      await file.begin(line, isJournalled ? undefined : 'on the disk')
      return {
        end: (outcome, record) => file.end({ end: id, outcome, ...(record !== undefined && { record }) }),
      }
    },
  }
}

interface Appender {
  begin(line: string, place?: 'on the disk'): Promise<void>
  end(line: End, place?: 'on the disk'): Promise<void>
  close(): void
}

const syncData = promisify(fdatasync)

/** Appends lines to a file, which stays open: an import notes thousands of them. */
function createAppender(path: string): Appender {
  let file: number | undefined

  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }

  async function append(line: string, place?: 'on the disk'): Promise<void> {
    const isNew = file === undefined
    file ??= openSync(path, 'a', 0o600)
    // A whole line in one call: lines of several processes do not mix.
    writeSync(file, `${isNew ? lineBreakAfter(path, file) : ''}${line}\n`)
    if (place === 'on the disk') await syncData(file)
  }

  const orSay = (error: unknown): never => {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw usage(`The history ${path} cannot be written (${code}).`)
  }

  return {
    close,
    async begin(line, place) {
      try {
        // Another process may have forgotten the file: what begins now belongs into a new one, and what began before is gone.
        if (file !== undefined && fstatSync(file).nlink === 0) close()
        await append(line, place)
      } catch (error) {
        orSay(error)
      }
    },
    end: (line, place) => append(stringifyJson(line), place).catch(orSay),
  }
}

/** A line break, where the last process was killed in the middle of a line. */
function lineBreakAfter(path: string, file: number): string {
  const { size } = fstatSync(file)
  if (size === 0) return ''
  const reader = openSync(path, 'r')
  try {
    const last = Buffer.alloc(1)
    readSync(reader, last, 0, 1, size - 1)
    return last.toString() === '\n' ? '' : '\n'
  } finally {
    closeSync(reader)
  }
}

/**
 * The writes of this computer, newest first, read from the end: what is not asked for is not read. A line that is damaged, or was
 * cut off, is left out. Throws a usage failure for a folder that is open to others.
 *
 * @param onDamaged is told of each such line, by the day of its file
 */
export async function* readHistory(
  directory: string,
  onDamaged: (day: string) => void = () => {},
): AsyncGenerator<HistoryEntry> {
  const folder = folderIn(directory)
  const closed = await checkPrivateDirectory(folder)
  if (closed) throw usage(closed)
  for (const day of await daysIn(folder)) {
    const ends = new Map<string, End>()
    for await (const text of linesFromEnd(join(folder, `${day}.ndjson`))) {
      const line = parseLine(text)
      if (line === undefined) {
        onDamaged(day)
        continue
      }
      if ('format' in line) throw newerFormat(`The history of ${day}`, line.format, format)
      if ('end' in line) {
        if (!ends.has(line.end)) ends.set(line.end, line)
        continue
      }
      const end = ends.get(line.id)
      ends.delete(line.id)
      const { undoes, undoesToo = [], ...write } = line
      // Only a new record has none before: an end has no seal, and names no other.
      const record = line.record ?? end?.record
      yield {
        ...write,
        ...(undoes !== undefined && { undoes: [undoes, ...undoesToo] }),
        ...(record !== undefined && { record }),
        line: text,
        outcome: end?.outcome ?? 'unknown',
        hasNoEnd: end === undefined,
      }
    }
  }
}

/**
 * Notes of the last write of each of these records, by its id, key or reference, that it was applied, where its outcome is
 * unknown: it was seen later. Throws a usage failure where that cannot be written.
 */
export async function endAsApplied(
  directory: string,
  records: ReadonlySet<string>,
  isMeant: (entry: HistoryEntry) => boolean,
): Promise<void> {
  const open = new Set(records)
  for await (const entry of readHistory(directory)) {
    if (open.size === 0) return
    const name = [entry.record, entry.key ?? entry.reference].find(
      (each) => each !== undefined && open.has(each),
    )
    if (name === undefined || !isMeant(entry)) continue
    open.delete(name)
    if (entry.outcome === 'unknown') await noteApplied(directory, entry)
  }
}

/** Notes of a write whose outcome is unknown that it was seen to have been applied. Throws a usage failure where it cannot. */
export async function noteApplied(directory: string, { id, at }: HistoryEntry): Promise<void> {
  const file = createAppender(join(folderIn(directory), `${fileDay(at)}.ndjson`))
  await file.end({ end: id, outcome: 'applied' }, 'on the disk').finally(file.close)
}

/** Reads a line; undefined where it is damaged. */
function parseLine(text: string): Beginning | End | Newer | undefined {
  try {
    const line = parseJson(text)
    const newer = readAs(newerShape, line)
    // A line of a later version may have other members, so its format is looked at first.
    if (newer && newer.format > format) return newer
    return isObject(line) && 'end' in line ? readAs(endShape, line) : readAs(beginningShape, line)
  } catch {
    return undefined
  }
}

/** The days that have a file, the last first. */
async function daysIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return []
    throw usage(`The history ${folder} cannot be read (${systemCode(error) ?? 'unknown'}).`)
  })
  return names.flatMap((name) => fileName.exec(name)?.[1] ?? []).sort((a, b) => b.localeCompare(a))
}

/** Bytes of a file that are read at once. */
const chunkSize = 64 * 1024

async function* linesFromEnd(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    // Forgotten meanwhile.
    if (systemCode(error) === 'ENOENT') return undefined
    throw usage(`The history ${path} cannot be read (${systemCode(error) ?? 'unknown'}).`)
  })
  if (!file) return
  try {
    let { size: position } = await file.stat()
    let rest: Buffer = Buffer.alloc(0)
    while (position > 0) {
      const length = Math.min(chunkSize, position)
      position -= length
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, position)
      const whole = Buffer.concat([buffer, rest])
      const first = position === 0 ? -1 : whole.indexOf('\n')
      if (position > 0 && first < 0) {
        rest = whole
        continue
      }
      // The bytes before the first line break may be the end of a line.
      rest = whole.subarray(0, Math.max(first, 0))
      const lines = whole
        .subarray(first + 1)
        .toString('utf8')
        .split('\n')
      for (const line of lines.reverse()) if (line !== '') yield line
    }
  } finally {
    await file.close()
  }
}

/** Outside the folder of the writes, so that nothing is left in it: up to when they were removed, and no more. */
const removedFile = (directory: string) => join(directory, 'history-removed.json')

/** Notes that the writes before a time were removed: what was written until then is not known any more. */
export async function noteRemoved(directory: string, until: number): Promise<void> {
  await ensurePrivateDirectory(directory)
  const latest = Math.max(until, await removedUntil(directory))
  const file = removedFile(directory)
  await writeFile(file, `${stringifyJson({ until: latest })}\n`, { mode: 0o600 }).catch((error: unknown) => {
    throw usage(`${file} cannot be written (${systemCode(error) ?? 'unknown'}).`)
  })
}

/** The time before which writes were removed, in milliseconds since 1970; 0 if none were. */
export async function removedUntil(directory: string): Promise<number> {
  const text = await readFile(removedFile(directory), 'utf8').catch(() => '')
  return Number(/\d+/.exec(text)?.[0] ?? 0)
}

/** Removes the writes before a day, or all of them, and returns the days of which there were any, the last first. */
export async function forgetHistory(directory: string, before?: string): Promise<readonly string[]> {
  const folder = folderIn(directory)
  const days = (await daysIn(folder)).filter((day) => before === undefined || day < before)
  for (const day of days) {
    await rm(join(folder, `${day}.ndjson`), { force: true }).catch((error: unknown) => {
      throw usage(`The history of ${day} could not be removed (${systemCode(error) ?? 'unknown'}).`)
    })
  }
  return days
}
