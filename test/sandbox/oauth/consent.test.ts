import { describe, expect, test } from 'vitest'
import { freshSandbox } from '../fresh-sandbox.ts'
import { asked, decide, openPage } from './flow.ts'

/** What a page would make of a state if it were not escaped. */
const attacks = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{constructor}}&lt;b>']

describe('the consent page', () => {
  test.each(attacks)('gives a state back as it came, and never as markup: %s', async (state) => {
    const sandbox = await freshSandbox()
    expect(await (await openPage(sandbox, { ...asked, state })).text()).not.toContain(state)
    expect((await decide(sandbox, 'allow', { ...asked, state })).told.state).toBe(state)
  })

  const wrongAddresses = [
    ...['', 'http://127.0.0.1:50123/callback/', 'http://127.0.0.1:50123/Callback'],
    ...['http://127.0.0.1:50123/callback?x=1', 'http://127.0.0.1:50123/callback#x'],
    ...['http://127.0.0.1:50123/x/../callback', 'http://127.0.0.1:99999/callback'],
    ...['http://127.0.0.1:/callback', 'http://127.0.0.1:80@evil.test/callback'],
    ...['http://127.0.0.1.evil.test/callback', 'http://user@127.0.0.1/callback'],
    ...['http://localhost:50123/callback', 'http://127.0.0.2/callback', 'http://[::1]/callback'],
    ...['http://[::1]:50123/callback', 'https://127.0.0.1:50123/callback'],
    ...['HTTP://127.0.0.1:50123/callback', 'javascript:alert(1)//http://127.0.0.1/callback'],
    ...['//127.0.0.1/callback', 'http://127.0.0.1/callback http://evil.test'],
  ]
  test.each([
    { client_id: 'unknown' },
    { client_id: '' },
    ...wrongAddresses.map((redirect_uri) => ({ redirect_uri })),
  ])('tells the person alone, with 400, when it cannot be sure where to answer: %j', async (changed) => {
    const response = await openPage(await freshSandbox(), { ...asked, ...changed })
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    const text = await response.text()
    expect(text).not.toContain('<form')
    expect(text).toMatch(/This sandbox does not know the application|The redirect address is not registered/)
    for (const value of Object.values({ ...asked, ...changed })) {
      if (value.length > 5) expect(text).not.toContain(value)
    }
  })

  test.each(['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback'])(
    'takes any port of its loopback address: %s',
    async (redirect_uri) => {
      const { location } = await decide(await freshSandbox(), 'allow', { ...asked, redirect_uri })
      expect(location.href.split('?')[0]).toBe(redirect_uri)
    },
  )

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_type: undefined }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: 's256' }],
  ])('tells the client %s for %j', async (error, changed) => {
    const entries = Object.entries({ ...asked, ...changed }).filter(([, value]) => value !== undefined)
    const response = await openPage(await freshSandbox(), Object.fromEntries(entries) as typeof asked)
    expect(response.status).toBe(303)
    const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? '')
    expect(origin + pathname).toBe(asked.redirect_uri)
    expect(Object.fromEntries(searchParams)).toEqual({ error, state: asked.state, iss: 'http://localhost' })
  })
})

describe('Get url to connect the system', () => {
  test("answers the consent page on the sandbox's own origin", async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('GET', '/svc/oauth/grant-token-url')
    const url = 'http://localhost/oauth/authorize?response_type=code'
    expect([status, json]).toStrictEqual([200, { data: { url }, success: true }])
  })

  test('hands on what the client asks for', async () => {
    const sandbox = await freshSandbox()
    const { response_type, ...query } = asked
    const path = `/svc/oauth/grant-token-url?${new URLSearchParams(query)}`
    const url = new URL((await sandbox.call('GET', path)).json.data.url)
    expect(url.origin + url.pathname).toBe('http://localhost/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual(asked)
    expect((await sandbox.app.request(url.href)).status).toBe(200)
    const told = (await decide(sandbox, 'allow', Object.fromEntries(url.searchParams) as typeof asked)).told
    expect(told.state).toBe(asked.state)
  })
})
