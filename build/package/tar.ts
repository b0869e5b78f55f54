/** A file of an archive, or a link. */
export interface Packed {
  /** With slashes, and without one at the front. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly isProgram?: boolean
  /** What a symbolic link leads to. It has no bytes. */
  readonly link?: string
}

const block = 512

/** The files of an archive of npm: ustar (POSIX.1-1988), with names that fit its head. Other entries are left out. */
export function readTar(archive: Buffer): readonly Packed[] {
  const files: Packed[] = []
  for (let at = 0; at < archive.length && archive[at] !== 0; ) {
    const field = (start: number, length: number) => {
      const [text = ''] = archive.toString('latin1', at + start, at + start + length).split('\0')
      return text.trim()
    }
    const size = Number.parseInt(field(124, 12), 8)
    const type = field(156, 1)
    const name = [field(345, 155), field(0, 100)].filter(Boolean).join('/')
    const begin = at + block
    if (type === '0' || type === '') files.push({ name, bytes: archive.subarray(begin, begin + size) })
    at = begin + Math.ceil(size / block) * block
  }
  return files
}

/**
 * An archive (ustar) that depends on nothing but the files: sorted by name, owned by root, all of one time, each folder
 * before what is in it.
 *
 * @param seconds the time of every entry, since 1970
 */
export function writeTar(files: readonly Packed[], seconds: number): Buffer {
  const parts: Uint8Array[] = []
  const folders = new Set(files.flatMap(({ name }) => foldersAbove(name)))
  const entries = [...files, ...[...folders].map((name) => ({ name: `${name}/`, bytes: new Uint8Array() }))]
  for (const entry of entries.sort(byName)) {
    parts.push(head(entry, seconds), entry.bytes, Buffer.alloc(-entry.bytes.length & (block - 1)))
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
}

/** By the code of each character: the same order on every computer. */
export function byName(a: Pick<Packed, 'name'>, b: Pick<Packed, 'name'>): number {
  return a.name < b.name ? -1 : 1
}

function foldersAbove(name: string): string[] {
  const names = name.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

function head({ name, bytes, isProgram, link }: Packed, seconds: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is longer than an archive takes`)
  const isFolder = name.endsWith('/')
  const head = Buffer.alloc(block)
  const number = (value: number, at: number, length: number) =>
    head.write(value.toString(8).padStart(length - 1, '0'), at)
  head.write(name, 0)
  number(isFolder || isProgram ? 0o755 : link === undefined ? 0o644 : 0o777, 100, 8)
  number(0, 108, 8)
  number(0, 116, 8)
  number(bytes.length, 124, 12)
  number(seconds, 136, 12)
  // The checksum is counted with blanks in its own place.
  head.fill(' ', 148, 156)
  head.write(isFolder ? '5' : link === undefined ? '0' : '2', 156)
  head.write(link ?? '', 157)
  head.write('ustar\u000000root', 257, 'latin1')
  head.write('root', 297)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return head
}
