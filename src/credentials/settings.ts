import { closeSync, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { systemCode, usage } from '../errors.ts'
import { checkPrivateDirectory, isOpenToOthers, octal, refuseForeign } from '../files/private-directory.ts'
import { systemCommands } from '../files/system-commands.ts'
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
    `Correct it, or move it away and set up again: ${systemCommands().moveAside(file)}`,
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
