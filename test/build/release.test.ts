// @module-tag process

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { writeDeb } from '../../build/package/deb.ts'
import { makeRelease } from '../../build/package/release.ts'
import { freshHome } from '../payroll.ts'

const url = 'https://downloads.example.invalid/payroll/v1.2.3'
const version = JSON.parse(readFileSync('package.json', 'utf8')).version

/** A folder as `npm run package` leaves it, with made-up files. */
function packages(of = version): string {
  const folder = freshHome()
  mkdirSync(folder, { recursive: true })
  const deb = (architecture: string) =>
    writeDeb({
      ...{ version: of, architecture, summary: 'Made up', seconds: 0 },
      files: [{ name: 'usr/bin/tool', bytes: Buffer.from('made up') }],
      xz: (bytes) => Buffer.from(bytes),
    })
  const files: Readonly<Record<string, Buffer>> = {
    [`payroll-${of}-linux-arm64.tar.xz`]: Buffer.from('made up 1'),
    [`payroll-${of}-linux-x64.tar.xz`]: Buffer.from('made up 2'),
    [`payroll-${of}-macos-arm64.tar.xz`]: Buffer.from('made up 3'),
    [`payroll-${of}-win-x64.zip`]: Buffer.from('made up 4'),
    [`payroll_${of}_amd64.deb`]: deb('amd64'),
    [`payroll_${of}_arm64.deb`]: deb('arm64'),
  }
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  const sums = Object.entries(files).map(([name, bytes]) => `${hashOf(bytes)}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return folder
}

const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const released = (folder: string, key?: string) => makeRelease(folder, { url, key }, () => {})
const readIn = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
const windows = `payroll-${version}-win-x64`

describe('a release', () => {
  test('has the three manifests of winget, as its schemas of 1.10 want them', () => {
    const folder = packages()
    released(folder)
    const read = (name: string) => parse(readIn(folder, `manifests/winget/PayrollCLI.Payroll${name}.yaml`))
    const [whole, installer, locale] = [read(''), read('.installer'), read('.locale.en-GB')]
    // github.com/microsoft/winget-cli, schemas/JSON/manifests/v1.10.0: the members that each must have, and their patterns.
    for (const each of [whole, installer, locale]) {
      expect(each.PackageIdentifier).toMatch(/^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/)
      expect(each).toMatchObject({ PackageVersion: version, ManifestVersion: '1.10.0' })
    }
    expect(whole).toMatchObject({ DefaultLocale: 'en-GB', ManifestType: 'version' })
    expect(locale).toMatchObject({ PackageLocale: 'en-GB', ManifestType: 'defaultLocale' })
    const lengths = {
      Publisher: [2, 256],
      PackageName: [2, 256],
      License: [3, 512],
      ShortDescription: [3, 256],
    }
    for (const [member, [least = 0, most = 0]] of Object.entries(lengths)) {
      expect(locale[member].length).toBeGreaterThanOrEqual(least)
      expect(locale[member].length).toBeLessThanOrEqual(most)
    }
    expect(locale.PackageUrl).toMatch(/^https:\/\/./)
    expect(installer).toMatchObject({ ManifestType: 'installer', InstallerType: 'zip' })
    expect(installer.Installers).toEqual([
      {
        Architecture: 'x64',
        InstallerUrl: `${url}/${windows}.zip`,
        InstallerSha256: hashOf('made up 4').toUpperCase(),
      },
    ])
    expect(installer.NestedInstallerFiles).toEqual([
      { RelativeFilePath: `${windows}\\payroll.exe`, PortableCommandAlias: 'payroll' },
    ])
  })

  test('has a manifest for Scoop, of members that its schema knows', () => {
    const folder = packages()
    released(folder)
    const made = JSON.parse(readIn(folder, 'manifests/scoop/payroll.json'))
    // github.com/ScoopInstaller/Scoop, schema.json: no other members.
    expect(Object.keys(made)).toEqual([
      'version',
      'description',
      'homepage',
      'license',
      'architecture',
      'bin',
    ])
    expect(made.version).toMatch(/^[\w\-.+]+$/)
    expect(made.architecture).toEqual({
      '64bit': { url: `${url}/${windows}.zip`, hash: hashOf('made up 4'), extract_dir: windows },
    })
  })

  test('has a formula of Homebrew with an archive for each of its systems', () => {
    const folder = packages()
    released(folder)
    const made = readIn(folder, 'manifests/homebrew/payroll.rb')
    expect(made).toMatch(/^class Payroll < Formula\n/)
    // Its audit wants no more than 80 letters, and no article in front.
    expect(made).toMatch(/^ {2}desc "(?!An? )[A-Z].{1,79}"$/m)
    const archives = [...made.matchAll(/^ {4}url "(.*)"\n {4}sha256 "(.*)"$/gm)].map(([, at, sum]) => [
      at,
      sum,
    ])
    expect(archives).toEqual([
      [`${url}/payroll-${version}-macos-arm64.tar.xz`, hashOf('made up 3')],
      [`${url}/payroll-${version}-linux-arm64.tar.xz`, hashOf('made up 1')],
      [`${url}/payroll-${version}-linux-x64.tar.xz`, hashOf('made up 2')],
    ])
    expect(made.match(/\b(class|def|if|test do)\b/g)).toHaveLength(made.match(/^ *end$/gm)?.length ?? 0)
  })

  test('is not made of a file that is not as SHA256SUMS says', () => {
    const folder = packages()
    writeFileSync(join(folder, `${windows}.zip`), 'something else')
    expect(() => released(folder)).toThrow(`${windows}.zip is not as SHA256SUMS says`)
    expect(existsSync(join(folder, 'manifests'))).toBe(false)
  })

  test('is not made of the files of another version', () => {
    const folder = packages('9.9.9')
    expect(() => released(folder)).toThrow(`SHA256SUMS has no ${windows}.zip`)
    expect(readdirSync(folder)).toHaveLength(7)
  })
})

const missing = ['gpg', 'apt-get'].filter((program) => spawnSync(program, ['--version']).status !== 0)
const why = missing.length > 0 ? ` (skipped: no ${missing.join(' and no ')})` : ''

describe.skipIf(missing.length > 0)(`a release that is signed${why}`, () => {
  const gpg = (...words: string[]) => spawnSync('gpg', ['--batch', ...words], { encoding: 'utf8' })

  /** A release signed by a key that is made for it, and gone with the test. */
  function signed(): string {
    const [keys, folder] = [freshHome(), packages()]
    chmodSync(keys, 0o700)
    vi.stubEnv('GNUPGHOME', keys)
    onTestFinished(() => {
      spawnSync('gpgconf', ['--kill', 'all'])
      vi.unstubAllEnvs()
    })
    const who = 'A key for a test <release@example.invalid>'
    expect(gpg('--passphrase', '', '--quick-generate-key', who, 'ed25519', 'sign', '0').status).toBe(0)
    released(folder, 'release@example.invalid')
    return folder
  }

  test('has a signature over SHA256SUMS that gpg takes, and not over other sums', () => {
    const folder = signed()
    const verified = () => gpg('--verify', join(folder, 'SHA256SUMS.asc'), join(folder, 'SHA256SUMS')).status
    expect(verified()).toBe(0)
    const sums = readIn(folder, 'SHA256SUMS')
    writeFileSync(join(folder, 'SHA256SUMS'), sums.replace(/^./, '-'))
    expect(verified()).not.toBe(0)
    writeFileSync(join(folder, 'SHA256SUMS'), sums)
  })

  test('has a repository that apt takes with its key, and not with another', () => {
    const [root, folder] = [freshHome(), signed()]
    for (const part of ['lists/partial', 'cache/archives/partial', 'etc'])
      mkdirSync(join(root, part), { recursive: true })
    const key = join(root, 'key.asc')
    writeFileSync(key, gpg('--armor', '--export', 'release@example.invalid').stdout)
    writeFileSync(join(root, 'status'), '')
    const sources = (by: string) =>
      writeFileSync(join(root, 'etc/list'), `deb [signed-by=${by}] file:${join(folder, 'apt')} stable main\n`)
    const settings = {
      'Dir::Etc': join(root, 'etc'),
      'Dir::Etc::SourceList': join(root, 'etc/list'),
      'Dir::Etc::SourceParts': '-',
      'Dir::State::Lists': join(root, 'lists'),
      'Dir::State::Status': join(root, 'status'),
      'Dir::Cache': join(root, 'cache'),
      'APT::Architecture': 'amd64',
      'APT::Architectures': 'amd64',
      'APT::Sandbox::User': 'root',
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const apt = (program: string, ...words: string[]) =>
      spawnSync(program, [...options, ...words], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
    sources('/usr/share/keyrings/debian-archive-keyring.gpg')
    expect(apt('apt-get', 'update', '--error-on=any').status).not.toBe(0)
    sources(key)
    const update = apt('apt-get', 'update', '--error-on=any')
    expect([update.status, update.stderr]).toEqual([0, ''])
    expect(apt('apt-cache', 'policy', 'payroll').stdout).toContain(`Candidate: ${version}`)
    expect(apt('apt-cache', 'show', 'payroll').stdout).toContain(
      `Filename: pool/payroll_${version}_amd64.deb`,
    )
    expect(readdirSync(join(folder, 'apt/pool'))).toHaveLength(2)
  })
})
