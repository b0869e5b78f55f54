import { randomUUID } from 'node:crypto'
import { lstat, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, systemCode, usage } from '../errors.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { withLock } from '../files/lock.ts'
import { checkPrivateDirectory, ensurePrivateDirectory } from '../files/private-directory.ts'
import { type Draft, draftText, isDraftId, parseDraft } from './draft.ts'

/** The drafts in the folder, newest first, and a warning for each file that is not a draft. */
export interface Found {
  readonly drafts: readonly Draft[]
  readonly warnings: readonly string[]
}

/** After this time a half-written file belongs to no running process. In milliseconds. */
const abandonedAfter = 60 * 60 * 1000

/** Far larger than what a form asks for. In bytes. */
const largest = 4 * 1024 * 1024

const folderIn = (directory: string) => join(directory, 'drafts')
const fileIn = (directory: string, id: string) => join(folderIn(directory), `${id}.json`)

export function newDraftId(): string {
  return randomUUID().slice(0, 8)
}

/**
 * Reads every draft in the settings directory. Warns about a file that cannot be read and leaves it alone; deletes
 * half-written files of killed runs.
 *
 * @param now milliseconds since 1970
 */
export async function readDrafts(directory: string, now: number): Promise<Found> {
  const folder = folderIn(directory)
  const closed = await checkPrivateDirectory(folder)
  const names = await readdir(folder).catch(() => [])
  await Promise.all(
    names.filter((name) => name.endsWith('.part')).map((name) => removeAbandoned(join(folder, name), now)),
  )
  const files = names.filter((name) => name.endsWith('.json'))
  const read = await Promise.all(files.map((name) => readFileOf(directory, name.slice(0, -'.json'.length))))
  const drafts = read.filter((one) => typeof one === 'object')
  return {
    drafts: drafts.sort((a, b) => b.changed.localeCompare(a.changed)),
    warnings: [...(closed ? [closed] : []), ...read.filter((one) => typeof one === 'string')],
  }
}

/** One draft; undefined if there is none. Throws a usage failure for a file that cannot be read. */
export async function readDraft(directory: string, id: string): Promise<Draft | undefined> {
  const read = isDraftId(id) ? await readFileOf(directory, id) : undefined
  if (typeof read === 'string') throw usage(read)
  return read
}

/**
 * Writes the whole draft or nothing, readable by its owner only (0600, in a folder of 0700). Throws a Failure if it
 * cannot be written.
 */
export async function writeDraft(directory: string, draft: Draft): Promise<void> {
  await ensurePrivateDirectory(directory)
  await ensurePrivateDirectory(folderIn(directory))
  await writeFileAtomic(fileIn(directory, draft.id), draftText(draft), true)
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
 * Works on a draft while no other run can open it: resuming a draft twice would create the same person twice. Throws a
 * `locked` failure (exit 11) at once if another run has it open.
 */
export function withDraftLock<T>(directory: string, id: string, action: () => Promise<T>): Promise<T> {
  return withLock(`the draft ${fileIn(directory, id)}`, action, { waitMs: 0 })
}

/** Whether a run has this draft open now. */
export async function isOpen(directory: string, id: string): Promise<boolean> {
  try {
    await withDraftLock(directory, id, async () => {})
    return false
  } catch (error) {
    if (error instanceof Failure && error.code === 'locked') return true
    throw error
  }
}

/** The draft in a file, or a sentence that says why it cannot be read; undefined if there is no file. */
async function readFileOf(directory: string, id: string): Promise<Draft | string | undefined> {
  const file = fileIn(directory, id)
  try {
    const there = await lstat(file)
    const draft =
      there.isFile() && there.size <= largest && isDraftId(id)
        ? parseDraft(id, await readFile(file))
        : 'it is not a draft'
    return typeof draft === 'string' ? `${file} cannot be read: ${draft}. It was not changed.` : draft
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    return `${file} cannot be read (${code}). It was not changed.`
  }
}

async function removeAbandoned(file: string, now: number): Promise<void> {
  const there = await stat(file).catch(() => undefined)
  if (there && now - there.mtimeMs > abandonedAfter) await rm(file, { force: true })
}
