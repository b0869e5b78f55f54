import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { atTerminal, freshHome, keys, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { loopback, production } from '../targets.ts'

const key = 'CANARYkey0000'
const stored = (home: string) => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
const login = ['auth', 'login', '--profile', 'production']

describe('auth login', () => {
  test('stores the key from a pipe, for the profile and its origin, without the line break', async () => {
    const home = freshHome()
    const argv = [...login, '--base-url', 'https://127.0.0.1:9/api/']
    const done = await payroll(argv, { home, input: `${key}\n` })
    expect([done.code, done.out]).toEqual([0, ''])
    expect(stored(home)).toEqual({
      default: 'production',
      profiles: { production: { baseUrl: 'https://127.0.0.1:9/api' } },
      keys: { production: { origin: 'https://127.0.0.1:9', key } },
    })
    expect(done.err).not.toContain(key)
  })

  test.each([
    ['a line break inside', `${key}\nX-Other: 1`, 'contains a line break'],
    ['a carriage return inside', `${key}\rX`, 'contains a line break'],
    ['two line breaks', `${key}\n\n`, 'contains a line break'],
    ['a blank inside', `${key} x`, 'contains a space or a tab'],
    ['a blank in front', ` ${key}`, 'contains a space or a tab'],
    ['a tab at the end', `${key}\t`, 'contains a space or a tab'],
    ['NUL', `${key}\0`, 'contains a character that no key has'],
    ['a letter that is not ASCII', `${key}é`, 'contains a character that no key has'],
    ['a byte-order mark inside', `${key}\uFEFFx`, 'contains a character that no key has'],
    ['nothing', '', 'is empty'],
    ['a line break alone', '\n', 'is empty'],
    ['five thousand characters', key.repeat(400), 'is longer than 4096 characters'],
    ['no end', key.repeat(10_000), 'is longer than 4096 characters'],
  ])('refuses a key with %s unseen: exit 2, nothing stored', async (_, input, says) => {
    const home = freshHome()
    const argv = [...login, '--base-url', 'https://127.0.0.1:9']
    for (const words of [[], ['--json'], ['--debug'], ['--with-token']]) {
      const refused = await payroll([...argv, ...words], { home, input })
      expect(refused.code).toBe(2)
      expect(refused.out + refused.err).not.toContain('CANARY')
      expect(refused.err).toContain(says)
      expect(() => stored(home)).toThrow('ENOENT')
    }
  })

  test('asks for the key unseen at a terminal, and for the profile and the address', async () => {
    const home = freshHome()
    const terminal = atTerminal(['auth', 'login'], { home })
    await terminal.type('Which profile is the key for?', keys.enter)
    await terminal.type('Base address of production', `ftp://x${keys.enter}`)
    await terminal.type('not a web address', `${'\u007F'.repeat(7)}https://127.0.0.1:9${keys.enter}`)
    await terminal.type('How do you sign in?', keys.enter)
    await terminal.type('API key for https://127.0.0.1:9 (not shown)', key + keys.enter)
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen()).not.toContain('CANARY')
    expect(stored(home).keys.production).toEqual({ origin: 'https://127.0.0.1:9', key })
  })

  test.each([
    [['auth', 'login'], 'Which profile is the key for?'],
    [login, 'The profile production has no address yet.'],
    [['auth', 'login', '--profile', 'nobody'], 'There is no profile nobody.'],
    [['auth', 'login', '--profile', 'sandbox'], 'The sandbox needs no key.'],
    [[...login, '--base-url', 'http://payroll.example.com'], 'not encrypted'],
    [[...login, '--base-url', `https://ann:${key}@payroll.example.com`], 'a user name or a password'],
  ])('is exit 2 for %j from a pipe, and asks nobody', async (argv, says) => {
    const home = freshHome()
    const refused = await payroll(argv, { home, input: key })
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(says)
    expect(refused.err).not.toContain('CANARY')
    expect(() => stored(home)).toThrow('ENOENT')
  })

  test('has no option that takes a key: others could read it in the list of processes', async () => {
    const { out } = await payroll(['auth', 'login', '--help'])
    expect(out).toContain('--with-token ')
    expect(out).not.toMatch(/--\S*(key|token|secret|password)[ =]</i)
  })
})

describe('auth status', () => {
  test('is a card in plain words for a person', async () => {
    const { run } = await production()
    const { out } = await run(['auth', 'status', '-o', 'table'])
    for (const label of ['Base address', 'Key comes from', 'Sent only to', 'Sent as', 'Kept in', 'Accepted'])
      expect(out).toMatch(new RegExp(`^ +${label} +\\S`, 'm'))
    expect(out).not.toMatch(/^ *[a-z]+[A-Z]/m)
  })

  test('says that the key is accepted, and shows no more of it than its end', async () => {
    const { run, requests } = await production()
    const status = await run(['auth', 'status', '--json'])
    expect(status.code).toBe(0)
    expect(status.json()).toMatchObject({
      profile: 'production',
      accepted: true,
      key: maskedKey(sandboxKey),
      keyFrom: 'stored',
      keyWithheldFor: null,
    })
    expect(requests).toEqual([expect.objectContaining({ method: 'GET', authorization: sandboxKey })])
    expect(status.out + status.err).not.toContain(sandboxKey)
  })

  test('says that the key is refused: exit 4', async () => {
    const { run } = await loopback()
    const status = await run(['auth', 'status', '--json'], { env: { PAYROLL_API_KEY: key } })
    expect(status.code).toBe(4)
    expect(status.json()).toMatchObject({ accepted: false, keyFrom: 'environment' })
    expect(status.error()).toMatchObject({ code: 'auth', status: 401 })
    expect(status.out + status.err).not.toContain(key)
  })

  test('says that nobody knows where the service cannot be reached: exit 7', async () => {
    const env = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: key }
    const status = await payroll(['auth', 'status', '--json'], { env })
    expect(status.code).toBe(7)
    expect(status.json()).toMatchObject({ accepted: null })
    expect(status.error()).toMatchObject({ code: 'temporary', outcome: 'not-sent', retryable: true })
  })

  test('does not take a key that may not list candidates for one that is refused', async () => {
    const { env } = await answering(403, {})
    const status = await payroll(['auth', 'status', '--json'], { env })
    expect(status.code).toBe(4)
    expect(status.json()).toMatchObject({ accepted: null })
  })

  test('says that there is no key, which nobody refused: exit 4', async () => {
    const { env } = await loopback()
    const { PAYROLL_BASE_URL } = env
    const given = { home: freshHome(), env: { PAYROLL_BASE_URL } }
    const status = await payroll(['auth', 'status', '--json'], given)
    expect(status.code).toBe(4)
    expect(status.json()).toMatchObject({ key: null, accepted: null })
  })

  test('auth status of the sandbox needs no key', async () => {
    const argv = ['auth', 'status', '--profile', 'sandbox']
    const status = await payroll(argv)
    expect(status.code).toBe(0)
    expect(status.json()).toMatchObject({ profile: 'sandbox', key: null, accepted: true })
  })
})

describe('auth logout', () => {
  test('removes the key of the profile and nothing else, and says what it does not do', async () => {
    const { run, home, requests } = await production()
    const done = await run(['auth', 'logout'])
    expect([done.code, done.out]).toEqual([0, ''])
    expect(done.err).toContain('It still works at the service until it is revoked there.')
    expect(stored(home)).toMatchObject({ default: 'production', keys: {} })
    expect(readFileSync(join(home, 'config.json'), 'utf8')).not.toContain(sandboxKey)
    const refused = await run(['candidates', 'list', '--json'])
    expect(refused.code).toBe(4)
    expect(refused.error()).toMatchObject({ code: 'auth', outcome: 'not-sent' })
    expect(requests).toEqual([])
  })

  test('is exit 2 where no key is stored', async () => {
    const { run } = await production()
    await run(['auth', 'logout'])
    const again = await run(['auth', 'logout'])
    expect(again.code).toBe(2)
    expect(again.err).toContain('No key is stored for production.')
  })
})

describe('a stored key', () => {
  test('does not go to another origin than the one it was stored for: exit 4, zero requests', async () => {
    const { run } = await production()
    const other = await loopback()
    const moved = await run(['profiles', 'set', 'production', '--base-url', other.baseUrl])
    expect(moved.code).toBe(0)
    expect(moved.err).toContain(`is not sent to ${other.baseUrl}`)
    const refused = await run(['candidates', 'list', '--json'])
    expect(refused.code).toBe(4)
    expect(refused.error().message).toContain(`does not go to ${other.baseUrl}`)
    expect(other.requests).toEqual([])
    const status = await run(['auth', 'status'])
    expect(status.json()).toMatchObject({ key: null, keyWithheldFor: expect.stringMatching(/^http:/) })
  })

  test('does not go where PAYROLL_BASE_URL points instead', async () => {
    const { run } = await production()
    const other = await loopback()
    const refused = await run(['candidates', 'list'], { env: { PAYROLL_BASE_URL: other.baseUrl } })
    expect(refused.code).toBe(4)
    expect(other.requests).toEqual([])
  })
})

const maskedKey = (secret: string) => (secret.length < 12 ? '****' : `****${secret.slice(-4)}`)

describe('a key that the service refuses', () => {
  test.each([401, 403])('is said to come from PAYROLL_API_KEY where it does (%i)', async (status) => {
    let answer = 200
    const { env, baseUrl } = await service((_, response) =>
      answerJson(response, answer, { data: [], totalDocs: 0 }),
    )
    const home = freshHome()
    await payroll(['profiles', 'set', 'acme', '--base-url', baseUrl], { home })
    await payroll(['auth', 'login', '--profile', 'acme'], { home, input: `${key}\n` })
    answer = status
    const given = await payroll(['vat-codes', 'list'], { home, env })
    expect([given.code, given.err]).toEqual([4, expect.stringContaining('PAYROLL_API_KEY')])
    expect(given.err).not.toContain('auth login')
    const kept = await payroll(['vat-codes', 'list', '--profile', 'acme'], { home })
    expect([kept.code, kept.err]).toEqual([4, expect.stringContaining('payroll auth login --profile acme')])
  })
})

describe('auth login tries the key on one read', () => {
  /** A service that answers this to every read, and a profile that leads there. */
  async function open(status: number) {
    const answers = { status }
    const { baseUrl, received } = await service((_, response) =>
      answerJson(response, answers.status, { data: [], totalDocs: 0 }),
    )
    const home = freshHome()
    await payroll(['profiles', 'set', 'acme', '--base-url', baseUrl], { home })
    const run = (input: string) =>
      payroll(['auth', 'login', '--profile', 'acme'], { home, input: `${input}\n` })
    return { home, answers, received, run }
  }

  test('auth login tries the key on one read and says that it was taken', async () => {
    const { home, received, run } = await open(200)
    const { code, err } = await run(key)
    expect([code, err]).toEqual([0, expect.stringContaining('The service accepts it.')])
    expect(received.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/svc/candidates?page=1&size=1', key],
    ])
    expect(stored(home).keys.acme.key).toBe(key)
  })

  test('auth login tries the key on one read and stores nothing that was refused: what was stored before stays, exit 4', async () => {
    const { home, answers, received, run } = await open(200)
    await run(key)
    answers.status = 401
    const { code, err } = await run('CANARYkey1111')
    expect(code).toBe(4)
    expect(err).toContain('refused the key (401). Nothing was stored; a key that was stored before stays.')
    expect(err).not.toContain('CANARYkey1111')
    expect(stored(home).keys.acme.key).toBe(key)
    expect(received).toHaveLength(2)
  })

  test.each([
    [403, 'the service knows the key, which may not list candidates (403).'],
    [404, 'the key could not be tried. The service does not know /svc/candidates (404).'],
    [503, 'the key could not be tried. The service answered 503.'],
  ])(
    'auth login tries the key on one read and stores what could not be tried, with the reason: %i',
    async (status, says) => {
      const { home, received, run } = await open(status)
      const { code, err } = await run(key)
      expect([code, err]).toEqual([0, expect.stringContaining(says)])
      expect(err).toContain('To try the key again: payroll auth status --profile acme')
      expect([stored(home).keys.acme.key, received.length]).toEqual([key, 1])
    },
  )

  test('auth login tries the key on one read and stores it where nothing listens', async () => {
    const home = freshHome()
    const { code, err } = await payroll([...login, '--base-url', 'http://127.0.0.1:9'], {
      home,
      input: `${key}\n`,
    })
    expect([code, err]).toEqual([0, expect.stringContaining('the key could not be tried. No connection to')])
    expect(stored(home).keys.production.key).toBe(key)
  })
})
