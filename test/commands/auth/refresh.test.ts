import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { listening } from '../../api/http/ports.ts'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { answerJson, type Received, service } from '../../service.ts'
import { signedIn } from './connected.ts'

const rate = JSON.stringify({ code: 'NIGHT' })
const routes = (requests: readonly { method: string; url: string }[]) =>
  requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`)

/** A sign-in at the sandbox whose token was changed since, and the requests from then on. */
async function signedInWith(token: object) {
  const at = await signedIn()
  const set = (changed: object) => at.change((all) => Object.assign(all.tokens.development, changed))
  set(token)
  at.requests.length = 0
  return { ...at, set }
}

describe('an access token that is over', () => {
  test('is refreshed once, before the call, and stored whole', async () => {
    const { run, settings, requests } = await signedInWith({ expiresAt: 1 })
    const { development: before } = settings().tokens
    const list = await run(['candidates', 'list', '--debug'])
    expect([list.code, list.json()]).toEqual([0, []])
    expect(routes(requests)).toEqual(['POST /svc/oauth/token', 'GET /svc/candidates'])
    const { development: after } = settings().tokens
    expect(after).toEqual({
      ...before,
      access: expect.not.stringContaining(before.access),
      refresh: expect.not.stringContaining(before.refresh),
      expiresAt: expect.any(Number),
    })
    expect(requests.map(({ authorization }) => authorization)).toEqual([sandboxKey, after.access])
    for (const secret of [before.access, before.refresh, after.access, after.refresh])
      expect(list.out + list.err).not.toContain(secret)
    await run(['candidates', 'list'])
    expect(routes(requests).slice(2)).toEqual(['GET /svc/candidates'])
  })

  test('is refreshed half a minute before, and not sooner', async () => {
    const ending = (ms: number) => ({ expiresAt: Date.now() + ms })
    const { run, set, requests } = await signedInWith(ending(90_000))
    await run(['candidates', 'list'])
    expect(routes(requests)).toEqual(['GET /svc/candidates'])
    set(ending(20_000))
    await run(['candidates', 'list'])
    expect(routes(requests)).toEqual(['GET /svc/candidates', 'POST /svc/oauth/token', 'GET /svc/candidates'])
  })

  test('is shown without a day where its end is beyond every calendar', async () => {
    const { run } = await signedInWith({ expiresAt: Number.MAX_SAFE_INTEGER })
    const status = await run(['auth', 'status'])
    expect([status.code, status.json()]).toMatchObject([0, { expiresAt: null, accepted: true }])
  })

  test('is refreshed for a read-only profile too, which could not read without it', async () => {
    const { run } = await signedInWith({ expiresAt: 1 })
    await run(['profiles', 'set', 'development', '--read-only'])
    expect((await run(['candidates', 'list'])).code).toBe(0)
  })
})

describe('an access token that the service refuses with 401', () => {
  const spoilt = { access: 'CANARYaccess0000', expiresAt: undefined }

  test.each([
    ['is refreshed, and a read is sent again, once', ['list'], 'GET /svc/payment-rate'],
    [
      'is refreshed, and a write is sent again, because the whole refusal is here',
      ['create', '--file', '-'],
      'POST /svc/payment-rate',
    ],
  ])('%s', async (_, words, sent) => {
    const { run, requests } = await signedInWith(spoilt)
    expect((await run(['payment-rates', ...words], rate)).code).toBe(0)
    expect(routes(requests)).toEqual([sent, 'POST /svc/oauth/token', sent])
    const rates = (await run(['payment-rates', 'list'])).json()
    expect(rates).toMatchObject(words[0] === 'list' ? [] : [{ code: 'NIGHT' }])
  })

  test('is refreshed once for all the pages that are asked for together', async () => {
    const { run, received } = await tokenService(({ url, headers }, response) => {
      if (headers.authorization === 'CANARYaccess-old') return answerJson(response, 401, {})
      const page = Number(new URL(url, 'http://x').searchParams.get('page'))
      const data = Array.from({ length: page > 5 ? 0 : 100 }, (_, at) => ({ id: `${page}-${at}` }))
      answerJson(response, 200, { data, totalDocs: 500 })
    })
    expect((await run(['vat-codes', 'list'])).json()).toHaveLength(500)
    expect(routes(received).filter((route) => route.startsWith('POST'))).toHaveLength(1)
  })

  test.each([
    ['a read', ['vat-codes', 'list']],
    ['a deletion', ['documents', 'delete', 'd1', '--id', '--employee', 'id:e1', '--yes']],
  ])('is refreshed for %s that was answered 500 before', async (_, words) => {
    let isFirst = true
    const { run } = await tokenService(({ method, headers }, response) => {
      const status = isFirst ? 500 : headers.authorization === 'CANARYaccess-old' ? 401 : 200
      isFirst = false
      if (status === 200 && method === 'DELETE') return response.writeHead(204).end()
      answerJson(response, status, status === 200 ? { data: [], totalDocs: 0 } : {})
    })
    expect((await run(words)).code).toBe(0)
  })

  test('is not refreshed a second time where the new one is refused too: exit 4', async () => {
    const { run, received } = await tokenService((_, response) => answerJson(response, 401, {}))
    const says = 'Bearer before it: payroll profiles set acme --authorization "Bearer {token}"'
    expect(await run(['vat-codes', 'list'])).toMatchObject(endedWith(4, says))
    expect(routes(received)).toEqual(['GET /svc/vat-code', 'POST /svc/oauth/token', 'GET /svc/vat-code'])
  })

  test('does not have a write sent again whose 401 was cut off: exit 8', async () => {
    const { run, received } = await tokenService((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"message":')
      setTimeout(() => response.destroy(), 20)
    })
    const cut = await run(['payment-rates', 'create', '--file', '-', '--json'], rate)
    expect([cut.code, cut.error().outcome]).toEqual([8, 'unknown'])
    expect(routes(received).filter((route) => route.startsWith('POST'))).toEqual(['POST /svc/payment-rate'])
  })
})

describe('a refresh whose answer is lost', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['the connection is closed', (response) => response.destroy()],
    ['the service fails', (response) => answerJson(response, 500, {})],
    ['the answer has no token', (response) => answerJson(response, 200, { ok: 1 })],
    ['the answer has no body', (response) => response.writeHead(200).end()],
    ['nothing comes in time', () => {}],
  ])('because %s: exit 7, and the next run tries it again', async (_, lose) => {
    const { run, received, tokens } = await tokenService(list, lose, { expiresAt: 1 })
    for (const words of ['vat-codes list', 'payment-rates list']) {
      const lost = await run([...words.split(' '), '--timeout', '1', '--json'])
      expect(lost).toMatchObject(endedWith(7, 'The access token of acme could not be refreshed.'))
      const hint = expect.stringContaining('sign in again: payroll auth login --browser --profile acme')
      expect(lost.error()).toMatchObject({ outcome: 'not-sent', retryable: true, hint })
      expect(lost.out + lost.err).not.toContain('CANARY')
    }
    expect(routes(received)).toEqual(['POST /svc/oauth/token', 'POST /svc/oauth/token'])
    expect(tokens().acme).toMatchObject({ access: 'CANARYaccess-old', refresh: 'CANARYrefresh-old' })
  })
})

describe('a refresh that is refused', () => {
  const no = (error: string) => (response: ServerResponse) =>
    answerJson(response, 400, { error, error_description: 'No.' })

  test('because the refresh token is over: exit 4, and it is not sent again', async () => {
    const { run, received, tokens } = await tokenService(list, no('invalid_grant'), { expiresAt: 1 })
    const says =
      'could not be refreshed: the service refused the token request (400): invalid_grant: No.\nSign in again: payroll auth login --browser --profile acme. Or go back to a key: payroll auth login --key --profile acme\n'
    expect(await run(['vat-codes', 'list'])).toMatchObject(endedWith(4, says))
    expect(await run(['vat-codes', 'list'])).toMatchObject(endedWith(4, 'has expired'))
    expect(routes(received)).toEqual(['POST /svc/oauth/token'])
    expect(tokens().acme).toMatchObject({ access: 'CANARYaccess-old' })
    expect(tokens().acme.refresh).toBeUndefined()
  })

  test('shows nothing of a token that the service repeats, though its words are cut within it', async () => {
    const refresh = `CANARY${'refresh-0000-'.repeat(40)}`
    const quoting = no(`invalid_request: ${'the token '.repeat(3)}${refresh} is not known`)
    const { run } = await tokenService(list, quoting, { expiresAt: 1, refresh })
    for (const options of [[], ['--json']]) {
      const refused = await run(['vat-codes', 'list', ...options])
      expect(refused).toMatchObject(endedWith(4, '[key] is not known'))
      expect(refused.err).not.toContain('CANARY')
    }
  })

  test('because its path is a guess: exit 4, with how to give the right one', async () => {
    const { run } = await tokenService(list, (response) => answerJson(response, 404, {}), { expiresAt: 1 })
    const says = 'This path is an assumption. To give the right one: payroll routes set auth.token'
    expect(await run(['vat-codes', 'list'])).toMatchObject(endedWith(4, says))
  })

  test('because of the client application: exit 4, and the refresh token stays', async () => {
    const { run, tokens } = await tokenService(list, no('invalid_client'), { expiresAt: 1 })
    expect(await run(['vat-codes', 'list'])).toMatchObject(endedWith(4, 'could not be refreshed'))
    expect(tokens().acme).toMatchObject({ refresh: 'CANARYrefresh-old' })
  })

  test('deletes nothing where another sign-in was stored meanwhile, and uses that one', async () => {
    const expiresAt = Date.now() + 3e6
    const newer = { access: 'CANARYaccess-newer', refresh: 'CANARYrefresh-newer', expiresAt }
    const renew = (response: ServerResponse, change: Change) => {
      change((token) => Object.assign(token, newer))
      no('invalid_grant')(response)
    }
    const { run, received, tokens } = await tokenService(list, renew, { expiresAt: 1 })
    expect((await run(['vat-codes', 'list'])).code).toBe(0)
    expect(received.at(-1)?.headers.authorization).toBe(newer.access)
    expect(tokens().acme).toMatchObject(newer)
  })
})

test('a refresh that was not sent leaves everything as it was: exit 7', async () => {
  const { run, tokens, settings, write } = await tokenService(list, undefined, { expiresAt: 1 })
  const origin = 'http://127.0.0.1:9'
  const acme = { ...tokens().acme, origin }
  write({ ...settings(), profiles: { acme: { baseUrl: origin } }, tokens: { acme } })
  const unsent = await run(['vat-codes', 'list', '--json'])
  expect([unsent.code, unsent.error()]).toMatchObject([7, { outcome: 'not-sent', retryable: true }])
  expect(tokens().acme).toEqual(acme)
})

test('a refresh that a certificate stands in the way of ends as any other request does: exit 2', async () => {
  const { tokens, settings, write, run } = await tokenService(list, undefined, { expiresAt: 1 })
  const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))
  const server = createServer({ key: pem('key'), cert: pem('self-signed') })
  const origin = `https://localhost:${await listening(server)}`
  const acme = { ...tokens().acme, origin }
  write({ ...settings(), profiles: { acme: { baseUrl: origin } }, tokens: { acme } })
  const stopped = await run(['payment-rates', 'create', '--file', '-', '--json'], rate)
  expect([stopped.code, stopped.error()]).toMatchObject([2, { code: 'usage', outcome: 'not-sent' }])
  expect(stopped.error().message).toContain(
    'The access token of acme could not be refreshed. No connection to',
  )
  expect(stopped.error().hint).toContain('payroll profiles set acme --certificate-authority <file>')
})

test('an end that is past already is not taken for one: each request would refresh', async () => {
  const renew = (response: ServerResponse) =>
    answerJson(response, 200, { access_token: 'CANARYaccess-new', expires_in: 0 })
  const { run, received } = await tokenService(list, renew, { expiresAt: 1 })
  for (const words of ['vat-codes list', 'payment-rates list'])
    expect((await run(words.split(' '))).code).toBe(0)
  expect(routes(received)).toEqual(['POST /svc/oauth/token', 'GET /svc/vat-code', 'GET /svc/payment-rate'])
})

test('a refresh is not sent where its token cannot be stored, as on a full disk, and is sent once it can be', async () => {
  const { run, received, tokens, home } = await tokenService(list, undefined, { expiresAt: 1 })
  // The name of the new settings before they replace the old ones.
  const inTheWay = join(home, 'config.json.new')
  mkdirSync(inTheWay)
  const says = 'The access token of acme was not refreshed: there is no place for it. The settings in '
  expect(await run(['vat-codes', 'list'])).toMatchObject(endedWith(2, says))
  expect([received, tokens().acme.refresh]).toEqual([[], 'CANARYrefresh-old'])
  rmdirSync(inTheWay)
  expect((await run(['vat-codes', 'list'])).code).toBe(0)
  expect(routes(received)).toEqual(['POST /svc/oauth/token', 'GET /svc/vat-code'])
})

test('a secret of the client application is sent with a refresh, and never shown', async () => {
  const secret = { expiresAt: 1, clientSecret: 'CANARYsecret' }
  const { run, received } = await tokenService(list, undefined, secret)
  const done = await run(['vat-codes', 'list', '--debug'])
  expect([done.code, (done.out + done.err).includes('CANARY')]).toEqual([0, false])
  expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'CANARYrefresh-old',
    client_id: 'app',
    client_secret: 'CANARYsecret',
  })
  // No key is stored, and the old token would prove nothing.
  expect(received[0]?.headers.authorization).toBeUndefined()
})

function list(_: Received, response: ServerResponse): void {
  answerJson(response, 200, { data: [], totalDocs: 0 })
}

type Change = (by: (token: any) => void) => void

/** A service with a profile that has a token and no key; by default a refresh gives new tokens. */
async function tokenService(
  answer: (request: Received, response: ServerResponse) => void,
  renew: (response: ServerResponse, change: Change) => void = (response) =>
    answerJson(response, 200, {
      access_token: 'CANARYaccess-new',
      refresh_token: 'CANARYrefresh-new',
      expires_in: 3600,
    }),
  token: Record<string, unknown> = {},
) {
  const home = freshHome()
  const path = join(home, 'config.json')
  const settings = () => JSON.parse(readFileSync(path, 'utf8'))
  const write = (all: unknown) => writeFileSync(path, JSON.stringify(all), { mode: 0o600 })
  const change: Change = (by) => {
    const all = settings()
    by(all.tokens.acme)
    write(all)
  }
  const { baseUrl, received } = await service((request, response) =>
    request.url === '/svc/oauth/token' ? renew(response, change) : answer(request, response),
  )
  const acme = { origin: baseUrl, access: 'CANARYaccess-old', refresh: 'CANARYrefresh-old', clientId: 'app' }
  const tokens = { acme: { ...acme, ...token } }
  write({ default: 'acme', profiles: { acme: { baseUrl } }, keys: {}, tokens })
  const run = (words: readonly string[], input = '') => payroll(words, { home, input })
  return { run, received, home, settings, write, tokens: () => settings().tokens }
}
