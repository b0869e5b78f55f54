import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { hostname, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Failure, isNoRoom, noRoom, systemCode, usage } from '../errors.ts'
import { syncFile } from './atomic-file.ts'
import { withLock } from './lock.ts'
import { isHeldError, renameOver } from './rename-over.ts'

/** What an older payroll finds in place of its settings. It refuses a version that it does not know, and so stores nothing there. */
interface MovedNote {
  readonly version: number
  readonly about: string
  readonly movedTo: string
  /** Only there are the settings: the note itself is copied to the other computers of a domain. */
  readonly computer: string
}

interface Moving {
  readonly computer?: string
  readonly move?: typeof renameOver
}

/**
 * Moves everything that payroll stores on Windows from the folder that a domain copies to other computers, where payroll
 * kept it before, to the one that stays on this computer. Once: a note to older payrolls stays behind. Returns what is to
 * be said, if anything.
 *
 * Killed at any step it goes on at the next run, and nothing is deleted that is not in its new place: the old folder is
 * renamed, which Windows refuses while a file in it is open; the renamed one takes its place, or is copied whole to another
 * disk first. Runs take turns. Throws a `locked` failure while another program uses the old folder.
 */
export async function moveSettings(
  from: string,
  to: string,
  { computer = hostname(), move = renameOver }: Moving = {},
): Promise<string | undefined> {
  const claimed = `${from}.moving`
  if (!existsSync(dirname(from))) return undefined
  if (!existsSync(claimed)) {
    const note = noteIn(from)
    const others = namesIn(from).filter((name) => note === undefined || name !== noteName)
    const isHere = namesIn(to).length > 0
    if (others.length === 0) {
      if (note === undefined && isHere) await leaveNote(from, to, computer)
      return note !== undefined && !isHere && note.computer !== computer ? onOtherComputer(note) : undefined
    }
    if (isHere || note !== undefined) return leftByOlder(from, to)
  }
  // An older payroll takes this lock to change its settings.
  const file = join(realpathSync.native(dirname(from)), basename(from), noteName)
  return withLock(`the settings in ${file}`, async () => {
    if (!existsSync(claimed)) {
      // Another run was quicker.
      if (noteIn(from) !== undefined || namesIn(from).length === 0) return undefined
      await move(from, claimed).catch((error: unknown) => refuse(error, from, to))
    }
    if (namesIn(to).length === 0)
      await putInPlace(claimed, to, move).catch((error: unknown) => refuse(error, from, to))
    if (existsSync(claimed)) {
      if (!(await holdsAll(to, claimed))) return notRemoved(claimed, to)
      await rm(claimed, { recursive: true, force: true })
    }
    await leaveNote(from, to, computer)
    const moved = `Settings, keys, drafts and journals of imports moved from ${from} to ${to}: Windows copies the first to the other computers of a domain, and not the second.`
    const open =
      platform() === 'win32' ? await (await import('./windows-access.ts')).closeFolder(to) : undefined
    return open === undefined ? moved : `${moved} ${open}`
  })
}

const noteName = 'config.json'

/** The folder in one step, where it is on the same disk; else a whole copy first. */
async function putInPlace(claimed: string, to: string, move: typeof renameOver): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  // An empty folder is in the way of a rename on Windows.
  if (existsSync(to)) await rmdir(to)
  try {
    await move(claimed, to)
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error
    const part = `${to}.part`
    await rm(part, { recursive: true, force: true })
    await cp(claimed, part, { recursive: true })
    for (const name of await filesIn(part)) await syncFile(join(part, name))
    await move(part, to)
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** Whether each file of one folder is in the other, byte by byte. */
async function holdsAll(folder: string, other: string): Promise<boolean> {
  for (const name of await filesIn(other)) {
    const [here, there] = await Promise.all([
      readFile(join(folder, name)).catch(() => undefined),
      readFile(join(other, name)),
    ])
    if (!here?.equals(there)) return false
  }
  return true
}

/** The names in a folder; none of one that is not there. */
function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** The note in the old folder; undefined where there is none, and for settings. */
function noteIn(folder: string): MovedNote | undefined {
  try {
    const value: MovedNote | null = JSON.parse(readFileSync(join(folder, noteName), 'utf8'))
    return typeof value?.movedTo === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Leaves the note, but never over settings that an older payroll has stored meanwhile. */
async function leaveNote(from: string, to: string, computer: string): Promise<void> {
  const note: MovedNote = {
    version: 1000,
    about: 'The settings have moved. This file keeps an older payroll from storing others here: update it.',
    movedTo: to,
    computer,
  }
  await mkdir(from, { recursive: true, mode: 0o700 })
  await writeFile(join(from, noteName), `${JSON.stringify(note, null, 2)}\n`, {
    flag: 'wx',
    mode: 0o600,
  }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error
  })
}

function onOtherComputer({ computer, movedTo }: MovedNote): string {
  return `The settings and keys of this account were moved to ${movedTo} on the computer ${computer}, and are not on this one. Continue its imports there. To set up this computer: payroll auth login`
}

function leftByOlder(from: string, to: string): string {
  return `An older payroll has stored something in ${from}, which is not used: the settings are in ${to}. Update it, and remove that folder once nothing in it is needed.`
}

function notRemoved(claimed: string, to: string): string {
  return `${claimed} holds something that is not in ${to}, so it was not removed. Copy what is needed, and remove it.`
}

/** Throws the failure of a move that was not possible; all is where it was, or goes on at the next run. */
function refuse(error: unknown, from: string, to: string): never {
  const code = systemCode(error)
  if (code === undefined) throw error
  const message = `The settings could not be moved from ${from} to ${to} (${code}).`
  const hint = `To go on using that folder, set PAYROLL_CONFIG_DIR to ${from}.`
  if (isNoRoom(code)) throw noRoom(message)
  if (!isHeldError(error)) throw usage(message, hint)
  throw new Failure('locked', `${message} Another program has a file there open.`, {
    outcome: 'not-sent',
    retryable: true,
    hint: `End the other run of payroll, and run this again. ${hint}`,
  })
}
