import { constants, existsSync, realpathSync, statSync } from 'node:fs'
import { access, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { homedir, platform, userInfo } from 'node:os'
import { dirname, isAbsolute, join, win32 } from 'node:path'
import process from 'node:process'
import type { Environment } from '../../environment.ts'
import { type Failure, isNoRoom, noRoom, systemCode, usage } from '../../errors.ts'
import { chmodCommand } from '../../text/shell-word.ts'

/** The directory for all that the tool stores. Throws a usage failure if the environment gives none. */
export function settingsDirectory(env: Environment, system = platform()): string {
  const directory = settingsDirectoryIfAny(env, system)
  if (directory !== undefined) return directory
  throw usage('There is no directory for the settings: HOME is not set.', 'Set HOME, or PAYROLL_CONFIG_DIR.')
}

/**
 * The folder of the settings; undefined if the environment gives none, and so nothing is stored. Throws only for one
 * that is wrong.
 */
export function settingsDirectoryIfAny(env: Environment, system = platform()): string | undefined {
  const fromVariable = env.PAYROLL_CONFIG_DIR
  if (fromVariable) {
    // Cron expands neither `~` nor `$HOME`, and a relative path is another place in every directory.
    if (isAbsolute(fromVariable)) return fromVariable
    throw usage('PAYROLL_CONFIG_DIR is not an absolute path.', 'Write the whole path, from the root.')
  }
  // Asked only here: a user id without a name has no home at all, and needs none where a directory is set.
  if (system === 'darwin') return join(homedir(), 'Library', 'Preferences', 'payroll')
  if (system === 'win32') {
    return win32.join(env.LOCALAPPDATA || win32.join(homedir(), 'AppData', 'Local'), 'payroll', 'Config')
  }

  // The XDG base directory specification says to ignore relative paths.
  const shared = env.XDG_CONFIG_HOME
  if (shared && isAbsolute(shared)) return join(shared, 'payroll')
  return env.HOME && isAbsolute(env.HOME) ? join(env.HOME, '.config', 'payroll') : undefined
}

/** Makes the directory (0700) if it is missing. Throws a usage failure, as `checkPrivateDirectory` does. */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  await createDirectory(directory)
  modeOfDirectory(directory)
  await assertFolderWritable(directory)
}

/** Throws a usage failure for a directory that takes no file, or that is missing and cannot be made. */
async function assertFolderWritable(directory: string): Promise<void> {
  const code = await whyUnwritable(directory)
  const what = existsSync(directory) ? 'written to' : 'created'
  if (code !== undefined) throw unwritable(`The directory ${directory} cannot be ${what}`, code)
}

/** Throws a usage failure for a directory in which a new file cannot be written, and removes the file: only a write tells of a full disk. */
export async function tryFolder(directory: string): Promise<void> {
  await assertFolderWritable(directory)
  if (!isDirectory(directory)) return
  const file = join(directory, `doctor-${process.pid}`)
  try {
    await writeFile(file, 'to try the directory', { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    throw unwritable(`The directory ${directory} cannot be written to`, String(systemCode(error)))
  } finally {
    await rm(file, { force: true })
  }
}

/** Makes directories (0700). Throws a usage failure with `hint`. */
export async function createDirectory(directory: string, hint = elsewhereHint): Promise<void> {
  try {
    await makeDirectories(directory)
  } catch (error) {
    throw unwritable(`The directory ${directory} cannot be created`, String(systemCode(error)), hint)
  }
}

/**
 * Makes directories (0700). Throws system errors. Not by Node's own recursive mkdir, which tries for ever
 * where the system says ENOENT although the parent is there, as in /proc.
 */
async function makeDirectories(directory: string): Promise<void> {
  if (isDirectory(directory)) return
  if (!existsSync(dirname(directory))) await makeDirectories(dirname(directory))
  await mkdir(directory, 0o700).catch((error: unknown) => {
    // Another run may have made it meanwhile.
    if (!isDirectory(directory)) throw error
  })
}

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** The code of the error that a new file in the directory, or in what there is above it, would meet; undefined if the system allows one. */
async function whyUnwritable(directory: string): Promise<string | undefined> {
  let there = directory
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there)
  try {
    await access(there, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return systemCode(error)
  }
}

/** Why a place takes no file: the end of a sentence, with its full stop. */
export function refusedBecause(code: string): string {
  const reason = { EROFS: 'its disk is read-only', EACCES: 'you may not write there' }[code]
  return `${reason === undefined ? '' : `: ${reason}`} (${code}).`
}

/** The failure of a directory that takes no file. `what`: the beginning of its sentence. */
export function unwritable(what: string, code: string, hint = elsewhereHint): Failure {
  const message = `${what}${refusedBecause(code)}`
  return isNoRoom(code) ? noRoom(message) : usage(message, hint)
}

/** The warning if others may enter payroll's directory. Throws a usage failure if they may write there. */
export function checkPrivateDirectory(directory: string): string | undefined {
  const mode = modeOfDirectory(directory)
  if (mode === undefined || !isOpenToOthers(mode)) return undefined
  return `${directory} is open to other users (mode ${modeText(mode)}). Close it: ${chmodCommand('700', directory)}`
}

/** A folder that payroll makes in its directory. */
export type OwnFolder = 'bookmarks' | 'compiled' | 'drafts' | 'history' | 'imports' | 'locks' | 'marks'

/** The mode of a directory of ours; undefined if missing, or on Windows. Throws as the check does. */
export function modeOfDirectory(directory: string): number | undefined {
  if (platform() === 'win32') return undefined
  try {
    // Synchronous, because every command waits for it: loading the promises of node:fs would take longer.
    const here = statSync(directory)
    const parent = statSync(dirname(realpathSync.native(directory)))
    refuseForeign(directory, here.uid)
    if (!here.isDirectory()) throw usage(`${directory} is not a directory.`, elsewhereHint)
    if (here.mode & 0o022)
      throw usage(
        `Other users may write into ${directory} (mode ${modeText(here.mode)}). It was not changed.`,
        `If only payroll uses it, close it: ${chmodCommand('700', directory)}. Or set PAYROLL_CONFIG_DIR to another directory, one of your own.`,
      )
    if ((parent.mode & 0o1002) === 0o002) {
      throw usage(
        `Every user may replace ${directory}: the directory above it is writable by all.`,
        elsewhereHint,
      )
    }
    return here.mode
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    throw code === undefined ? error : unwritable(`The directory ${directory} cannot be used`, code)
  }
}

/** Whether users besides the owner may do anything with it. */
export function isOpenToOthers(mode: number): boolean {
  return (mode & 0o077) !== 0
}

const elsewhereHint = 'Set PAYROLL_CONFIG_DIR to another directory, one of your own.'

/** Throws a usage failure for what belongs to another user. On Windows every file has owner 0. */
export function refuseForeign(path: string, owner: number): void {
  const user = currentUser()
  if (user !== undefined && owner !== user) throw usage(`${path} belongs to another user.`, elsewhereHint)
}

/** The user who runs the tool; undefined on Windows. */
export function currentUser(): number | undefined {
  return process.geteuid?.()
}

/** The name of the user who runs the tool. In a container the user id may have none. */
export function userName(): string {
  try {
    const { username, uid } = userInfo()
    return /^[\w@\\][\w.@\\ +-]{0,63}$/.test(username) ? username : `user ${uid}`
  } catch {
    return `user ${currentUser() ?? ''}`.trim()
  }
}

/** A mode as people read it: `0644`. */
export function modeText(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

/** Syncs a directory, so that its names survive a power cut, where the system can. Throws system errors. */
export async function syncDirectory(directory: string): Promise<void> {
  if (platform() === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}
