import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'
import { file, production } from '../targets.ts'

/** Profiles in a home of their own. */
function fresh() {
  const home = freshHome()
  const run = (words: string, input = '') => payroll(words.split(' '), { home, input })
  const profiles = (words: string) => run(`profiles ${words}`)
  /** Stores the profile acme, with a key if there is one. */
  const setAcme = async (options = '', key?: string) => {
    await profiles(`set acme --base-url https://acme.example.com${options}`)
    if (key) await run('auth login --profile acme', key)
  }
  const stored = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  return { home, run, profiles, setAcme, stored }
}

describe('profiles', () => {
  test('list has the three that are built in, before anything is set up', async () => {
    const { profiles } = fresh()
    const { code, err, json } = await profiles('list')
    expect([code, err]).toEqual([0, ''])
    expect(json()).toEqual(
      ['production', 'development', 'sandbox'].map((name) =>
        expect.objectContaining({ name, default: false, key: null, protected: name === 'production' }),
      ),
    )
  })

  test('list is a table of five columns for a person', async () => {
    const { run } = await production()
    const [head, first] = (await run(['profiles', 'list', '-o', 'table'])).out.split('\n')
    expect(head?.split(/ {2,}/)).toEqual(['Name', 'Default', 'Base address', 'Protected', 'Key'])
    expect(first).toMatch(/^production +yes +http:\/\/127\.0\.0\.1:\d+ +yes +\*{4}/)
  })

  test('show has each setting that set takes', async () => {
    const { profiles, setAcme } = fresh()
    await setAcme(' --history 30 --pay-day friday')
    expect((await profiles('show acme')).json()).toMatchObject({ history: '30', payDay: 'friday' })
    await setAcme(' --pay-day none')
    expect((await profiles('show acme')).json()).toMatchObject({ history: '30', payDay: null })
  })

  test('set stores an address, and the first profile that is set becomes the default', async () => {
    const { profiles, stored } = fresh()
    const { code, out, err } = await profiles('set acme --base-url https://acme.example.com/')
    const says = 'Commands without --profile use acme.'
    expect([code, out, err]).toEqual([0, '', `Saved the profile acme. ${says}\n`])
    const other = await profiles('set other --base-url https://other.example.com --protected')
    expect(other.err).toBe(`Saved the profile other: writes ask first, and need --yes in a script. ${says}\n`)
    expect((await profiles('set acme --base-url https://acme.example.com')).err).toContain(says)
    expect(stored()).toEqual({
      default: 'acme',
      profiles: {
        acme: { baseUrl: 'https://acme.example.com' },
        other: { baseUrl: 'https://other.example.com', protected: true },
      },
      keys: {},
    })
  })

  test.each(['show acme', 'use acme', 'set acme --pay-day friday', 'remove acme'])(
    '%s is exit 2 with a --profile that names another, or that is not there',
    async (words) => {
      const { profiles, setAcme, stored } = fresh()
      await setAcme()
      const before = stored()
      for (const other of ['development', 'nowhere']) {
        const refused = await profiles(`${words} --profile ${other}`)
        expect(refused).toMatchObject(endedWith(2, 'about the profile acme, so --profile has no effect'))
      }
      expect(stored()).toEqual(before)
      expect((await profiles(`${words} --profile acme`)).code).toBe(0)
    },
  )

  test('set, use and remove print nothing, so --out is exit 2 and the file stays as it was', async () => {
    const { home, profiles, setAcme } = fresh()
    await setAcme()
    const path = file(home, 'payslips.json', '[]')
    for (const words of ['set acme --pay-day friday', 'use acme', 'remove acme'])
      expect(await profiles(`${words} --out ${path}`)).toMatchObject(endedWith(2, "'--out'"))
    expect(readFileSync(path, 'utf8')).toBe('[]')
  })

  test.each<[Record<string, string>, string]>([
    [{ PAYROLL_PROFILE: 'other' }, 'PAYROLL_PROFILE is set here and counts first: commands … use other.'],
    [
      { PAYROLL_BASE_URL: 'https://elsewhere.example.com', PAYROLL_API_KEY: 'CANARYkey0000' },
      'PAYROLL_BASE_URL is set here and counts first: commands … use https://elsewhere.example.com.',
    ],
    [{ PAYROLL_API_KEY: 'x' }, 'PAYROLL_API_KEY is set here and counts first: commands … send its key.'],
  ])('use and set say what counts before the default: %j', async (env, says) => {
    const { home, profiles, setAcme } = fresh()
    await setAcme()
    await profiles('set other --base-url https://other.example.com')
    const sentence = `Note: ${says.replace('…', 'without --profile')}\n`
    for (const words of ['use acme', 'set acme --pay-day friday'])
      expect(await payroll(['profiles', ...words.split(' ')], { home, env })).toMatchObject(
        endedWith(0, sentence),
      )
    for (const words of ['use acme', 'set acme --pay-day friday', 'set other --pay-day friday'])
      expect((await profiles(words)).err).not.toContain('counts first')
  })

  test('use and set are done where PAYROLL_API_KEY is no key', async () => {
    const { home, setAcme } = fresh()
    await setAcme()
    const env = { PAYROLL_API_KEY: 'CANARY€' }
    for (const words of ['use acme', 'set acme --pay-day friday']) {
      const { code, err } = await payroll(['profiles', ...words.split(' ')], { home, env })
      expect([code, err]).toEqual([0, expect.not.stringContaining('Nothing was changed')])
    }
  })

  test('set changes what is given and leaves the rest', async () => {
    const { profiles, setAcme, stored } = fresh()
    await setAcme(' --protected')
    for (const option of ['--prefix backoffice', '--unprotected']) await profiles(`set acme ${option}`)
    const baseUrl = 'https://acme.example.com'
    expect(stored().profiles.acme).toEqual({ baseUrl, prefix: 'backoffice', protected: false })
  })

  test('set puts the prefix in front of every path', async () => {
    const { run, setAcme } = fresh()
    await setAcme('/api --prefix backoffice', 'CANARYkey0000')
    const shown = await run('candidates create --incomplete --ireland --dry-run --set city=Cork')
    expect(shown.json().url).toBe('https://acme.example.com/api/backoffice/candidates/ireland')
  })

  test.each([
    'set acme',
    'set acme --protected --unprotected',
    'set sandbox --base-url https://acme.example.com',
    'set environment --base-url https://acme.example.com',
    'set __proto__ --base-url https://acme.example.com',
    'set acme --base-url http://acme.example.com',
    'set acme --prefix a/b',
    'set acme --prefix ..',
    'set acme --prefix ',
    'set Production --base-url https://payroll.example.com',
    'set SANDBOX --base-url https://payroll.example.com',
    'set Environment --base-url https://payroll.example.com',
    'use nobody',
    'remove nobody',
    'remove sandbox',
    'show nobody',
    'show environment',
    'show',
  ])('%s: exit 2, and nothing is stored', async (words) => {
    const { profiles, stored } = fresh()
    const { code, out, error } = await profiles(`--json ${words}`)
    expect([code, out]).toEqual([2, ''])
    expect(error()).toMatchObject({ code: 'usage', outcome: 'not-sent' })
    // A command line that cannot be read says no more than that.
    if (!/^show|--unprotected/.test(words)) expect(error().message).toMatch(/[.] Nothing was changed[.]$/)
    expect(stored).toThrow('ENOENT')
  })

  test('use makes a profile the default, and show says where each value comes from', async () => {
    const { profiles, setAcme } = fresh()
    await setAcme()
    await profiles('set other --base-url https://other.example.com --prefix api')
    expect((await profiles('show')).json()).toMatchObject({ name: 'acme', default: true })
    expect(await profiles('use other')).toMatchObject({ code: 0, err: 'The default profile is now other.\n' })
    expect((await profiles('show')).json()).toEqual({
      name: 'other',
      default: true,
      baseUrl: 'https://other.example.com',
      prefix: 'api',
      country: null,
      journal: null,
      authorization: '{token}',
      keyStore: 'file',
      emptyFields: 'ask',
      readOnly: false,
      protected: false,
      key: null,
      keyWithheldFor: null,
      payDay: null,
      history: null,
      certificateAuthority: null,
      clientCertificate: null,
      clientKey: null,
      from: { profile: 'stored', baseUrl: 'stored', key: 'none' },
    })
    expect((await profiles('show acme')).json()).toMatchObject({ name: 'acme', default: false })
  })

  test('show what is in force: the environment before the default profile, and a profile that is named before it', async () => {
    const { home, setAcme } = fresh()
    await setAcme(' --country uk --journal postgres://ann@db.example.com/own')
    const env = {
      PAYROLL_COUNTRY: 'ireland',
      PAYROLL_JOURNAL: 'postgres://ann@db.example.com/other',
      PAYROLL_ROUTES: file(home, 'routes.json', '{"prefix":"api","routes":{}}'),
    }
    const show = async (...words: string[]) =>
      (await payroll(['profiles', 'show', ...words], { home, env })).json()
    const given = { country: 'ireland', journal: env.PAYROLL_JOURNAL, prefix: 'api' }
    const own = { country: 'uk', journal: 'postgres://ann@db.example.com/own', prefix: 'svc' }
    expect([await show(), await show('acme'), await show('--profile', 'acme')]).toMatchObject([
      given,
      own,
      own,
    ])
  })

  test.each(['list', 'show', 'show acme -o table'])(
    '%s shows no more of a key than its end',
    async (words) => {
      const { profiles, setAcme } = fresh()
      await setAcme('', 'CANARYkey0000')
      const { out, err } = await profiles(words)
      expect(out).toContain('****0000')
      expect(out + err).not.toContain('CANARY')
    },
  )

  test('remove forgets the profile, its key and that it was the default', async () => {
    const { run, home } = await production()
    const removed = await run(['profiles', 'remove', 'production'])
    expect(removed.code).toBe(0)
    expect(removed.err).toContain('Its key still works at the service until it is revoked there.')
    expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({ profiles: {}, keys: {} })
    expect((await run(['candidates', 'list'])).code).toBe(2)
    expect((await run(['profiles', 'remove', 'production'])).code).toBe(2)
  })

  test('remove asks at a terminal, and says what cannot be done without the secret of the profile', async () => {
    const { home, run } = await production()
    await run(['changes', '--mark', 'before'])
    const removing = () => atTerminal(['profiles', 'remove', 'production'], { home })
    const says =
      /Its marks \(payroll changes\) cannot be compared any more, and what it wrote is undone only\s/
    const left = removing()
    await left.type(says, keys.enter)
    expect((await left.ended).code).toBe(2)
    expect((await run(['profiles', 'show'])).json().name).toBe('production')
    const removed = removing()
    await removed.type('Remove the profile production and its key? (y/N)', `y${keys.enter}`)
    expect((await removed.ended).code).toBe(0)
    expect((await run(['profiles', 'show'])).code).toBe(2)
  })

  test('remove says nothing of marks where there are none', async () => {
    const { home } = await production()
    const terminal = atTerminal(['profiles', 'remove', 'production'], { home })
    await terminal.type('Remove the profile production and its key? (y/N)', `y${keys.enter}`)
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen()).not.toContain('marks')
  })

  test('remove says of the default that there is none now, and nothing of a key where there was none', async () => {
    const { profiles, setAcme } = fresh()
    await setAcme()
    await profiles('set other --base-url https://other.example.com')
    expect((await profiles('remove acme')).err).toBe(
      'Removed the profile acme from this computer.\nIt was the default profile, and there is none now. To choose one: payroll profiles use <name>\n',
    )
  })

  test.each(['list', 'show', 'use sandbox', 'remove acme'])(
    '%s says that the settings are damaged, and leaves them: exit 2',
    async (words) => {
      const { home, profiles } = fresh()
      const path = file(home, 'config.json', '{"keys":{"acme":{"key":"CANARY')
      chmodSync(path, 0o600)
      const { code, err } = await profiles(words)
      expect([code, err]).toEqual([2, expect.stringContaining(`The settings file ${path} is damaged`)])
      expect(err).not.toContain('CANARY')
      expect(readFileSync(path, 'utf8')).toBe('{"keys":{"acme":{"key":"CANARY')
    },
  )
})
