import { constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { access, chmod, mkdir, open } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { basename, dirname, isAbsolute, join, win32 } from 'node:path'
import process from 'node:process'
import type { Environment } from '../environment.ts'
import { type Failure, isNoRoom, noRoom, systemCode, usage } from '../errors.ts'

/**
 * The directory for everything that the tool stores: settings, keys, the sandbox's database. Throws a usage failure if
 * the environment gives no directory.
 */
export function settingsDirectory(env: Environment, system = platform()): string {
  const chosen = env.PAYROLL_CONFIG_DIR
  if (chosen) {
    // Cron expands neither `~` nor `$HOME`, and a relative path is another place in every directory.
    if (isAbsolute(chosen)) return chosen
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
  if (env.HOME && isAbsolute(env.HOME)) return join(env.HOME, '.config', 'payroll')
  throw usage('There is no directory for the settings: HOME is not set.', 'Set HOME, or PAYROLL_CONFIG_DIR.')
}

/**
 * Where all of it was on Windows before: in the folder that a domain copies to its other computers. Undefined on other
 * systems, and where PAYROLL_CONFIG_DIR names a directory.
 */
export function roamingDirectory(env: Environment, system = platform()): string | undefined {
  if (system !== 'win32' || env.PAYROLL_CONFIG_DIR) return undefined
  return win32.join(env.APPDATA || win32.join(homedir(), 'AppData', 'Roaming'), 'payroll', 'Config')
}

/**
 * Creates the directory, for its owner only (0700, or an access list on Windows), if it is missing. If it is open to others
 * but contains only payroll's settings, closes it and returns the warning to show. Throws a usage failure for any other open directory,
 * which it does not change, for one that cannot be created or written to, and as `checkPrivateDirectory` does.
 */
export async function ensurePrivateDirectory(directory: string): Promise<string | undefined> {
  const created = await createDirectory(directory)
  // What lies in a directory of payroll has its access list from there.
  if (created !== undefined && platform() === 'win32' && !isOwnFolder(basename(directory))) {
    const { closeFolder } = await import('./windows-access.ts')
    return closeFolder(directory)
  }
  const mode = await openMode(directory)
  if (mode !== undefined) {
    try {
      await chmod(directory, 0o700)
    } catch (error) {
      throw directoryFailure(directory, error)
    }
  }
  const code = await whyUnwritable(directory)
  if (code !== undefined) throw unwritable(`The directory ${directory} cannot be written to`, code)
  if (mode === undefined) return undefined
  return `${directory} was open to other users (mode ${octal(mode)}); it is closed now (0700).`
}

/**
 * Creates a missing directory, and those above it, for its owner only (0700). Returns the first one that was missing.
 * Throws a usage failure that says why it cannot, and `hint`.
 */
export async function createDirectory(directory: string, hint = elsewhere): Promise<string | undefined> {
  try {
    return await makeDirectories(directory)
  } catch (error) {
    let above = dirname(directory)
    while (!existsSync(above) && above !== dirname(above)) above = dirname(above)
    // Node says ENOENT of a directory that would lie two levels deep on a read-only disk.
    const code = (await whyUnwritable(above)) ?? String(systemCode(error))
    const none = code === 'ENOENT' ? ': the system makes no directory there' : ''
    throw unwritable(`The directory ${directory} cannot be created${none}`, code, hint)
  }
}

/**
 * Makes a missing directory, and those above it, for their owner only, and returns the first one that was missing. Throws
 * system errors. Not by the recursive mkdir of Node, which tries for ever where the system says ENOENT although the directory
 * above is there, as in /proc.
 */
export async function makeDirectories(directory: string): Promise<string | undefined> {
  const make = async () => {
    await mkdir(directory, 0o700)
    return directory
  }
  try {
    return await make()
  } catch (error) {
    const above = dirname(directory)
    if (systemCode(error) === 'ENOENT' && above !== directory) {
      const first = await makeDirectories(above)
      return make().then(
        () => first ?? directory,
        (again: unknown) => {
          // Another run may have made it meanwhile.
          if (isDirectory(directory)) return first
          throw again
        },
      )
    }
    if (isDirectory(directory)) return undefined
    throw error
  }
}

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** The code of the error that a new file in the directory would meet; undefined if the system allows one. */
async function whyUnwritable(directory: string): Promise<string | undefined> {
  try {
    await access(directory, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return systemCode(error)
  }
}

/** The failure of a directory that takes no file. `what`: the beginning of its sentence. */
export function unwritable(what: string, code: string, hint = elsewhere): Failure {
  const reason = { EROFS: 'its disk is read-only', EACCES: 'you may not write there' }[code]
  const message = `${what}${reason === undefined ? '' : `: ${reason}`} (${code}).`
  return isNoRoom(code) ? noRoom(message) : usage(message, hint)
}

/**
 * The warning to show if others may enter payroll's directory. Changes no mode and creates nothing. Throws a usage
 * failure if another user owns it or could replace it, and for an open directory that is not only payroll's: closing
 * /etc or a home directory would break it for everybody else. Does nothing on Windows, which keeps a profile directory
 * private without modes.
 */
export async function checkPrivateDirectory(directory: string): Promise<string | undefined> {
  const mode = await openMode(directory)
  if (mode === undefined) return undefined
  return `${directory} is open to other users (mode ${octal(mode)}). Close it: chmod 700 '${directory}'`
}

/** The mode of a directory of payroll that is open to others; undefined for one that is not open, or missing. */
async function openMode(directory: string): Promise<number | undefined> {
  const mode = modeOfDirectory(directory)
  if (mode === undefined || !isOpenToOthers(mode)) return undefined
  let names: string[]
  try {
    names = readdirSync(directory)
  } catch (error) {
    throw directoryFailure(directory, error)
  }
  if (isOurs(directory, names)) return mode
  const open = `The directory ${directory} is open to other users (mode ${octal(mode)})`
  throw names.length === 0
    ? usage(
        `${open}, and payroll did not create it. It was not changed.`,
        `If only payroll uses it, close it: chmod 700 '${directory}'. Or set PAYROLL_CONFIG_DIR to another directory, one of your own.`,
      )
    : usage(
        `${open}, and it contains other files than those of payroll. It was not changed.`,
        'Set PAYROLL_CONFIG_DIR to another directory, one that only payroll uses.',
      )
}

/** The files that payroll stores in its directory. */
const ownName =
  /^(config\.json(\..*)?|accepted\.json|columns\.json|service-knowledge(-sent\.txt|\.json)|shown-fields\.json|sandbox\.db(-\w+)?|edit-[\w-]+\.json|spool-[\w-]+|\.payroll-[\w-]+\.part)$/
const ownFolders = ['bookmarks', 'compiled', 'drafts', 'history', 'imports', 'locks', 'marks'] as const

/** A folder that payroll makes in its directory. */
export type OwnFolder = (typeof ownFolders)[number]

const isOwnFolder = (name: string) => ownFolders.some((each) => each === name)

/** Whether it is payroll's own directory: it contains the settings and nothing else, or lies in such a directory. */
function isOurs(directory: string, names: readonly string[]): boolean {
  if (names.includes('config.json')) {
    return names.every((name) => ownName.test(name) || isOwnFolder(name))
  }
  if (!isOwnFolder(basename(directory))) return false
  try {
    const above = readdirSync(dirname(directory))
    return above.every((name) => ownName.test(name) || isOwnFolder(name))
  } catch {
    return true
  }
}

/**
 * The mode of a directory that can be made private; undefined for a missing one, and on Windows. Changes nothing.
 * Throws as `checkPrivateDirectory` does.
 */
export function modeOfDirectory(directory: string): number | undefined {
  if (platform() === 'win32') return undefined
  try {
    // Synchronous, because every command waits for it: loading the promises of node:fs would take longer.
    const here = statSync(directory)
    const parent = statSync(dirname(realpathSync.native(directory)))
    refuseForeign(directory, here.uid)
    if (!here.isDirectory()) throw usage(`${directory} is not a directory.`, elsewhere)
    // Closing /tmp itself would lock out all other users.
    if (here.mode & 0o1000) throw usage(`${directory} is shared with other users.`, elsewhere)
    if ((parent.mode & 0o1002) === 0o002) {
      throw usage(
        `Every user may replace ${directory}: the directory above it is writable by all.`,
        elsewhere,
      )
    }
    return here.mode
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw directoryFailure(directory, error)
  }
}

/** Turns a system error on a directory into a usage failure; other errors are returned unchanged. */
function directoryFailure(directory: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  return usage(`The directory ${directory} cannot be made private (${code}).`, elsewhere)
}

/** Whether users besides the owner may do anything with it. */
export function isOpenToOthers(mode: number): boolean {
  return (mode & 0o077) !== 0
}

const elsewhere = 'Set PAYROLL_CONFIG_DIR to another directory, one of your own.'

/** Throws a usage failure for what belongs to another user. Windows has no numbers for users, and each file has owner 0. */
export function refuseForeign(path: string, owner: number): void {
  const user = currentUser()
  if (user !== undefined && owner !== user) throw usage(`${path} belongs to another user.`, elsewhere)
}

/** The user who runs the tool; undefined on Windows. */
export function currentUser(): number | undefined {
  return process.geteuid?.()
}

/** A mode as people read it: `0644`. */
export function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

/**
 * Syncs a directory, so that its file names survive a power cut. Does nothing on systems that cannot: Windows does not
 * open directories as files, and some network disks do not sync them. Throws system errors when a disk fails.
 */
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
