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

async function withClient(name: string, redirectUris: string[] = ['https://app.example.com/cb?tenant=1']) {
  const sandbox = await freshSandbox()
  sandbox.database.tables.oauthClients.insert('', { name, redirectUris }, 0, 'other')
  return sandbox
}

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
    expect(fields).toEqual({ ...asked, csrf_token: expect.stringMatching(/^[\w-]{43}$/) })
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
    for (const { headers } of [asking, ...refusals]) {
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('lets its form lead to an IPv6 address too, which a policy cannot name', async () => {
    const redirect_uri = 'http://[::1]:50123/callback'
    const sandbox = await withClient('Other', ['http://[::1]/callback'])
    const { headers } = await openPage(sandbox, { ...asked, client_id: 'other', redirect_uri })
    expect(headers.get('content-security-policy')).toContain("form-action 'self' http:;")
  })

  test.each(attacks)("shows a client's name as text, whatever it is: %s", async (name) => {
    const sandbox = await withClient(name)
    const parameters = { ...asked, client_id: 'other', redirect_uri: 'https://app.example.com/cb?tenant=1' }
    const { text } = await readPage(await openPage(sandbox, parameters))
    const tags = text.match(/<\/?[a-z!][^>]*>/gi) ?? []
    const plain = await readPage(await openPage(await withClient('Plain'), parameters))
    expect(tags.map((tag) => tag.replace(/value="[^"]*"/, ''))).toEqual(
      (plain.text.match(/<\/?[a-z!][^>]*>/gi) ?? []).map((tag) => tag.replace(/value="[^"]*"/, '')),
    )
  })

  test.each(attacks)('gives a state back as it came, and never as markup: %s', async (state) => {
    const sandbox = await freshSandbox()
    const { text, fields } = await readPage(await openPage(sandbox, { ...asked, state }))
    expect(fields.state).toBe(state)
    expect(text).not.toContain(`"${state}"`)
    expect((await decide(sandbox, 'allow', { ...asked, state })).told.state).toBe(state)
  })

  test.each([
    { client_id: 'unknown' },
    { client_id: '' },
    { redirect_uri: '' },
    { redirect_uri: 'http://127.0.0.1:50123/callback/' },
    { redirect_uri: 'http://127.0.0.1:50123/Callback' },
    { redirect_uri: 'http://127.0.0.1:50123/callback?x=1' },
    { redirect_uri: 'http://127.0.0.1:50123/callback#x' },
    { redirect_uri: 'http://127.0.0.1:50123/x/../callback' },
    { redirect_uri: 'http://127.0.0.1:99999/callback' },
    { redirect_uri: 'http://127.0.0.1:/callback' },
    { redirect_uri: 'http://127.0.0.1:80@evil.test/callback' },
    { redirect_uri: 'http://127.0.0.1.evil.test/callback' },
    { redirect_uri: 'http://user@127.0.0.1/callback' },
    { redirect_uri: 'http://localhost:50123/callback' },
    { redirect_uri: 'http://127.0.0.2/callback' },
    { redirect_uri: 'http://[::1]/callback' },
    { redirect_uri: 'http://[::1]:50123/callback' },
    { redirect_uri: 'https://127.0.0.1:50123/callback' },
    { redirect_uri: 'HTTP://127.0.0.1:50123/callback' },
    { redirect_uri: 'javascript:alert(1)//http://127.0.0.1/callback' },
    { redirect_uri: '//127.0.0.1/callback' },
    { redirect_uri: 'http://127.0.0.1/callback http://evil.test' },
  ])('tells the person alone, with 400, when it cannot be sure where to answer: %j', async (changed) => {
    const response = await openPage(await freshSandbox(), { ...asked, ...changed })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
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
    const open = async (redirect_uri: string) =>
      (await openPage(sandbox, { ...asked, client_id: 'other', redirect_uri })).status
    expect(await open('https://app.example.com/cb?tenant=1')).toBe(200)
    expect(await open('https://app.example.com:8443/cb?tenant=1')).toBe(400)
    expect(await open('https://app.example.com/cb?tenant=2')).toBe(400)
    expect(await open(asked.redirect_uri)).toBe(400)
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
    expect(response.status).toBe(303)
    expect(await response.text()).toBe('')
    expect(location.origin + location.pathname).toBe(asked.redirect_uri)
    expect(told).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: asked.state,
      iss: 'http://localhost',
    })
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
    const redirect_uri = 'https://app.example.com/cb?tenant=1'
    const { told } = await decide(sandbox, 'allow', { ...asked, client_id: 'other', redirect_uri })
    expect(told).toMatchObject({ tenant: '1', code: expect.any(String) })
  })

  test('is refused with 403 unless it is the one that was shown, to the one who saw it', async () => {
    const sandbox = await freshSandbox()
    const mine = await readPage(await openPage(sandbox))
    const other = await readPage(await openPage(sandbox))
    const elsewhere = await readPage(await openPage(await freshSandbox()))
    const { csrf_token, ...unsigned } = mine.fields
    const forged = [
      [unsigned, mine.cookie],
      [{ ...unsigned, csrf_token: '' }, mine.cookie],
      [{ ...unsigned, csrf_token: 'x'.repeat(43) }, mine.cookie],
      [mine.fields, ''],
      [mine.fields, other.cookie],
      [mine.fields, 'sandbox-session='],
      [elsewhere.fields, elsewhere.cookie],
      [{ ...mine.fields, state: 'another' }, mine.cookie],
      [{ ...mine.fields, redirect_uri: 'http://127.0.0.1:50124/callback' }, mine.cookie],
      [{ ...mine.fields, code_challenge: 'x'.repeat(43) }, mine.cookie],
    ] as [Record<string, string>, string][]
    for (const [fields, cookie] of forged) {
      const response = await sendForm(sandbox, { ...fields, decision: 'allow' }, cookie)
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
    }
    expect((await sendForm(sandbox, { ...mine.fields, decision: 'allow' }, mine.cookie)).status).toBe(303)
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
