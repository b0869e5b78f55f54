import { realpathSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { noRoom, systemCode, usage } from '../errors.ts'
import { syncFile } from '../files/local/atomic-file.ts'
import { withLock } from '../files/local/lock.ts'
import { ensurePrivateDirectory, syncDirectory, unwritable } from '../files/local/private-directory.ts'
import { renameOver } from '../files/local/rename-over.ts'
import { readSettings, type Settings, settingsFile } from './settings.ts'
import { parseSettings } from './settings-shape.ts'

/**
 * Replaces the settings with what `change` returns, under a lock. Writes nothing if that is the same object.
 * Returns warnings. Throws as `readSettings` does, a `locked` failure after ten seconds, and a failure if the
 * file cannot be written; it then stays unchanged.
 */
export async function changeSettings(
  directory: string,
  change: (settings: Settings) => Settings | Promise<Settings>,
): Promise<readonly string[]> {
  await ensurePrivateDirectory(directory)
  const file = linkedFile(settingsFile(directory))
  return withLock(`the settings in ${file}`, async () => {
    const { settings, warnings } = await readSettings(directory)
    const after = await change(settings)
    if (after === settings) return warnings
    const sound = parseSettings(after)
    if ('why' in sound) throw usage(`These settings cannot be stored: ${sound.why}.`)
    try {
      await replaceSettings(file, after)
    } catch (error) {
      const reason = systemCode(error)
      const what = `The settings in ${file} could not be written`
      throw reason === undefined
        ? noRoom(`${what} (the written file is incomplete).`)
        : unwritable(what, reason)
    }
    return warnings
  })
}

/** A symbolic link stays a link; its target need not exist yet. */
function linkedFile(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return join(realpathSync.native(dirname(path)), basename(path))
  }
}

/**
 * Writes the whole file or nothing, readable by its owner only. conf is the store, of a file beside the settings, which
 * replaces them once conf has read from it what it was given: on a full disk conf calls half a file a success, and in a
 * terminal from a Snap package it writes in place, so that it cannot be given the settings themselves
 * (docs/decisions/settings.md). Throws system errors unchanged, and an error if the written file is not right.
 */
async function replaceSettings(file: string, settings: Settings): Promise<void> {
  const Conf = await loadConf()
  const folder = dirname(file)
  // Files of killed runs: conf would try to read them, and they may contain a key that was removed.
  for (const name of await readdir(folder)) {
    if (name.startsWith('config.json.new')) await rm(join(folder, name))
  }
  const store = new Conf({
    cwd: folder,
    fileExtension: 'json.new',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    serialize,
  })
  try {
    store.store = { ...settings }
    if (serialize(store.store) !== serialize(settings)) throw new Error('The file is not what was written.')
    // conf syncs its file, but not in a terminal that was started from a Snap package.
    await syncFile(store.path)
    await renameOver(store.path, file)
  } finally {
    await rm(store.path, { force: true })
  }
  // The new settings are in place either way.
  await syncDirectory(folder).catch(() => {})
}

const serialize = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** A package inside conf sends stop signals again, like a second Ctrl-C: its handlers are removed. */
async function loadConf() {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const before = new Set(signals.flatMap((signal) => process.rawListeners(signal)))
  const { HOME } = process.env
  // env-paths, which conf loads and never asks here, calls os.homedir() as it loads: that fails for a user id without a
  // name, and looks nowhere else for a home.
  process.env.HOME ??= '/'
  const { default: Conf } = await import('conf')
  if (HOME === undefined) delete process.env.HOME
  for (const signal of signals) {
    for (const listener of process.rawListeners(signal)) {
      if (Object.hasOwn(listener, 'listener') && !before.has(listener))
        process.off(signal, listener as () => void)
    }
  }
  return Conf
}
