import { describe, expect, test } from 'vitest'
import { atTerminal, clockNow, endedWith, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'

/** A service that fails for so many milliseconds. */
async function failingFor(ms: number, headers: Record<string, string> = {}) {
  const from = clockNow()
  const sent: string[] = []
  const { env } = await service(({ method }, response) => {
    sent.push(method)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const isOver = clockNow() - from >= ms
    answerJson(response, isOver ? 200 : 503, isOver ? { data: [{ id: 'vat-1' }], totalDocs: 1 } : {})
  })
  return { env, sent }
}

const list = ['vat-codes', 'list', '--json']
const sum = (pauses: readonly number[]) => pauses.reduce((one, other) => one + other, 0)

describe('a read that fails', () => {
  test('is tried again for half a minute without a terminal, and it is said that it waits', async () => {
    const { env } = await failingFor(20_000)
    const { code, json, err } = await payroll(list, { env })
    expect([code, json()]).toEqual([0, [{ id: 'vat-1' }]])
    expect(err).toMatch(/The service answered 503; trying again in \d+ seconds?\./)
    const quiet = await failingFor(20_000)
    expect(await payroll([...list, '-q'], { env: quiet.env })).toMatchObject({ code: 0, err: '' })
  })

  test.each([
    ['half a minute', 30_000, (env: Record<string, string>) => payroll(list, { env })],
    ['ten seconds at a terminal', 10_000, (env: Record<string, string>) => atTerminal(list, { env }).ended],
  ])('is given up after %s', async (_, ms, run) => {
    const { code, pauses } = await run((await failingFor(1e9)).env)
    expect(code).toBe(7)
    expect(Math.abs(sum(pauses) - ms)).toBeLessThan(2000)
  })

  test.each<[string[], Record<string, string>, number]>([
    [['--retry-for', '90s'], {}, 90_000],
    [['--retry-for', '1.5m'], {}, 90_000],
    [[], { PAYROLL_RETRY_FOR: '5' }, 5000],
    [['--retry-for', '3s'], { PAYROLL_RETRY_FOR: '2h' }, 3000],
    [['--retry-for', '1h', '--timeout', '9'], {}, 9000],
  ])('is tried again for as long as %j %j says', async (words, variables, ms) => {
    const { env } = await failingFor(1e9)
    const { code, pauses } = await payroll([...list, ...words], { env: { ...env, ...variables } })
    expect(code).toBe(7)
    // The last pause may not fit before the end of --timeout.
    expect(sum(pauses)).toBeLessThan(ms + 2000)
    expect(sum(pauses)).toBeGreaterThan(words.includes('--timeout') ? 0 : ms - 2000)
  })

  test.each<[string[], Record<string, string>]>([
    [['--retry-for', '0'], {}],
    [[], { PAYROLL_RETRY_FOR: '0' }],
  ])('is sent once with %j %j', async (words, variables) => {
    const { env, sent } = await failingFor(1e9)
    expect((await payroll([...list, ...words], { env: { ...env, ...variables } })).code).toBe(7)
    expect(sent).toEqual(['GET'])
  })

  test('waits for as long as the service says', async () => {
    const { env } = await failingFor(5000, { 'retry-after': '3' })
    const { code, pauses } = await payroll(list, { env })
    expect([code, pauses]).toEqual([0, [3000, 3000]])
  })

  test('waits longer than a minute only where it may be tried again for that long', async () => {
    for (const [words, code, waited] of [
      [['--retry-for', '59s'], 7, []],
      [['--retry-for', '5m', '--timeout', '80'], 7, []],
      [['--retry-for', '5m', '--timeout', '600'], 0, [90_000]],
    ] as const) {
      const { env } = await failingFor(80_000, { 'retry-after': '90' })
      const run = await payroll([...list, ...words], { env })
      expect([words, run.code, run.pauses]).toEqual([words, code, waited])
    }
  })

  test.each<[string[], Record<string, string>, string]>([
    [['--retry-for', 'soon'], {}, 'Expected a time, such as 90s, 2m or 0'],
    [[], { PAYROLL_RETRY_FOR: 'soon' }, 'PAYROLL_RETRY_FOR is soon, and must be a time'],
  ])('is not sent where the time is none: %j %j', async (words, variables, says) => {
    const { env, sent } = await failingFor(0)
    const run = await payroll(['vat-codes', 'list', ...words], { env: { ...env, ...variables } })
    expect([run, sent]).toMatchObject([endedWith(2, says), []])
  })
})

test('a write is not tried again once it was sent, however long a read would be', async () => {
  const { env, sent } = await failingFor(1e9)
  const create = ['payment-rates', 'create', '--set', 'code=NIGHT', '--yes', '--retry-for', '1h']
  expect((await payroll(create, { env })).code).toBe(8)
  expect(sent.filter((method) => method === 'POST')).toHaveLength(1)
})
