import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { byName, type Packed, writeTar } from './tar.ts'

interface DebianPackage {
  readonly version: string
  /** The processor, as Debian calls it: amd64. */
  readonly architecture: string
  readonly summary: string
  /** By their names from the root of the system. */
  readonly files: readonly Packed[]
  /** The time of every entry, since 1970. */
  readonly seconds: number
  readonly xz: (bytes: Uint8Array) => Buffer
}

/** A package of Debian (deb(5)), written here so that it can be made on every system. */
export function writeDeb({ version, architecture, summary, files, seconds, xz }: DebianPackage): Buffer {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const control = `Package: payroll
Version: ${version}
Section: utils
Priority: optional
Architecture: ${architecture}
Maintainer: the payroll-cli authors <payroll-cli@example.invalid>
Installed-Size: ${Math.ceil(size / 1024)}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)
Description: ${summary}
 Node is inside. Help: payroll help, man payroll.
`
  const sums = [...files]
    .sort(byName)
    .filter(({ link }) => link === undefined)
    .map(({ name, bytes }) => `${createHash('md5').update(bytes).digest('hex')}  ${name}\n`)
  const about = [
    { name: './control', bytes: Buffer.from(control) },
    { name: './md5sums', bytes: Buffer.from(sums.join('')) },
  ]
  const data = files.map((file) => ({ ...file, name: `./${file.name}` }))
  return writeAr(
    [
      { name: 'debian-binary', bytes: Buffer.from('2.0\n') },
      { name: 'control.tar.gz', bytes: gzip(writeTar(about, seconds)) },
      { name: 'data.tar.xz', bytes: xz(writeTar(data, seconds)) },
    ],
    seconds,
  )
}

/** Compresses without naming the system, which gzip has in its head (RFC 1952, 2.3.1). */
export function gzip(bytes: Uint8Array): Buffer {
  const made = gzipSync(bytes, { level: 9 })
  made[9] = 255
  return made
}

/** An archive as ar(5) describes it. */
function writeAr(files: readonly Packed[], seconds: number): Buffer {
  const parts = files.flatMap(({ name, bytes }) => {
    const fields = [name.padEnd(16), String(seconds).padEnd(12), '0'.padEnd(6), '0'.padEnd(6)]
    const head = [...fields, '100644'.padEnd(8), String(bytes.length).padEnd(10), '`\n'].join('')
    return [Buffer.from(head), bytes, Buffer.from(bytes.length % 2 === 1 ? '\n' : '')]
  })
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

/** The files of an archive as `writeAr` makes it. */
export function readAr(archive: Buffer): readonly Packed[] {
  const files: Packed[] = []
  for (let at = 8; at < archive.length; ) {
    const head = archive.toString('latin1', at, at + 60)
    const size = Number(head.slice(48, 58))
    files.push({ name: head.slice(0, 16).trim(), bytes: archive.subarray(at + 60, at + 60 + size) })
    at += 60 + size + (size % 2)
  }
  return files
}
