import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { answering } from '../../service.ts'
import { application, connected, signedIn } from './connected.ts'

describe('the three operations of a connection, each by itself', () => {
  test.each([
    ['the code', 'the-code\n'],
    ['the whole address', 'http://127.0.0.1:8123/callback?code=the-code&state=x\n'],
  ])('auth token exchanges %s, prints the answer and stores nothing', async (_, input) => {
    const { env, received } = await answering(200, { access_token: 'CANARYaccess', token_type: 'Bearer' })
    const home = freshHome()
    const token = await payroll(['auth', 'token', ...application], { home, env, input })
    expect([token.code, token.json()]).toMatchObject([0, { access_token: 'CANARYaccess' }])
    expect(new URLSearchParams(received[0]?.body).get('code')).toBe('the-code')
    expect(readdirSync(home)).toEqual([])
  })

  test('auth token --refresh takes a refresh token, and auth connect-url shows the address', async () => {
    const { run, settings } = await signedIn()
    const before = settings()
    const refresh = ['auth', 'token', '--refresh', '--client-id', 'payroll-cli']
    const refreshed = await run(refresh, before.tokens.development.refresh)
    expect([refreshed.code, refreshed.json()]).toMatchObject([0, { access_token: expect.any(String) }])
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    expect(new URL(url).searchParams.get('client_id')).toBe('payroll-cli')
    expect(settings()).toEqual(before)
  })
})

describe('the token of a sign-in', () => {
  test('keeps the token, its refresh token and its end beside the key, and shows neither', async () => {
    const { settings, baseUrl, done, run, requests } = await signedIn()
    const { keys, tokens } = settings()
    expect(keys.development).toEqual({ origin: baseUrl, key: sandboxKey })
    expect(tokens.development).toEqual({
      origin: baseUrl,
      access: expect.any(String),
      refresh: expect.any(String),
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
    const says = 'Removed the key and the access token of development from this computer.'
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
