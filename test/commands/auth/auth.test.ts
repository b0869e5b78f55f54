import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'
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

  // What else is no key: test/credentials/keys/key.test.ts.
  test.each([
    ['a line break inside', `${key}\nX-Other: 1`, 'contains a line break'],
    ['a blank in front', ` ${key}`, 'contains a space or a tab'],
    ['a byte-order mark inside', `${key}\uFEFFx`, 'contains a character that no key has'],
    ['nothing', '', 'is empty'],
    ['no end', key.repeat(10_000), 'is longer than 4096 characters'],
  ])('refuses a key with %s unseen: exit 2, nothing stored', async (_, input, says) => {
    const home = freshHome()
    const argv = [...login, '--base-url', 'https://127.0.0.1:9']
    for (const words of [[], ['--json'], ['--debug'], ['--with-token']]) {
      const refused = await payroll([...argv, ...words], { home, input })
      expect(refused).toMatchObject(endedWith(2, says))
      expect(refused.out + refused.err).not.toContain('CANARY')
      expect(() => stored(home)).toThrow('ENOENT')
    }
  })

  test('asks for the key unseen at a terminal, and for the profile and the address', async () => {
    const home = freshHome()
    const terminal = atTerminal(['auth', 'login'], { home })
    await terminal.type('Which profile is the key for?', keys.enter)
    await terminal.type('Base address of production', `ftp://x${keys.enter}`)
    await terminal.type('not a web address', `${'\u007F'.repeat(7)}https://127.0.0.1:9${keys.enter}`)
    await terminal.type('API key for https://127.0.0.1:9 (not shown)', `${key} ${keys.enter}`)
    await terminal.type('contains a space or a tab; it was not used. Copy the whole', key + keys.enter)
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen()).toContain('To sign in by consent in the browser instead: add --browser.')
    expect(terminal.screen()).not.toContain('CANARY')
    expect(stored(home).keys.production).toEqual({ origin: 'https://127.0.0.1:9', key })
  })

  test('says on a line of its own what to type where nothing may be asked at a terminal', async () => {
    const argv = [...login, '--base-url', 'https://127.0.0.1:9', '--no-input']
    const { code, err } = await atTerminal(argv).ended
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/ Nothing\s+was\s+stored\.\nFor example:\s.* --no-input < key\.txt\n$/),
    ])
  })

  test.each([
    [['auth', 'login'], 'Which profile is the key for?'],
    [login, 'The profile production has no address yet.'],
    [['auth', 'login', '--profile', 'nobody'], 'There is no profile "nobody".'],
    [['auth', 'login', '--profile', 'sandbox'], 'The sandbox needs no key.'],
    [[...login, '--base-url', 'http://payroll.example.com'], 'not encrypted'],
    [[...login, '--base-url', `https://ann:${key}@payroll.example.com`], 'a user name or a password'],
  ])('is exit 2 for %j from a pipe, and asks nobody', async (argv, says) => {
    const home = freshHome()
    const refused = await payroll(argv, { home, input: key })
    expect(refused).toMatchObject(endedWith(2, says))
    expect(refused.err).not.toContain('CANARY')
    expect(() => stored(home)).toThrow('ENOENT')
  })

  test('has no option that takes a key: others could read it in the list of processes', async () => {
    const { out } = await payroll(['auth', 'login', '--help'])
    expect(out).toContain('--with-token ')
    expect(out).not.toMatch(/--\S*(key|token|secret|password)[ =]</i)
  })
})

describe('auth login tries the key on one read', () => {
  /** A profile of a service that answers this to every read; with 0 nothing listens there. */
  async function open(status: number, page?: string) {
    const answers = { status }
    const { baseUrl, received } = await service((_, response) =>
      page
        ? response.writeHead(status).end(page)
        : answerJson(response, answers.status, { data: [], totalDocs: 0 }),
    )
    const home = freshHome()
    const address = status === 0 ? 'http://127.0.0.1:9' : baseUrl
    await payroll(['profiles', 'set', 'acme', '--base-url', address], { home })
    const signIn = (input: string) =>
      payroll(['auth', 'login', '--profile', 'acme'], { home, input: `${input}\n` })
    return { home, answers, received, signIn }
  }

  test('and says that it was taken', async () => {
    const { home, received, signIn } = await open(200)
    expect(await signIn(key)).toMatchObject(endedWith(0, 'The service accepts it.'))
    expect(received.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/svc/candidates?page=1&size=1', key],
    ])
    expect(stored(home).keys.acme.key).toBe(key)
  })

  test.each([
    [{ PAYROLL_API_KEY: 'CANARYkey2222' }, 'PAYROLL_API_KEY is set here', 'send its key'],
    [{ PAYROLL_PROFILE: 'sandbox' }, 'PAYROLL_PROFILE is set here', 'use sandbox'],
    [{ PAYROLL_BASE_URL: 'https://127.0.0.1:8' }, 'PAYROLL_BASE_URL is set here', 'use https://127.0.0.1:8'],
  ])('and says what counts before the key that it stored, with %j', async (env, first, then) => {
    const { home, signIn } = await open(200)
    expect((await signIn(key)).err).not.toContain('counts first')
    const again = await payroll(['auth', 'login', '--profile', 'acme'], { home, env, input: key })
    expect(again).toMatchObject(
      endedWith(0, `${first} and counts first: commands without --profile ${then}.`),
    )
    expect(again.err).not.toContain('CANARY')
  })

  test('and says where another profile is the default', async () => {
    const { home, signIn } = await open(200)
    expect((await signIn(key)).err).not.toContain('without --profile')
    await payroll(['profiles', 'use', 'sandbox'], { home })
    const says =
      'Commands without --profile still use sandbox. To make acme the default: payroll profiles use acme'
    expect(await signIn(key)).toMatchObject(endedWith(0, says))
    const env = { PAYROLL_PROFILE: 'acme' }
    const named = await payroll(['auth', 'login'], { home, env, input: key })
    expect([named.code, named.err]).toEqual([0, expect.not.stringContaining('without --profile')])
  })

  test('auth login stores nothing that was refused: what was stored before stays, exit 4', async () => {
    const { home, answers, received, signIn } = await open(200)
    await signIn(key)
    answers.status = 401
    const run = await signIn('CANARYkey1111')
    const says = 'refused the key (401). Nothing was stored.\nA key that was stored before stays.'
    expect(run).toMatchObject(endedWith(4, says))
    expect(run.err).not.toContain('CANARYkey1111')
    expect([stored(home).keys.acme.key, received.length]).toEqual([key, 2])
  })

  test.each<[number, string, page?: string]>([
    [403, 'the service knows the key, which may not list candidates (403).'],
    [403, 'the key could not be tried. A web page says no (403)', '<html>Blocked</html>'],
    [404, 'the key could not be tried. The service does not know /svc/candidates (404).'],
    [503, 'the key could not be tried. The service answered 503.'],
    [0, 'the key could not be tried. No connection to'],
  ])('auth login stores a key that could not be tried, with the reason: %i', async (status, says, page) => {
    const { home, received, signIn } = await open(status, page)
    const run = await signIn(key)
    expect(run).toMatchObject(endedWith(0, says))
    expect(run.err).toContain('To try the key again: payroll auth status --profile acme')
    expect([stored(home).keys.acme.key, received.length]).toEqual([key, status === 0 ? 0 : 1])
  })
})

describe('auth status', () => {
  const status = ['auth', 'status', '--json']

  test('is a card in plain words for a person', async () => {
    const { run } = await production()
    const { out } = await run(['auth', 'status', '-o', 'table'])
    for (const label of ['Base address', 'Key comes from', 'Sent only to', 'Sent as', 'Kept in', 'Accepted'])
      expect(out).toMatch(new RegExp(`^ +${label} +\\S`, 'm'))
    expect(out).not.toMatch(/^ *[a-z]+[A-Z]/m)
  })

  test('says that the key is accepted, and shows no more of it than its end', async () => {
    const { run, requests } = await production()
    const { code, json, out, err } = await run(status)
    const from = { profile: 'production', keyFrom: 'stored', keyWithheldFor: null }
    // It is too short for its end to be shown.
    expect([code, json()]).toMatchObject([0, { ...from, accepted: true, key: '****' }])
    expect(requests).toEqual([expect.objectContaining({ method: 'GET', authorization: sandboxKey })])
    expect(out + err).not.toContain(sandboxKey)
  })

  const refusing = async (code: number) => (await answering(code, {})).env
  const lost = { code: 'temporary', outcome: 'not-sent', retryable: true }
  test.each([
    ['is refused', () => refusing(401), 4, { accepted: false, keyFrom: 'environment' }, { status: 401 }],
    ['may not list candidates', () => refusing(403), 4, { accepted: null }, { status: 403 }],
    ['cannot be tried', () => ({ PAYROLL_BASE_URL: 'http://127.0.0.1:9' }), 7, { accepted: null }, lost],
    [
      'is not there',
      () => ({ PAYROLL_API_KEY: undefined }),
      4,
      { key: null, accepted: null },
      { code: 'auth' },
    ],
  ])('says that the key %s', async (_, given, code, answer, error) => {
    const base = (await loopback()).env.PAYROLL_BASE_URL
    const env = { PAYROLL_BASE_URL: base, PAYROLL_API_KEY: key, ...(await given()) }
    const run = await payroll(status, { env })
    expect([run.code, run.json(), run.error()]).toMatchObject([code, answer, error])
    expect(run.out + run.err).not.toContain(key)
  })

  test('of the sandbox needs no key', async () => {
    const { code, json } = await payroll([...status, '--profile', 'sandbox'])
    expect([code, json()]).toMatchObject([0, { profile: 'sandbox', key: null, accepted: true }])
  })
})

test('auth logout says that the key of the environment is sent all the same', async () => {
  const { run, home } = await production()
  const done = await payroll(['auth', 'logout'], { home, env: { PAYROLL_API_KEY: 'CANARYkey2222' } })
  expect(done).toMatchObject(endedWith(0, 'PAYROLL_API_KEY is set here and counts first'))
  expect((await run(['profiles', 'show'])).json().key).toBeNull()
})

test('auth logout removes the key of the profile and nothing else, says what it does not do, and is exit 2 the next time', async () => {
  const { run, home, requests } = await production()
  const done = await run(['auth', 'logout'])
  const says = 'What was removed still works at the service until it is revoked there.'
  expect(done).toMatchObject({ ...endedWith(0, says), out: '' })
  expect(stored(home)).toMatchObject({ default: 'production', keys: {} })
  expect(readFileSync(join(home, 'config.json'), 'utf8')).not.toContain(sandboxKey)
  const refused = await run(['candidates', 'list', '--json'])
  expect([refused.code, refused.error()]).toMatchObject([4, { code: 'auth', outcome: 'not-sent' }])
  expect(await run(['auth', 'logout'])).toMatchObject(endedWith(2, 'No key is stored for production.'))
  expect(requests).toEqual([])
})

describe('a stored key', () => {
  test('does not go to another origin than the one it was stored for: exit 4, zero requests', async () => {
    const { run } = await production()
    const other = await loopback()
    const env = { PAYROLL_BASE_URL: other.baseUrl }
    expect((await run(['candidates', 'list'], { env })).code).toBe(4)
    const moved = await run(asTyped`profiles set production --base-url ${other.baseUrl}`)
    expect(moved).toMatchObject(endedWith(0, `is not sent to ${other.baseUrl}`))
    const refused = await run(['candidates', 'list', '--json'])
    expect(refused.code).toBe(4)
    expect(refused.error().message).toContain(`does not go to ${other.baseUrl}`)
    expect(other.requests).toEqual([])
    const kept = await run(['auth', 'status'])
    expect(kept.json()).toMatchObject({ key: null, keyWithheldFor: expect.stringMatching(/^http:/) })
  })

  test.each([401, 403])('is told from that of PAYROLL_API_KEY where it is refused (%i)', async (status) => {
    let answer = 200
    const { env, baseUrl } = await service((_, response) =>
      answerJson(response, answer, { data: [], totalDocs: 0 }),
    )
    const home = freshHome()
    await payroll(['auth', 'login', '--profile', 'production', '--base-url', baseUrl], { home, input: key })
    answer = status
    const given = await payroll(['vat-codes', 'list'], { home, env })
    expect(given).toMatchObject(endedWith(4, 'PAYROLL_API_KEY'))
    expect(given.err).not.toContain('auth login')
    const kept = await payroll(['vat-codes', 'list', '--profile', 'production'], { home })
    expect(kept).toMatchObject(endedWith(4, 'payroll auth login --profile production'))
  })
})
