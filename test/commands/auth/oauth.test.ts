import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { endedWith, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'
import { application, codeIn, connected, connecting, consent, signedIn } from './connected.ts'

describe('connecting a system', () => {
  test('goes from the address over the consent to a token that the service accepts, and refreshes', async () => {
    const { run, url } = await connecting()
    const token = await run(['auth', 'token'], `${codeIn(await consent(url))}\n`)
    expect([token.code, token.json()]).toMatchObject([0, { token_type: 'Bearer' }])
    const refresh = ['auth', 'token', '--refresh', '--client-id', 'payroll-cli', '--store']
    const refreshed = await run(refresh, token.json().refresh_token)
    const stored = { stored: true, profile: 'development', expires_in: 3600, refreshable: true }
    expect([refreshed.code, refreshed.json()]).toEqual([0, stored])
    const { json } = await run(['auth', 'status'])
    expect(json()).toMatchObject({ accepted: true, credential: 'access token' })
  })

  test('uses its verifier once', async () => {
    const { run, url } = await connecting()
    const code = codeIn(await consent(url))
    await run(['auth', 'token'], code)
    expect((await run(['auth', 'token', ...application], code)).code).toBe(6)
  })

  test('makes a new challenge and a new state each time', async () => {
    const { run, url } = await connecting()
    const first = new URL(url).searchParams
    const second = new URL((await run(['auth', 'connect-url', ...application])).json().url).searchParams
    for (const name of ['code_challenge', 'state']) expect(first.get(name)).not.toBe(second.get(name))
    expect(first.get('code_challenge_method')).toBe('S256')
  })
})

describe('the state', () => {
  test('is compared when the whole address is brought back', async () => {
    const { run, url } = await connecting()
    const token = await run(['auth', 'token'], `${await consent(url)}\n`)
    expect([token.code, token.err]).toEqual([0, expect.not.stringContaining('could not be checked')])
    expect(token.json()).toMatchObject({ token_type: 'Bearer' })
  })

  test('cannot be compared with the code alone, which is said', async () => {
    const { run, url } = await connecting()
    const token = await run(['auth', 'token'], codeIn(await consent(url)))
    expect(token).toMatchObject(endedWith(0, 'The state could not be checked'))
  })

  test.each([
    ['another one', (address: URL) => address.searchParams.set('state', 'of-somebody-else')],
    ['none', (address: URL) => address.searchParams.delete('state')],
    ['two', (address: URL) => address.searchParams.append('state', 'of-somebody-else')],
  ])(
    'the state of an address is refused when it is %s: exit 4, nothing sent or stored',
    async (_, change) => {
      const { run, requests, settings, url } = await connecting()
      const address = new URL(await consent(url))
      change(address)
      const before = [settings(), requests.length]
      const refused = await run(['auth', 'token', '--store', '--json'], address.href)
      expect(refused).toMatchObject(endedWith(4, 'does not belong to the sign-in that you began'))
      expect(refused.error().outcome).toBe('not-sent')
      expect([settings(), requests.length]).toEqual(before)
    },
  )

  test('the state of an address needs a connection that is under way: exit 2', async () => {
    const { run } = await connected()
    const refused = await run(['auth', 'token'], 'http://127.0.0.1:8123/callback?code=abc&state=x')
    expect(refused).toMatchObject(endedWith(2, 'No connection was begun'))
  })

  test('comes with a no as well, which is told: exit 4', async () => {
    const { run, url } = await connecting()
    const refused = await run(['auth', 'token'], await consent(url, 'deny'))
    const says = 'The consent was not given (access_denied). Nothing was sent.'
    expect(refused).toMatchObject(endedWith(4, says))
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
    const status = (await run(['auth', 'status'])).json()
    const until = new Date(expiresAt).toISOString()
    expect(status).toMatchObject({ accepted: true, credential: 'access token', expiresAt: until })
  })

  test('lets the token be refreshed with what is stored, by the key, also once it has expired', async () => {
    const { settings, change, run, requests } = await signedIn()
    const { development: before } = settings().tokens
    change((all) => Object.assign(all.tokens.development, { expiresAt: Date.now() - 1 }))
    const doctor = await run(['doctor', '--json'])
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('the next command refreshes it')])
    expect((await run(['auth', 'token', '--refresh', '--store'])).code).toBe(0)
    expect(requests.at(-1)).toMatchObject({ url: '/svc/oauth/token', authorization: sandboxKey })
    const { development: after } = settings().tokens
    for (const name of ['access', 'refresh']) expect(after[name]).not.toBe(before[name])
    expect((await run(['candidates', 'list'])).code).toBe(0)
  })

  test('is refused for what is no stored profile before the code is spent: exit 2', async () => {
    const { baseUrl } = await connected()
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: sandboxKey }
    const refused = await payroll(['auth', 'token', '--store'], { env, input: 'a-code' })
    expect(refused).toMatchObject(endedWith(2, 'A token can be stored only in a stored profile'))
  })

  test('sends the token to no other origin', async () => {
    const { run } = await signedIn()
    await run(['profiles', 'set', 'development', '--base-url', 'http://127.0.0.1:9'])
    const refused = await run(['candidates', 'list', '--json'])
    expect(refused).toMatchObject(endedWith(4, 'does not go to http://127.0.0.1:9'))
    expect(refused.error().outcome).toBe('not-sent')
  })

  test('is undone by a login with a key, by a logout, and when its profile is removed', async () => {
    const { run, settings } = await signedIn()
    const login = await (await signedIn()).run(['auth', 'login', '--profile', 'development'], sandboxKey)
    expect(login).toMatchObject(endedWith(0, 'the key is used from now on'))
    const logout = await run(['auth', 'logout'])
    const says = 'The key and the access token of development were removed from this computer.'
    expect(logout).toMatchObject(endedWith(0, says))
    expect([settings().keys, settings().tokens]).toEqual([{}, {}])
    const other = await signedIn()
    expect((await other.run(['profiles', 'remove', 'development'])).code).toBe(0)
    expect(other.settings()).toMatchObject({ profiles: {}, keys: {}, tokens: {} })
  })
})

test('the token request is a form, as RFC 6749 has it, and what the service says of it is shown harmlessly', async () => {
  const error_description = 'The code has ended.\u001b[2J Ask again.'
  const { env, received } = await answering(400, { error: 'invalid_grant', error_description })
  const run = await payroll(['auth', 'token', ...application], { env, input: 'CANARYcode+1/2=' })
  expect(run).toMatchObject(endedWith(6, 'invalid_grant: The code has ended.'))
  expect(run.err).toContain('Ask again.')
  for (const hidden of ['\u001b', 'CANARY']) expect(run.err).not.toContain(hidden)
  expect(received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'CANARYcode+1/2=',
    client_id: 'payroll-cli',
    redirect_uri: 'http://127.0.0.1:8123/callback',
  })
})

test('auth client shows what the consent screen says; one that is not known is exit 5, none exit 2', async () => {
  const { run } = await connected()
  const client = (...words: string[]) => run(['auth', 'client', ...words])
  expect((await client('--client-id', 'payroll-cli')).json()).toMatchObject({ clientId: 'payroll-cli' })
  const says = 'The service knows no such client application, or no such path (404)'
  expect(await client('--client-id', 'nobody')).toMatchObject(endedWith(5, says))
  expect((await client()).code).toBe(2)
})

test('the challenge of a verifier is that of RFC 7636, Appendix B', async () => {
  expect(await calculatePKCECodeChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('a verifier has 43 to 128 of the characters of RFC 7636, and no two are alike', () => {
  const verifiers = Array.from({ length: 100 }, generateRandomCodeVerifier)
  for (const verifier of verifiers) expect(verifier).toMatch(/^[\w.~-]{43,128}$/)
  expect(new Set(verifiers).size).toBe(100)
})
