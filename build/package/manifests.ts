import { readFileSync } from 'node:fs'

/** The name under which winget knows the tool. */
const identifier = 'PayrollCLI.Payroll'

/** The version of winget's own schemas that the manifests follow. */
const wingetSchema = '1.10.0'

/**
 * The manifests with which package managers find a release, by the names of their files: winget's three, a formula of
 * Homebrew, and one for Scoop.
 *
 * @param sums the hashes of the files of the release, by their names. Throws where a file of this version is missing
 * @param url the address below which they lie
 */
export function manifests(sums: ReadonlyMap<string, string>, url: string): Readonly<Record<string, string>> {
  const { version, description, license } = JSON.parse(readFileSync('package.json', 'utf8'))
  const about: About = { version, description, license, homepage: url }
  const base = url.replace(/\/$/, '')
  const file = (ending: string): ReleasedFile => {
    const name = `payroll-${version}${ending}`
    const sum = sums.get(name)
    if (sum === undefined) throw new Error(`SHA256SUMS has no ${name}: npm run package makes it`)
    return { url: `${base}/${name}`, sum, folder: name.replace(/\.(zip|tar\.xz)$/, '') }
  }
  return {
    ...winget(about, file('-win-x64.zip')),
    'homebrew/payroll.rb': homebrew(about, file),
    'scoop/payroll.json': scoop(about, file('-win-x64.zip')),
  }
}

interface About {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly homepage: string
}

/** `folder`: the one folder that its archive has. */
interface ReleasedFile {
  readonly url: string
  readonly sum: string
  readonly folder: string
}

function winget({ version, description, license, homepage }: About, { url, sum, folder }: ReleasedFile) {
  const head = { PackageIdentifier: identifier, PackageVersion: version }
  const foot = (type: string) => ({ ManifestType: type, ManifestVersion: wingetSchema })
  const files = {
    '': { ...head, DefaultLocale: 'en-GB', ...foot('version') },
    '.installer': {
      ...head,
      InstallerType: 'zip',
      NestedInstallerType: 'portable',
      NestedInstallerFiles: [{ RelativeFilePath: `${folder}\\payroll.exe`, PortableCommandAlias: 'payroll' }],
      // keyring.node is looked for beside the program, and a link to the program would be elsewhere.
      ArchiveBinariesDependOnPath: true,
      Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: sum.toUpperCase() }],
      ...foot('installer'),
    },
    '.locale.en-GB': {
      ...head,
      PackageLocale: 'en-GB',
      Publisher: 'the payroll-cli authors',
      PackageName: 'payroll',
      PackageUrl: homepage,
      License: license,
      ShortDescription: description,
      ...foot('defaultLocale'),
    },
  }
  return Object.fromEntries(
    // JSON is YAML too.
    Object.entries(files).map(([name, made]) => [`winget/${identifier}${name}.yaml`, toJson(made)]),
  )
}

function scoop({ version, description, license, homepage }: About, { url, sum, folder }: ReleasedFile) {
  const architecture = { '64bit': { url, hash: sum, extract_dir: folder } }
  return toJson({ version, description, homepage, license, architecture, bin: 'payroll.exe' })
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** The systems of Homebrew, and the archive for each. */
const homebrewArchives = {
  'OS.mac? && Hardware::CPU.arm?': '-macos-arm64.tar.xz',
  'OS.linux? && Hardware::CPU.arm?': '-linux-arm64.tar.xz',
  'OS.linux? && Hardware::CPU.intel?': '-linux-x64.tar.xz',
} as const

function homebrew(
  { version, description, license, homepage }: About,
  file: (ending: string) => ReleasedFile,
): string {
  const archives = Object.entries(homebrewArchives).map(([condition, ending], at) => {
    const { url, sum } = file(ending)
    return `  ${at === 0 ? 'if' : 'elsif'} ${condition}
    url "${url}"
    sha256 "${sum}"`
  })
  // Homebrew wants no article at the start, and no more than 80 letters.
  const short = description.replace(/^An? /, '').replace(/:.*/, '')
  return `class Payroll < Formula
  desc "${short.charAt(0).toUpperCase()}${short.slice(1)}"
  homepage "${homepage}"
  version "${version}"
  license "${license}"

${archives.join('\n')}
  end

  def install
    libexec.install "payroll", "keyring.node"
    bin.install_symlink libexec/"payroll"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/payroll.bash" => "payroll"
    zsh_completion.install "completions/_payroll"
    fish_completion.install "completions/payroll.fish"
    doc.install "LICENCES.txt", "CHANGELOG.md"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/payroll --version")
  end
end
`
}
