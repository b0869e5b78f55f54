import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { gzip, readAr } from './deb.ts'
import { manifests } from './manifests.ts'
import { timeOfSources } from './package.ts'
import { readTar } from './tar.ts'

export interface ReleaseOptions {
  /** The address below which the files of the release will lie. */
  readonly url: string
  /** The OpenPGP key of whoever releases, as gpg names it. Without one nothing is signed. */
  readonly key?: string | undefined
}

/**
 * Adds to a folder that `npm run package` made what a release has besides: SHA256SUMS.asc, the manifests of package managers, and
 * a repository for apt. All of it follows from SHA256SUMS. Throws where a file is not as SHA256SUMS says, or of another
 * version.
 */
export function makeRelease(
  folder: string,
  { url, key }: ReleaseOptions,
  tell: (line: string) => void,
): void {
  const sums = readSums(folder)
  const written = Object.entries(manifests(sums, url))
  const put = (file: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    tell(join(folder, file))
  }
  const sign = (how: '--detach-sign' | '--clear-sign', from: string, to: string) => {
    if (key === undefined) return
    rmSync(join(folder, to), { force: true })
    const words = ['--batch', '--armor', '--local-user', key, '--output', to, how, from]
    const { status, error } = spawnSync('gpg', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`gpg did not sign ${from}: ${error?.message ?? 'see above'}`)
    tell(join(folder, to))
  }
  sign('--detach-sign', 'SHA256SUMS', 'SHA256SUMS.asc')
  for (const [name, text] of written) put(`manifests/${name}`, text)

  const debs = [...sums.keys()].filter((name) => name.endsWith('.deb'))
  const indexes: { readonly name: string; readonly bytes: Buffer }[] = []
  for (const deb of debs) {
    const { architecture, entry } = entryOf(deb, readFileSync(join(folder, deb)), sums.get(deb) ?? '')
    const name = `main/binary-${architecture}/Packages`
    indexes.push({ name, bytes: Buffer.from(entry) }, { name: `${name}.gz`, bytes: gzip(Buffer.from(entry)) })
    mkdirSync(join(folder, 'apt/pool'), { recursive: true })
    copyFileSync(join(folder, deb), join(folder, 'apt/pool', deb))
  }
  for (const { name, bytes } of indexes) put(`apt/dists/stable/${name}`, bytes)
  put('apt/dists/stable/Release', releaseOf(indexes))
  sign('--clear-sign', 'apt/dists/stable/Release', 'apt/dists/stable/InRelease')
}

/** The hash of each file of a release by its name, each held against the file. */
function readSums(folder: string): ReadonlyMap<string, string> {
  const path = join(folder, 'SHA256SUMS')
  if (!existsSync(path)) throw new Error(`there is no ${path}: npm run package makes it`)
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
  for (const [name, sum] of sums) {
    if (hashOf(readFileSync(join(folder, name))) !== sum) throw new Error(`${name} is not as SHA256SUMS says`)
  }
  return sums
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The entry of a package of Debian in the index of a repository: what it says of itself, and where it lies. */
function entryOf(name: string, deb: Buffer, sum: string): { architecture: string; entry: string } {
  const control = readAr(deb).find((file) => file.name === 'control.tar.gz')
  const file = control && readTar(gunzipSync(control.bytes)).find((each) => each.name === './control')
  const [summary = '', ...description] = String(file?.bytes)
    .trimEnd()
    .split(/\n(?=Description:)/)
  const [, architecture] = /^Architecture: (\S+)$/m.exec(summary) ?? []
  if (architecture === undefined) throw new Error(`${name} does not say for which processor it is`)
  const where = [`Filename: pool/${name}`, `Size: ${deb.length}`, `SHA256: ${sum}`]
  return { architecture, entry: `${[summary, ...where, ...description].join('\n')}\n` }
}

/** What apt reads first: which indexes there are, and their hashes. */
function releaseOf(indexes: readonly { readonly name: string; readonly bytes: Buffer }[]): string {
  const architectures = new Set(indexes.map(({ name }) => /binary-(\w+)/.exec(name)?.[1]))
  const head = {
    Origin: 'payroll',
    Label: 'payroll',
    Suite: 'stable',
    Codename: 'stable',
    Date: new Date(timeOfSources() * 1000).toUTCString().replace('GMT', 'UTC'),
    Architectures: [...architectures].join(' '),
    Components: 'main',
  }
  const hashes = indexes.map(({ name, bytes }) => ` ${hashOf(bytes)} ${bytes.length} ${name}`)
  return `${Object.entries(head)
    .map(([field, value]) => `${field}: ${value}`)
    .join('\n')}\nSHA256:\n${hashes.join('\n')}\n`
}
