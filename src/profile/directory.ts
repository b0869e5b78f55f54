import { chmod, mkdir, realpath, stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import envPaths from 'env-paths'
import { usage } from '../errors.ts'

/**
 * The one directory that holds all the tool keeps: the settings, the keys, the sandbox's database.
 * Throws a usage failure when the environment names no place for it.
 */
export function settingsDirectory(env: NodeJS.ProcessEnv, system = platform()): string {
  const chosen = env.PAYROLL_CONFIG_DIR
  if (chosen) {
    // Cron expands neither "~" nor "$HOME", and a relative path is another place in every directory.
    if (isAbsolute(chosen)) return chosen
    throw usage('PAYROLL_CONFIG_DIR is not an absolute path.', 'Write the whole path, from the root.')
  }
  // env-paths reads the environment of the process, not the one given: right where there is no XDG to honour.
  if (system === 'darwin' || system === 'win32') return envPaths('payroll', { suffix: '' }).config

  // The XDG base directory specification has relative paths ignored.
  const shared = env.XDG_CONFIG_HOME
  if (shared && isAbsolute(shared)) return join(shared, 'payroll')
  if (env.HOME && isAbsolute(env.HOME)) return join(env.HOME, '.config', 'payroll')
  throw usage('There is no place for the settings: HOME is not set.', 'Set HOME, or PAYROLL_CONFIG_DIR.')
}

/**
 * Creates the directory for its owner alone (0700) where it is missing, else does what `checkPrivateDirectory`
 * does. Returns the warning to show, if there is one.
 */
export async function ensurePrivateDirectory(directory: string): Promise<string | undefined> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw usage(`The directory ${directory} cannot be made (${systemCode(error)}).`)
  }
  return checkPrivateDirectory(directory)
}

/**
 * Closes a directory that others may enter, and returns the sentence that says so. A missing one is left
 * missing. Throws a usage failure where another user could swap what is inside, or already owns it.
 * Windows keeps a profile directory private by other means than modes, so nothing is done there.
 */
export async function checkPrivateDirectory(directory: string): Promise<string | undefined> {
  const mode = await modeOfDirectory(directory)
  if (mode === undefined || !isOpenToOthers(mode)) return undefined
  try {
    await chmod(directory, 0o700)
  } catch (error) {
    throw notPrivate(directory, error)
  }
  return `${directory} was open to other users (mode ${octal(mode)}); it is closed now (0700).`
}

/**
 * The mode of a directory that can be made private; undefined for a missing one, and on Windows. Touches nothing.
 * Throws as `checkPrivateDirectory` does.
 */
export async function modeOfDirectory(directory: string): Promise<number | undefined> {
  if (platform() === 'win32') return undefined
  try {
    const here = await stat(directory)
    const parent = await stat(dirname(await realpath(directory)))
    refuseForeign(directory, here.uid)
    if (!here.isDirectory()) throw usage(`${directory} is not a directory.`, elsewhere)
    // Closing /tmp itself would take it from everybody else.
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
    throw notPrivate(directory, error)
  }
}

/** What an error of the system means for a directory; any other error as it is. */
function notPrivate(directory: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  return usage(`The directory ${directory} cannot be made private (${code}).`, elsewhere)
}

/** Whether users besides the owner may do anything with it. */
export function isOpenToOthers(mode: number): boolean {
  return (mode & 0o077) !== 0
}

const elsewhere = 'Name another directory in PAYROLL_CONFIG_DIR, one of your own.'

/** Throws a usage failure unless the file or directory belongs to the user who runs the tool. */
export function refuseForeign(path: string, owner: number): void {
  if (owner !== currentUser()) throw usage(`${path} belongs to another user.`, elsewhere)
}

/** The user who runs the tool; undefined on Windows. */
export function currentUser(): number | undefined {
  return process.geteuid?.()
}

/** A mode as people read it: `0644`. */
export function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

/** The code of an error of the system, `EACCES`; its message may hold more than should be shown. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined
}
