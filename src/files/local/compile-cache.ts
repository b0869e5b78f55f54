import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Script } from 'node:vm'
import { createLoader } from './loader.ts'
import { isOpenToOthers, modeOfDirectory, settingsDirectory } from './private-directory.ts'

/**
 * The folder for compiled code. It lies only in a folder of settings that is closed to others, because
 * whoever can write there runs code as the user. Windows has no modes: there it lies only in the usual
 * folder, which payroll closed. Undefined where there is none.
 */
export function compileCacheDirectory(env: NodeJS.ProcessEnv): string | undefined {
  try {
    const settings = settingsDirectory(env)
    const mode = modeOfDirectory(settings)
    const isClosed =
      platform() === 'win32'
        ? !env.PAYROLL_CONFIG_DIR && existsSync(settings)
        : mode !== undefined && !isOpenToOthers(mode)
    if (!isClosed) return undefined
    const directory = join(settings, 'compiled')
    if (!existsSync(directory)) mkdirSync(directory, 0o700)
    return directory
  } catch {
    // No folder, another user's, or a full disk: a command that needs the folder says so, not this one.
    return undefined
  }
}

interface Kept {
  readonly dist: string
  /** Tells one build from another. */
  readonly build: string
  readonly directory: string
  /** Requires a module of Node, or of a package. */
  readonly fromNode: (name: string) => unknown
}

/**
 * Loads a file of dist and what it requires, with what V8 compiled of it in an earlier run. Unlike Node's own
 * cache, functions that were called are kept too. V8 refuses what is of another version.
 */
export function loadKept(name: string, { dist, build, directory, fromNode }: Kept): unknown {
  const scripts = new Map<string, Script>()
  let isNew = false
  const path = (file: string) => join(dist, file)
  /** The version and the time of a file, which stand after what was compiled and must be as they were. */
  const stampOf = (file: string) =>
    Buffer.from([build, process.version, process.arch, statSync(path(file)).mtimeMs].join(' '))
  const keptPath = (file: string) => join(directory, file.replace('/', '-'))
  const load = createLoader(
    {
      path,
      // The bundler leaves no letter beyond ASCII: so V8 needs a byte for each.
      text: (file) => readFileSync(path(file), 'latin1'),
      compiled: (file) => readKept(keptPath(file), stampOf(file)),
    },
    fromNode,
    (file, script) => {
      scripts.set(file, script)
      if (script.cachedDataRejected !== false) isNew = true
    },
  )
  process.on('exit', () => {
    if (!isNew) return
    for (const [file, script] of scripts) {
      const compiled = script.createCachedData()
      keep(keptPath(file), [compiled, compiled, stampOf(file)])
    }
  })
  return load(name)
}

/**
 * What was compiled, if the file is as it was written. It stands there twice: the V8 of Node 26 ends the process at a
 * byte that was damaged, as that of Node 22 does, and a comparison costs a start less than a checksum.
 */
function readKept(path: string, stamp: Buffer): Uint8Array | undefined {
  try {
    const bytes = readFileSync(path)
    const end = bytes.length - stamp.length
    const [one, other] = [bytes.subarray(0, end / 2), bytes.subarray(end / 2, end)]
    return end > 0 && bytes.subarray(end).equals(stamp) && one.equals(other) ? one : undefined
  } catch {
    return undefined
  }
}

/** Writes it whole or not at all. Where it cannot be written, the next run compiles again. */
function keep(path: string, parts: readonly Uint8Array[]): void {
  const unfinished = `${path}.${process.pid}`
  try {
    writeFileSync(unfinished, Buffer.concat(parts), { mode: 0o600 })
    renameSync(unfinished, path)
  } catch {
    rmSync(unfinished, { force: true })
  }
}
