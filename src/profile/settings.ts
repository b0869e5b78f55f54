import { type FileHandle, open, realpath } from 'node:fs/promises'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { usage } from '../errors.ts'
import {
  checkPrivateDirectory,
  ensurePrivateDirectory,
  octal,
  refuseForeign,
  systemCode,
} from './directory.ts'
import { withLock } from './lock.ts'
import { replaceFile } from './settings-file.ts'
import { readShape, type Settings } from './settings-shape.ts'

export type { Settings, StoredKey, StoredProfile } from './settings-shape.ts'

/** The settings, and the sentences to show: that a file was open to others, and is closed now. */
export interface Found {
  readonly settings: Settings
  readonly warnings: readonly string[]
}

/**
 * What is stored in the directory; where nothing is, empty settings, and nothing is created. A file or directory
 * open to others is closed, with a warning. Throws a usage failure for a damaged file, which it leaves alone, and
 * for one that belongs to another user.
 *
 * Reads without conf, whose import costs more than the rest of a short command.
 */
export async function readSettings(directory: string): Promise<Found> {
  const closed = await checkPrivateDirectory(directory)
  const warnings = closed === undefined ? [] : [closed]
  const file = join(directory, 'config.json')
  const text = await readPrivately(file, warnings)
  if (text === undefined) return { settings: { profiles: {}, keys: {} }, warnings }
  const settings = readShape(parse(text))
  if (typeof settings !== 'string') return { settings, warnings }
  throw usage(
    `The settings file ${file} is damaged: ${settings}. It was left untouched.`,
    `Mend it, or put it aside and set up again: mv '${file}' '${file}.bak'`,
  )
}

/** Undefined, which no JSON text means, for what is not JSON: the parser's own words may quote a key. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of the file, from the very file whose owner and mode were looked at; undefined when there is none. */
async function readPrivately(file: string, warnings: string[]): Promise<string | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file)
    const { uid, mode } = await handle.stat()
    if (platform() !== 'win32') {
      refuseForeign(file, uid)
      if (mode & 0o077) {
        await handle.chmod(0o600)
        warnings.push(`${file} was open to other users (mode ${octal(mode)}); it is closed now (0600).`)
      }
    }
    return await handle.readFile('utf8')
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw usage(`The settings file ${file} cannot be read (${code}).`)
  } finally {
    await handle?.close()
  }
}

/**
 * Replaces the settings by what `change` makes of them as they are now, and returns the warnings to show. Processes
 * that do so at the same time take turns. To hand back the very settings received changes nothing. Throws what
 * `readSettings` throws, a `busy` failure after ten seconds, and a usage failure when the file cannot be written,
 * which is then as it was.
 */
export async function changeSettings(
  directory: string,
  change: (settings: Settings) => Settings,
): Promise<readonly string[]> {
  const closed = await ensurePrivateDirectory(directory)
  const file = await realFile(join(directory, 'config.json'))
  return withLock(`the settings in ${file}`, async () => {
    const { settings: before, warnings } = await readSettings(directory)
    const after = change(before)
    const all = closed === undefined ? warnings : [closed, ...warnings]
    if (after === before) return all
    const sound = readShape(after)
    if (typeof sound === 'string') throw usage(`The settings cannot be changed so: ${sound}.`)
    try {
      await replaceFile(file, after)
    } catch (error) {
      const reason = systemCode(error) ?? 'not all of it arrived on the disk'
      throw usage(`The settings could not be written (${reason}). They are as they were.`)
    }
    return all
  })
}

/** Where a symbolic link leads, so that it stays one; the file itself need not be there yet. */
async function realFile(path: string): Promise<string> {
  return realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)))
}
