import { createHash } from 'node:crypto'

const segmentCommand = 0x19
const signatureCommand = 0x1d
const page = 4096

/**
 * The program for macOS with a signature of its own pages and nobody's name, as `codesign --sign -` makes it: a Mac with
 * an Apple processor starts no program without one. It says that the file is whole, not who made it.
 *
 * The layout is that of xnu, `osfmk/kern/cs_blobs.h` and `EXTERNAL_HEADERS/mach-o/loader.h`. Throws where the program has a
 * signature already, or no room for one.
 */
export function signForMacos(program: Buffer, identifier: string): Buffer {
  const start = Math.ceil(program.length / 16) * 16
  const pages = Math.ceil(start / page)
  const directory = codeDirectory(identifier, start, pages)
  const length = 20 + directory.length
  const signed = Buffer.alloc(start + Math.ceil(length / 16) * 16)
  program.copy(signed)
  const text = addCommand(signed, start, signed.length - start)
  // Where the code of the program lies, and that it is a main program.
  directory.writeBigUInt64BE(BigInt(text.offset), 64)
  directory.writeBigUInt64BE(BigInt(text.size), 72)
  directory.writeBigUInt64BE(1n, 80)
  const hashes = directory.length - pages * 32
  for (let index = 0; index < pages; index++) {
    const bytes = signed.subarray(index * page, Math.min((index + 1) * page, start))
    createHash('sha256')
      .update(bytes)
      .digest()
      .copy(directory, hashes + index * 32)
  }
  const words = [0xfade0cc0, length, 1, 0, 20]
  for (const [index, word] of words.entries()) signed.writeUInt32BE(word, start + index * 4)
  directory.copy(signed, start + 20)
  return signed
}

/** The head of a code directory (version 0x20400), its identifier, and room for the hash of each page. */
function codeDirectory(identifier: string, limit: number, pages: number): Buffer {
  const name = Buffer.from(`${identifier}\0`)
  const head = 88
  const directory = Buffer.alloc(head + name.length + pages * 32)
  // Magic, length, version, flags (ad hoc), where the hashes and the identifier are, special slots, pages, limit.
  const words = [0xfade0c02, directory.length, 0x20400, 0x2, head + name.length, head, 0, pages, limit]
  for (const [index, word] of words.entries()) directory.writeUInt32BE(word, index * 4)
  // Bytes of a hash, SHA-256, no platform, pages of 2^12 bytes.
  directory.set([32, 2, 0, 12], 36)
  name.copy(directory, head)
  return directory
}

/** Adds the command that leads to the signature, and makes the last segment long enough. Returns where the code lies. */
function addCommand(program: Buffer, start: number, size: number): { offset: number; size: number } {
  const [count, length] = [program.readUInt32LE(16), program.readUInt32LE(20)]
  let text = { offset: 0, size: 0, firstSection: 0 }
  for (let index = 0, at = 32; index < count; index++, at += program.readUInt32LE(at + 4)) {
    const command = program.readUInt32LE(at)
    if (command === signatureCommand) throw new Error('the program has a signature already')
    if (command !== segmentCommand) continue
    const name = program.toString('latin1', at + 8, at + 24).replace(/\0+$/, '')
    const offset = Number(program.readBigUInt64LE(at + 40))
    if (name === '__TEXT') {
      const firstSection = program.readUInt32LE(at + 72 + 48)
      text = { offset, size: Number(program.readBigUInt64LE(at + 48)), firstSection }
    }
    if (name !== '__LINKEDIT') continue
    const bytes = start + size - offset
    program.writeBigUInt64LE(BigInt(Math.ceil(bytes / 0x4000) * 0x4000), at + 32)
    program.writeBigUInt64LE(BigInt(bytes), at + 48)
  }
  const end = 32 + length
  if (end + 16 > text.firstSection) throw new Error('the program has no room for another load command')
  program.writeUInt32LE(count + 1, 16)
  program.writeUInt32LE(length + 16, 20)
  for (const [index, word] of [signatureCommand, 16, start, size].entries())
    program.writeUInt32LE(word, end + index * 4)
  return text
}
