// @module-tag process

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { gzip, writeDeb } from '../../build/package/deb.ts'
import { signForMacos } from '../../build/package/sign-macos.ts'
import { readTar, writeTar } from '../../build/package/tar.ts'
import { freshHome } from '../payroll.ts'

const seconds = Date.UTC(2026, 0, 2) / 1000
const files = [
  { name: 'usr/lib/tool', bytes: Buffer.from('#!/bin/sh\n'), isProgram: true },
  { name: 'usr/bin/tool', bytes: new Uint8Array(), link: '../lib/tool' },
  { name: 'usr/bin/about.txt', bytes: Buffer.from('made up') },
]
const has = (program: string) => spawnSync(program, ['--version']).status === 0
const without = (...programs: string[]) => programs.filter((program) => !has(program))

function folder(): string {
  const path = freshHome()
  mkdirSync(path, { recursive: true })
  return path
}

describe('an archive of a package', () => {
  test.skipIf(without('tar').length > 0)('is taken by tar: folders, links, modes, owner and time', () => {
    const path = join(folder(), 'made.tar')
    writeFileSync(path, writeTar(files, seconds))
    const { stdout } = spawnSync('tar', ['--utc', '--full-time', '-tvf', path], { encoding: 'utf8' })
    expect(stdout.replace(/ +/g, ' ').trim().split('\n')).toEqual([
      'drwxr-xr-x root/root 0 2026-01-02 00:00:00 usr/',
      'drwxr-xr-x root/root 0 2026-01-02 00:00:00 usr/bin/',
      '-rw-r--r-- root/root 7 2026-01-02 00:00:00 usr/bin/about.txt',
      'lrwxrwxrwx root/root 0 2026-01-02 00:00:00 usr/bin/tool -> ../lib/tool',
      'drwxr-xr-x root/root 0 2026-01-02 00:00:00 usr/lib/',
      '-rwxr-xr-x root/root 10 2026-01-02 00:00:00 usr/lib/tool',
    ])
  })

  test('is the same whatever the order of its files, and is read again', () => {
    const made = writeTar(files, seconds)
    expect(writeTar([...files].reverse(), seconds).equals(made)).toBe(true)
    expect(readTar(made).map(({ name, bytes }) => [name, String(bytes)])).toEqual([
      ['usr/bin/about.txt', 'made up'],
      ['usr/lib/tool', '#!/bin/sh\n'],
    ])
  })

  const missing = without('dpkg-deb', 'xz')
  const why = missing.length > 0 ? ` (skipped: no ${missing.join(' and no ')})` : ''
  test.skipIf(missing.length > 0)(`of Debian is taken by dpkg-deb${why}`, () => {
    const home = folder()
    const path = join(home, 'made.deb')
    const xz = (bytes: Uint8Array) => spawnSync('xz', ['--stdout'], { input: bytes }).stdout
    writeFileSync(
      path,
      writeDeb({ version: '1.2.3', architecture: 'amd64', summary: 'Made up', files, seconds, xz }),
    )
    expect(spawnSync('dpkg-deb', ['--field', path, 'Version']).stdout.toString()).toBe('1.2.3\n')
    expect(spawnSync('dpkg-deb', ['-x', path, join(home, 'root')]).status).toBe(0)
    expect(readlinkSync(join(home, 'root/usr/bin/tool'))).toBe('../lib/tool')
    expect(readFileSync(join(home, 'root/usr/bin/tool'), 'utf8')).toBe('#!/bin/sh\n')
    expect(lstatSync(join(home, 'root/usr/lib/tool')).mode & 0o777).toBe(0o755)
  })

  test('of a manual page is the same on every system', () => {
    const made = gzip(Buffer.from('made up'))
    expect([...made.subarray(4, 10)]).toEqual([0, 0, 0, 0, 2, 255])
    expect(gunzipSync(made).toString()).toBe('made up')
  })
})

describe('a program for macOS', () => {
  /** A program of two segments and no code: 64 bytes of its head, then some of __LINKEDIT. */
  function program(): Buffer {
    const made = Buffer.alloc(20_000, 7)
    made.fill(0, 0, 4096)
    const segment = (at: number, name: string, offset: number, size: number, firstSection: number) => {
      made.writeUInt32LE(0x19, at)
      made.writeUInt32LE(152, at + 4)
      made.write(name, at + 8)
      made.writeBigUInt64LE(BigInt(offset), at + 40)
      made.writeBigUInt64LE(BigInt(size), at + 48)
      made.writeUInt32LE(firstSection, at + 72 + 48)
    }
    made.writeUInt32LE(0xfeedfacf, 0)
    made.writeUInt32LE(2, 16)
    made.writeUInt32LE(304, 20)
    segment(32, '__TEXT', 0, 16_384, 4096)
    segment(184, '__LINKEDIT', 16_384, 3616, 0)
    return made
  }

  test('is signed page by page, to its end', () => {
    const signed = signForMacos(program(), 'tool')
    const command = 32 + 304
    const [kind, , start, size] = [0, 4, 8, 12].map((at) => signed.readUInt32LE(command + at)) as number[]
    expect([kind, start, (start ?? 0) + (size ?? 0)]).toEqual([0x1d, 20_000, signed.length])
    expect(Number(signed.readBigUInt64LE(184 + 48))).toBe(signed.length - 16_384)
    const directory = signed.subarray(20_000 + 20)
    const hashes = directory.readUInt32BE(16)
    const pages = directory.readUInt32BE(28)
    expect([pages, directory.readUInt32BE(32)]).toEqual([5, 20_000])
    for (let page = 0; page < pages; page++) {
      const bytes = signed.subarray(page * 4096, Math.min((page + 1) * 4096, 20_000))
      const digest = createHash('sha256').update(bytes).digest('hex')
      expect(directory.toString('hex', hashes + page * 32, hashes + (page + 1) * 32)).toBe(digest)
    }
  })

  test('is not signed twice', () => {
    expect(() => signForMacos(signForMacos(program(), 'tool'), 'tool')).toThrow('has a signature already')
  })
})
