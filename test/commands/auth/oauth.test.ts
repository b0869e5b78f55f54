import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'
import { application, codeIn, connected, consent, signedIn } from './connected.ts'

describe('connecting a system', () => {
  test('goes from the address over the consent to a token that the service accepts, and refreshes', async () => {
    const { run } = await connected()
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    const code = codeIn(await consent(url))
    const token = await run(['auth', 'token'], `${code}\n`)
    expect([token.code, token.json()]).toEqual([0, expect.objectContaining({ token_type: 'Bearer' })])
    const refreshed = await run(
      ['auth', 'token', '--refresh', '--client-id', 'payroll-cli', '--store'],
      token.json().refresh_token,
    )
    expect([refreshed.code, refreshed.json()]).toEqual([
      0,
      { stored: true, profile: 'development', expires_in: 3600, refreshable: true },
    ])
    expect(refreshed.out).not.toContain(token.json().access_token)
    expect((await run(['auth', 'status'])).json()).toMatchObject({
      accepted: true,
      credential: 'access token',
    })
  })

  test('uses its verifier once', async () => {
    const { run } = await connected()
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    const code = codeIn(await consent(url))
    await run(['auth', 'token'], code)
    const again = await run(['auth', 'token', ...application], code)
    expect(again.code).toBe(6)
  })

  test('makes a new challenge and a new state each time', async () => {
    const { run } = await connected()
    const first = new URL((await run(['auth', 'connect-url', ...application])).json().url).searchParams
    const second = new URL((await run(['auth', 'connect-url', ...application])).json().url).searchParams
    for (const name of ['code_challenge', 'state']) expect(first.get(name)).not.toBe(second.get(name))
    expect(first.get('code_challenge_method')).toBe('S256')
  })
})

describe('the state', () => {
  test('is compared when the whole address is brought back', async () => {
    const { run } = await connected()
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    const token = await run(['auth', 'token'], `${await consent(url)}\n`)
    expect([token.code, token.err]).toEqual([0, expect.not.stringContaining('could not be checked')])
    expect(token.json()).toMatchObject({ token_type: 'Bearer' })
  })

  test('cannot be compared with the code alone, which is said', async () => {
    const { run } = await connected()
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    const token = await run(['auth', 'token'], codeIn(await consent(url)))
    expect([token.code, token.err]).toEqual([0, expect.stringContaining('The state could not be checked')])
  })

  test.each([
    ['another one', (address: URL) => address.searchParams.set('state', 'of-somebody-else')],
    ['none', (address: URL) => address.searchParams.delete('state')],
    ['two', (address: URL) => address.searchParams.append('state', 'of-somebody-else')],
  ])(
    'the state of an address is refused when it is %s: exit 4, nothing sent, nothing stored',
    async (_, change) => {
      const { run, requests, settings } = await connected()
      const { url } = (await run(['auth', 'connect-url', ...application])).json()
      const address = new URL(await consent(url))
      change(address)
      const before = [settings(), requests.length]
      const refused = await run(['auth', 'token', '--store', '--json'], address.href)
      expect(refused.code).toBe(4)
      expect(refused.error()).toMatchObject({
        message: expect.stringContaining('does not belong to the sign-in that you began'),
        outcome: 'not-sent',
      })
      expect([settings(), requests.length]).toEqual(before)
    },
  )

  test('the state of an address needs a connection that is under way: exit 2', async () => {
    const { run } = await connected()
    const refused = await run(['auth', 'token'], 'http://127.0.0.1:8123/callback?code=abc&state=x')
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('No connection was begun')])
  })

  test('comes with a no as well, which is told: exit 4', async () => {
    const { run } = await connected()
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    const refused = await run(['auth', 'token'], await consent(url, 'deny'))
    const told = expect.stringContaining('The consent was not given (access_denied). Nothing was sent.')
    expect([refused.code, refused.err]).toEqual([4, told])
  })
})

describe('auth token --store', () => {
  test('keeps the token, its refresh token and its end beside the key, and shows neither', async () => {
    const { settings, baseUrl, done, run, requests } = await signedIn()
    const { keys, tokens } = settings()
    expect(keys.development).toEqual({ origin: baseUrl, key: sandboxKey })
    expect(tokens.development).toEqual({
      origin: baseUrl,
      access: expect.any(String),
      refresh: expect.any(String),
      obtainedAt: expect.any(Number),
      expiresAt: expect.any(Number),
      clientId: 'payroll-cli',
      account: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    const { access, refresh, expiresAt } = tokens.development
    expect(Math.abs(expiresAt - Date.now() - 3_600_000)).toBeLessThan(30_000)
    for (const secret of [access, refresh]) expect(done.out + done.err).not.toContain(secret)
    expect((await run(['candidates', 'list'])).code).toBe(0)
    expect(requests.at(-1)?.authorization).toBe(access)
    const status = await run(['auth', 'status'])
    expect(status.json()).toMatchObject({
      accepted: true,
      credential: 'access token',
      expiresAt: new Date(expiresAt).toISOString(),
    })
  })

  test('lets the token be refreshed with what is stored, by the key, also once it has expired', async () => {
    const { settings, change, run, requests } = await signedIn()
    const { tokens: before } = settings()
    change((all) => Object.assign(all.tokens.development, { expiresAt: Date.now() - 1 }))
    const doctor = await run(['doctor', '--json'])
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('the next command refreshes it')])
    const refreshed = await run(['auth', 'token', '--refresh', '--store'])
    expect(refreshed.code).toBe(0)
    expect(requests.at(-1)).toMatchObject({ url: '/svc/oauth/token', authorization: sandboxKey })
    const { tokens: after } = settings()
    for (const name of ['access', 'refresh']) {
      expect(after.development[name]).not.toBe(before.development[name])
    }
    expect((await run(['candidates', 'list'])).code).toBe(0)
  })

  test('is refused for what is no stored profile before the code is spent: exit 2', async () => {
    const { baseUrl } = await connected()
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey }
    const refused = await payroll(['auth', 'token', '--store'], { env, input: 'a-code' })
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('A token can be stored only in a stored profile'),
    ])
  })

  test('sends the token to no other origin', async () => {
    const { run } = await signedIn()
    await run(['profiles', 'set', 'development', '--base-url', 'http://127.0.0.1:9'])
    const refused = await run(['candidates', 'list', '--json'])
    expect([refused.code, refused.error().outcome]).toEqual([4, 'not-sent'])
    expect(refused.error().message).toContain('does not go to http://127.0.0.1:9')
  })

  test('is undone by a login with a key, and by a logout, of which nothing remains', async () => {
    const { run, settings, baseUrl } = await signedIn()
    const login = await payroll(['auth', 'login', '--profile', 'development'], {
      home: (await signedIn()).home,
      input: sandboxKey,
    })
    expect([login.code, login.err]).toEqual([0, expect.stringContaining('the key is used from now on')])
    expect(baseUrl).toBe(settings().tokens.development.origin)
    const logout = await run(['auth', 'logout'])
    expect(logout.err).toContain(
      'The key and the access token of development were removed from this computer.',
    )
    expect([settings().keys, settings().tokens]).toEqual([{}, {}])
  })

  test('is undone when its profile is removed', async () => {
    const { run, settings } = await signedIn()
    expect((await run(['profiles', 'remove', 'development'])).code).toBe(0)
    expect(settings()).toMatchObject({ profiles: {}, keys: {}, tokens: {} })
  })
})

describe('the token request', () => {
  test('is a form, as RFC 6749 has it, and what the service says of it is shown harmlessly', async () => {
    const { env, received } = await answering(400, {
      error: 'invalid_grant',
      error_description: 'The code has ended.\u001b[2J Ask again.',
    })
    const run = await payroll(['auth', 'token', ...application], {
      env,
      input: 'CANARYcode+1/2=',
    })
    expect(run.code).toBe(6)
    expect(run.err).toContain('invalid_grant: The code has ended.')
    expect(run.err).toContain('Ask again.')
    for (const hidden of ['\u001b', 'CANARY']) expect(run.err).not.toContain(hidden)
    const [{ headers, body }] = received as [(typeof received)[number]]
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'authorization_code',
      code: 'CANARYcode+1/2=',
      client_id: 'payroll-cli',
      redirect_uri: 'http://127.0.0.1:8123/callback',
    })
  })
})

describe('auth client', () => {
  test('shows what the consent screen says', async () => {
    const { run } = await connected()
    expect((await run(['auth', 'client', '--client-id', 'payroll-cli'])).json()).toMatchObject({
      clientId: 'payroll-cli',
    })
  })

  test('auth client of one that the service does not know is exit 5', async () => {
    const { run } = await connected()
    const unknown = await run(['auth', 'client', '--client-id', 'nobody'])
    expect([unknown.code, unknown.err]).toEqual([
      5,
      expect.stringContaining('The service knows no such client application, or no such path (404)'),
    ])
  })

  test('asks which application', async () => {
    const { run } = await connected()
    expect((await run(['auth', 'client'])).code).toBe(2)
  })
})
