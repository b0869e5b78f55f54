import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { syncDirectory } from '../../files/sync-directory.ts'
import type { Settings } from './settings-shape.ts'

/**
 * Writes the whole file or nothing, readable by its owner only. Throws system errors unchanged, and an error if the
 * written file does not have the right content.
 *
 * conf writes a temporary file, which we read back and rename. By itself conf reports success for half a file when the
 * disk is full, and writes in place in a terminal started from a Snap package.
 */
export async function replaceFile(file: string, settings: Settings): Promise<void> {
  const Conf = await loadConf()
  const folder = dirname(file)
  // Files of killed runs: conf would try to read them, and they may contain a key that was removed.
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
  // The new settings are in place either way.
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
 * A package inside conf deletes its temporary files on a stop signal and then sends the signal again. Our run waits for
 * a second Ctrl-C and would get it at once, so this removes the package's handlers; `replaceFile` deletes temporary
 * files itself.
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
