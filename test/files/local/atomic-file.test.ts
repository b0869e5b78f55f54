// @module-tag process

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nameFile, writeFileAtomic } from '../../../src/files/local/atomic-file.ts'
import { freshHome } from '../../payroll.ts'
import { launch, tool } from '../../process/built.ts'

/** Text that comes bit by bit; between two bits something else happens. */
async function* interrupted(meanwhile: () => void) {
  yield 'first '
  meanwhile()
  yield 'second'
}

describe('a file that somebody else makes while it is written', () => {
  test('stays as it is where none was to be replaced', async () => {
    const home = freshHome()
    const path = join(home, 'list.json')
    const text = interrupted(() => writeFileSync(path, 'theirs'))
    const message = `${path} already exists; it was not changed.`
    await expect(writeFileAtomic(path, text, false)).rejects.toMatchObject({ code: 'usage', message })
    expect(readFileSync(path, 'utf8')).toBe('theirs')
    expect(readdirSync(home)).toEqual(['list.json'])
  })

  test('is replaced where that was asked for', async () => {
    const path = join(freshHome(), 'list.json')
    const text = interrupted(() => writeFileSync(path, 'theirs'))
    await writeFileAtomic(path, text, true)
    expect(readFileSync(path, 'utf8')).toBe('first second')
  })

  test('has its name only when it is whole', async () => {
    const path = join(freshHome(), 'list.json')
    let early: boolean | undefined
    const look = () => {
      early = existsSync(path)
    }
    await writeFileAtomic(path, interrupted(look), false)
    expect(early).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe('first second')
  })
})

describe('a file on a disk without links, such as a stick with exFAT', () => {
  const refused = (code: string) => () =>
    Promise.reject(Object.assign(new Error(code), { code, syscall: 'link' }))

  test.each(['EISDIR', 'ENOSYS', 'ENOTSUP', 'EPERM'])('has its name all the same: %s', async (code) => {
    const home = freshHome()
    const [from, path] = [join(home, 'part'), join(home, 'passport.pdf')]
    writeFileSync(from, 'whole')
    await nameFile(from, path, refused(code))
    expect([readFileSync(path, 'utf8'), readdirSync(home)]).toEqual(['whole', ['passport.pdf']])
  })

  test('does not take the name of one that is there', async () => {
    const home = freshHome()
    const [from, path] = [join(home, 'part'), join(home, 'passport.pdf')]
    writeFileSync(from, 'whole')
    writeFileSync(path, 'theirs')
    await expect(nameFile(from, path, refused('EPERM'))).rejects.toMatchObject({ code: 'EEXIST' })
    expect([readFileSync(path, 'utf8'), readFileSync(from, 'utf8')]).toEqual(['theirs', 'whole'])
  })
})

const missing = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status !== 0

test.for([
  ['a new file', undefined],
  ['a file that is replaced', 'old'],
])(
  'what a power cut would leave is the whole file under its name, or none: %s is synced before it is renamed',
  async ([, before], { skip }) => {
    skip(missing, 'strace is not here, or may not trace: the order of the system calls is not known')
    const home = freshHome()
    const [out, trace] = [join(home, 'list.json'), join(home, 'trace')]
    if (before !== undefined) writeFileSync(out, before)
    const traced = 'trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat'
    const calls = ['-f', '-y', '-o', trace, '-e', traced]
    const argv = ['--profile', 'sandbox', 'candidates', 'list', '--out', out]
    const ended = await launch('strace', [...calls, process.execPath, tool, ...argv], { home }).ended
    expect(ended.code).toBe(0)
    const lines = readFileSync(trace, 'utf8').split('\n')
    const synced = lines.findIndex((line) => /f(data)?sync\(\d+<[^>]*\.payroll-[^>]*\.part>/.test(line))
    const named = lines.findIndex((line) => /(rename|link)\w*\(.*\.payroll-.*\.part.*list\.json/.test(line))
    expect(synced).toBeGreaterThan(-1)
    expect(named).toBeGreaterThan(synced)
  },
)
