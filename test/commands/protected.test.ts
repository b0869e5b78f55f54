import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, keys, payroll } from '../payroll.ts'
import { loopback, production } from './targets.ts'

const create = asTyped`candidates create --incomplete --set generalSetting.agencyRef=A-1`
const to = (words: string) => words.split(' ')

/** A protected profile with one candidate, and the words of every write to it. */
async function withCandidate() {
  const at = await production()
  await at.call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-0', city: 'Leeds' } })
  const [{ id }] = (await at.call('GET', '/svc/candidates')).json.data
  const update = ['candidates', 'update', id, '--set', 'generalSetting.city=York']
  const written = () => at.requests.filter(({ method }) => method !== 'GET')
  const terminal = (words = create, more = {}) => atTerminal(words, { home: at.home, ...more })
  return { ...at, id, update, written, terminal }
}

describe('a protected profile', () => {
  test.each(['create', 'update'] as const)(
    'refuses %s without --yes: exit 2, zero requests',
    async (verb) => {
      const { run, id, update, requests, written, baseUrl } = await withCandidate()
      const words = { create, update }[verb]
      const record = { create: 'a UK candidate', update: `a UK candidate (${id})` }[verb]
      const { code, out, error } = await run([...words, '--json'])
      expect([code, out, requests]).toEqual([2, '', []])
      expect(error()).toMatchObject({
        code: 'usage',
        outcome: 'not-sent',
        message: 'production is protected. Nothing was sent.',
        hint: `To ${verb} ${record} on production (${baseUrl}), add --yes.`,
      })
      expect((await run([...words, '--yes'])).code).toBe(0)
      expect(written()).toHaveLength(1)
    },
  )

  test('stays protected when the environment names its address, with a key or without', async () => {
    const { run, update, written, baseUrl } = await withCandidate()
    await run(to('profiles set acme --base-url https://acme.example.com'))
    await run(['profiles', 'use', 'acme'])
    const env = { PAYROLL_BASE_URL: `${baseUrl}/`, PAYROLL_API_KEY: sandboxKey }
    const message = `${baseUrl} is the address of production, which is protected. Nothing was sent.`
    for (const words of [create, update, ['api', 'DELETE', '/svc/candidates']]) {
      const { code, error } = await run([...words, '--json'], { env })
      expect([code, error().message, written()]).toEqual([2, message, []])
    }
    expect((await run(['candidates', 'list'], { env })).json()).toHaveLength(1)
    expect((await run([...create, '--yes'], { env })).code).toBe(0)
    expect(written()).toHaveLength(1)
  })

  test.each([
    ['the same address', '127.0.0.1'],
    ['another name of this computer', 'localhost'],
    ['its number in IPv6', '[::1]'],
    ['another number of this computer', '127.0.0.2'],
  ])('protects another stored profile that has %s', async (_, host) => {
    const { run, requests, baseUrl } = await withCandidate()
    const address = baseUrl.replace('127.0.0.1', host)
    const set = await run(to(`profiles set copy --base-url ${address} --unprotected`))
    expect(set.err).toContain(`writes still ask first, because ${address} is the address of production`)
    const env = { PAYROLL_API_KEY: sandboxKey }
    const { code, error } = await run([...create, ...to('--profile copy --json')], { env })
    const message = `${address} is the address of production, which is protected. Nothing was sent.`
    expect([code, error().message, requests]).toEqual([2, message, []])
  })

  test.each([
    ['y', 0, 1],
    ['n', 2, 0],
    ['', 2, 0],
  ])('asks at a terminal, where %j is exit %i', async (typed, code, count) => {
    const { terminal, written, baseUrl } = await withCandidate()
    const asking = terminal()
    await asking.type(`Create a UK candidate (A-1) on production (${baseUrl})?`, typed + keys.enter)
    const ended = await asking.ended
    expect([ended.code, written().length]).toEqual([code, count])
    if (code === 2) expect(ended.err).toContain('Not confirmed. Nothing was sent.')
  })

  test('asks after it has shown what changes', async () => {
    const { terminal, update, written } = await withCandidate()
    const asking = terminal(update)
    await asking.type(/Update .+ \(.+\) on production/, `y${keys.enter}`)
    expect((await asking.ended).code).toBe(0)
    expect(asking.screen()).toMatch(/City or town: Leeds → York.*\? Update /s)
    expect(written()).toHaveLength(1)
  })

  test('stops at Ctrl-C, by the signal, and sends nothing', async () => {
    const { terminal, written } = await withCandidate()
    const asking = terminal()
    await asking.type('Create a UK candidate (A-1) on production', keys.ctrlC)
    expect(await asking.ended).toMatchObject({ code: 130, signal: 'SIGINT' })
    expect(asking.screen()).toContain('Stopped. Nothing was sent.')
    expect(written()).toEqual([])
  })

  test('does not ask at a terminal with --no-input, nor in CI', async () => {
    const { terminal, written } = await withCandidate()
    const refused = await terminal([...create, '--no-input']).ended
    const inCi = await terminal(create, { env: { CI: 'true' } }).ended
    expect([refused.code, inCi.code, written()]).toEqual([2, 2, []])
  })

  test.each(['CI', 'PAYROLL_NO_INPUT'])('asks where %s is false, or 0', async (name) => {
    const { terminal, written } = await withCandidate()
    for (const off of ['false', '0']) {
      const asking = terminal(create, { env: { [name]: off } })
      await asking.type('Create a UK candidate (A-1) on production', keys.ctrlC)
      expect((await asking.ended).code).toBe(130)
    }
    expect(written()).toEqual([])
  })

  test.each(['remove production', 'set production --unprotected'])(
    'names another profile that %s leaves without protection at its address',
    async (words) => {
      const { run, baseUrl } = await withCandidate()
      await run(to(`profiles set acme --base-url ${baseUrl}`))
      const says =
        'Note: writes to acme do not ask first any more: only production protected its address. To protect it: payroll profiles set acme --protected'
      expect((await run(to(`profiles ${words}`))).err).toContain(says)
      expect((await run(to('profiles show acme'))).json().protected).toBe(false)
    },
  )

  test('asks no more once it is unprotected', async () => {
    const { run, written } = await withCandidate()
    await run(to('profiles set production --unprotected'))
    expect([(await run(create)).code, written().length]).toEqual([0, 1])
  })
})

describe('a command without a service', () => {
  test.each([
    create.join(' '),
    'candidates list',
    'candidates get x',
    'candidates update x --set generalSetting.city=York',
    'auth status',
  ])('is exit 2 where nothing is configured and nobody sits there: %s', async (words) => {
    const { code, out, error } = await payroll(to(`${words} --json`))
    expect([code, out]).toEqual([2, ''])
    expect(error()).toMatchObject({ code: 'usage', outcome: 'not-sent' })
    expect(error().message).toContain('the sandbox is not used')
  })

  test('falls back to the sandbox at a terminal, under a visible banner', async () => {
    const { code, err } = await atTerminal([...create, '--quiet']).ended
    const banner = 'Sandbox: nothing is configured, so nothing reaches a real service.'
    expect([code, err]).toEqual([0, expect.stringContaining(banner)])
  })

  test('is exit 2 with a key and no address, and with an address and no key exit 4: zero requests', async () => {
    const { env, requests } = await loopback()
    const { PAYROLL_API_KEY, PAYROLL_BASE_URL } = env
    const keyAlone = await payroll(create, { env: { PAYROLL_API_KEY } })
    const urlAlone = await payroll(create, { env: { PAYROLL_BASE_URL } })
    expect([keyAlone.code, urlAlone.code, requests]).toEqual([2, 4, []])
    expect(keyAlone.err).toContain('Set PAYROLL_BASE_URL too.')
  })

  test.each(['nobody', '', '__proto__', 'a/b'])('is exit 2 for the unknown profile %j', async (name) => {
    const { run, requests } = await loopback()
    const { code, error } = await run(['--profile', name, ...create, '--yes', '--json'])
    expect([code, error().code, requests]).toEqual([2, 'usage', []])
  })

  test('is exit 2 for a profile that has no address yet', async () => {
    const { code, err } = await payroll(['--profile', 'production', ...create, '--yes'])
    const says =
      'The profile production has no base URL yet. Nothing was sent.\npayroll profiles set production --base-url https://…'
    expect([code, err]).toEqual([2, expect.stringContaining(says)])
  })
})
