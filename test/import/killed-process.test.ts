// @module-tag process

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'
import { start } from '../process/built.ts'
import { importFixture, people, refs } from './import-fixture.ts'

/** A service that answers each POST after a while, and a way to start the built tool against it. */
async function slowDesk(ms: number) {
  const at = await importFixture()
  at.intercept(async ({ method }) => {
    if (method === 'POST') await pause(ms)
    return false
  })
  const env = { ...at.env, PAYROLL_CONFIG_DIR: at.home }
  const begin = (file = at.file, ...argv: string[]) =>
    start(['candidates', 'import', file, '--settle', '0', '--json', ...argv], { home: at.home, env })
  const posted = async (count: number) => {
    while (at.posted().length < count) await pause(5)
  }
  return { ...at, begin, sent: posted }
}

describe('two imports at once', () => {
  test('two imports at once of the same file: the second is exit 11 and sends nothing', async () => {
    const at = await slowDesk(30)
    at.write(people(40))
    const first = at.begin()
    await at.sent(5)
    const second = await at.begin().ended
    expect(second.code).toBe(11)
    expect(JSON.parse(second.err.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'locked',
      outcome: 'not-sent',
    })
    expect(await first.ended).toMatchObject({ code: 0 })
    expect(at.posted()).toHaveLength(40)
    expect(await at.there()).toEqual(refs(40))
  })

  test('two imports at once with two settings directories, as two users have them: the second is exit 11 and names the first', async () => {
    const at = await slowDesk(200)
    at.write(people(40))
    const first = at.begin()
    await at.sent(5)
    const home = freshHome()
    const env = { ...at.env, PAYROLL_CONFIG_DIR: home }
    const second = await start(['candidates', 'import', at.file, '--json'], { home, env }).ended
    expect(second.code).toBe(11)
    expect(second.err).toMatch(
      new RegExp(`started by .+ as process ${first.child.pid} at \\d{4}-\\d\\d-\\d\\d`),
    )
    expect(await first.ended).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(40))
  })

  test('two imports at once of two files into the same service: they may hold the same person', async () => {
    const at = await slowDesk(30)
    at.write(people(40))
    const other = join(at.home, 'others.ndjson')
    at.write(people(40), other)
    const first = at.begin()
    await at.sent(5)
    expect(await at.begin(other).ended).toMatchObject({ code: 11 })
    await first.ended
    expect(await at.begin(other).ended).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(40))
  })

  test('two imports at once of two files into a service that each names in its own way: the second is exit 11', async () => {
    const at = await slowDesk(30)
    at.write(people(40))
    const other = join(at.home, 'others.ndjson')
    at.write(people(40), other)
    const first = at.begin()
    await at.sent(5)
    const env = { ...at.env, PAYROLL_BASE_URL: at.baseUrl.replace('127.0.0.1', 'localhost') }
    const second = await start(['candidates', 'import', other, '--json'], {
      home: at.home,
      env: { ...env, PAYROLL_CONFIG_DIR: at.home },
    }).ended
    expect(second).toMatchObject({ code: 11 })
    expect(await first.ended).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(40))
  })
})

describe('a person who stops an import', () => {
  // Which signals are caught is held in test/process/interruption.test.ts.
  test.each(['SIGINT', 'SIGHUP'] as const)(
    'a person who stops an import once, by %s: what is under way is finished, and the line that goes on is printed',
    async (signal) => {
      const at = await slowDesk(60)
      at.write(people(60))
      const run = at.begin()
      await at.sent(9)
      run.child.kill(signal)
      const ended = await run.ended
      expect(ended).toMatchObject({ code: null, signal, out: '' })
      const { error } = JSON.parse(ended.err.trim().split('\n').at(-1) ?? '')
      expect(error.hint).toBe(`To continue: payroll candidates import ${at.file} --settle 0 --json`)
      // Every request that left was answered, and its answer written down.
      const last = new Map(at.journal().flatMap(({ key, state }) => (key ? [[key, state]] : [])))
      expect([...last.values()].every((state) => state === 'created')).toBe(true)
      expect(last.size).toBe(at.posted().length)
      expect(last.size).toBeLessThan(60)
      expect(await at.begin().ended).toMatchObject({ code: 0 })
      expect(at.posted()).toHaveLength(60)
      expect(await at.there()).toEqual(refs(60))
    },
  )

  test('a person who stops an import twice is let go at once; what was under way is looked up the next time', async () => {
    const at = await slowDesk(0)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    at.intercept(async ({ method, post }) => {
      if (method === 'POST' && post > 8) await released
      return false
    })
    at.write(people(30))
    const run = at.begin()
    await at.sent(10)
    run.child.kill('SIGINT')
    await pause(200)
    run.child.kill('SIGINT')
    // Nothing was answered yet: waiting for what is under way would outlast the test.
    expect(await run.ended).toMatchObject({ code: null, signal: 'SIGINT' })
    release()
    await pause(500)
    at.intercept(() => false)
    expect(await at.begin().ended).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(30))
  })
})

test('a file by another name is the same import', async () => {
  const at = await slowDesk(0)
  at.write(people(3))
  await at.begin().ended
  const link = join(at.home, 'link.ndjson')
  symlinkSync(at.file, link)
  const again = await at.begin(link).ended
  expect(JSON.parse(again.out)).toMatchObject({ created: 0, createdEarlier: 3, existing: 0 })
})
