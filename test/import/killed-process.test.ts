// @module-tag process

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { freshHome } from '../payroll.ts'
import { start } from '../process/built.ts'
import { interceptedFixture, people, refs } from './import-fixture.ts'

/** A service that is as slow as `wait` says, and a way to start the built tool against it. */
async function startable(wait: (post: number) => Promise<unknown> = async () => {}) {
  const at = await interceptedFixture(async ({ method, post }) => {
    if (method === 'POST') await wait(post)
    return false
  })
  const begin = (file = at.file, more: Record<string, string> = {}, options: readonly string[] = []) => {
    const env = { ...at.env, PAYROLL_CONFIG_DIR: at.home, ...more }
    return start(['candidates', 'import', file, '--settle', '0', '--json', ...options], {
      home: at.home,
      env,
    })
  }
  const sent = async (count: number) => {
    while (at.posted().length < count) await pause(5)
  }
  return { ...at, begin, sent }
}

/** Keeps what is sent after so many requests waiting until it is let go. */
function holding(after: number) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { release, wait: async (post: number) => void (post > after && (await released)) }
}

describe('two imports at once', () => {
  const localhost = (url: string) => ({ PAYROLL_BASE_URL: url.replace('127.0.0.1', 'localhost') })

  test.each<[string, string, (baseUrl: string) => Record<string, string>]>([
    ['of two users, by their settings directories', 'starters', () => ({ PAYROLL_CONFIG_DIR: freshHome() })],
    ['of two files into a service that each names in its own way', 'others', localhost],
  ])('%s: the second is exit 11 and sends nothing', async (_, name, env) => {
    // The first is in the middle for as long as the second needs.
    const { wait, release } = holding(5)
    const at = await startable(wait)
    const file = join(at.home, `${name}.ndjson`)
    for (const path of [at.file, file]) at.write(people(12), path)
    const first = at.begin()
    await at.sent(6)
    const begin = () => at.begin(file, env(at.baseUrl)).ended
    const second = await begin()
    release()
    expect([second.code, second.out]).toEqual([11, ''])
    expect(JSON.parse(second.err.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'locked',
      outcome: 'not-sent',
      message: expect.stringContaining('Another run of payroll is busy'),
    })
    expect(await first.ended).toMatchObject({ code: 0 })
    expect(await begin()).toMatchObject({ code: 0 })
    expect(at.posted()).toHaveLength(12)
    expect(await at.there()).toEqual(refs(12))
  })
})

describe('a person who stops an import', () => {
  // Which signals are caught is held in test/process/interruption.test.ts.
  test.each(['SIGINT'] as const)(
    'once, by %s: what is under way is finished, and the line that goes on is printed',
    async (signal) => {
      const at = await startable(() => pause(60))
      at.write(people(24))
      const run = at.begin()
      await at.sent(9)
      run.child.kill(signal)
      const ended = await run.ended
      expect(ended).toMatchObject({ code: null, signal, out: '' })
      const { error } = JSON.parse(ended.err.trim().split('\n').at(-1) ?? '')
      expect(error.hint).toBe(`To continue: payroll candidates import ${at.file} --settle 0 --json`)
      // Every request that left was answered, and its answer written down; a row that was announced may not have left.
      const last = new Map(at.journal().flatMap(({ key, state }) => (key ? [[key, state]] : [])))
      const ends = [...last.values()].filter((state) => state !== 'pending')
      expect(ends).toEqual(at.posted().map(() => 'created'))
      expect(ends.length).toBeLessThan(24)
      expect(await at.begin().ended).toMatchObject({ code: 0 })
      expect(at.posted()).toHaveLength(24)
      expect(await at.there()).toEqual(refs(24))
    },
  )

  test('twice is let go at once; what was under way is looked up the next time, and is applied to the history then', async () => {
    const { wait, release } = holding(8)
    const at = await startable(wait)
    at.write(people(30))
    const run = at.begin()
    await at.sent(10)
    run.child.kill('SIGINT')
    await pause(200)
    run.child.kill('SIGINT')
    // Nothing was answered yet: waiting for what is under way would outlast the test.
    const ended = await run.ended
    expect(ended).toMatchObject({ code: null, signal: 'SIGINT' })
    expect(ended.err).toContain('Run the same command again: it looks for the rows that were under way')
    release()
    await pause(500)
    at.intercept(() => false)
    const outcomes = async () => {
      const env = { ...at.env, PAYROLL_CONFIG_DIR: at.home }
      const { out } = await start(['history', '--limit', '99', '--json'], { home: at.home, env }).ended
      return JSON.parse(out).map(({ outcome }: { outcome: string }) => outcome)
    }
    expect(await outcomes()).toContain('unknown')
    expect(await at.begin().ended).toMatchObject({ code: 0 })
    expect(await at.there()).toEqual(refs(30))
    // What the first Ctrl-C kept from being sent is noted as that, and sent by the next run.
    const written = (await outcomes()).filter((outcome: string) => outcome !== 'not-sent')
    expect(written).toEqual(Array.from({ length: 30 }, () => 'applied'))
  })
})
