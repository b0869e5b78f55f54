import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShellName } from '../../src/commands/completion.ts'
import { keyringFile } from '../../src/credentials/keyring-program.ts'
import { gzip } from './deb.ts'
import { keyringFor, licencesOfNode, type SystemName, systems } from './systems.ts'
import type { Packed } from './tar.ts'

interface Shell {
  /** What its file is called in an archive. */
  readonly file: string
  /** Where Debian has the completions of this shell, with the name of the file. */
  readonly debian?: string
}

const shells: Readonly<Record<ShellName, Shell>> = {
  bash: { file: 'payroll.bash', debian: 'usr/share/bash-completion/completions/payroll' },
  zsh: { file: '_payroll', debian: 'usr/share/zsh/vendor-completions/_payroll' },
  fish: { file: 'payroll.fish', debian: 'usr/share/fish/vendor_completions.d/payroll.fish' },
  powershell: { file: 'payroll.ps1' },
}

const forYourself = `For yourself, with ~/.local/bin on your PATH:

  mkdir -p ~/.local/lib ~/.local/bin
  mv THIS_FOLDER ~/.local/lib/payroll
  ln -s ../lib/payroll/payroll ~/.local/bin/payroll
`

const inTheFolder = `Completions of bash, zsh and fish: the folder completions, or payroll help completion.
Manual: man ~/.local/lib/payroll/man/payroll.1
To remove it, delete both. What it stored is in the folder that payroll doctor names.
`

const installOnLinux = (
  processor: string,
) => `For Linux on ${processor}, with glibc 2.28 or newer. Node is inside.

${forYourself}
${inTheFolder}`

/** How the archive of a system is used: INSTALL.txt. */
const install: Readonly<Record<SystemName, string>> = {
  'linux-x64': installOnLinux('x64'),
  'linux-arm64': installOnLinux('arm64'),
  'win-x64': `For Windows 10 and newer on x64. Node is inside. The program is not signed.

1. Move this folder to where it stays, for example to %LOCALAPPDATA%\\Programs\\payroll.
2. Put that folder on your PATH: Settings, System, About, Advanced system settings, Environment Variables.
3. Open a new terminal and type: payroll help

If Windows says that it protected your PC, it asks because nobody has signed the program. Compare its hash with
SHA256SUMS first:

  Get-FileHash THIS_FOLDER.zip

and only if they are the same: More info, Run anyway; or, in PowerShell, for the archive before it is unpacked:

  Unblock-File THIS_FOLDER.zip

Completions of PowerShell: completions\\payroll.ps1, from your $PROFILE.
To remove it, delete the folder. What it stored is in the folder that payroll doctor names.
`,
  'macos-arm64': `For macOS 13.5 and newer on Apple silicon. Node is inside.

The program is not signed by a developer that Apple knows, and it was not tried on a Mac before it was published. What is
downloaded with a browser is held back for that: macOS says that it cannot be opened. Compare its hash with SHA256SUMS first:

  shasum -a 256 THIS_FOLDER.tar.xz

and only if they are the same, allow it:

  xattr -dr com.apple.quarantine THIS_FOLDER

${forYourself}
If it ends at once with "Killed", sign it for this Mac: codesign --force --sign - ~/.local/lib/payroll/payroll
${inTheFolder}`,
}

/** What every archive has besides the programs. */
interface Shared {
  readonly completions: readonly { readonly shell: Shell; readonly bytes: Buffer }[]
  /** Of the tool, of what is bundled, of Node. */
  readonly licences: Buffer
  readonly manual: readonly Packed[]
}

/** What every archive has besides the programs, made once. `manual` are the man pages. */
export function sharedContents(manual: readonly Packed[]): Shared {
  const completions = Object.entries(shells).map(([name, shell]) => {
    const { status, stdout } = spawnSync(process.execPath, ['bin/payroll.js', 'completion', name])
    if (status !== 0) throw new Error(`payroll completion ${name} failed`)
    return { shell, bytes: stdout }
  })
  const licences = [
    'payroll\n\n',
    readFileSync('LICENSE'),
    '\nInside are these packages:\n\n',
    readFileSync('dist/LICENCES.txt'),
    `\n\n${keyringFile} is @napi-rs/keyring (MIT). Inside it are:\n\n`,
    readFileSync('node_modules/@napi-rs/keyring-linux-x64-gnu/LICENSE.third-party.md'),
    '\n\nInside is Node, with these licences:\n\n',
    readFileSync(licencesOfNode()),
  ]
  return { completions, licences: Buffer.concat(licences.map((each) => Buffer.from(each))), manual }
}

/** The archive of a system: one folder of this name. */
export function archiveContents(
  folder: string,
  system: SystemName,
  executable: Uint8Array,
  { completions, licences, manual }: Shared,
): readonly Packed[] {
  const isWindows = system === 'win-x64'
  const text = (bytes: Uint8Array) =>
    isWindows ? Buffer.from(Buffer.from(bytes).toString().replace(/\r?\n/g, '\r\n')) : bytes
  const forSystem = completions.filter(({ shell }) => (shell.debian === undefined) === isWindows)
  const files: Packed[] = [
    { name: systems[system].executable, bytes: executable, isProgram: true },
    { name: keyringFile, bytes: readFileSync(keyringFor(system)) },
    { name: 'INSTALL.txt', bytes: text(Buffer.from(install[system].replaceAll('THIS_FOLDER', folder))) },
    { name: 'LICENCES.txt', bytes: text(licences) },
    { name: 'CHANGELOG.md', bytes: text(readFileSync('CHANGELOG.md')) },
    ...forSystem.map(({ shell, bytes }) => ({ name: `completions/${shell.file}`, bytes })),
    ...readdirSync('examples').map((name) => ({
      name: `examples/${name}`,
      bytes: readFileSync(join('examples', name)),
    })),
    ...(isWindows ? [] : manual.map(({ name, bytes }) => ({ name: `man/${name}`, bytes }))),
  ]
  return files.map((file) => ({ ...file, name: `${folder}/${file.name}` }))
}

/** The package of Debian, by the names of its files from the root of the system. */
export function debianContents(
  system: SystemName,
  executable: Uint8Array,
  { completions, licences, manual }: Shared,
): readonly Packed[] {
  const documents = 'usr/share/doc/payroll'
  return [
    { name: 'usr/lib/payroll/payroll', bytes: executable, isProgram: true },
    { name: `usr/lib/payroll/${keyringFile}`, bytes: readFileSync(keyringFor(system)) },
    { name: 'usr/bin/payroll', bytes: new Uint8Array(), link: '../lib/payroll/payroll' },
    { name: `${documents}/copyright`, bytes: licences },
    { name: `${documents}/changelog.gz`, bytes: gzip(readFileSync('CHANGELOG.md')) },
    ...readdirSync('examples').map((name) => ({
      name: `${documents}/examples/${name}`,
      bytes: readFileSync(join('examples', name)),
    })),
    ...completions.flatMap(({ shell, bytes }) => (shell.debian ? [{ name: shell.debian, bytes }] : [])),
    ...manual.map(({ name, bytes }) => ({ name: `usr/share/man/man1/${name}.gz`, bytes: gzip(bytes) })),
  ]
}
