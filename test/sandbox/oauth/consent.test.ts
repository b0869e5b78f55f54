import { describe, expect, test } from 'vitest'
import { freshSandbox } from '../fresh-sandbox.ts'
import { asked, decide, openPage, readPage, sendForm } from './flow.ts'

const page = '/oauth/authorize'

/** What a page would make of a client's name if it were not escaped. */
const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</strong></body><iframe srcdoc="<script>1</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<!--<img src="--><img src=x onerror=1//">',
  '<form action="https://evil.test"><button>Allow',
  '<%= 1 %>{{constructor}}&lt;b>',
]

const tenant = 'https://app.example.com/cb?tenant=1'
type Sandbox = Awaited<ReturnType<typeof freshSandbox>>

const withClient = (name: string, redirectUris: string[] = [tenant]): Promise<Sandbox> =>
  freshSandbox([{ clientId: 'other', name, redirectUris }])

describe('the consent page', () => {
  test('asks without a key, and names the client and where the answer goes', async () => {
    const sandbox = await freshSandbox()
    const response = await openPage(sandbox)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i)
    const { text, fields } = await readPage(response)
    expect(text).toContain('<strong>Payroll command line</strong>')
    expect(text).toContain('<strong>127.0.0.1:50123</strong>')
    expect(text).toContain('<form method="post" action="/oauth/authorize">')
    expect(fields).toEqual({ csrf_token: expect.stringMatching(/^[\w-]{43}$/) })
  })

  test('has a cookie that no script and no other site gets', async () => {
    const cookie = (await openPage(await freshSandbox())).headers.get('set-cookie')
    expect(cookie).toMatch(/^sandbox-session=[\w-]{43}; Path=\/oauth\/authorize; HttpOnly; SameSite=Strict$/)
  })

  test('sends its security headers with the page, with a refusal and with a redirect', async () => {
    const sandbox = await freshSandbox()
    const refusals = [
      await openPage(sandbox, { ...asked, client_id: 'unknown' }),
      await sendForm(sandbox, asked, ''),
      await sandbox.app.request(page, { method: 'POST', body: 'x'.repeat(70_000) }),
      (await decide(sandbox, 'allow')).response,
      await openPage(sandbox, { ...asked, response_type: 'token' }),
    ]
    const policy = (form: string) =>
      `default-src 'none'; base-uri 'none'; form-action ${form}; frame-ancestors 'none'`
    const asking = await openPage(sandbox)
    expect(asking.headers.get('content-security-policy')).toBe(policy("'self' http://127.0.0.1:50123"))
    for (const { headers } of refusals) {
      expect(headers.get('content-security-policy')).toBe(policy("'none'"))
    }
    const others = {
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    }
    for (const { headers } of [asking, ...refusals]) expect(Object.fromEntries(headers)).toMatchObject(others)
  })

  test.each(attacks)("shows a client's name as text, whatever it is: %s", async (name) => {
    const sandbox = await withClient(name)
    const tagsOf = async (sandbox: Sandbox) => {
      const { text } = await readPage(
        await openPage(sandbox, { ...asked, client_id: 'other', redirect_uri: tenant }),
      )
      return text.match(/<\/?[a-z!][^>]*>/gi)?.map((tag) => tag.replace(/value="[^"]*"/, ''))
    }
    expect(await tagsOf(sandbox)).toEqual(await tagsOf(await withClient('Plain')))
  })

  test.each(attacks)('gives a state back as it came, and never as markup: %s', async (state) => {
    const sandbox = await freshSandbox()
    const { text } = await readPage(await openPage(sandbox, { ...asked, state }))
    expect(text).not.toContain(`"${state}"`)
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
    const { text, fields } = await readPage(response)
    expect(fields).toEqual({})
    expect(text).toMatch(/This sandbox does not know the application|The redirect address is not registered/)
    for (const value of Object.values({ ...asked, ...changed })) {
      if (value.length > 5) expect(text).not.toContain(value)
    }
  })

  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:1/callback'],
    ['http://[::1]/callback', 'http://[::1]:65535/callback'],
  ])('takes any port of the loopback address %s that is registered: %s', async (registered, redirect_uri) => {
    const sandbox = await withClient('Other', [registered])
    const { location } = await decide(sandbox, 'allow', { ...asked, client_id: 'other', redirect_uri })
    expect(location.href.split('?')[0]).toBe(new URL(redirect_uri).href)
  })

  test('takes another address only as it is registered, port and all', async () => {
    const sandbox = await withClient('Other')
    const others = ['https://app.example.com:8443/cb?tenant=1', 'https://app.example.com/cb?tenant=2']
    for (const redirect_uri of [tenant, ...others, asked.redirect_uri]) {
      const { status } = await openPage(sandbox, { ...asked, client_id: 'other', redirect_uri })
      expect([redirect_uri, status]).toEqual([redirect_uri, redirect_uri === tenant ? 200 : 400])
    }
  })

  test.each(Object.keys(asked))('refuses a request with %s twice', async (name) => {
    const { app } = await freshSandbox()
    const query = new URLSearchParams([...Object.entries(asked), [name, 'again']])
    expect((await app.request(`${page}?${query}`)).status).toBe(400)
  })

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

describe('the form of the consent page', () => {
  test('sends the client a code, its state and who answers, by 303', async () => {
    const { response, location, told } = await decide(await freshSandbox(), 'allow')
    expect([response.status, await response.text()]).toEqual([303, ''])
    expect(location.origin + location.pathname).toBe(asked.redirect_uri)
    const code = expect.stringMatching(/^[\w-]{43}$/)
    expect(told).toEqual({ code, state: asked.state, iss: 'http://localhost' })
  })

  test.each(['deny', '', 'ALLOW'])(
    'sends access_denied and no code for the decision %j',
    async (decision) => {
      const { response, told } = await decide(await freshSandbox(), decision)
      expect(response.status).toBe(303)
      expect(told).toEqual({ error: 'access_denied', state: asked.state, iss: 'http://localhost' })
    },
  )

  test('keeps what a registered address already asks for', async () => {
    const sandbox = await withClient('Other')
    const { told } = await decide(sandbox, 'allow', { ...asked, client_id: 'other', redirect_uri: tenant })
    expect(told).toMatchObject({ tenant: '1', code: expect.any(String) })
  })

  test('is refused with 403 unless it is the one that was shown, to the one who saw it, and asks what that asked', async () => {
    const sandbox = await freshSandbox()
    const mine = await readPage(await openPage(sandbox))
    const other = await readPage(await openPage(sandbox))
    const elsewhere = await readPage(await openPage(await freshSandbox()))
    const forged = [
      [{}, mine.cookie],
      [{ csrf_token: '' }, mine.cookie],
      [{ csrf_token: 'x'.repeat(43) }, mine.cookie],
      [mine.fields, ''],
      [mine.fields, other.cookie],
      [mine.fields, 'sandbox-session='],
      [elsewhere.fields, elsewhere.cookie],
    ] as [Record<string, string>, string][]
    for (const [fields, cookie] of forged) {
      const response = await sendForm(sandbox, { ...fields, decision: 'allow' }, cookie)
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
    }
    const others = { state: 'another', redirect_uri: 'http://127.0.0.1:50124/callback', code_challenge: 'x' }
    const sent = await sendForm(sandbox, { ...mine.fields, ...others, decision: 'allow' }, mine.cookie)
    expect(sent.headers.get('location')).toContain(`${asked.redirect_uri}?`)
    expect(new URL(sent.headers.get('location') ?? '').searchParams.get('state')).toBe(asked.state)
  })

  test('can be sent from two pages that are open at once', async () => {
    const { app } = await freshSandbox()
    const first = await readPage(await openPage({ app }))
    const query = new URLSearchParams({ ...asked, state: 'second' })
    const again = await app.request(`${page}?${query}`, { headers: { cookie: first.cookie } })
    expect(again.headers.get('set-cookie')).toBeNull()
    const second = await readPage(again)
    for (const { fields } of [first, second]) {
      expect((await sendForm({ app }, { ...fields, decision: 'allow' }, first.cookie)).status).toBe(303)
    }
  })

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', ''])(
    'is refused with 415 as %j',
    async (type) => {
      const { app } = await freshSandbox()
      const { fields, cookie } = await readPage(await openPage({ app }))
      const response = await app.request(page, {
        method: 'POST',
        headers: { 'content-type': type, cookie },
        body: new URLSearchParams({ ...fields, decision: 'allow' }).toString(),
      })
      expect(response.status).toBe(415)
    },
  )

  test('is refused with 413 when it is far too large', async () => {
    const sandbox = await freshSandbox()
    expect((await sendForm(sandbox, { decision: 'x'.repeat(65_536) }, '')).status).toBe(413)
  })
})

describe('Get url to connect the system', () => {
  test("answers the consent page on the sandbox's own origin", async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('GET', '/svc/oauth/grant-token-url')
    const url = 'http://localhost/oauth/authorize?response_type=code'
    expect([status, json]).toStrictEqual([200, { data: { url }, success: true }])
  })

  test('hands on what the client asks for, and nothing else', async () => {
    const sandbox = await freshSandbox()
    const { response_type, ...query } = asked
    const path = `/svc/oauth/grant-token-url?${new URLSearchParams({ ...query, next: 'https://evil.test' })}`
    const url = new URL((await sandbox.call('GET', path)).json.data.url)
    expect(url.origin + url.pathname).toBe('http://localhost/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual(asked)
    expect((await sandbox.app.request(url.href)).status).toBe(200)
    const told = (await decide(sandbox, 'allow', Object.fromEntries(url.searchParams) as typeof asked)).told
    expect(told.state).toBe(asked.state)
  })
})

describe('Get OAuth client info for the consent screen', () => {
  const path = '/svc/oauth/client-info'

  test('answers the name of a client and where it is answered', async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('GET', `${path}?client_id=payroll-cli`)
    const named = { clientId: 'payroll-cli', name: 'Payroll command line' }
    const data = { ...named, redirectUris: ['http://127.0.0.1/callback'] }
    expect([status, json]).toStrictEqual([200, { data, success: true }])
  })
})
