import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asTyped, atTerminal, endedWith, freshHome, keys, payroll } from '../../../payroll.ts'
import { answerJson, service } from '../../../service.ts'
import { codeIn, connected, consent } from '../connected.ts'
import { addressOn } from './address-on.ts'

const browser = ['auth', 'login', '--browser', '--profile', 'development', '--client-id', 'payroll-cli']
const quietEnv = { BROWSER: 'none' }

/** A sign-in at a terminal that has shown its address. */
async function startSignIn(argv: readonly string[] = browser, env: Record<string, string> = quietEnv) {
  const at = await connected()
  const terminal = atTerminal(argv, { home: at.home, env })
  const url = await addressOn(terminal.screen)
  return {
    ...at,
    terminal,
    url,
    paste: (text: string) => terminal.type('', `${text}${keys.enter}`),
    code: async () => (await terminal.ended).code,
    /** The text of the screen on one line. */
    shown: () => terminal.screen().replace(/\s+/g, ' '),
    token: () => at.settings().tokens?.development,
  }
}

describe('auth login --browser', () => {
  test('signs in by the answer that the browser brings to 127.0.0.1', async () => {
    const { run, settings, terminal, url, requests } = await startSignIn()
    const { origin, searchParams } = new URL(url)
    expect(origin).toBe(settings().profiles.development.baseUrl)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    const back = await fetch(await consent(url))
    const page = await back.text()
    expect([back.status, page]).toEqual([200, expect.stringContaining('You can close this window')])
    const done = await terminal.ended
    expect([done.code, done.out]).toEqual([0, ''])
    const { development: token } = settings().tokens
    expect(terminal.screen()).toContain('Stored the access token of development.')
    const code = /code=([\w-]+)/.exec(requests.at(-1)?.body ?? '')?.[1] ?? 'none'
    for (const secret of [token.access, token.refresh, code]) {
      expect(page).not.toContain(secret)
      expect(terminal.screen()).not.toContain(secret)
    }
    expect(token).toMatchObject({ clientId: 'payroll-cli', expiresAt: expect.any(Number) })
    expect((await run(['candidates', 'list'])).code).toBe(0)
    expect(requests.at(-1)?.authorization).toBe(token.access)
    const status = (await run(['auth', 'status'])).json()
    expect(status).toMatchObject({ credential: 'access token', refreshable: true, sentOnlyTo: origin })
  })

  test('signs in by that answer where the questions are plain too', async () => {
    const { code, token, url } = await startSignIn(browser, { ...quietEnv, ACCESSIBLE: '1' })
    expect((await fetch(await consent(url))).status).toBe(200)
    expect([await code(), token()]).toMatchObject([0, { clientId: 'payroll-cli' }])
  })

  test('signs in by the whole address, pasted on the same prompt', async () => {
    const { paste, code, token, url } = await startSignIn()
    await paste(await consent(url))
    expect([await code(), token()]).toMatchObject([0, { clientId: 'payroll-cli' }])
  })

  test('asks again where something else is pasted: the address to open, no answer, the code alone, other words', async () => {
    const { paste, code, token, terminal, url } = await startSignIn()
    const back = await consent(url)
    for (const other of [url, 'https://example.com/done', codeIn(back), 'my password']) {
      await paste(other)
      await terminal.type('There is no code in it.', '\u0015')
    }
    await paste(back)
    expect([await code(), token()]).toMatchObject([0, { clientId: 'payroll-cli' }])
  })

  test('signs in by the answer that comes after a stray one', async () => {
    const { code, token, url } = await startSignIn()
    const back = await consent(url)
    for (const stray of ['/favicon.ico', '/callback', '/callback?code=x&state=y', '/callback?code=x'])
      expect((await fetch(new URL(stray, back))).ok).toBe(false)
    expect((await fetch(back)).status).toBe(200)
    expect([await code(), token()]).toMatchObject([0, { clientId: 'payroll-cli' }])
  })

  test('asks at a terminal for the client application', async () => {
    const { home } = await connected()
    const terminal = atTerminal(['auth', 'login', '--browser', '--profile', 'development'], {
      home,
      env: quietEnv,
    })
    await terminal.type('Id of the client application', keys.enter)
    await terminal.type('The people who run the service give it to you.', `payroll-cli${keys.enter}`)
    await terminal.type('Client secret', keys.enter)
    const url = await addressOn(terminal.screen)
    await terminal.type('', `${await consent(url)}${keys.enter}`)
    expect((await terminal.ended).code).toBe(0)
  })

  test('opens the browser that BROWSER names, with the address and without a secret', async () => {
    const home = freshHome()
    const [program, seen] = [join(home, 'browser.sh'), join(home, 'seen.txt')]
    const lines = `printf '%s\\n' "$#" "$1" "$PAYROLL_API_KEY" > ${seen}.part\nmv ${seen}.part ${seen}`
    writeFileSync(program, `#!/bin/sh\n${lines}\n`)
    chmodSync(program, 0o700)
    const env = { BROWSER: program, PAYROLL_API_KEY: 'CANARYkey0000' }
    const { paste, terminal, url } = await startSignIn(browser, env)
    for (let waited = 0; waited < 200 && !existsSync(seen); waited++) await pause(50)
    expect(readFileSync(seen, 'utf8')).toBe(`1\n${url}\n\n`)
    expect(terminal.screen()).toContain('The browser was opened.')
    await paste(await consent(url))
    await terminal.ended
  })
})

describe('auth login --browser stores nothing', () => {
  const tokenRequests = (requests: readonly { readonly url: string }[]) =>
    requests.filter(({ url }) => url.includes('/token')).length

  test.each([
    ['denied', ['browser', 'pasted'], 4, 'deny', '', 'The consent was not given (access_denied)'],
    ['answered without a code', ['browser'], 4, 'allow', /code=[^&]+/, 'the address has no code'],
  ])('stores nothing where it is %s, by %j: exit %i', async (_, ways, end, choice, part, says) => {
    for (const way of ways) {
      const { paste, code, shown, token, url, requests } = await startSignIn()
      const back = (await consent(url, choice)).replace(part, '')
      await (way === 'browser' ? fetch : paste)(back)
      expect([way, await code()]).toEqual([way, end])
      expect(shown()).toContain(says)
      expect([token(), tokenRequests(requests)]).toEqual([undefined, 0])
    }
  })

  test('where the code has expired or was used: exit 4', async () => {
    const { paste, code, shown, token, url } = await startSignIn()
    await paste((await consent(url)).replace(/code=[^&]+/, 'code=a-code-of-old'))
    expect(url).toContain('code_challenge')
    expect([await code(), token()]).toEqual([4, undefined])
    expect(shown()).toMatch(/The code was not exchanged\. .*invalid_grant.* Nothing was stored\./)
  })

  test('where no answer comes in time: exit 4', async () => {
    const { code, shown, token, url } = await startSignIn([...browser, '--timeout', '1'])
    expect([await code(), token()]).toEqual([4, undefined])
    expect(shown()).toContain('No answer came from the browser within 1 second. Nothing was stored.')
    const redirectUri = new URL(url).searchParams.get('redirect_uri')
    expect(shown()).toContain(
      `If the browser showed an error: the service must know the client application payroll-cli and its redirect address ${redirectUri}. To begin a new sign-in: payroll auth login --browser --profile development --client-id payroll-cli`,
    )
  })

  test('where its port is in use: exit 2', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { run, requests } = await connected()
    const sent = requests.length
    const refused = await run([...browser, '--redirect-uri', `http://127.0.0.1:${port}/callback`])
    expect(refused).toMatchObject(endedWith(2, `Port ${port} of 127.0.0.1 is in use`))
    expect(requests).toHaveLength(sent)
  })

  test('where the service gives its consent page only with a key, and there is none: exit 4', async () => {
    const { baseUrl } = await connected()
    const refused = await payroll([...browser, '--base-url', baseUrl])
    const says =
      'only with a key (401), and none is stored for development. Nothing was stored.\nTo store the key first: payroll auth login --key --profile development'
    expect(refused).toMatchObject(endedWith(4, says))
  })

  test('where the person presses Ctrl-C', async () => {
    const { token, terminal } = await startSignIn()
    await terminal.type('', keys.ctrlC)
    expect([(await terminal.ended).signal, token()]).toEqual(['SIGINT', undefined])
  })

  test.each([
    [['--key'], '--key and --browser cannot be combined'],
    [['--with-token'], '--browser and --with-token cannot be combined'],
    [['--redirect-uri', 'nowhere'], 'not a web address'],
  ])('with %j, which contradicts it: exit 2', async (words, says) => {
    expect(await (await connected()).run([...browser, ...words])).toMatchObject(endedWith(2, says))
  })

  test('for a read-only profile, before anything is sent: exit 2', async () => {
    const { run, requests } = await connected()
    await run(['profiles', 'set', 'development', '--read-only'])
    const sent = requests.length
    expect([(await run(browser)).code, requests.length]).toEqual([2, sent])
  })
})

test.each(['--client-id', '--redirect-uri'])(
  'auth login: %s without --browser has no effect: exit 2',
  async (flag) => {
    const login = asTyped`auth login --profile development ${flag} 8123`
    expect((await (await connected()).run(login, 'a-key-0000')).code).toBe(2)
  },
)

describe('a service whose consent page is elsewhere', () => {
  /** One that gives a token for any code, and that answers auth.connectUrl like this. */
  async function elsewhere(
    page: object = { link: 'https://login.example.com/authorize?tenant=7', scope: 'openid:profile' },
  ) {
    const home = freshHome()
    const { baseUrl, received } = await service(({ url }, response) =>
      url === '/token'
        ? answerJson(response, 200, { access_token: 'CANARYaccess-1', expires_in: 60 })
        : answerJson(response, url.startsWith('/svc/oauth/grant-token-url') ? 200 : 404, page),
    )
    const run = (argv: readonly string[], input = '', env = {}) => payroll(argv, { home, input, env })
    await run(asTyped`profiles set acme --base-url ${baseUrl}`)
    await run(['routes', 'set', 'auth.token', 'POST /token', '--profile', 'acme'])
    const settings = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
    const exchanged = () => received.filter(({ url }) => url === '/token')
    return { home, run, settings, exchanged }
  }
  const login = ['auth', 'login', '--browser', '--profile', 'acme', '--client-id', 'app']

  /** Signs in at a terminal: the address that the browser ended at is pasted there. */
  async function signIn(home: string, argv: readonly string[], env: Record<string, string>) {
    const terminal = atTerminal(argv, { home, env: { ...quietEnv, ...env } })
    const url = await addressOn(terminal.screen)
    const state = new URL(url).searchParams.get('state')
    await terminal.type('', `https://acme.example.com/done?code=the-code&state=${state}${keys.enter}`)
    const { code } = await terminal.ended
    return { code, url, screen: terminal.screen() }
  }

  test('is signed in to without a key, by the address that is pasted', async () => {
    const { home, exchanged, settings } = await elsewhere()
    const argv = [...login, '--redirect-uri', 'https://acme.example.com/done']
    const done = await signIn(home, argv, { PAYROLL_CLIENT_SECRET: 'CANARYsecret' })
    const address = 'https://login.example.com/authorize?tenant=7&response_type=code&client_id=app&'
    expect([done.code, done.url.startsWith(address)]).toEqual([0, true])
    expect(exchanged().map(({ headers }) => headers.authorization)).toEqual([undefined])
    expect(Object.fromEntries(new URLSearchParams(exchanged()[0]?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      redirect_uri: 'https://acme.example.com/done',
      code_verifier: expect.stringMatching(/^[\w-]{43,128}$/),
      client_id: 'app',
      client_secret: 'CANARYsecret',
    })
    expect(settings().tokens.acme).toMatchObject({ access: 'CANARYaccess-1', clientSecret: 'CANARYsecret' })
    expect(done.screen).not.toContain('CANARY')
  })

  test('whose path for tokens is wrong is exit 4, with what mends that before what begins a new sign-in', async () => {
    const { home, run } = await elsewhere()
    await run(['routes', 'set', 'auth.token', 'POST /tokens', '--profile', 'acme'])
    const argv = [...login, '--redirect-uri', 'https://acme.example.com/done']
    const { code, screen } = await signIn(home, argv, { PAYROLL_CLIENT_SECRET: 'CANARYsecret' })
    expect([code, screen.replace(/\s+/g, ' ')]).toEqual([
      4,
      expect.stringMatching(
        /Nothing was stored\. .* payroll routes set auth\.token .* To begin a new sign-in: payroll auth login --browser --profile acme/,
      ),
    ])
  })

  test('takes the secret of the client application from the environment', async () => {
    const { home, exchanged } = await elsewhere()
    const done = await signIn(home, login, { PAYROLL_CLIENT_SECRET: 'CANARYsecret' })
    expect([done.code, done.screen.includes('CANARY')]).toEqual([0, false])
    expect(exchanged()[0]?.body).toContain('client_id=app&client_secret=CANARYsecret')
  })

  test('reads no pasted address without a terminal: exit 2 where the browser is sent to another computer', async () => {
    const { run, exchanged } = await elsewhere()
    const done = await run([...login, '--redirect-uri', 'https://acme.example.com/done'], 'the-code\n')
    expect(done).toMatchObject(endedWith(2, 'the browser can only be sent back to this computer'))
    expect(exchanged()).toEqual([])
  })

  test('is not opened where its address has another state', async () => {
    const { run, exchanged } = await elsewhere({
      url: 'https://login.example.com/authorize?state=of-another',
    })
    expect(await run(login, 'the-code')).toMatchObject(endedWith(4, 'has another state'))
    expect(exchanged()).toEqual([])
  })

  test.each([
    { message: 'ask us' },
    { url: 'https://login.example.com/', help: 'https://help.example.com/' },
  ])('is not guessed from %j: exit 10, with the command that shows the answer', async (page) => {
    const { run } = await elsewhere(page)
    const says = 'does not say which page to open. Nothing was stored.\nTo see it: payroll auth connect-url'
    expect(await run(login)).toMatchObject(endedWith(10, says))
  })

  test.each([
    ['http://login.example.com/authorize', 2],
    ['file:///etc/passwd', 2],
    ['javascript:alert(1)', 2],
    ['-a', 10],
    ['https://ann:CANARYkey0000@login.example.com/', 2],
    ['https://login.example.com/\u202Ea', 2],
  ])('is not opened as %s: exit %i', async (url, code) => {
    const { run, exchanged } = await elsewhere({ url })
    const refused = await run(login)
    expect([refused.code, exchanged()]).toEqual([code, []])
    expect(refused.err).not.toMatch(/CANARY|Open this address/)
  })
})
