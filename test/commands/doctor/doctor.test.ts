import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { atTerminal, freshHome, payroll, type Run, type Setting } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { file, loopback, production } from '../targets.ts'

const isRoot = process.geteuid?.() === 0
const names = [
  'payroll',
  'node',
  'directory',
  'settings',
  'profile',
  'address',
  'key',
  'routes',
  'proxy',
  'certificates',
  'client',
  'verification',
  'drafts',
  'imports',
  'leftovers',
  'journal',
  'sandbox',
  'service',
  'access',
  'clock',
]

interface Check {
  readonly name: string
  readonly status: string
  readonly found: string
  readonly from: string | null
  readonly hint: string | null
}

interface Examined extends Run {
  readonly ok: boolean
  readonly of: (name: string) => Check
  readonly problems: readonly string[]
}

async function doctor(setting: Setting, ...words: string[]): Promise<Examined> {
  const run = await payroll(['doctor', '--json', ...words], setting)
  const { ok, checks }: { ok: boolean; checks: Check[] } = run.json()
  expect(checks.map(({ name }) => name)).toEqual(names)
  for (const check of checks) expect(Object.keys(check)).toEqual(['name', 'status', 'found', 'from', 'hint'])
  const problems = checks.filter(({ status }) => status === 'problem').map(({ name }) => name)
  expect([ok, run.code === 0, run.err === '']).toEqual(Array(3).fill(problems.length === 0))
  return { ...run, ok, problems, of: (name) => checks.find((check) => check.name === name) as Check }
}

/** Where nothing listens. */
const nowhere = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }

/** The settings as a test wants them, in a home that is closed as it should be. */
function settings(text: string | object): string {
  const home = freshHome()
  const path = file(home, 'config.json', typeof text === 'string' ? text : JSON.stringify(text))
  chmodSync(path, 0o600)
  return home
}

/** A home that its own user may read, and not write to. */
function closedHome(): string {
  const home = freshHome()
  chmodSync(home, 0o500)
  return home
}

describe('doctor', () => {
  test('finds nothing wrong with two variables that are right, and says where each value comes from', async () => {
    const { env, baseUrl, requests, home } = await loopback()
    const { code, of } = await doctor({ home, env })
    expect(code).toBe(0)
    expect(of('payroll')).toMatchObject({ status: 'ok', found: '0.0.0-test' })
    expect(of('node')).toMatchObject({ status: 'ok', found: process.versions.node })
    expect(of('directory')).toMatchObject({ status: 'ok', from: 'PAYROLL_CONFIG_DIR' })
    expect(of('directory').found).toBe(`${home}, open only to you, mode 0700`)
    expect(of('settings')).toMatchObject({ status: 'ok', found: 'none stored yet' })
    expect(of('profile')).toMatchObject({ status: 'ok', found: 'environment', from: 'PAYROLL_BASE_URL' })
    expect(of('address')).toMatchObject({ status: 'ok', from: 'PAYROLL_BASE_URL' })
    expect(of('address').found).toBe(`${baseUrl}, origin ${baseUrl}, prefix svc`)
    expect(of('key')).toMatchObject({ status: 'ok', from: 'PAYROLL_API_KEY' })
    expect(of('service').found).toMatch(/^GET \/svc\/candidates answered 200 in \d+ ms$/)
    expect(of('access').status).toBe('ok')
    expect(of('clock').status).toBe('ok')
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /svc/candidates?page=1&size=1',
    ])
  })

  test('tells a stored profile from a named one, and a key from all but its end', async () => {
    const { home, baseUrl } = await production()
    await payroll(['routes', 'set', 'payslips.list', 'GET /svc/payslips'], { home })
    const { of, out } = await doctor({ home })
    expect(of('settings').found).toBe(`${join(home, 'config.json')}, open only to you, mode 0600`)
    expect(of('profile')).toMatchObject({ found: 'production, protected: writes ask first' })
    expect(of('profile').from).toBe('stored default')
    expect(of('address').from).toBe('stored')
    // It is too short for any of it to be shown.
    expect(of('key').found).toBe(`****, sent only to ${baseUrl}`)
    expect(of('routes').found).toBe('1 of 27 corrected: payslips.list')
    expect(out).not.toContain(sandboxKey)
    expect((await doctor({ home }, '--profile', 'production')).of('profile').from).toBe('--profile')
    const named = await doctor({ home, env: { PAYROLL_PROFILE: 'production' } })
    expect(named.of('profile').from).toBe('PAYROLL_PROFILE')
  })

  test('is a calm table for a person: at 80 columns a line each, and what to do under it', async () => {
    const { env, home } = await loopback()
    const well = await payroll(['doctor', '-o', 'table'], { home, env })
    expect([well.code, well.err]).toEqual([0, ''])
    const lines = well.out.trimEnd().split('\n')
    for (const line of lines) expect(line).toMatch(/^((ok|warning|problem|skipped) +\w+ {2,}\S| {23}\S)/)
    // A word is never broken, so that a path or an address can be copied.
    for (const line of lines) expect(line.length <= 80 || /^.{23}\S+$/.test(line)).toBe(true)
    expect(lines.filter((line) => !line.startsWith(' '))).toHaveLength(names.length)
    const ill = await payroll(['doctor', '-o', 'table'], { home, env: nowhere })
    expect(ill.code).toBe(7)
    expect(ill.out).toMatch(/\nproblem {2}service +No connection to .*\n(.*\n)? {23}Run the same command/)
    expect(ill.err).toBe('Error: Problems found: service.\nThe report above says what to do about each.\n')
  })

  test('answers a query, and writes its answer whole to a file even when it found problems', async () => {
    const home = freshHome()
    const query = ['doctor', '--query', "checks[?status=='problem'].name"]
    expect((await payroll(query, { home, env: nowhere })).json()).toEqual(['service'])
    const out = join(home, 'found.json')
    const written = await payroll(['doctor', '--json', '--out', out], { home, env: nowhere })
    expect([written.code, written.out]).toEqual([7, ''])
    expect(JSON.parse(readFileSync(out, 'utf8')).ok).toBe(false)
  })

  test('tells its exit codes in its help', async () => {
    const { out } = await payroll(['doctor', '--help'])
    expect(out.replace(/\s+/g, ' ')).toContain('2 (settings), 4 (key) or 7 (the service cannot be reached)')
  })

  test('shows the requests with --debug, and no key', async () => {
    const { env, home } = await loopback()
    const { err } = await payroll(['doctor', '--debug'], { home, env })
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
    const { code, problems, of, out, err } = await doctor({ home })
    expect([code, problems]).toEqual([2, ['settings']])
    expect(of('settings').found).toContain('is damaged')
    expect(of('settings').hint).toContain('.bak')
    for (const name of ['profile', 'address', 'key', 'routes', 'service']) {
      expect(of(name).status).toBe('skipped')
    }
    for (const name of ['proxy', 'certificates', 'drafts']) expect(of(name).status).toBe('ok')
    expect(out + err).not.toContain('CANARY')
    expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe(text)
    expect(readdirSync(home)).toEqual(['config.json'])
  })

  test('asks the service of the environment anyway, for that works beside them', async () => {
    const { env } = await loopback()
    const { code, problems, of } = await doctor({ home: settings('{'), env })
    expect([code, problems]).toEqual([2, ['settings']])
    expect([of('profile').status, of('access').status]).toEqual(['ok', 'ok'])
  })

  test('warns of a file and a directory that others may read, and closes neither', async () => {
    const home = settings({ default: 'sandbox' })
    const path = join(home, 'config.json')
    chmodSync(path, 0o644)
    chmodSync(home, 0o755)
    const { code, of } = await doctor({ home })
    expect(code).toBe(0)
    expect(of('settings')).toMatchObject({
      status: 'warning',
      found: `${path} is open to other users, mode 0644`,
    })
    expect(of('settings').hint).toContain(`chmod 600 '${path}'`)
    expect(of('directory')).toMatchObject({
      status: 'warning',
      found: `${home} is open to other users, mode 0755`,
    })
    expect([statSync(path).mode & 0o777, statSync(home).mode & 0o777]).toEqual([0o644, 0o755])
  })

  test('finds a problem in a directory that is open and not of payroll alone', async () => {
    const home = settings({ default: 'sandbox' })
    writeFileSync(join(home, 'passwd'), '')
    chmodSync(home, 0o755)
    const { code, problems, of } = await doctor({ home })
    expect([code, problems]).toEqual([2, ['directory']])
    expect(of('directory').found).toContain('it contains other files than those of payroll')
    expect(statSync(home).mode & 0o777).toBe(0o755)
  })

  test('says that the file cannot be read', async () => {
    const home = freshHome()
    mkdirSync(join(home, 'config.json'))
    const { code, of } = await doctor({ home })
    expect([code, of('settings').found]).toEqual([2, expect.stringContaining('cannot be read (EISDIR)')])
    expect(of('settings').hint).toBe(`To see who owns it: ls -ld '${join(home, 'config.json')}'`)
  })

  test('says that the directory is closed to its own user', async () => {
    const home = freshHome()
    chmodSync(home, 0o000)
    const { code, problems, of } = await doctor({ home }, '--profile', 'sandbox')
    chmodSync(home, 0o700)
    expect([code, problems.includes('directory')]).toEqual([2, true])
    expect(of('directory').found).toBe(`${home} cannot be read even by you, mode 0000`)
    expect(of('directory').hint).toContain(`chmod 700 '${home}'`)
  })

  test.skipIf(!isRoot)('says that they belong to somebody else (skipped but for root)', async () => {
    const home = settings({ default: 'sandbox' })
    chownSync(join(home, 'config.json'), 12345, 12345)
    const his = await doctor({ home })
    expect([his.code, his.problems]).toEqual([2, ['settings']])
    expect(his.of('settings').found).toContain('belongs to another user')
    chownSync(home, 12345, 12345)
    const all = await doctor({ home })
    expect([all.problems, all.of('settings').status]).toEqual([['directory'], 'skipped'])
  })

  test('leaves no trace of the directory that it tries to create', async () => {
    const home = freshHome()
    const directory = join(home, 'new', 'payroll')
    const { of } = await doctor({ home, env: { PAYROLL_CONFIG_DIR: directory } })
    expect(of('directory')).toMatchObject({ status: 'ok', found: directory })
    expect(readdirSync(home)).toEqual([])
  })

  const unwritable = [
    // Not even root can make a directory there.
    { what: 'cannot be created', isSkipped: process.platform !== 'linux', place: () => '/sys/payroll/new' },
    { what: 'cannot be written to', isSkipped: isRoot || process.platform === 'win32', place: closedHome },
  ]
  for (const { what, isSkipped, place } of unwritable) {
    test.skipIf(isSkipped)(
      `says of a directory that it ${what}, in the words of a command that stores something`,
      async () => {
        const directory = place()
        const setting = { home: freshHome(), env: { PAYROLL_CONFIG_DIR: directory } }
        const { code, problems, of } = await doctor(setting, '--profile', 'sandbox')
        expect([code, problems]).toEqual([2, ['directory']])
        const { found, hint } = of('directory')
        expect(found).toMatch(new RegExp(`^The directory ${directory} ${what}.*\\((EROFS|EACCES|EPERM)\\)$`))
        expect(hint).toBe('Set PAYROLL_CONFIG_DIR to another directory, one of your own.')
        const set = await payroll(['profiles', 'set', 'acme', '--protected', '--json'], setting)
        expect(set.code).toBe(2)
        expect(set.error()).toMatchObject({ message: `${found}.`, hint })
      },
    )
  }

  test('says that there is no place for them, and asks the service of the environment', async () => {
    const { env } = await loopback()
    const { code, problems, of } = await doctor({
      home: freshHome(),
      env: { ...env, PAYROLL_CONFIG_DIR: 'here' },
    })
    expect([code, problems]).toEqual([2, ['directory']])
    expect(of('drafts').status).toBe('skipped')
    expect(of('access').status).toBe('ok')
  })
})

describe('of the profile in force, doctor', () => {
  test('says that nothing is configured, where cron would fail for it', async () => {
    const { code, problems, of } = await doctor({ home: freshHome() })
    expect([code, problems]).toEqual([2, ['profile']])
    expect(of('profile').found).toBe('No profile is configured. Without a terminal the sandbox is not used')
    expect(of('profile').hint).toContain('PAYROLL_BASE_URL')
  })

  test('warns at a terminal that the sandbox stands in, and that in cron it would not', async () => {
    const { code, out } = await atTerminal(['doctor']).ended
    expect(code).toBe(0)
    expect(out).toMatch(/warning {2}profile +sandbox, because no service is set up; in cron/)
    expect(out).not.toContain('problem')
  })

  test('has nothing to ask of the sandbox, and makes no database for it', async () => {
    const home = freshHome()
    const { code, of } = await doctor({ home }, '--profile', 'sandbox')
    expect([code, of('service').found]).toEqual([0, 'not needed: the sandbox runs inside this tool'])
    expect(readdirSync(home)).toEqual([])
  })

  test('says that there is none of the name', async () => {
    const { code, problems, of } = await doctor({ home: freshHome(), env: { PAYROLL_PROFILE: 'acme' } })
    expect([code, problems]).toEqual([2, ['profile']])
    expect(of('profile').found).toContain('There is no profile acme')
  })

  test('says every value of it that cannot be used, not only the first', async () => {
    const env = { PAYROLL_BASE_URL: 'http://acme.example.com', PAYROLL_API_KEY: 'CANARY key0000' }
    const { code, problems, of, out, err } = await doctor({ home: freshHome(), env })
    expect([code, problems]).toEqual([2, ['address', 'key']])
    expect(of('address').found).toBe('PAYROLL_BASE_URL is not encrypted: http is for this computer only')
    expect(of('key').found).toContain('PAYROLL_API_KEY contains a space or a tab')
    expect(out + err).not.toMatch(/CANARY|key0000/)
    const named = await doctor({ home: freshHome(), env: { ...env, PAYROLL_PROFILE: 'acme' } })
    expect(named.problems).toEqual(['profile', 'address', 'key'])
  })

  test('says that a stored address, or a stored key, cannot be used', async () => {
    const home = settings({
      default: 'acme',
      profiles: { acme: { baseUrl: 'https://CANARYuser:CANARYword@acme.example.com' } },
      keys: { acme: { origin: 'https://acme.example.com', key: 'CANARY\u00e9key' } },
    })
    const { code, problems, of, out, err } = await doctor({ home })
    expect([code, problems]).toEqual([2, ['address', 'key']])
    expect(of('profile')).toMatchObject({ status: 'ok', found: 'acme' })
    expect(of('address').found).toBe('The base URL of acme contains a user name or a password')
    expect(out + err).not.toContain('CANARY')
  })

  test('says that it has no address, and that it has no key', async () => {
    const bare = await doctor({ home: settings({ default: 'acme', profiles: { acme: {} } }) })
    expect([bare.code, bare.problems]).toEqual([2, ['address']])
    const baseUrl = 'http://127.0.0.1:9'
    const keyless = await doctor({ home: settings({ default: 'acme', profiles: { acme: { baseUrl } } }) })
    expect([keyless.code, keyless.problems]).toEqual([4, ['key']])
    expect(keyless.of('key').found).toBe('The profile acme has no key')
    expect(keyless.of('key').hint).toBe('payroll auth login --profile acme')
    expect(keyless.of('service')).toMatchObject({ status: 'skipped' })
  })

  test('says that the key was stored for another origin, and sends it nowhere', async () => {
    const { env, received } = await answering(200, {})
    const home = settings({
      default: 'acme',
      profiles: { acme: { baseUrl: env.PAYROLL_BASE_URL } },
      keys: { acme: { origin: 'https://acme.example.com', key: 'CANARYkey0000' } },
    })
    const { code, problems, of, out } = await doctor({ home })
    expect([code, problems]).toEqual([4, ['key']])
    expect(of('key').found).toContain('belongs to https://acme.example.com and does not go to')
    expect(received).toEqual([])
    expect(out).not.toContain('CANARY')
  })

  test('names a corrected route with which no command would run', async () => {
    const { baseUrl } = await loopback()
    const home = settings({
      default: 'acme',
      profiles: { acme: { baseUrl, routes: { 'payslips.list': 'FETCH x', 'nobody.knows': 'GET /svc/x' } } },
      keys: { acme: { origin: baseUrl, key: sandboxKey } },
    })
    const { code, problems, of } = await doctor({ home })
    expect([code, problems]).toEqual([2, ['routes']])
    for (const id of ['payslips.list', 'nobody.knows']) expect(of('routes').found).toContain(`${id}: `)
  })
})

describe('of what surrounds it, doctor', () => {
  test.each([
    ['20.18.3', 'problem'],
    ['18.20.8', 'problem'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
  ])('takes Node %s for: %s', async (node, status) => {
    const { env, home } = await loopback()
    const { of } = await doctor({ home, env, node })
    expect(of('node')).toMatchObject({ status })
  })

  test('allows no other Node than package.json does', async () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    const { of } = await doctor({ home: freshHome(), node: '1.0.0' })
    expect(engines.node).toBe(`>=${/older than (\S+)/.exec(of('node').found)?.[1]}`)
  })

  test('warns of a folder that cannot be read', async () => {
    const { env, home } = await loopback()
    const path = file(home, 'imports', 'no folder')
    const { code, of } = await doctor({ home, env })
    expect([code, of('imports')]).toMatchObject([
      0,
      { status: 'warning', found: `${path} cannot be read (ENOTDIR)` },
    ])
  })

  test('names the proxy without its password', async () => {
    const { env, home } = await loopback()
    const proxies = { HTTPS_PROXY: 'http://ann:CANARYword@proxy:3128/', NO_PROXY: 'localhost,127.0.0.1' }
    const { code, of, out, err } = await doctor({ home, env: { ...env, ...proxies } })
    expect(code).toBe(0)
    expect(of('proxy')).toMatchObject({
      status: 'ok',
      found: 'http://proxy:3128, with a password; NO_PROXY is localhost,127.0.0.1',
      from: 'HTTPS_PROXY',
    })
    const bad = await doctor({ home, env: { ...env, https_proxy: 'ann:CANARYword@proxy:3128' } })
    expect(bad.of('proxy')).toMatchObject({ status: 'warning', from: 'https_proxy' })
    expect(out + err + bad.out + bad.err).not.toContain('CANARY')
  })

  test.each([
    [{ ALL_PROXY: 'http://all:3128' }, 'ALL_PROXY', 'http://all:3128'],
    [{ all_proxy: 'http://all:3128', ALL_PROXY: 'http://other:1' }, 'all_proxy', 'http://all:3128'],
    [{ ALL_PROXY: 'http://all:3128', HTTPS_PROXY: 'http://own:3128' }, 'HTTPS_PROXY', 'http://own:3128'],
  ])('names the proxy that a request would go through: %o', async (proxies, from, found) => {
    const { env, home } = await loopback()
    const { of } = await doctor({ home, env: { ...env, ...proxies } })
    expect(of('proxy')).toMatchObject({ status: 'ok', found, from })
  })

  test.each([
    ['that is not there', undefined, 'is not there'],
    ['that holds none', 'no certificate', 'has no certificate in it'],
  ])('says of a file of certificates %s', async (_, text, says) => {
    const { env, home } = await loopback()
    const path = text === undefined ? join(home, 'none.pem') : file(home, 'ca.pem', text)
    const found = await doctor({ home, env: { ...env, NODE_EXTRA_CA_CERTS: path } })
    expect([found.code, found.problems]).toEqual([2, ['certificates']])
    expect(found.of('certificates').found).toBe(`${path} ${says}`)
  })

  test('counts the certificates of a file', async () => {
    const { env, home } = await loopback()
    const path = file(home, 'ca.pem', '-----BEGIN CERTIFICATE-----\n'.repeat(2))
    const { of } = await doctor({ home, env: { ...env, NODE_EXTRA_CA_CERTS: path } })
    expect(of('certificates')).toMatchObject({ status: 'ok', found: `the ones of Node, and 2 in ${path}` })
    const folder = await doctor({ home, env: { ...env, NODE_EXTRA_CA_CERTS: home } })
    expect(folder.problems).toEqual(['certificates'])
  })

  test('says until when the client certificate of the profile is good, and which authority it has', async () => {
    const fixture = (name: string) =>
      fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url))
    const at = (clientCertificate: string) =>
      settings({
        default: 'acme',
        profiles: {
          acme: {
            baseUrl: 'https://127.0.0.1:9',
            certificateAuthority: fixture('authority'),
            clientCertificate: fixture(clientCertificate),
            clientKey: key,
          },
        },
      })
    const key = file(freshHome(), 'client.key', readFileSync(fixture('key')))
    chmodSync(key, 0o600)
    const { of } = await doctor({ home: at('localhost') })
    expect(of('client')).toEqual({
      name: 'client',
      status: 'ok',
      found: `client certificate ${fixture('localhost')}, good until 2126-10-28, shown only to https://127.0.0.1:9`,
      from: 'stored',
      hint: null,
    })
    expect(of('certificates').found).toBe(
      `the ones that come with Node, and 1 in ${fixture('authority')} for https://127.0.0.1:9`,
    )
    const over = await doctor({ home: at('expired') })
    expect(over.problems).toContain('client')
    expect(over.of('client').found).toBe(
      `The client certificate of acme (${fixture('expired')}) expired on 2020-01-02`,
    )
    chmodSync(key, 0o644)
    expect((await doctor({ home: at('localhost') })).of('client')).toMatchObject({
      status: process.platform === 'win32' ? 'ok' : 'warning',
      hint: process.platform === 'win32' ? null : `chmod 600 '${key}'`,
    })
  })

  test('calls it a problem when no certificate is looked at, and asks no service then', async () => {
    const env = { PAYROLL_BASE_URL: 'https://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
    const { code, problems, of } = await doctor({
      home: freshHome(),
      env: { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    })
    expect([code, problems]).toEqual([2, ['verification']])
    expect(of('service')).toMatchObject({ status: 'skipped' })
  })

  test('counts what was kept: drafts, and the journals of imports', async () => {
    const { env, home } = await loopback()
    for (const folder of ['drafts', 'imports']) mkdirSync(join(home, folder))
    for (const id of ['0a0a0a0a', '0b0b0b0b']) writeFileSync(join(home, 'drafts', `${id}.json`), 'CANARY')
    writeFileSync(join(home, 'imports', 'starters.journal'), '')
    writeFileSync(join(home, 'imports', 'starters.rejects'), '')
    const { code, of, out } = await doctor({ home, env })
    expect([code, of('drafts').found]).toEqual([0, '2 unfinished forms'])
    expect(of('drafts').hint).toBe('payroll candidates drafts list')
    expect(of('imports').found).toBe('1 import journal')
    expect(out).not.toContain('CANARY')
    expect(readdirSync(join(home, 'drafts'))).toHaveLength(2)
  })
})

describe('of the service, doctor', () => {
  test('says that nothing listens there', async () => {
    const { code, problems, of, error } = await doctor({ home: freshHome(), env: nowhere })
    expect([code, problems]).toEqual([7, ['service']])
    expect(of('service').found).toContain('nothing listens there')
    expect(of('key').found).toBe('****0000, sent only to http://127.0.0.1:9')
    expect(error()).toMatchObject({ code: 'temporary', exitCode: 7, retryable: true })
    expect([of('access').status, of('clock').status]).toEqual(['skipped', 'skipped'])
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
    const { code, problems, of } = await doctor({ home: freshHome(), env })
    expect([code, problems]).toEqual([exit, [name]])
    expect(of(name).found).toContain(says)
    expect(of(name).hint).not.toBeNull()
    if (name === 'access') expect(of('service').found).toMatch(new RegExp(`answered ${status} in \\d+ ms$`))
    else expect(of('access').status).toBe('skipped')
    expect(of('clock').status).toBe('ok')
  })

  test.each([
    ['a web page', '<html>Log in</html>', 'is not JSON'],
    ['no list', '{"success":true}', 'did not return a list'],
    ['a no', '{"success":false}', 'success: false'],
  ])('takes %s for a wrong address', async (_, body, says) => {
    const { env } = await service((_, response) => response.end(body))
    const { code, problems, of } = await doctor({ home: freshHome(), env })
    expect([code, problems]).toEqual([2, ['service']])
    expect(of('service').found).toContain(says)
    expect(of('service').hint).toContain('base address')
  })

  test.each([
    [-300_000, 'ahead of'],
    [300_000, 'behind'],
  ])('warns of a clock that is %i ms off', async (ms, says) => {
    const { env } = await service((_, response) => {
      response.setHeader('date', new Date(Date.now() + ms).toUTCString())
      answerJson(response, 200, { data: [], totalDocs: 0 })
    })
    const { code, of } = await doctor({ home: freshHome(), env })
    expect([code, of('clock').status]).toEqual([0, 'warning'])
    expect(of('clock').found).toMatch(new RegExp(`^this computer is [56] minutes ${says} the service$`))
  })

  test('tells of the last attempt alone, not of an answer before it', async () => {
    let asked = 0
    const { env } = await service((_, response) => {
      asked += 1
      if (asked === 1) answerJson(response, 503, {})
      else response.socket?.destroy()
    })
    const { code, of } = await doctor({ home: freshHome(), env })
    expect([code, asked, of('clock').status]).toEqual([7, 3, 'skipped'])
    expect(of('service').found).toContain('The connection was lost before the whole answer arrived')
  })

  test('can do without its time', async () => {
    const { env } = await service((_, response) => {
      response.sendDate = false
      answerJson(response, 200, { data: [], totalDocs: 0 })
    })
    const { code, of } = await doctor({ home: freshHome(), env })
    expect([code, of('clock').status]).toEqual([0, 'skipped'])
  })

  test('shows no key that it repeats, and nothing that moves the cursor', async () => {
    const message = 'No \u001B[2J CANARYkey0000 CANARYother0000 \u202Eyek'
    const { env } = await answering(401, { message })
    const home = settings({ keys: { other: { origin: 'https://acme.example.com', key: 'CANARYother0000' } } })
    for (const words of [['--json'], ['-o', 'table']]) {
      const { out, err } = await payroll(['doctor', ...words], { home, env })
      expect(out + err).not.toMatch(/CANARY|[^\P{Cc}\n]|\p{Cf}/u)
    }
  })

  test('ends with what has to be put right first: settings, then the key, then the service', async () => {
    const { env } = await answering(401, {})
    const { code, problems } = await doctor({ home: settings('{'), env })
    expect([code, problems]).toEqual([2, ['settings', 'access']])
  })
})
