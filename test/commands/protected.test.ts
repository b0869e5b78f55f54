import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, keys, payroll } from '../payroll.ts'
import { loopback, production } from './targets.ts'

const create = ['candidates', 'create', '--incomplete', '--set', 'generalSetting.agencyRef=A-1']

/** A protected profile with one candidate, and the words of every write to it. */
async function withCandidate() {
  const at = await production()
  await at.call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-0', city: 'Leeds' } })
  const [{ id }] = (await at.call('GET', '/svc/candidates')).json.data
  const update = ['candidates', 'update', id, '--set', 'generalSetting.city=York']
  const written = () => at.requests.filter(({ method }) => method !== 'GET')
  return { ...at, id, update, written }
}

describe('a protected profile', () => {
  test.each(['create', 'update'] as const)(
    'refuses %s without --yes: exit 2, zero requests',
    async (verb) => {
      const { run, id, update, requests, baseUrl } = await withCandidate()
      const record = { create: 'a UK candidate', update: `a UK candidate (${id})` }[verb]
      const seen = requests.length
      const refused = await run([...{ create, update }[verb], '--json'])
      expect(refused.code).toBe(2)
      expect(refused.out).toBe('')
      expect(refused.error()).toMatchObject({
        code: 'usage',
        outcome: 'not-sent',
        message: 'production is protected. Nothing was sent.',
        hint: `To ${verb} ${record} on production (${baseUrl}), add --yes.`,
      })
      expect(requests).toHaveLength(seen)
    },
  )

  test.each(['create', 'update'] as const)('takes %s with --yes', async (verb) => {
    const { run, update, written } = await withCandidate()
    expect((await run([...{ create, update }[verb], '--yes'])).code).toBe(0)
    expect(written()).toHaveLength(1)
  })

  test('stays protected when the environment names its address, with a key or without', async () => {
    const { run, update, written, baseUrl } = await withCandidate()
    const before = written().length
    const key = { PAYROLL_API_KEY: sandboxKey }
    await run(['profiles', 'set', 'acme', '--base-url', 'https://acme.example.com'])
    await run(['profiles', 'use', 'acme'])
    const env = { PAYROLL_BASE_URL: `${baseUrl}/`, ...key }
    for (const words of [create, update, ['api', 'DELETE', '/svc/candidates']]) {
      const refused = await run([...words, '--json'], { env })
      expect(refused.code).toBe(2)
      expect(refused.error().message).toBe(
        `${baseUrl} is the address of production, which is protected. Nothing was sent.`,
      )
    }
    expect(written()).toHaveLength(before)
    expect((await run(['candidates', 'list'], { env })).code).toBe(0)
    expect((await run([...create, '--yes'], { env })).code).toBe(0)
    expect(written()).toHaveLength(before + 1)
  })

  test.each([
    ['the same address', (baseUrl: string) => baseUrl],
    ['another name of this computer', (baseUrl: string) => baseUrl.replace('127.0.0.1', 'localhost')],
    ['its number in IPv6', (baseUrl: string) => baseUrl.replace('127.0.0.1', '[::1]')],
    ['another number of this computer', (baseUrl: string) => baseUrl.replace('127.0.0.1', '127.0.0.2')],
  ])('protects another stored profile that has %s', async (_, spelled) => {
    const { run, requests, baseUrl } = await withCandidate()
    await run(['profiles', 'set', 'copy', '--base-url', spelled(baseUrl), '--unprotected'])
    const seen = requests.length
    const refused = await run(asTyped`${create} --profile copy --json`, {
      env: { PAYROLL_API_KEY: sandboxKey },
    })
    expect([refused.code, refused.error().message]).toEqual([
      2,
      `${spelled(baseUrl)} is the address of production, which is protected. Nothing was sent.`,
    ])
    expect(requests).toHaveLength(seen)
  })

  test('asks nobody about what only reads', async () => {
    const { run } = await withCandidate()
    expect((await run(['candidates', 'list'])).json()).toHaveLength(1)
  })

  test.each([
    ['y', 0, 1],
    ['n', 2, 0],
    ['', 2, 0],
  ])('asks at a terminal, where %j is exit %i', async (typed, code, count) => {
    const { home, written, baseUrl } = await withCandidate()
    const terminal = atTerminal(create, { home })
    await terminal.type(`Create a UK candidate on production (${baseUrl})?`, typed + keys.enter)
    const ended = await terminal.ended
    expect(ended.code).toBe(code)
    expect(written()).toHaveLength(count)
    if (code === 2) expect(ended.err).toContain('Not confirmed. Nothing was sent.')
  })

  test('asks after it has shown what changes', async () => {
    const { home, update, written } = await withCandidate()
    const terminal = atTerminal(update, { home })
    await terminal.type(/Update .+ \(.+\) on production/, `y${keys.enter}`)
    expect((await terminal.ended).code).toBe(0)
    const screen = terminal.screen()
    expect(screen.indexOf('generalSetting.city: Leeds → York')).toBeGreaterThan(-1)
    expect(screen.indexOf('generalSetting.city: Leeds → York')).toBeLessThan(screen.indexOf('? Update '))
    expect(written()).toHaveLength(1)
  })

  test('stops at Ctrl-C, by the signal, and sends nothing', async () => {
    const { home, written } = await withCandidate()
    const terminal = atTerminal(create, { home })
    await terminal.type('Create a UK candidate on production', keys.ctrlC)
    expect(await terminal.ended).toMatchObject({ code: 130, signal: 'SIGINT' })
    expect(terminal.screen()).toContain('Stopped. Nothing was sent.')
    expect(written()).toEqual([])
  })

  test('does not ask at a terminal with --no-input, nor in CI', async () => {
    const { home, written } = await withCandidate()
    const refused = await atTerminal([...create, '--no-input'], { home }).ended
    const inCi = await atTerminal(create, { home, env: { CI: 'true' } }).ended
    expect([refused.code, inCi.code]).toEqual([2, 2])
    expect(written()).toEqual([])
  })

  test('asks no more once it is unprotected', async () => {
    const { run, written } = await withCandidate()
    await run(['profiles', 'set', 'production', '--unprotected'])
    expect((await run(create)).code).toBe(0)
    expect(written()).toHaveLength(1)
  })
})

describe('a command without a service', () => {
  test.each([
    [create],
    [['candidates', 'list']],
    [['candidates', 'get', 'x']],
    [['candidates', 'update', 'x', '--set', 'generalSetting.city=York']],
    [['auth', 'status']],
  ])('is exit 2 where nothing is configured and nobody sits there: %j', async (argv) => {
    const { code, out, error } = await payroll([...argv, '--json'])
    expect([code, out]).toEqual([2, ''])
    expect(error()).toMatchObject({ code: 'usage', outcome: 'not-sent' })
    expect(error().message).toContain('the sandbox is not used')
  })

  test('falls back to the sandbox at a terminal, under a visible banner', async () => {
    const made = await atTerminal([...create, '--quiet']).ended
    expect(made.code).toBe(0)
    expect(made.err).toContain('Sandbox: nothing is configured, so nothing reaches a real service.')
  })

  test('is exit 2 with a key and no address, and with an address and no key exit 4: zero requests', async () => {
    const { env, requests } = await loopback()
    const { PAYROLL_API_KEY, PAYROLL_BASE_URL } = env
    const keyAlone = await payroll(create, { env: { PAYROLL_API_KEY } })
    const urlAlone = await payroll(create, { env: { PAYROLL_BASE_URL } })
    expect([keyAlone.code, urlAlone.code]).toEqual([2, 4])
    expect(keyAlone.err).toContain('Set PAYROLL_BASE_URL too.')
    expect(requests).toEqual([])
  })

  test.each(['nobody', '', '__proto__', 'a/b'])(
    'is exit 2 for the unknown profile %j, whatever the environment has',
    async (name) => {
      const { run, requests } = await loopback()
      const refused = await run(['--profile', name, ...create, '--yes', '--json'])
      expect(refused.code).toBe(2)
      expect(refused.error().code).toBe('usage')
      expect(requests).toEqual([])
    },
  )

  test('is exit 2 for a profile that has no address yet', async () => {
    const refused = await payroll(['--profile', 'production', ...create, '--yes'])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('The profile production has no base URL yet. Nothing was sent.')
  })
})
