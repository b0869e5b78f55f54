import { closeSync, fchmodSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { systemCode, usage } from '../errors.ts'
import { withLock } from '../files/lock.ts'
import {
  checkPrivateDirectory,
  ensurePrivateDirectory,
  isOpenToOthers,
  octal,
  refuseForeign,
  syncDirectory,
} from '../files/private-directory.ts'
import { renameOver } from '../files/rename-over.ts'
import { emptySettings, needsNewerVersion, parseSettings, type Settings } from './settings-shape.ts'

export type { Settings, StoredKey, StoredProfile, StoredToken } from './settings-shape.ts'

/** The settings, and the warnings to show. */
interface Found {
  readonly settings: Settings
  readonly warnings: readonly string[]
}

/**
 * Reads the settings in the directory; empty settings if there are none. Creates nothing. Closes a file that is open to
 * others, with a warning. Throws a usage failure for a file that is damaged or of a newer version, which it does not
 * change, and for one that belongs to another user.
 *
 * Reads without conf, whose import costs more than the rest of a short command.
 */
export async function readSettings(directory: string): Promise<Found> {
  const open = await checkPrivateDirectory(directory)
  const warnings = open === undefined ? [] : [open]
  const file = settingsFile(directory)
  const stored = readPrivately(file, 'close it')
  if (stored === undefined) return { settings: emptySettings, warnings }
  if (stored.mode !== undefined && isOpenToOthers(stored.mode)) {
    warnings.push(`${file} was open to other users (mode ${octal(stored.mode)}); it is closed now (0600).`)
  }
  return { settings: settingsIn(stored.text, file), warnings }
}

/**
 * The settings and the mode of their file, for diagnosis: the mode is not changed.
 * Undefined if there is no file. Throws as `readSettings` does.
 */
export async function inspectSettings(
  directory: string,
): Promise<{ readonly settings: Settings; readonly mode: number | undefined } | undefined> {
  const file = settingsFile(directory)
  const stored = readPrivately(file, 'leave it')
  return stored && { settings: settingsIn(stored.text, file), mode: stored.mode }
}

export const settingsFile = (directory: string) => join(directory, 'config.json')

function settingsIn(text: string, file: string): Settings {
  const value = parse(text)
  const newer = needsNewerVersion(value)
  if (newer !== undefined) {
    throw usage(
      `The settings file ${file} was written by a newer payroll: ${newer}. It was left untouched.`,
      'Update payroll, or set PAYROLL_CONFIG_DIR to another directory.',
    )
  }
  const settings = parseSettings(value)
  if (typeof settings !== 'string') return settings
  throw usage(
    `The settings file ${file} is damaged: ${settings}. It was left untouched.`,
    `Correct it, or move it away and set up again: mv '${file}' '${file}.bak'`,
  )
}

/** Parses JSON; undefined if it is not JSON. Hides the parser's error, which may quote a key. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The text of the file and its mode before, read from the same open file whose owner was checked; undefined if there is
 * none. Windows has no modes.
 */
function readPrivately(
  file: string,
  ifOpen: 'close it' | 'leave it',
): { text: string; mode: number | undefined } | undefined {
  // Synchronous, because every command waits for it: loading the promises of node:fs would take longer.
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const { uid, mode } = fstatSync(descriptor)
    const hasMode = platform() !== 'win32'
    if (hasMode) {
      refuseForeign(file, uid)
      if (isOpenToOthers(mode) && ifOpen === 'close it') fchmodSync(descriptor, 0o600)
    }
    return { text: readFileSync(descriptor, 'utf8'), mode: hasMode ? mode : undefined }
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw usage(`The settings file ${file} cannot be read (${code}).`)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/**
 * Replaces the current settings with what `change` returns, and returns the warnings to show. Several processes take
 * turns. Writes nothing if `change` returns the same object. Throws as `readSettings` does, a `locked` failure after
 * ten seconds, and a usage failure if the file cannot be written; it then stays unchanged.
 */
export async function changeSettings(
  directory: string,
  change: (settings: Settings) => Settings | Promise<Settings>,
): Promise<readonly string[]> {
  const closed = await ensurePrivateDirectory(directory)
  const file = realFile(settingsFile(directory))
  return withLock(`the settings in ${file}`, async () => {
    const { settings, warnings } = await readSettings(directory)
    const after = await change(settings)
    const all = closed === undefined ? warnings : [closed, ...warnings]
    if (after === settings) return all
    const sound = parseSettings(after)
    if (typeof sound === 'string') throw usage(`These settings cannot be stored: ${sound}.`)
    try {
      await replaceFile(file, after)
    } catch (error) {
      const reason = systemCode(error) ?? 'the written file is incomplete'
      throw usage(`The settings could not be written (${reason}). They were not changed.`)
    }
    return all
  })
}

/** Where a symbolic link leads, so that it stays a link; the target need not exist yet. */
function realFile(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return join(realpathSync.native(dirname(path)), basename(path))
  }
}

/**
 * Writes the whole file or nothing, readable by its owner only. Throws system errors unchanged, and an error if the
 * written file does not have the right content.
 *
 * conf keeps a file beside the settings, which takes their place once conf reads from it what it was to hold: by itself
 * conf reports success for half a file when the disk is full (docs/decisions/settings.md).
 */
async function replaceFile(file: string, settings: Settings): Promise<void> {
  const Conf = await loadConf()
  const folder = dirname(file)
  // Files of killed runs: conf would try to read them, and they may contain a key that was removed.
  for (const name of await readdir(folder)) {
    if (name.startsWith('config.json.new')) await rm(join(folder, name))
  }
  const store = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: 'config',
    fileExtension: 'json.new',
    configFileMode: 0o600,
    clearInvalidConfig: false,
    accessPropertiesByDotNotation: false,
    serialize,
  })
  try {
    store.store = { ...settings }
    if (serialize(store.store) !== serialize(settings)) throw new Error('The file is not what was written.')
    await syncFile(store.path)
    await renameOver(store.path, file)
  } finally {
    await rm(store.path, { force: true })
  }
  // The new settings are in place either way.
  await syncDirectory(folder).catch(() => {})
}

const serialize = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** conf syncs its file, but not in a terminal that was started from a Snap package. */
async function syncFile(file: string): Promise<void> {
  // Open for writing too: Windows syncs no file that is open for reading alone (EPERM).
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * A package inside conf deletes its temporary files on a stop signal and then sends the signal again. Our run waits for
 * a second Ctrl-C and would get it at once, so this removes the package's handlers; `replaceFile` deletes temporary
 * files itself.
 */
async function loadConf(): Promise<typeof import('conf').default> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const before = new Set(signals.flatMap((signal) => process.rawListeners(signal)))
  const { HOME } = process.env
  // A package inside conf asks for the home as it is loaded, which a user id without a name does not have.
  process.env.HOME ??= '/'
  const { default: Conf } = await import('conf')
  if (HOME === undefined) delete process.env.HOME
  for (const signal of signals) {
    for (const listener of process.rawListeners(signal)) {
      const once = Object.hasOwn(listener, 'listener')
      if (once && !before.has(listener)) process.off(signal, listener as () => void)
    }
  }
  return Conf
}
