import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { syncDirectory } from '../files/sync-directory.ts'
import type { Settings } from './settings-shape.ts'

/**
 * Writes the file for its owner alone, whole or not at all. Throws what the system throws, and an error when the
 * file that was written is not the file that was meant.
 *
 * conf writes a neighbour, which is read back, and a rename puts it in place. Left to itself conf
 * reports success over half a file when the disk is full, and in a terminal started from a Snap
 * package it writes in place.
 */
export async function replaceFile(file: string, settings: Settings): Promise<void> {
  const Conf = await loadConf()
  const folder = dirname(file)
  // What a killed run left: conf would try to read it, and it may hold a key that is long removed.
  for (const name of await readdir(folder)) {
    if (name.startsWith('config.json.new')) await rm(join(folder, name))
  }
  const text = `${JSON.stringify(settings, null, 2)}\n`
  const neighbour = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: 'config',
    fileExtension: 'json.new',
    configFileMode: 0o600,
    clearInvalidConfig: false,
    accessPropertiesByDotNotation: false,
    serialize: () => text,
  })
  try {
    neighbour.store = { ...settings }
    await confirmWritten(neighbour.path, text)
    await rename(neighbour.path, file)
  } finally {
    await rm(neighbour.path, { force: true })
  }
  // The new settings are in force either way.
  await syncDirectory(folder).catch(() => {})
}

async function confirmWritten(file: string, text: string): Promise<void> {
  const handle = await open(file)
  try {
    const found = await handle.readFile('utf8')
    if (found !== text) throw new Error('The file is not what was written.')
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * A package inside conf answers an ending signal by sending it again, once it has cleared its own temporary files
 * away. A run that heeds the first Ctrl-C and ends at the second would then get both at once, so those answers are
 * taken off; `replaceFile` clears away by itself.
 */
async function loadConf(): Promise<typeof import('conf').default> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const before = new Set(signals.flatMap((signal) => process.rawListeners(signal)))
  const { default: Conf } = await import('conf')
  for (const signal of signals) {
    for (const listener of process.rawListeners(signal)) {
      const once = Object.hasOwn(listener, 'listener')
      if (once && !before.has(listener)) process.off(signal, listener as () => void)
    }
  }
  return Conf
}
