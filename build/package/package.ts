import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { archiveContents, debianContents, sharedContents } from './contents.ts'
import { writeDeb } from './deb.ts'
import { buildExecutable } from './executable.ts'
import { manualOf } from './manual.ts'
import {
  keyringPackage,
  nodeVersion,
  type PackageOfNpm,
  type System,
  systemNames,
  systems,
} from './systems.ts'
import { byName, type Packed, writeTar } from './tar.ts'

/**
 * Makes everything that people install, in a folder that is emptied first: the package of npm, an archive for each
 * system, a package of Debian, the bill of materials, and the hashes of all of them. The same commit gives the same files,
 * with the same Node, npm and xz. `tell` hears of each file.
 */
export async function makePackages(folder: string, tell: (line: string) => void): Promise<void> {
  const { name, version, description } = JSON.parse(readFileSync('package.json', 'utf8'))
  const seconds = timeOfSources()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const put = (file: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, file), bytes)
    tell(`${join(folder, file)}  ${(bytes.length / 1e6).toFixed(1)} MB`)
  }
  letEverybodyRead()
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder])
  tell(join(folder, `${name}-${version}.tgz`))
  put(`payroll-${version}.cdx.json`, Buffer.from(billOfMaterials()))

  const shared = sharedContents(await manualOf(version, new Date(seconds * 1000)))
  for (const system of systemNames) {
    const archive = `payroll-${version}-${system}`
    const executable = await executableFor(system)
    const files = archiveContents(archive, system, executable, shared)
    if (system === 'win-x64') put(`${archive}.zip`, zip(files, seconds))
    else put(`${archive}.tar.xz`, xz(writeTar(files, seconds)))
    const { debian: architecture }: System = systems[system]
    if (architecture === undefined) continue
    const contents = debianContents(system, executable, shared)
    put(
      `payroll_${version}_${architecture}.deb`,
      writeDeb({ version, architecture, summary: description, files: contents, seconds, xz }),
    )
  }
  const sums = readdirSync(folder)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
  put('SHA256SUMS', Buffer.from(sums.join('')))
}

/** npm packs a file with the rights that it has, and a strict umask leaves them to the owner alone. */
function letEverybodyRead(): void {
  const [{ files }] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts']))
  for (const { path } of files as readonly { path: string }[]) {
    const isProgram = (statSync(path).mode & 0o100) !== 0
    chmodSync(path, isProgram ? 0o755 : 0o644)
  }
}

/** The time of every file: that of the commit, unless SOURCE_DATE_EPOCH says another. In seconds since 1970. */
export function timeOfSources(): number {
  const given = process.env.SOURCE_DATE_EPOCH
  const seconds = Number(given || run('git', ['log', '-1', '--format=%ct']))
  if (Number.isSafeInteger(seconds) && seconds >= 0) return seconds
  throw new Error('SOURCE_DATE_EPOCH is no number of seconds since 1970')
}

async function executableFor(system: (typeof systemNames)[number]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'payroll-package-'))
  try {
    const path = join(folder, systems[system].executable)
    await buildExecutable(system, path)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The bill of materials of the package of npm, and what executables have besides: a Node, and the keyring's module. */
function billOfMaterials(): string {
  const bill = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'))
  const nodes = systemNames.map((system) => {
    const { package: name, integrity } = systems[system]
    return componentOf({ name, version: nodeVersion, integrity })
  })
  const keyrings = systemNames.map((system) => componentOf(keyringPackage(system)))
  return `${JSON.stringify({ ...bill, components: [...bill.components, ...nodes, ...keyrings] }, null, 2)}\n`
}

function componentOf({ name, version, integrity }: PackageOfNpm) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  const hashes = [{ alg: 'SHA-512', content }]
  return { type: 'library', 'bom-ref': purl, name, version, licenses: [{ expression: 'MIT' }], purl, hashes }
}

/** A zip that depends on nothing but the files. Its times have no zone: they are those of UTC. */
function zip(files: readonly Packed[], seconds: number): Uint8Array {
  const utc = new Date(seconds * 1000)
  const mtime = new Date(utc.getTime() + utc.getTimezoneOffset() * 60_000)
  const sorted = [...files].sort(byName)
  return zipSync(Object.fromEntries(sorted.map(({ name, bytes }) => [name, bytes])), { level: 9, mtime })
}

/**
 * Compresses in blocks of one size, so that the number of processors does not change the result. Level 6
 * takes two and a half times as long and saves an eighth.
 */
function xz(bytes: Uint8Array): Buffer {
  const words = ['--format=xz', '-2', '--threads=2', '--block-size=32MiB', '--stdout']
  const { status, stdout, error } = spawnSync('xz', words, { input: bytes, maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(`xz failed: ${error?.message ?? 'see above'}`)
  return stdout
}

function run(program: string, words: readonly string[]): string {
  const { status, stdout, error } = spawnSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: program === 'npm' && process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed ${error?.message ?? ''}`)
  return stdout
}
