// @module-tag process

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { journalFile } from '../../src/import/write-journal.ts'
import { launch, tool } from '../process/built.ts'
import { importFixture, people, refs } from './import-fixture.ts'

/** `kill -9` leaves the page cache, so only the order of the system calls shows what a power cut would leave. */
const strace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'])
const missing = strace.status !== 0

const rows = 3

/** The built tool under strace, against a sandbox. One thread for files, so that the calls can be counted. */
async function traced() {
  const at = await importFixture()
  at.write(people(rows))
  const env = { ...at.env, PAYROLL_CONFIG_DIR: at.home, UV_THREADPOOL_SIZE: '1' }
  const argv = ['candidates', 'import', at.file, '--settle', '0', '--json']
  const run = (...options: string[]) => {
    const [command = '', ...words] = [
      ...(options.length > 0 ? ['strace', '-f', ...options] : []),
      process.execPath,
      tool,
    ]
    return launch(command, [...words, ...argv], { home: at.home, env }).ended
  }
  const place = { origin: new URL(at.baseUrl).origin, base: '', operation: 'candidates.create' }
  const journal = journalFile(at.home, place, at.file)
  const intents = () => at.journal().filter(({ state }) => state === 'intent').length
  return { ...at, run, path: journal, intents }
}

/** Options of strace: a call on this file fails. `inject`: which one, how and when. */
const failing = (path: string, inject: string) => {
  const trace = `trace=${inject.replace(/:.*/, '')}`
  return ['-o', '/dev/null', '-P', path, '-e', trace, '-e', `inject=${inject}`]
}

describe.skipIf(missing)('on the disk before it counts (needs strace)', () => {
  test('an intent is synced before the first byte of its POST, and so is the journal itself', async () => {
    const at = await traced()
    const trace = join(at.home, 'trace')
    const calls = ['-e', 'trace=fdatasync,fsync,write,writev,sendto', '-s', '4000', '-o', trace]
    expect(await at.run(...calls)).toMatchObject({ code: 0 })
    const lines = readFileSync(trace, 'utf8').split('\n')
    const posts = [...lines.keys()].filter((line) => lines[line]?.includes('"POST /svc/candidates'))
    expect(posts).toHaveLength(rows)
    for (const post of posts) {
      const ref = /agencyRef\\":\\"(A-\d+)/.exec(lines[post] ?? '')?.[1]
      expect(ref).toBeDefined()
      const intent = lines.findIndex((line) => line.includes(`key\\":\\"${ref}`) && line.includes('intent'))
      const synced = lines.findIndex((line, number) => number > intent && /fdatasync.*= 0$/.test(line))
      expect(intent).toBeGreaterThan(-1)
      expect(synced).toBeGreaterThan(intent)
      expect(post).toBeGreaterThan(synced)
    }
    const folder = lines.findIndex((line) => / fsync.*= 0$/.test(line))
    expect(folder).toBeGreaterThan(-1)
    expect(folder).toBeLessThan(posts[0] as number)
  })

  // The journal of an import has no old values, so its history is what an undo is left with.
  test.each([
    ['an update', (ref: string) => ['update', ref, '--set', 'city=York', '--incomplete']],
    ['a row of an import', (_: string, file: string) => ['import', file, '--update', '--settle', '0']],
  ])('what %s changes is in the history on the disk before the first byte of its PUT', async (_, verb) => {
    const at = await importFixture()
    await at.call('POST', '/svc/candidates', people(1)[0])
    const [ref = ''] = refs(1)
    at.write([{ generalSetting: { agencyRef: ref, city: 'York' } }])
    const trace = join(at.home, 'trace')
    const calls = ['-f', '-e', 'trace=fdatasync,write,writev,sendto', '-s', '4000', '-o', trace]
    const words = ['candidates', ...verb(ref, at.file), '--yes', '--json']
    const run = launch('strace', [...calls, process.execPath, tool, ...words], {
      home: at.home,
      env: { ...at.env, PAYROLL_CONFIG_DIR: at.home, UV_THREADPOOL_SIZE: '1' },
    })
    expect(await run.ended).toMatchObject({ code: 0 })
    const lines = readFileSync(trace, 'utf8').split('\n')
    const noted = lines.findIndex((line) => line.includes('\\"operation\\":\\"candidates.update'))
    const file = /write\((\d+),/.exec(lines[noted] ?? '')?.[1]
    const synced = lines.findIndex((line, at) => at > noted && line.includes(` fdatasync(${file}`))
    expect(noted).toBeGreaterThan(-1)
    expect(synced).toBeGreaterThan(noted)
    expect(lines.findIndex((line) => line.includes('"PUT /svc/candidates'))).toBeGreaterThan(synced)
  })

  // The head of the journal, an intent, an outcome, the end.
  test.each([1, 3, 5, 2 * rows + 4])(
    'killed at sync %i it goes on, and nobody is lost or there twice',
    async (number) => {
      const at = await traced()
      const inject = `inject=fdatasync:signal=SIGKILL:when=${number}`
      const killed = await at.run('-o', '/dev/null', '-e', 'trace=fdatasync', '-e', inject)
      // How many rows share a sync differs; the first ones are always there.
      if (number <= 6) expect(killed.signal).toBe('SIGKILL')
      expect(await at.run()).toMatchObject({ code: 0 })
      expect(await at.there()).toEqual(refs(rows))
    },
  )

  test.each([
    ['the disk fails at the third sync', 1, 'fdatasync:error=EIO:when=3'],
    ['the disk is full at the third line', 7, 'write:error=ENOSPC:when=3'],
    ['a file may grow no further', 7, 'write:error=EFBIG:when=6+'],
  ])('an import sends nothing that is not written down when %s: exit %i', async (_, code, inject) => {
    const at = await traced()
    const run = await at.run(...failing(at.path, inject))
    expect(run.code).toBe(code)
    expect(run.err).toContain('so nothing more is sent')
    expect(at.posted().length).toBeLessThanOrEqual(at.intents())
    expect(at.posted().length).toBeLessThan(rows)
    expect(await at.run()).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(rows))
  })
})

if (missing) {
  test('the order of the system calls', ({ skip }) =>
    skip('strace is not here, or may not trace: the order of the system calls is not known'))
}
