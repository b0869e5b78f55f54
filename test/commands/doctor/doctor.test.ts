import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { allOperations } from '../../../src/model/resources/operations.ts'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, freshHome, payroll, type Setting } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { file, loopback, production } from '../targets.ts'

const isRoot = process.geteuid?.() === 0
const isWindows = process.platform === 'win32'
const names = [
  ...['payroll', 'directory', 'settings', 'profile', 'address', 'key', 'routes', 'proxy'],
  ...['certificates', 'client', 'journal', 'service', 'access'],
]

interface Check {
  readonly name: string
  readonly status: string
  readonly found: string
  readonly from: string | null
  readonly hint: string | null
}

async function doctor(setting: Setting = {}, ...words: string[]) {
  const run = await payroll(['doctor', '--json', ...words], setting)
  const { ok, checks }: { ok: boolean; checks: Check[] } = run.json()
  expect(checks.map(({ name }) => name)).toEqual(names)
  for (const check of checks) expect(Object.keys(check)).toEqual(['name', 'status', 'found', 'from', 'hint'])
  const problems = checks.filter(({ status }) => status === 'problem').map(({ name }) => name)
  expect([ok, run.code === 0, run.err === '']).toEqual(Array(3).fill(problems.length === 0))
  expect(run.out + run.err).not.toContain('CANARY')
  return { ...run, problems, of: (name: string) => checks.find((check) => check.name === name) as Check }
}

/** What is said of some of the checks, by their names: what was found, or more than that. */
type Said = Readonly<Record<string, string | Partial<Check>>>

const saying = (text: string) => ({ found: expect.stringContaining(text) })

/** Finds these problems and no others, and gives the rest. */
async function expectProblems(setting: Setting, code: number, said: Said, ...words: string[]) {
  const examined = await doctor(setting, ...words)
  expect([examined.code, examined.problems]).toEqual([code, Object.keys(said)])
  for (const [name, found] of Object.entries(said))
    expect(examined.of(name)).toMatchObject(typeof found === 'string' ? { found } : found)
  return examined
}

/** Where nothing listens. */
const nowhere = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))

/** A home that is closed as it should be, with these settings. */
function settings(text: string | object): string {
  const home = freshHome()
  const path = file(home, 'config.json', typeof text === 'string' ? text : JSON.stringify(text))
  chmodSync(path, 0o600)
  return home
}

/** A home whose only profile is this, with these other settings. */
const acme = (profile: object, others: object = {}) =>
  settings({ default: 'acme', profiles: { acme: profile }, ...others })

const keyOf = (origin: string, key: string) => ({ keys: { acme: { origin, key } } })

describe('doctor', () => {
  test('finds nothing wrong with two variables that are right, and says where each value comes from', async () => {
    const { env, baseUrl, requests, home } = await loopback()
    const { code, of } = await doctor({ home, env })
    expect(code).toBe(0)
    const said = {
      payroll: { found: '0.0.0-test' },
      directory: { found: `${home}, open only to you, mode 0700`, from: 'PAYROLL_CONFIG_DIR' },
      settings: { found: 'none stored yet' },
      profile: { found: 'environment', from: 'PAYROLL_BASE_URL' },
      address: { found: `${baseUrl}, origin ${baseUrl}, prefix svc`, from: 'PAYROLL_BASE_URL' },
      key: { from: 'PAYROLL_API_KEY' },
      service: { found: expect.stringMatching(/^GET \/svc\/candidates answered 200 in \d+ ms$/) },
      access: {},
    }
    for (const [name, check] of Object.entries(said))
      expect(of(name)).toMatchObject({ status: 'ok', ...check })
    const sent = requests.map(({ method, url }) => `${method} ${url}`)
    expect(sent).toEqual(['GET /svc/candidates?page=1&size=1'])
  })

  test('tells a stored profile from a named one, and a key from all but its end', async () => {
    const { home, baseUrl, run } = await production()
    await run(['routes', 'set', 'payslips.list', 'GET /svc/payslips'])
    const { of, out } = await doctor({ home })
    expect(of('settings').found).toBe(`${join(home, 'config.json')}, open only to you, mode 0600`)
    const found = 'production, protected: writes ask first'
    expect(of('profile')).toMatchObject({ found, from: 'stored default' })
    expect(of('address').from).toBe('stored')
    // It is too short for any of it to be shown.
    expect(of('key').found).toBe(`****, sent only to ${baseUrl}`)
    expect(of('routes').found).toBe(`1 of ${allOperations.length} corrected: payslips.list`)
    expect(out).not.toContain(sandboxKey)
    expect((await doctor({ home }, '--profile', 'production')).of('profile').from).toBe('--profile')
    const named = await doctor({ home, env: { PAYROLL_PROFILE: 'production' } })
    expect(named.of('profile').from).toBe('PAYROLL_PROFILE')
  })

  test('is a calm table for a person: at 80 columns a line each, and what to do under it', async () => {
    const { env } = await loopback()
    const well = await payroll(['doctor', '-o', 'table'], { env })
    expect([well.code, well.err]).toEqual([0, ''])
    const lines = well.out.trimEnd().split('\n')
    for (const line of lines) expect(line).toMatch(/^((ok|warning|problem|skipped) +\w+ {2,}\S| {23}\S)/)
    // A word is never broken, so that a path or an address can be copied.
    for (const line of lines) expect(line.length <= 80 || /^.{23}\S+$/.test(line)).toBe(true)
    expect(lines.filter((line) => !line.startsWith(' '))).toHaveLength(names.length)
    const ill = await payroll(['doctor', '-o', 'table'], { env: nowhere })
    expect(ill.code).toBe(7)
    expect(ill.out).toMatch(/\nproblem {2}service +No connection to .*\n(.*\n)? {23}Run the same command/)
    expect(ill.err).toBe('Error: Problems found: service.\nThe report above says what to do about each.\n')
    const damaged = await payroll(['doctor', '-o', 'table'], { home: settings('{') })
    expect(damaged.out).toMatch(/\n {23}(mv|move) (['"]).+\2 \2.+\.bak\2\n/)
  })

  test('answers a query, and writes its answer whole to a file even when it found problems', async () => {
    const query = ['doctor', '--query', "checks[?status=='problem'].name"]
    expect((await payroll(query, { env: nowhere })).json()).toEqual(['service'])
    const out = join(freshHome(), 'found.json')
    const written = await payroll(['doctor', '--json', '--out', out], { env: nowhere })
    expect([written.code, written.out]).toEqual([7, ''])
    expect(JSON.parse(readFileSync(out, 'utf8')).ok).toBe(false)
  })

  test('tells its exit codes in its help', async () => {
    const { out } = await payroll(['doctor', '--help'])
    expect(out.replace(/\s+/g, ' ')).toContain('2 (settings), 4 (key) or 7 (the service cannot be reached)')
  })

  test('shows the requests with --debug, and no key', async () => {
    const { env } = await loopback()
    const { err } = await payroll(['doctor', '--debug'], { env })
    expect(err).toContain('> GET /svc/candidates page 1\n')
    expect(err).not.toContain(env.PAYROLL_API_KEY)
  })
})

describe('of settings that are broken, doctor', () => {
  test.each([
    ['half a file', '{"keys":{"production":{"origin":"https://acme.example.com","key":"CANARYkey00'],
    ['a file of something else', '["CANARYkey0000"]'],
    ['a file with a field of another kind', '{"keys":{"production":"CANARYkey0000"}}'],
    ['an empty file', ''],
  ])('reports %s, goes on, and leaves it as it is', async (_, text) => {
    const home = settings(text)
    const { of } = await expectProblems({ home }, 2, { settings: saying('is damaged') })
    expect(of('settings').hint).toContain('.bak')
    for (const name of ['profile', 'address', 'key', 'routes', 'service'])
      expect(of(name).status).toBe('skipped')
    for (const name of ['proxy', 'certificates']) expect(of(name).status).toBe('ok')
    expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe(text)
    expect(readdirSync(home)).toEqual(['config.json'])
  })

  test('asks the service of the environment anyway, for that works beside them', async () => {
    const { env } = await loopback()
    const { of } = await expectProblems({ home: settings('{'), env }, 2, { settings: {} })
    expect([of('profile').status, of('access').status]).toEqual(['ok', 'ok'])
    const noPlace = { env: { ...env, PAYROLL_CONFIG_DIR: 'here' } }
    const beside = await expectProblems(noPlace, 2, { directory: {} })
    expect([beside.of('settings').status, beside.of('access').status]).toEqual(['skipped', 'ok'])
  })

  test('warns of a file and a directory that others may read, and closes neither', async () => {
    const home = settings({ default: 'sandbox' })
    const path = join(home, 'config.json')
    chmodSync(path, 0o644)
    chmodSync(home, 0o755)
    const { code, of } = await doctor({ home })
    expect(code).toBe(0)
    const open = `${path} is open to other users, mode 0644`
    expect(of('settings')).toMatchObject({ status: 'warning', found: open })
    expect(of('settings').hint).toContain(`chmod 600 '${path}'`)
    const openFolder = `${home} is open to other users, mode 0755`
    expect(of('directory')).toMatchObject({ status: 'warning', found: openFolder })
    expect([statSync(path).mode & 0o777, statSync(home).mode & 0o777]).toEqual([0o644, 0o755])
  })

  test('says that the file cannot be read', async () => {
    const home = freshHome()
    const path = join(home, 'config.json')
    mkdirSync(path)
    const { code, of } = await doctor({ home })
    expect([code, of('settings')]).toMatchObject([2, saying(`${path} cannot be read (EISDIR)`)])
  })

  test.skipIf(!isRoot)('says that they belong to somebody else (skipped but for root)', async () => {
    const home = settings({ default: 'sandbox' })
    chownSync(join(home, 'config.json'), 12345, 12345)
    await expectProblems({ home }, 2, { settings: saying('belongs to another user') })
    chownSync(home, 12345, 12345)
    const { of } = await expectProblems({ home }, 2, { directory: {} })
    expect(of('settings').status).toBe('skipped')
  })

  test('makes no directory', async () => {
    const home = freshHome()
    const directory = join(home, 'new', 'payroll')
    const { of } = await doctor({ home, env: { PAYROLL_CONFIG_DIR: directory } })
    expect(of('directory')).toMatchObject({ status: 'ok', found: directory })
    expect(readdirSync(home)).toEqual([])
  })

  /** A home that its own user may read, and not write to. */
  function closedHome(): string {
    const home = freshHome()
    chmodSync(home, 0o500)
    return home
  }

  const unwritable = [
    { what: 'cannot be created', place: () => join(closedHome(), 'payroll', 'new') },
    { what: 'cannot be written to', place: closedHome },
  ]
  for (const { what, place } of unwritable) {
    test.skipIf(isRoot || isWindows)(
      `says that a directory ${what}, as a command that stores does`,
      async () => {
        const directory = place()
        const setting = { env: { PAYROLL_CONFIG_DIR: directory } }
        const found = new RegExp(`^The directory ${directory} ${what}.*\\((EROFS|EACCES|EPERM)\\)$`)
        const hint = 'Set PAYROLL_CONFIG_DIR to another directory, one of your own.'
        const said = { directory: { found: expect.stringMatching(found), hint } }
        const { of } = await expectProblems(setting, 2, said, '--profile', 'sandbox')
        const set = await payroll(['profiles', 'set', 'acme', '--protected', '--json'], setting)
        expect([set.code, set.error()]).toMatchObject([
          2,
          { message: `${of('directory').found}. Nothing was changed.`, hint },
        ])
      },
    )
  }
})

describe('of the profile in force, doctor', () => {
  const plain = { PAYROLL_BASE_URL: 'http://acme.example.com', PAYROLL_API_KEY: 'CANARY key0000' }
  const address = 'PAYROLL_BASE_URL is not encrypted: http is for this computer only'
  const key = saying('PAYROLL_API_KEY contains a space or a tab')
  const none = 'No profile is configured. Without a terminal the sandbox is not used'
  const whatToSet = expect.stringContaining('PAYROLL_BASE_URL')
  const withSecrets = { baseUrl: 'https://CANARYuser:CANARYword@acme.example.com' }
  const badKey = keyOf('http://127.0.0.1:9', 'CANARY\u00e9key')
  const baseUrl = 'http://127.0.0.1:9'
  const noKey = { found: 'The profile acme has no key', hint: 'payroll auth login --profile acme' }
  const routes = { 'payslips.list': 'FETCH x', 'nobody.knows': 'GET /svc/x' }
  const noRoutes = expect.stringMatching(/payslips\.list: .*nobody\.knows: /)

  test.each<[string, () => Setting, number, Said]>([
    ['nothing is configured', () => ({}), 2, { profile: { found: none, hint: whatToSet } }],
    [
      'there is none of the name',
      () => ({ env: { PAYROLL_PROFILE: 'acme' } }),
      2,
      { profile: saying('There is no profile "acme"') },
    ],
    ['the address of the environment cannot be used', () => ({ env: plain }), 2, { profile: address }],
    [
      'the key of the environment cannot be used',
      () => ({ env: { ...plain, PAYROLL_BASE_URL: 'http://127.0.0.1:9' } }),
      2,
      { key },
    ],
    [
      'its address cannot be used',
      () => ({ home: acme(withSecrets) }),
      2,
      { profile: 'The base URL of acme contains a user name or a password' },
    ],
    ['its key cannot be used', () => ({ home: acme({ baseUrl }, badKey) }), 2, { key: {} }],
    ['it has no address', () => ({ home: acme({}) }), 2, { address: {} }],
    ['it has no key', () => ({ home: acme({ baseUrl }) }), 4, { key: noKey }],
    [
      'no command would run with its corrected routes',
      () => ({ home: acme({ baseUrl, routes }, keyOf(baseUrl, sandboxKey)) }),
      2,
      { routes: { found: noRoutes } },
    ],
    [
      'a stored route cannot be used',
      () => ({
        home: acme(
          { baseUrl, routes: { 'timesheets.list': 'GET /svc/{nothing}' } },
          keyOf(baseUrl, sandboxKey),
        ),
      }),
      2,
      {
        routes: {
          found: expect.stringContaining('timesheets.list'),
          hint: 'payroll routes reset timesheets.list',
        },
      },
    ],
  ])('says that %s, once', async (_, setting, code, said) => {
    const { of } = await expectProblems(setting(), code, said)
    if (said.routes) expect(of('service').found).toBe('fix the routes first')
  })

  test('warns at a terminal that the sandbox stands in, and that in cron it would not', async () => {
    const { code, out } = await atTerminal(['doctor']).ended
    expect(code).toBe(0)
    expect(out).toMatch(/warning {2}profile +sandbox, because no service is set up; in cron/)
    expect(out).not.toContain('problem')
  })

  test('says that the sandbox can run, and makes no database for it', async () => {
    const home = freshHome()
    const { code, of } = await doctor({ home }, '--profile', 'sandbox')
    expect([code, of('service').found]).toEqual([0, 'the sandbox can run'])
    expect(readdirSync(home)).toEqual([])
  })

  test('says that the sandbox cannot run with the database that is there', async () => {
    const home = freshHome()
    writeFileSync(join(home, 'sandbox.db'), 'made up')
    const { code, of } = await doctor({ home }, '--profile', 'sandbox')
    expect(code).toBe(2)
    expect(of('service')).toMatchObject({
      status: 'problem',
      found: expect.stringContaining('is not a database'),
      hint: expect.stringContaining('Move it away'),
    })
  })

  test('says that the key was stored for another origin, and sends it nowhere', async () => {
    const { baseUrl, received } = await answering(200, {})
    const home = acme({ baseUrl }, keyOf('https://acme.example.com', 'CANARYkey0000'))
    const said = { key: saying('belongs to https://acme.example.com and does not go to') }
    const { of } = await expectProblems({ home }, 4, said)
    expect([of('service').status, received]).toEqual(['skipped', []])
  })
})

describe('of what surrounds it, doctor', () => {
  const all = 'http://all:3128'
  const withPassword = 'http://proxy:3128, with a password; NO_PROXY is localhost,127.0.0.1'
  test.each<[Record<string, string>, Partial<Check>]>([
    [
      { HTTPS_PROXY: 'http://ann:CANARYword@proxy:3128/', NO_PROXY: 'localhost,127.0.0.1' },
      { status: 'ok', found: withPassword, from: 'HTTPS_PROXY' },
    ],
    [
      { https_proxy: 'ann:CANARYword@proxy:3128' },
      { status: 'ok', found: 'http://proxy:3128, with a password', from: 'https_proxy' },
    ],
    [
      { https_proxy: 'socks5://ann:CANARYword@proxy:1080' },
      { status: 'warning', found: 'https_proxy uses socks5, which payroll does not support' },
    ],
    [{ ALL_PROXY: all }, { status: 'ok', found: all, from: 'ALL_PROXY' }],
    [
      { all_proxy: all, ALL_PROXY: 'http://other:1' },
      { status: 'ok', found: all, from: 'all_proxy' },
    ],
    [
      { ALL_PROXY: all, HTTPS_PROXY: 'http://own:3128' },
      { status: 'ok', found: 'http://own:3128', from: 'HTTPS_PROXY' },
    ],
  ])('names the proxy that a request would go through, without its password: %o', async (proxies, said) => {
    const { env } = await loopback()
    const { code, of } = await doctor({ env: { ...env, ...proxies } })
    expect([code, of('proxy')]).toMatchObject([0, said])
  })

  test('names the file of certificates of the environment', async () => {
    const { env } = await loopback()
    const examine = async (path: string) =>
      (await doctor({ env: { ...env, NODE_EXTRA_CA_CERTS: path } })).of('certificates')
    const from = 'NODE_EXTRA_CA_CERTS'
    const authority = fixture('authority')
    const found = `the ones of Node and of ${authority}`
    expect(await examine(authority)).toMatchObject({ status: 'ok', found, from })
    const system = (node: string) => doctor({ env: { ...env, NODE_USE_SYSTEM_CA: '1' }, node })
    expect((await system('24.6.0')).of('certificates')).toMatchObject({
      found: 'the ones of Node and of this computer',
      from: 'NODE_USE_SYSTEM_CA',
    })
    expect((await system('20.20.2')).of('certificates').from).toBe('default')
    for (const path of ['/nowhere/example.pem', fixture('key')]) {
      const none = `no certificate can be read from ${path}, and Node does without it`
      expect(await examine(path)).toMatchObject({ status: 'warning', found: none, from })
    }
  })

  test('says until when the client certificate of the profile is good, and which authority it has', async () => {
    const key = file(freshHome(), 'client.key', readFileSync(fixture('key')))
    chmodSync(key, 0o600)
    const [baseUrl, authority] = ['https://127.0.0.1:9', fixture('authority')]
    const examine = (certificate: string) => {
      const files = { certificateAuthority: authority, clientCertificate: certificate, clientKey: key }
      return doctor({ home: acme({ baseUrl, ...files }) })
    }
    const good = fixture('localhost')
    const { of } = await examine(good)
    expect(of('client')).toEqual({
      name: 'client',
      status: 'ok',
      found: `client certificate ${good}, good until 28 October 2126, shown only to ${baseUrl}`,
      from: 'stored',
      hint: null,
    })
    const authorities = `the ones that come with Node, and 1 in ${authority} for ${baseUrl}`
    expect(of('certificates').found).toBe(authorities)
    const expired = fixture('expired')
    const over = `The client certificate of acme (${expired}) expired on 2 January 2020`
    expect((await examine(expired)).of('client')).toMatchObject({ status: 'problem', found: over })
    chmodSync(key, 0o644)
    const open = {
      status: isWindows ? 'ok' : 'warning',
      hint: isWindows ? null : `To close it: chmod 600 '${key}'`,
    }
    expect((await examine(good)).of('client')).toMatchObject(open)
  })

  test.each([
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
    ['PAYROLL_RETRY_FOR', 'a while'],
  ])('calls it a problem when no command can be sent with %s=%s', async (variable, value) => {
    const env = { ...nowhere, PAYROLL_BASE_URL: 'https://127.0.0.1:9', [variable]: value }
    const { of } = await expectProblems({ env }, 2, { service: { status: 'problem' } })
    expect(of('service').found + of('service').hint).toContain(variable)
    expect(of('access').found).toBe('fix the service first')
  })

  test.each([
    ['PAYROLL_COUNTRY', 'france', 'uk or ireland'],
    ['PAYROLL_EMPTY_FIELDS', 'perhaps', 'left-out, hidden or ask'],
  ])('says that %s=%s is no word of that variable', async (variable, word, words) => {
    const { env } = await loopback()
    const found = `${variable} is ${word}, and must be ${words}`
    await expectProblems({ env: { ...env, [variable]: word } }, 2, { profile: found })
  })
})

describe('of the service, doctor', () => {
  test('says that nothing listens there', async () => {
    const { of, error } = await expectProblems({ env: nowhere }, 7, {
      service: saying('nothing listens there'),
    })
    expect(of('key').found).toBe('****0000, sent only to http://127.0.0.1:9')
    expect(error()).toMatchObject({ code: 'temporary', exitCode: 7, retryable: true })
    expect(of('access').status).toBe('skipped')
  })

  test.each([
    [401, 4, 'access', 'refused the key'],
    [403, 4, 'access', 'this key does not have the permission'],
    [404, 2, 'service', 'does not know /svc/candidates'],
    [302, 2, 'service', 'redirects are not followed'],
    [503, 7, 'service', 'answered 503'],
    [429, 7, 'service', 'too many requests'],
  ])('takes %i for exit %i', async (status, exit, name, says) => {
    const { env } = await answering(status, {})
    const { of } = await expectProblems({ env }, exit, { [name]: saying(says) })
    expect(of(name).hint).not.toBeNull()
    if (name === 'access') expect(of('service').found).toMatch(new RegExp(`answered ${status} in \\d+ ms$`))
    else expect(of('access').status).toBe('skipped')
  })

  test.each([
    [4.5 * 3_600_000, 'the clock of this computer is 5 hours slow'],
    [-4.5 * 3_600_000, 'the clock of this computer is 5 hours fast'],
    [60_000, undefined],
  ])('warns of a clock that is hours away from that of the service: %i ms', async (away, says) => {
    const { env } = await service((_, response) => {
      response.setHeader('date', new Date(Date.now() + away).toUTCString())
      answerJson(response, 200, { data: [], totalDocs: 0 })
    })
    const { of, code } = await doctor({ env })
    expect([code, of('service').status]).toEqual([0, says === undefined ? 'ok' : 'warning'])
    if (says !== undefined) expect(of('service').found).toContain(says)
  })

  test('does not call a token that is refused a problem where the next command refreshes it', async () => {
    const { baseUrl } = await answering(401, {})
    const token = { origin: baseUrl, access: 'CANARYaccess', refresh: 'CANARYrefresh' }
    const warned = await doctor({ home: acme({ baseUrl }, { tokens: { acme: token } }) })
    const found = 'The service refused the key (401); the next command refreshes the access token'
    expect([warned.code, warned.of('access')]).toMatchObject([0, { status: 'warning', found }])
    expect(warned.of('access').hint).toContain('the word Bearer')
    const { refresh: _, ...without } = token
    const home = acme({ baseUrl }, { tokens: { acme: without } })
    await expectProblems({ home }, 4, { access: 'The service refused the key (401)' })
  })

  test('tries the key on the list of the country that is set', async () => {
    const { env } = await service(({ url }, response) => {
      const isIrish = url.startsWith('/svc/candidates/ireland?')
      answerJson(response, isIrish ? 200 : 403, isIrish ? { data: [], totalDocs: 0 } : {})
    })
    const irish = { ...env, PAYROLL_COUNTRY: 'ireland' }
    expect((await payroll(['auth', 'status'], { env: irish })).code).toBe(0)
    expect((await payroll(['doctor'], { env: irish })).code).toBe(0)
  })

  test.each([
    ['a web page', '<html>Log in</html>', 'is not JSON'],
    ['no list', '{"success":true}', 'did not return a list'],
    ['a no', '{"success":false}', 'success: false'],
  ])('takes %s for a wrong address', async (_, body, says) => {
    const { env } = await service((_, response) => response.end(body))
    const { of } = await expectProblems({ env }, 2, { service: saying(says) })
    expect(of('service').hint).toContain('base address')
  })

  test('takes the web page of a firewall for no word about the key', async () => {
    const { env } = await service((_, response) => response.writeHead(403).end('<html>Blocked</html>'))
    const { of } = await expectProblems({ env }, 2, { service: saying('A web page says no (403)') })
    expect([of('service').hint, of('access').status]).toEqual([
      expect.stringContaining('IT department'),
      'skipped',
    ])
  })

  test('tells of the last attempt alone, not of an answer before it', async () => {
    let asked = 0
    const { env } = await service((_, response) => {
      asked += 1
      if (asked === 1) answerJson(response, 503, {})
      else response.socket?.destroy()
    })
    const said = { service: saying('The connection was lost before the whole answer arrived') }
    await expectProblems({ env }, 7, said)
    expect(asked).toBe(3)
  })

  test('shows no key that it repeats, and nothing that moves the cursor', async () => {
    const message = 'No \u001B[2J CANARYkey0000 CANARYother0000 \u202Eyek'
    const { env } = await answering(401, { message })
    const home = settings({ keys: { other: { origin: 'https://acme.example.com', key: 'CANARYother0000' } } })
    for (const words of ['--json', '-o table']) {
      const { out, err } = await payroll(asTyped`doctor ${words.split(' ')}`, { home, env })
      expect(out + err).not.toMatch(/CANARY|[^\P{Cc}\n]|\p{Cf}/u)
    }
  })

  test('ends with what has to be put right first: settings, then the key, then the service', async () => {
    const { env } = await answering(401, {})
    await expectProblems({ home: settings('{'), env }, 2, { settings: {}, access: {} })
  })
})
