import { describe, expect, test } from 'vitest'
import { withKey } from '../../src/credentials/keys.ts'
import { profileNames, resolveProfile } from '../../src/credentials/resolve.ts'
import type { Settings } from '../../src/credentials/settings.ts'
import { usage } from '../../src/errors.ts'

const production = 'https://payroll.example.com'
const development = 'https://development.example.com'
const other = 'https://other.example.com'

/** Production is the default and has a key; so does development; bare has neither address nor key. */
const settings: Settings = {
  default: 'production',
  profiles: {
    production: { baseUrl: production },
    development: { baseUrl: `${development}/api/`, prefix: 'v1' },
    keyless: { baseUrl: other, protected: true },
    bare: {},
  },
  keys: {
    production: { origin: production, key: 'PRODUCTIONkey' },
    development: { origin: development, key: 'DEVELOPMENTkey' },
  },
}
const empty: Settings = { profiles: {}, keys: {} }

interface Situation {
  readonly flag?: string
  readonly profile?: string
  readonly baseUrl?: string
  readonly key?: string
  readonly stored?: Settings
  readonly terminal?: boolean
}

/** The profile, with the key that it gets. */
async function resolve({ flag, profile, baseUrl, key, stored = settings, terminal = false }: Situation) {
  const env = { PAYROLL_PROFILE: profile, PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: key }
  const from = { env, settings: async () => stored }
  const resolved = await resolveProfile({ flag, terminal, ...from })
  return withKey(resolved, { ...from, directory: async () => '/nowhere', hide: () => {} })
}

describe('the order', () => {
  /** What is in force: profile, base URL and key, each with where it was found. */
  type InForce = readonly [profile: string, baseUrl: string, key: string]
  const none = 'undefined none'
  const stored: InForce = ['production stored', `${production} stored`, 'PRODUCTIONkey stored']
  const byFlag: InForce = ['development flag', `${development}/api stored`, 'DEVELOPMENTkey stored']
  const keyless = (source: string, key: string): InForce => [`keyless ${source}`, `${other} stored`, key]
  const own = (url: string, key: string): InForce => ['environment environment', `${url} environment`, key]
  const sandbox = (source: string): InForce => [`sandbox ${source}`, none, none]
  const envKey = 'ENVkey environment'
  const moved = `${production}/v2`
  const otherKey = { baseUrl: other, key: 'ENVkey' }
  const flagged = { flag: 'keyless', key: 'ENVkey' }
  const byName = { profile: 'development' }
  const elsewhere = { profile: 'keyless', key: 'ENVkey', baseUrl: production }
  const there = `${other} environment`

  const table: readonly (readonly [string, Situation, InForce])[] = [
    ['nothing set', {}, stored],
    ['a flag', { flag: 'development' }, byFlag],
    ['PAYROLL_PROFILE', { profile: 'development' }, ['development environment', byFlag[1], byFlag[2]]],
    [
      'a flag and PAYROLL_PROFILE',
      { ...byName, flag: 'production' },
      ['production flag', stored[1], stored[2]],
    ],
    ['a flag and an address', { flag: 'development', baseUrl: other }, byFlag],
    ['a flag and a key', { flag: 'development', key: 'ENVkey' }, byFlag],
    ['a flag without a stored key, and a key', flagged, keyless('flag', envKey)],
    ['the same, an address of its origin', { ...flagged, baseUrl: `${other}/api` }, keyless('flag', envKey)],
    ['the same, an address of another origin', { ...flagged, baseUrl: production }, keyless('flag', none)],
    ['PAYROLL_PROFILE, an address of another origin', elsewhere, keyless('environment', none)],
    ['a profile without an address, and one', { flag: 'bare', ...otherKey }, ['bare flag', there, envKey]],
    ['a profile without an address', { flag: 'bare' }, ['bare flag', none, none]],
    [
      'a built-in profile, not set up',
      { flag: 'production', stored: empty },
      ['production flag', none, none],
    ],
    ['an address and a key', { baseUrl: `${other}/api/`, key: 'ENVkey' }, own(`${other}/api`, envKey)],
    ['an address and a key, nothing stored', { ...otherKey, stored: empty }, own(other, envKey)],
    ['a key', { key: 'ENVkey' }, ['production stored', `${production} stored`, envKey]],
    [
      'an address of the origin of the default',
      { baseUrl: moved },
      [stored[0], `${moved} environment`, stored[2]],
    ],
    ['an address of another origin', { baseUrl: other }, own(other, none)],
    ['an address, nothing stored', { baseUrl: other, stored: empty }, own(other, none)],
    ['the sandbox by flag', { flag: 'sandbox', ...otherKey }, sandbox('flag')],
    ['the sandbox by PAYROLL_PROFILE', { profile: 'sandbox' }, sandbox('environment')],
    ['the sandbox by default', { stored: { ...settings, default: 'sandbox' } }, sandbox('stored')],
  ]

  test.each(table)('a profile is resolved with %s', async (_, situation, inForce) => {
    const profile = await resolve(situation)
    expect([
      `${profile.name} ${profile.source.profile}`,
      `${profile.baseUrl} ${profile.source.baseUrl}`,
      `${profile.key} ${profile.keyFrom}`,
    ]).toEqual(inForce)
    expect(profile.origin).toBe(profile.baseUrl === undefined ? undefined : new URL(profile.baseUrl).origin)
  })
})

test.each(['profile', 'baseUrl', 'key'] as const)(
  'the default profile and its key are not used where the %s in the environment is empty: exit 2',
  async (empty) => {
    await expect(resolve({ [empty]: '' })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^PAYROLL_\w+ is set to nothing\.$/),
    })
  },
)

describe('a stored key', () => {
  const at = (baseUrl: string) => ({ ...settings, profiles: { production: { baseUrl } } })

  test.each<[string, Situation]>([
    ['another host', { stored: at(other), flag: 'production' }],
    ['another port', { stored: at(`${production}:8443`), flag: 'production' }],
    ['http in place of https', { stored: at('http://127.0.0.1'), flag: 'production' }],
    ['an address that the environment names', { baseUrl: other }],
    ['a profile that has no address', { stored: { profiles: {}, keys: settings.keys }, flag: 'production' }],
  ])('is withheld from %s', async (_, situation) => {
    const profile = await resolve(situation)
    expect(profile).not.toHaveProperty('key')
    expect(profile.keyWithheld).toBe(production)
    expect(JSON.stringify(profile)).not.toContain('PRODUCTIONkey')
  })

  test('makes way for one in the environment when it is withheld', async () => {
    const profile = await resolve({ stored: at(other), flag: 'production', key: 'ENVkey' })
    expect(profile.key).toBe('ENVkey')
    expect(profile).not.toHaveProperty('keyWithheld')
  })

  test('goes to another path of its origin', async () => {
    const profile = await resolve({ stored: at(`${production}:443/v2`), flag: 'production' })
    expect(profile.key).toBe('PRODUCTIONkey')
  })
})

test.each([
  ['flag', 'sandbox', {}],
  ['PAYROLL_PROFILE', undefined, { PAYROLL_PROFILE: 'sandbox' }],
])('the settings are not read with the sandbox by %s', async (_, flag, env) => {
  const unread = () => Promise.reject(new Error('They were read.'))
  expect(await resolveProfile({ flag, env, settings: unread, terminal: false })).toBeDefined()
})

describe('the protection of an address', () => {
  const guarded: Settings = {
    default: 'development',
    profiles: {
      production: { baseUrl: `${production}/api` },
      development: { baseUrl: development },
      open: { baseUrl: other, protected: false },
      bare: {},
    },
    keys: { open: { origin: other, key: 'OPENkey' } },
  }

  test('that only the key of a protected profile names holds too', async () => {
    const stored = { profiles: {}, keys: { production: { origin: production, key: 'PRODUCTIONkey' } } }
    expect(await resolve({ baseUrl: production, key: 'ENVkey', stored })).toMatchObject({ protected: true })
  })

  test.each([
    ['of a profile that is not protected', { baseUrl: other, key: 'ENVkey', stored: guarded }],
    ['that no profile names', { baseUrl: 'https://new.example.com', key: 'ENVkey', stored: guarded }],
    ['where nothing is stored', { baseUrl: production, key: 'ENVkey', stored: empty }],
  ])('is none %s', async (_, situation: Situation) => {
    expect(await resolve(situation)).toMatchObject({ protected: false })
  })

  const env = { PAYROLL_BASE_URL: production, PAYROLL_API_KEY: 'ENVkey' }
  test('is assumed where the settings cannot be read', async () => {
    const settings = async () => {
      throw usage('The settings are damaged.')
    }
    const profile = await resolveProfile({ flag: undefined, terminal: false, settings, env })
    expect(profile).toMatchObject({ protected: true, baseUrl: production })
    expect(profile.protectedBecause).toBe(
      `The settings are damaged. So it is not known whether ${production} is protected`,
    )
  })
})

test('the sandbox does not stand in where there are profiles and none is chosen', async () => {
  const stored = { profiles: settings.profiles, keys: {} }
  await expect(resolve({ stored, terminal: true })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^No profile is selected\. There are: production, development/),
    details: { outcome: 'not-sent', hint: expect.any(String) },
  })
})

describe('a name of a profile', () => {
  test.each([
    ['by flag', { flag: 'prod' }],
    ['by PAYROLL_PROFILE, with a full environment', { profile: 'prod', baseUrl: other, key: 'ENVkey' }],
    ['by default', { stored: { ...settings, default: 'prod' } }],
    ['by default, with an address', { stored: { ...settings, default: 'prod' }, baseUrl: other }],
    ['in another case', { flag: 'Prod' }],
    ['that every object has', { flag: 'toString' }],
  ])(
    'a name that is unknown %s is refused, and those there are are listed',
    async (_, situation: Situation) => {
      await expect(resolve(situation)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('There are: production, development, sandbox, keyless, bare.'),
      })
    },
  )

  test('is offered once, the built-in ones first', () => {
    expect(profileNames(settings)).toEqual(['production', 'development', 'sandbox', 'keyless', 'bare'])
    expect(profileNames(empty)).toEqual(['production', 'development', 'sandbox'])
  })
})

describe('what cannot be used is refused without being shown', () => {
  const storing = (profile: object, key: string): Settings => ({
    default: 'production',
    profiles: { production: profile },
    keys: { production: { origin: production, key } },
  })

  test.each([
    ['PAYROLL_BASE_URL', { baseUrl: 'http://example.com', key: 'CANARYkey' }],
    ['PAYROLL_API_KEY', { baseUrl: other, key: 'CANARY key' }],
    ['The base URL of production', { stored: storing({ baseUrl: 'https://CANARY@example.com' }, 'CANARY') }],
    ['The stored key of production', { stored: storing({ baseUrl: production }, 'CANARY\r\nkey') }],
  ])('%s', async (what, situation: Situation) => {
    await expect(resolve(situation)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(new RegExp(`^(?!.*CANARY)${what} `, 's')),
    })
  })
})
