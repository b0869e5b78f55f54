import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { Failure, systemCode, usage } from '../../../errors.ts'
import { isObject, type Json, type JsonObject, parsePath } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { writeFileAtomic } from '../../../files/local/atomic-file.ts'
import { withLock } from '../../../files/local/lock.ts'
import { checkPrivateDirectory, ensurePrivateDirectory } from '../../../files/local/private-directory.ts'
import { privateJson } from '../../../files/local/private-json.ts'

/** The answers of a form that was not sent yet. They hold personal data, but never an API key. */
export interface Draft extends Readonly<Omit<z.infer<typeof draftShape>, 'answers'>> {
  /** Eight hexadecimal digits: the name of its file. */
  readonly id: string
  /** Values by field path; `undefined` for a field that the person emptied. */
  readonly answers: Readonly<Record<string, Json>>
}

const format = 1

const isDraftId = (text: string) => /^[0-9a-f]{8}$/.test(text)

const timeShape = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))))

const answerShape = z.custom<readonly [path: string, value?: Json]>(
  (pair) =>
    Array.isArray(pair) &&
    pair.length <= 2 &&
    typeof pair[0] === 'string' &&
    parsePath(pair[0]) !== undefined,
)

const draftShape = z.object({
  operation: z.string(),
  /** The profile. A draft is not offered under another one. */
  profile: z.string(),
  /** `null` for the sandbox. */
  origin: z.nullable(z.string()),
  /** When it was last written: ISO 8601 in UTC. */
  changed: timeShape,
  tool: z.string(),
  /** When it was sent, if the outcome is unknown. */
  sent: z.optional(timeShape),
  before: z.custom<JsonObject>((value) => isObject(value as Json)),
  answers: z.array(answerShape),
})

/** The drafts in the folder, newest first, and a warning for each file that is not a draft. */
export interface ReadDrafts {
  readonly drafts: readonly Draft[]
  readonly warnings: readonly string[]
}

const draftsFolder = (directory: string) => join(directory, 'drafts')
const fileIn = (directory: string, id: string) => join(draftsFolder(directory), `${id}.json`)

export const newDraftId = (): string => randomUUID().slice(0, 8)

/** Every draft in the settings directory. A file that cannot be read is left alone, with a warning. */
export async function readDrafts(directory: string): Promise<ReadDrafts> {
  const folder = draftsFolder(directory)
  const whyClosed = await checkPrivateDirectory(folder)
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const warnings = whyClosed ? [whyClosed] : []
  const drafts: Draft[] = []
  for (const name of files) {
    try {
      const draft = await readDraft(directory, name.slice(0, -'.json'.length))
      if (draft) drafts.push(draft)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      warnings.push(error.message)
    }
  }
  return { drafts: drafts.sort((a, b) => b.changed.localeCompare(a.changed)), warnings }
}

/** One draft; undefined if there is none. Throws a usage failure for a file that cannot be read. */
export async function readDraft(directory: string, id: string): Promise<Draft | undefined> {
  if (!isDraftId(id)) return undefined
  const file = fileIn(directory, id)
  const damaged = (code?: string) =>
    usage(`${file} cannot be read${code ? ` (${code})` : ': it is not a draft'}. It was not changed.`)
  const draft = await privateJson(file, draftShape, { what: 'the draft', format, damaged }).read()
  return draft && { ...draft, id, answers: Object.fromEntries(draft.answers) }
}

/** Writes a draft, whole or not at all, readable by its owner only. Throws a Failure if that cannot be done. */
export async function writeDraft(directory: string, draft: Draft): Promise<void> {
  await ensurePrivateDirectory(directory)
  await ensurePrivateDirectory(draftsFolder(directory))
  const { id, answers, ...others } = draft
  // JSON has no `undefined`, so an emptied field is a path without a value.
  const pairs = Object.entries(answers).map(([path, value]) => (value === undefined ? [path] : [path, value]))
  const text = `${stringifyJson({ format, ...others, answers: pairs }, 2)}\n`
  await writeFileAtomic(fileIn(directory, id), text, true)
}

/** Deletes a draft, even an unreadable one. False if there was none. Throws a usage failure if it cannot. */
export async function deleteDraft(directory: string, id: string): Promise<boolean> {
  if (!isDraftId(id)) return false
  try {
    await rm(fileIn(directory, id))
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return false
    throw usage(`The draft ${id} could not be deleted (${code}).`)
  }
}

/**
 * Locks a draft, because resuming it twice would create a person twice. Throws `locked` (exit 11) if another
 * run has it open.
 */
export function withDraftLock<T>(directory: string, id: string, action: () => Promise<T>): Promise<T> {
  return withLock(`the draft ${fileIn(directory, id)}`, action, { waitMs: 0 })
}

/** Whether a run has this draft open now. */
export async function isDraftOpen(directory: string, id: string): Promise<boolean> {
  try {
    await withDraftLock(directory, id, async () => {})
    return false
  } catch (error) {
    if (error instanceof Failure && error.code === 'locked') return true
    throw error
  }
}
