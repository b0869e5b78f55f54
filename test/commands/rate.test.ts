import { describe, expect, test } from 'vitest'
import { calls } from '../api/http-cases.ts'
import { importFixture, people, refs } from '../import/import-fixture.ts'
import { asTyped, clockNow, freshHome, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'

/** A service with a list of three pages and one payment rate; `at`: when each request came, on the clock of the runs. */
async function timed(failing = 0) {
  const at: number[] = []
  const { record } = wholeFor(['payment-rates'], { id: 'r1', code: 'NIGHT', description: 'Nights' })
  const { baseUrl, env, received } = await service(({ url }, response) => {
    at.push(clockNow())
    if (at.length <= failing) return void response.writeHead(503).end()
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    if (pathname.endsWith('/r1')) return answerJson(response, 200, { data: record, success: true })
    const page = Number(searchParams.get('page'))
    const data = page > 3 ? [] : [...Array(100).keys()].map((n) => ({ id: `${page}-${n}` }))
    answerJson(response, 200, { data, totalDocs: 300 })
  })
  /** How long all of them took at least, from the first to the last, in milliseconds. */
  const took = () => (at.at(-1) ?? 0) - (at[0] ?? 0)
  return { baseUrl, env, received, at, took }
}

describe('--rate', () => {
  test.each<[string, readonly string[], number]>([
    ['the pages of a list, several of which are asked for at once', calls.list.argv, 0],
    ['a request that is tried again', calls.one.argv, 2],
    ['the reads and the write of an update', [...calls.put.argv, '--set', 'code=DAY'], 0],
  ])('spaces out %s', async (_, argv, failing) => {
    const { env, at, took } = await timed(failing)
    await payroll(['--rate', '0.5', ...argv], { env })
    expect(at.length).toBeGreaterThan(2)
    // The first may come late on a busy machine; a turn that is left out would be 2000.
    expect(took()).toBeGreaterThanOrEqual((at.length - 1) * 2000 - 1000)
  })

  test('spaces out the requests of an import, and creates each person once', async () => {
    const at = await importFixture()
    at.write(people(6))
    const began = clockNow()
    expect((await at.import('--rate', '2', '--concurrency', '4')).code).toBe(0)
    expect(await at.there()).toEqual(refs(6))
    expect(clockNow() - began).toBeGreaterThanOrEqual((at.received.length - 2) * 500)
  })

  test('of an import that Ctrl-C stops sends nothing more, not even what waits for its turn', async () => {
    let stop: (signal: 'SIGINT') => void = () => {}
    const at = await importFixture()
    at.write(people(8))
    const stopped = await payroll(
      asTyped`candidates import ${at.file} --settle 0 --json --rate 1 --concurrency 1`,
      {
        home: at.home,
        env: at.env,
        onStart: (send) => {
          stop = send
        },
        onPause: async () => {
          if (at.posted().length === 3) stop('SIGINT')
        },
      },
    )
    expect([stopped.signal, at.posted().length]).toEqual(['SIGINT', 3])
    expect((await at.import()).code).toBe(0)
    expect([at.posted().length, await at.there()]).toEqual([8, refs(8)])
  })

  test('takes nothing off --timeout', async () => {
    const { env, at } = await timed(2)
    const argv = ['--quiet', '--rate', '0.1', '--timeout', '5', ...calls.one.argv]
    const run = await payroll(argv, { env })
    expect([run.code, run.err, at.length]).toEqual([0, '', 3])
    expect(run.pauses.some((ms) => ms > 5000)).toBe(true)
  })

  test('says itself with --debug, once', async () => {
    const { env } = await timed()
    const run = await payroll(['--debug', '--rate', '4', ...calls.list.argv], { env })
    expect(run.err.match(/at most .*/g)).toEqual(['at most 4 requests a second (--rate): one every 250 ms'])
  })

  test.each(['1001', '-1', '0,5', '1e3', 'many', 'Infinity'])(
    'is exit 2 with %j, and sends nothing',
    async (value) => {
      const { env, received } = await timed()
      const run = await payroll(['--json', `--rate=${value}`, ...calls.list.argv], { env })
      expect([run.code, run.error().message]).toEqual([
        2,
        expect.stringContaining('Expected a number from 0 to 1000.'),
      ])
      expect(received).toEqual([])
    },
  )
})

describe('the rate of a profile', () => {
  test('is stored by profiles set --rate, holds for every command, and goes with 0', async () => {
    const { baseUrl, at, took } = await timed()
    const home = freshHome()
    const run = (...argv: string[]) => payroll(['--json', ...argv], { home })
    const rateOf = async () => (await run('profiles', 'show')).json().rate
    await run('profiles', 'set', 'acme', '--base-url', baseUrl)
    await payroll(['auth', 'login', '--profile', 'acme'], { home, input: 'CANARYkey0000' })
    expect((await run('profiles', 'set', 'acme', '--rate', '0.5')).code).toBe(0)
    expect(await rateOf()).toBe(0.5)
    at.length = 0
    const paced = await run('--debug', ...calls.list.argv)
    expect(paced.err).toContain('at most 0.5 requests a second (profile acme): one every 2000 ms')
    expect(took()).toBeGreaterThanOrEqual((at.length - 1) * 2000 - 1000)
    at.length = 0
    expect((await run(...calls.list.argv, '--rate', '0')).pauses).toEqual([])
    expect((await run('profiles', 'set', 'acme', '--rate', '0')).code).toBe(0)
    expect(await rateOf()).toBeNull()
    expect((await run(...calls.list.argv)).pauses).toEqual([])
  })
})
