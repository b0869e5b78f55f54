/** A file of an archive. */
export interface Packed {
  /** With slashes, and without one at the front. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly isProgram?: boolean
}

const block = 512

/** The files of an archive of npm: ustar (POSIX.1-1988) with names that fit its head. Other entries are left out. */
export function readTar(archive: Buffer): readonly Packed[] {
  const files: Packed[] = []
  for (let at = 0; at < archive.length && archive[at] !== 0; ) {
    const field = (start: number, length: number) =>
      archive
        .toString('latin1', at + start, at + start + length)
        .split('\0')[0]
        ?.trim() ?? ''
    const size = Number.parseInt(field(124, 12), 8)
    const type = field(156, 1)
    const name = [field(345, 155), field(0, 100)].filter(Boolean).join('/')
    const begin = at + block
    if (type === '0' || type === '') files.push({ name, bytes: archive.subarray(begin, begin + size) })
    at = begin + Math.ceil(size / block) * block
  }
  return files
}
