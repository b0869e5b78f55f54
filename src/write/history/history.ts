import { randomUUID } from 'node:crypto'
import { closeSync, fdatasync, fstatSync, openSync, readSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { type Outcome, outcomes, systemCode, usage } from '../../errors.ts'
import { parseJson } from '../../files/json/parse.ts'
import { isObject, type Json } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import { writeWhole } from '../../files/local/atomic-file.ts'
import { newerFormat } from '../../files/local/newer-format.ts'
import { checkPrivateDirectory, ensurePrivateDirectory } from '../../files/local/private-directory.ts'
import { parsedAs, privateJson } from '../../files/local/private-json.ts'
import { dayMs, utcDay } from '../../text/day.ts'
import type { Seal } from './seal.ts'

const anyJson = z.optional(z.custom<Json>(() => true))
const texts = z.array(z.string()) as z.ZodMiniType<readonly string[]>

/** A field that a write changed. A missing `from` or `to` means no value; where only names are kept, both are missing. */
const changeShape = z.object({ path: z.string(), from: anyJson, to: anyJson })

const plannedShape = {
  user: z.string(),
  /** One id for all writes of a command. */
  run: z.string(),
  /** The command without its options: `candidates update`. */
  command: z.string(),
  profile: z.string(),
  /** Scheme, host and port of the service. */
  origin: z.string(),
  /** The operation, such as `candidates.update`, or its method and path. */
  operation: z.string(),
  record: z.optional(z.string()),
  reference: z.optional(z.string()),
  /** By what an import knows the record, where that is not its reference: a person and a week. */
  key: z.optional(z.string()),
  /** The name of the person, `Aoife Ní Shampla`, or the days of a timesheet, `week ending 31 May 2026`. */
  name: z.optional(z.string()),
  /** Digests of the record's birthday and its NI or PPS number, by path. They show later whether it is the same person. */
  whose: z.optional(z.record(z.string(), z.string())),
  /** The person of a record that is not a person itself: the reference in a timesheet, the person's id for a document. */
  person: z.optional(z.string()),
  /** The reference of whom a document is, where it was named by that. */
  personReference: z.optional(z.string()),
  changes: z.optional(z.array(changeShape) as z.ZodMiniType<readonly FieldChange[]>),
  /** True where the profile keeps only the names of fields. */
  namesOnly: z.optional(z.literal(true)),
  /** The ids of the writes that this write undoes, all of one record. */
  undoes: z.optional(texts),
}

/** A field that the service has in a form of its own after a write, asked for or not: a name in capitals. */
const madeShape = z.object({ path: z.string(), value: anyJson })

/** The line before a write. */
const beginningShape = z.object({ id: z.string(), at: z.number(), ...plannedShape })

type MadeValue = Readonly<z.infer<typeof madeShape>>
export type SeenAfter = Readonly<z.infer<z.ZodMiniObject<typeof seenShape>>>
type FieldChange = Readonly<z.infer<typeof changeShape>>
/** What is noted of a write before it is sent. */
export type PlannedWrite = Readonly<z.infer<z.ZodMiniObject<typeof plannedShape>>>

/** A write, as the history has it. */
export interface HistoryEntry extends PlannedWrite {
  readonly id: string
  /** When it was sent; milliseconds since 1970. */
  readonly at: number
  /** `unknown` also where no end was noted: the command was killed, or still runs. */
  readonly outcome: Outcome
  /** True where no end was noted. */
  readonly hasNoEnd: boolean
  readonly made?: SeenAfter['made']
  readonly seenWithout?: SeenAfter['seenWithout']
  /** The line as it stands in the file, to check its seal. */
  readonly line: string
}

/** What the record showed after a write. */
const seenShape = {
  /** The fields that it had in the service's own form. */
  made: z.optional(z.array(madeShape) as z.ZodMiniType<readonly MadeValue[]>),
  /** True where it did not have all that was sent: nobody knows who sent what it has later. */
  seenWithout: z.optional(z.literal(true)),
}

/** The line after a write. The last one counts, because an unclear outcome may be learned later. */
const endShape = z.object({
  end: z.string(),
  outcome: z.enum(outcomes),
  /** The id that the service gave a new record. */
  record: z.optional(z.string()),
  ...seenShape,
})

/** A line that names a later format. */
const newerShape = z.object({ format: z.number() })

type End = z.infer<typeof endShape>
type Beginning = Readonly<z.infer<typeof beginningShape>>
type Newer = z.infer<typeof newerShape>

/** The format that is meant where a line names none. */
const format = 1

/** A write whose beginning the history has. */
export interface WriteUnderWay {
  /** Notes the outcome, and what else is known of the end by now. May be called again when it is learned later. */
  end(outcome: Outcome, more?: Pick<End, 'record'> & SeenAfter): Promise<void>
}

/** How many days a write is kept, unless the profile says otherwise. */
export const usualHistoryDays = 90

/** A running command writes again within this time: nothing older before its last known write is read. */
export const longestPauseOfRunMs = dayMs

const historyFolder = (directory: string) => join(directory, 'history')
const fileName = /^(\d{4}-\d\d-\d\d)\.ndjson$/

/**
 * Opens the history of this computer's writes: one file a day in the settings folder (0600), with a line before and a
 * line after each write. Several processes may write at once. The first write removes files older than `keepDays`.
 */
export function openHistory(directory: string, keepDays: number) {
  const folder = historyFolder(directory)
  let opening: Promise<void> | undefined
  const files = new Map<string, Appender>()

  const prepare = async (at: number) => {
    await ensurePrivateDirectory(directory)
    await ensurePrivateDirectory(folder)
    const [last] = await forgetHistory(directory, utcDay(at - keepDays * dayMs))
    // Noted, because the removed writes may be recent: the clock may have been wrong, or another profile may
    // keep them for fewer days.
    if (last !== undefined) await noteRemoved(directory, Date.parse(last) + dayMs)
  }
  const fileOf = (day: string) => {
    const file = files.get(day) ?? createAppender(join(folder, `${day}.ndjson`))
    files.set(day, file)
    return file
  }

  return {
    /** Closes the files. They are opened again when something is noted. */
    close() {
      for (const file of files.values()) file.close()
    },
    /**
     * Notes a write before it is sent. Resolves when the line is on the disk; with `isJournalled`, a journal has the
     * write on the disk already, so the system may write this line later. Throws a Failure if it cannot be written.
     */
    async begin(write: PlannedWrite, at: number, seal: Seal, isJournalled?: boolean): Promise<WriteUnderWay> {
      opening ??= prepare(at)
      await opening
      const id = randomUUID().slice(0, 8)
      // Both lines go into one file, even around midnight, so that they are removed together.
      const file = fileOf(utcDay(at))
      const line = seal.addTo(stringifyJson({ id, at, ...write } satisfies Beginning))
      await file.begin(line, !isJournalled)
      let known: Pick<End, 'record'> & SeenAfter = {}
      return {
        end(outcome, more) {
          known = { ...known, ...more }
          // Where only the names of fields are kept, no value is.
          return file.end({ end: id, outcome, ...known, ...(write.namesOnly && { made: undefined }) })
        },
      }
    },
  }
}

interface Appender {
  begin(line: string, isSynced?: boolean): Promise<void>
  end(line: End, isSynced?: boolean): Promise<void>
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

  async function append(line: string, isSynced?: boolean): Promise<void> {
    const isNew = file === undefined
    file ??= openSync(path, 'a', 0o600)
    // One call writes a whole line where there is room for it, so lines of several processes do not mix.
    writeWhole(file, Buffer.from(`${isNew ? lineBreakAfter(path, file) : ''}${line}\n`))
    if (isSynced) await syncData(file)
  }

  const throwUnwritable = (error: unknown): never => {
    // A part of the line may stand there: the next one begins behind a line break.
    close()
    const code = systemCode(error)
    if (code === undefined) throw error
    throw usage(`The history ${path} cannot be written (${code}).`)
  }

  return {
    close,
    async begin(line, isSynced) {
      try {
        // Another process may have removed the file. A new write goes into a new file.
        if (file !== undefined && fstatSync(file).nlink === 0) close()
        await append(line, isSynced)
      } catch (error) {
        throwUnwritable(error)
      }
    },
    end: (line, isSynced) => append(stringifyJson(line), isSynced).catch(throwUnwritable),
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
 * Reads the writes of this computer, the newest first, from the end of the files and only as far as needed.
 * `onDamaged` is told the day of each damaged line; one that does not matter is not read. Throws a usage failure for a
 * folder that others can open.
 */
export async function* readHistory(
  directory: string,
  onDamaged: (day: string) => void = () => {},
  matters: (line: string) => boolean = () => true,
): AsyncGenerator<HistoryEntry> {
  let ends = new Map<string, End>()
  let dayOfEnds = ''
  for await (const { day, text } of historyLines(directory)) {
    if (!matters(text)) continue
    // Both lines of a write are in one file.
    if (day !== dayOfEnds) [dayOfEnds, ends] = [day, new Map()]
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
    yield entryOf(line, ends.get(line.id), text)
    ends.delete(line.id)
  }
}

/** The lines of the history as they stand there, the last first. Throws a usage failure for a folder that others can open. */
export async function* historyLines(
  directory: string,
): AsyncGenerator<{ readonly day: string; readonly text: string }> {
  const folder = historyFolder(directory)
  const whyClosed = await checkPrivateDirectory(folder)
  if (whyClosed) throw usage(whyClosed)
  for (const day of await daysInFolder(folder))
    for await (const text of linesFromEnd(join(folder, `${day}.ndjson`))) yield { day, text }
}

function entryOf(beginning: Beginning, end: End | undefined, text: string): HistoryEntry {
  // A new record gets its id from the end line. An end has no seal, so it must not replace the id of
  // another record.
  const record = beginning.record ?? end?.record
  return {
    ...beginning,
    ...(record !== undefined && { record }),
    line: text,
    outcome: end?.outcome ?? 'unknown',
    hasNoEnd: end === undefined,
    made: end?.made,
    seenWithout: end?.seenWithout,
  }
}

/** Reads the two lines of a write; undefined where one is damaged, or of a later format. */
export function parseEntry(text: string, endText: string): HistoryEntry | undefined {
  const [beginning, end] = [parseLine(text), parseLine(endText)]
  return beginning && 'id' in beginning && end && 'end' in end ? entryOf(beginning, end, text) : undefined
}

/**
 * Notes that the last write of each of these records was applied, if its outcome is still unknown. Where
 * the record was seen without it, somebody else may have sent the same since. The records are named by id, key or
 * reference. Throws a usage failure if it cannot be written.
 */
export async function noteRecordsApplied(
  directory: string,
  records: ReadonlySet<string>,
  isMeant: (entry: HistoryEntry) => boolean,
): Promise<void> {
  const open = new Set(records)
  // Of one record, most beginnings need not be read: a history may have a hundred thousand.
  const [only = ''] = records.size === 1 ? records : []
  const name = /^[\w-]+$/.test(only) ? only : ''
  const matters = (line: string) => isEnd(line) || line.includes(name)
  for await (const entry of readHistory(directory, undefined, matters)) {
    if (open.size === 0) return
    const named = [entry.record, entry.key ?? entry.reference].find(
      (each) => each !== undefined && open.has(each),
    )
    if (named === undefined || !isMeant(entry)) continue
    open.delete(named)
    if (entry.outcome === 'unknown' && !entry.seenWithout) await noteApplied(directory, entry)
  }
}

/** Notes that a write with an unknown outcome was applied. Throws a usage failure if it cannot be written. */
export async function noteApplied(directory: string, { id, at }: HistoryEntry): Promise<void> {
  const file = createAppender(join(historyFolder(directory), `${utcDay(at)}.ndjson`))
  await file.end({ end: id, outcome: 'applied' }, true).finally(file.close)
}

/** Reads a line; undefined where it is damaged. */
function parseLine(text: string): Beginning | End | Newer | undefined {
  try {
    const line = parseJson(text)
    const newer = parsedAs(newerShape, line)
    // The format is checked first, because a line of a later version may have other members.
    if (newer && newer.format > format) return newer
    return isObject(line) && 'end' in line ? parsedAs(endShape, line) : parsedAs(beginningShape, line)
  } catch {
    return undefined
  }
}

/** The id of the write that a line is about, its beginning or its end. */
export const idInLine = (line: string): string => /^\{"(?:id|end)":"(\w+)"/.exec(line)?.[1] ?? ''

/** Whether a line is about the end of a write. */
export const isEnd = (line: string): boolean => line.startsWith('{"end":')

/** The days that have a file, the last first. */
async function daysInFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return []
    throw usage(`The history ${folder} cannot be read (${systemCode(error) ?? 'unknown'}).`)
  })
  return names.flatMap((name) => fileName.exec(name)?.[1] ?? []).sort((a, b) => b.localeCompare(a))
}

const chunkSize = 64 * 1024

async function* linesFromEnd(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    // Another process has removed it.
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

/** The file that says until when writes were removed: outside the history folder, where nothing is to be left. */
const removedIn = (directory: string) =>
  privateJson(join(directory, 'history-removed.json'), z.object({ until: z.number() }), {
    what: 'the note of what was removed from the history, in',
  })

/** Notes that the writes before a time were removed, so nothing earlier is known. */
export const noteRemoved = (directory: string, until: number): Promise<void> =>
  removedIn(directory).change((before) => ({ until: Math.max(until, before?.until ?? 0) }))

/** The time before which writes were removed, in milliseconds since 1970; 0 if none were. */
export const removedUntil = async (directory: string): Promise<number> =>
  (await removedIn(directory).read())?.until ?? 0

/** Removes the writes before a day, or all. Returns the days that had any, the last first. */
export async function forgetHistory(directory: string, before?: string): Promise<readonly string[]> {
  const folder = historyFolder(directory)
  const days = (await daysInFolder(folder)).filter((day) => before === undefined || day < before)
  for (const day of days) {
    await rm(join(folder, `${day}.ndjson`), { force: true }).catch((error: unknown) => {
      throw usage(`The history of ${day} could not be removed (${systemCode(error) ?? 'unknown'}).`)
    })
  }
  return days
}
