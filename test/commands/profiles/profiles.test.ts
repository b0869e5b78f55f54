import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { loopback, production } from '../targets.ts'

/** Profiles in a home of their own. */
function fresh() {
  const home = freshHome()
  const profiles = (...words: string[]) => payroll(['profiles', ...words], { home })
  const stored = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  return { home, profiles, stored }
}

describe('profiles', () => {
  test('list has the three that are built in, before anything is set up', async () => {
    const { profiles } = fresh()
    const listed = await profiles('list')
    expect([listed.code, listed.err]).toEqual([0, ''])
    expect(listed.json()).toEqual(
      ['production', 'development', 'sandbox'].map((name) =>
        expect.objectContaining({ name, default: false, key: null, protected: name === 'production' }),
      ),
    )
  })

  test('list is a table of five columns for a person', async () => {
    const { run } = await production()
    const [head, first] = (await run(['profiles', 'list', '-o', 'table'])).out.split('\n')
    expect(head?.split(/ {2,}/)).toEqual(['name', 'default', 'baseUrl', 'protected', 'key'])
    expect(first).toMatch(/^production +yes +http:\/\/127\.0\.0\.1:\d+ +yes +\*{4}/)
  })

  test('set stores an address, and the first profile that is set becomes the default', async () => {
    const { profiles, stored } = fresh()
    const set = await profiles('set', 'acme', '--base-url', 'https://acme.example.com/')
    expect([set.code, set.out, set.err]).toEqual([
      0,
      '',
      'Saved the profile acme. It is the default profile now: commands without --profile use it.\n',
    ])
    await profiles('set', 'other', '--base-url', 'https://other.example.com', '--protected')
    expect(stored()).toEqual({
      default: 'acme',
      profiles: {
        acme: { baseUrl: 'https://acme.example.com' },
        other: { baseUrl: 'https://other.example.com', protected: true },
      },
      keys: {},
    })
  })

  test('set changes what is given and leaves the rest', async () => {
    const { profiles, stored } = fresh()
    await profiles('set', 'acme', '--base-url', 'https://acme.example.com', '--protected')
    await profiles('set', 'acme', '--prefix', 'backoffice')
    await profiles('set', 'acme', '--unprotected')
    expect(stored().profiles.acme).toEqual({
      baseUrl: 'https://acme.example.com',
      prefix: 'backoffice',
      protected: false,
    })
  })

  test('set puts the prefix in front of every path', async () => {
    const { home, profiles } = fresh()
    await profiles('set', 'acme', '--base-url', 'https://acme.example.com/api', '--prefix', 'backoffice')
    await payroll(['auth', 'login', '--profile', 'acme'], { home, input: 'CANARYkey0000' })
    const argv = 'candidates create --incomplete --ireland --dry-run --set city=Cork'.split(' ')
    const shown = await payroll(argv, { home })
    expect(shown.json().url).toBe('https://acme.example.com/api/backoffice/candidates/ireland')
  })

  test.each([
    ['set', 'acme'],
    ['set', 'acme', '--protected', '--unprotected'],
    ['set', 'sandbox', '--base-url', 'https://acme.example.com'],
    ['set', 'environment', '--base-url', 'https://acme.example.com'],
    ['set', '__proto__', '--base-url', 'https://acme.example.com'],
    ['set', 'a b', '--base-url', 'https://acme.example.com'],
    ['set', 'acme', '--base-url', 'http://acme.example.com'],
    ['set', 'acme', '--base-url', 'acme'],
    ['set', 'acme', '--base-url', 'https://acme.example.com?key=1'],
    ['set', 'acme', '--prefix', 'a/b'],
    ['set', 'acme', '--prefix', '..'],
    ['set', 'acme', '--prefix', ''],
    ['use', 'nobody'],
    ['remove', 'nobody'],
    ['remove', 'sandbox'],
    ['show', 'nobody'],
    ['show', 'environment'],
    ['show'],
  ])('%s %s %s %s: exit 2, and nothing is stored', async (...words) => {
    const { profiles, stored } = fresh()
    const refused = await profiles(...words.filter((word) => word !== undefined), '--json')
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.error()).toMatchObject({ code: 'usage', outcome: 'not-sent' })
    expect(() => stored()).toThrow('ENOENT')
  })

  test('use makes a profile the default, and show says where each value comes from', async () => {
    const { profiles } = fresh()
    await profiles('set', 'acme', '--base-url', 'https://acme.example.com')
    await profiles('set', 'other', '--base-url', 'https://other.example.com', '--prefix', 'api')
    expect((await profiles('show')).json()).toMatchObject({ name: 'acme', default: true })
    const used = await profiles('use', 'other')
    expect([used.code, used.err]).toEqual([0, 'The default profile is now other.\n'])
    expect((await profiles('show')).json()).toEqual({
      name: 'other',
      default: true,
      baseUrl: 'https://other.example.com',
      prefix: 'api',
      country: null,
      journal: null,
      authorization: '{token}',
      keyStore: 'file',
      keyCommand: null,
      keyCommandTimeout: null,
      readOnly: false,
      protected: false,
      key: null,
      keyWithheldFor: null,
      rate: null,
      certificateAuthority: null,
      clientCertificate: null,
      clientKey: null,
      from: { profile: 'stored', baseUrl: 'stored', key: 'none' },
    })
    expect((await profiles('show', 'acme')).json()).toMatchObject({ name: 'acme', default: false })
  })

  test('use the sandbox, and a script reaches it without naming it', async () => {
    const { home, profiles } = fresh()
    await profiles('use', 'sandbox')
    expect((await payroll(['candidates', 'list'], { home })).json()).toEqual([])
  })

  test('show the one that the environment makes', async () => {
    const { run, baseUrl } = await loopback()
    expect((await run(['profiles', 'show'])).json()).toMatchObject({
      name: 'environment',
      baseUrl,
      from: { profile: 'environment', baseUrl: 'environment', key: 'environment' },
    })
  })

  test('show no more of a key than its end', async () => {
    const { home, profiles } = fresh()
    const login = ['auth', 'login', '--profile', 'acme']
    await profiles('set', 'acme', '--base-url', 'https://acme.example.com')
    await payroll(login, { home, input: 'CANARYkey0000' })
    for (const words of [['list'], ['show'], ['show', 'acme', '-o', 'table']]) {
      const shown = await profiles(...words)
      expect(shown.out).toContain('****0000')
      expect(shown.out + shown.err).not.toContain('CANARY')
    }
  })

  test('remove forgets the profile, its key and that it was the default', async () => {
    const { run, home } = await production()
    const removed = await run(['profiles', 'remove', 'production'])
    expect(removed.code).toBe(0)
    expect(removed.err).toContain('Its key still works at the service until it is revoked there.')
    expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({ profiles: {}, keys: {} })
    expect((await run(['candidates', 'list'])).code).toBe(2)
    expect((await run(['profiles', 'remove', 'production'])).code).toBe(2)
  })

  test('remove says nothing of a key where there was none', async () => {
    const { profiles } = fresh()
    await profiles('set', 'acme', '--base-url', 'https://acme.example.com')
    expect((await profiles('remove', 'acme')).err).toBe('Removed the profile acme from this computer.\n')
  })

  test('say that the settings are damaged, and leave them: exit 2', async () => {
    const { home, profiles } = fresh()
    const path = join(home, 'config.json')
    writeFileSync(path, '{"keys":{"acme":{"key":"CANARY', { mode: 0o600 })
    for (const words of [['list'], ['show'], ['use', 'sandbox'], ['remove', 'acme']]) {
      const refused = await profiles(...words)
      expect(refused.code).toBe(2)
      expect(refused.err).toContain(`The settings file ${path} is damaged`)
      expect(refused.err).not.toContain('CANARY')
    }
    expect(readFileSync(path, 'utf8')).toBe('{"keys":{"acme":{"key":"CANARY')
  })
})
