import { type Failure, usage } from '../errors.ts'
import { checkBaseUrl } from './base-url.ts'
import { credentialOf } from './credential.ts'
import { checkKey } from './key.ts'
import { keyStore } from './key-store.ts'
import type { Profile, Source } from './profile.ts'
import { profileAt, protectionAt } from './protection.ts'
import { checkProfileName, type Settings, type StoredProfile } from './settings-shape.ts'

export type { Profile, Source }

/** "A second environment (development) exists alongside production, each with its own base address." */
const builtIn: Readonly<Record<string, StoredProfile>> = {
  production: { protected: true },
  development: {},
  sandbox: {},
}

/** The names a person may choose from. */
export function profileNames(settings: Settings): string[] {
  return [...new Set([...Object.keys(builtIn), ...Object.keys(settings.profiles)])]
}

interface Input {
  /** The value of --profile. */
  readonly flag?: string | undefined
  readonly env: NodeJS.ProcessEnv
  /** Called only when needed: the sandbox, and reads with the environment alone, work despite a damaged file. */
  readonly settings: () => Promise<Settings>
  /** Whether a person can see that the sandbox is used. */
  readonly terminal: boolean
}

/**
 * The profile that --profile or PAYROLL_PROFILE names, and which of the two. An empty variable counts as unset; an
 * empty flag does not: it is a variable that a script forgot to set, and must not mean the default.
 */
export function namedProfile(
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
): { readonly name: string; readonly by: 'flag' | 'environment' } | undefined {
  if (flag !== undefined) return { name: flag, by: 'flag' }
  return env.PAYROLL_PROFILE ? { name: env.PAYROLL_PROFILE, by: 'environment' } : undefined
}

/** Whether anything says which profile to use: a name, the address in the environment, or the stored default. */
export async function isProfileChosen({ flag, env, settings }: Omit<Input, 'terminal'>): Promise<boolean> {
  return Boolean(namedProfile(flag, env) || env.PAYROLL_BASE_URL || (await settings()).default)
}

/**
 * Chooses the profile: the flag, then an explicitly named profile, then the environment, then the stored default.
 * Throws a usage failure for an unknown profile, for an invalid value and, without a terminal, if nothing is
 * configured: a cron job that silently uses the sandbox means a missed payday.
 */
export async function resolveProfile(input: Input): Promise<Profile> {
  const profile = await withReadOnly(await chosenProfile(input), input)
  if (profile.protected || profile.source.baseUrl !== 'environment' || profile.origin === undefined)
    return profile
  const because = await protectionAt(profile.origin, input.env, input.settings, storedProfileOf)
  return because === undefined ? profile : { ...profile, protected: true, protectedBecause: because }
}

/** Whether the environment forbids writes. It can forbid them and never allow them. */
const isReadOnly = ({ PAYROLL_READ_ONLY: given = '' }: NodeJS.ProcessEnv) =>
  !/^(|0|no|false|off)$/i.test(given.trim())

/** The environment may forbid writes for every profile, and a stored profile those to its address. */
async function withReadOnly(profile: Profile, { env, settings }: Input): Promise<Profile> {
  if (isReadOnly(env)) return { ...profile, readOnly: { by: 'PAYROLL_READ_ONLY' } }
  const { origin } = profile
  if (profile.source.baseUrl !== 'environment' || origin === undefined || profile.readOnly) return profile
  // Settings that cannot be read protect every address; see below.
  const stored = await settings().catch(() => undefined)
  const name =
    stored && profileAt(origin, stored, (each) => stored.profiles[each]?.readOnly === true, storedProfileOf)
  return name === undefined ? profile : { ...profile, readOnly: { by: 'profile', name } }
}

async function chosenProfile({ flag, env, settings, terminal }: Input): Promise<Profile> {
  const named = namedProfile(flag, env)
  if (named?.name === 'sandbox') return sandbox(named.by)
  const given = fromEnvironment(env)
  if (named) return storedProfile(checkProfileName(named.name), named.by, await settings(), given)
  if (given.baseUrl && given.key !== undefined) return environmentProfile(given.baseUrl, given)

  const stored = await settings()
  const chosen = stored.default
  if (given.baseUrl) {
    // With another origin it is not the default profile: messages must not call it production.
    return chosen !== undefined && originsOf(chosen, stored).includes(given.baseUrl.origin)
      ? storedProfile(chosen, 'stored', stored, given)
      : environmentProfile(given.baseUrl, given, keyStore(stored).get(chosen ?? '').key?.origin)
  }
  if (chosen === 'sandbox') return sandbox('stored')
  if (chosen !== undefined) return storedProfile(chosen, 'stored', stored, given)
  if (terminal && given.key === undefined && Object.keys(stored.profiles).length === 0)
    return sandbox('built in')
  throw noProfileFailure(stored, given)
}

interface Given {
  readonly baseUrl: URL | undefined
  readonly key: string | undefined
  readonly authorization: Profile['authorization']
}

/** An empty variable counts as unset. */
function fromEnvironment(env: NodeJS.ProcessEnv): Given {
  return {
    baseUrl: env.PAYROLL_BASE_URL ? checkBaseUrl(env.PAYROLL_BASE_URL, 'PAYROLL_BASE_URL') : undefined,
    key: env.PAYROLL_API_KEY ? checkKey(env.PAYROLL_API_KEY, 'PAYROLL_API_KEY') : undefined,
    authorization: env.PAYROLL_AUTHORIZATION
      ? { text: env.PAYROLL_AUTHORIZATION, from: 'PAYROLL_AUTHORIZATION' }
      : undefined,
  }
}

function sandbox(source: Source): Profile {
  return {
    name: 'sandbox',
    kind: 'sandbox',
    prefix: 'svc',
    protected: false,
    routes: {},
    source: { profile: source, baseUrl: 'none', key: 'none' },
    fallback: source === 'built in',
  }
}

function environmentProfile(baseUrl: URL, { key, authorization }: Given, keyWithheld?: string): Profile {
  return {
    name: 'environment',
    kind: 'environment',
    ...address(baseUrl),
    prefix: 'svc',
    protected: false,
    routes: {},
    ...(key === undefined ? {} : { key }),
    ...(authorization && { authorization }),
    ...(keyWithheld === undefined ? {} : { keyWithheld }),
    source: {
      profile: 'environment',
      baseUrl: 'environment',
      key: key === undefined ? 'none' : 'environment',
    },
    fallback: false,
  }
}

/** An explicitly named profile comes before the environment; the stored default comes after it. */
function storedProfile(name: string, source: Source, settings: Settings, given: Given): Profile {
  const stored = storedProfileOf(name, settings)
  const explicit = source !== 'stored'
  const own =
    stored.baseUrl === undefined ? undefined : checkBaseUrl(stored.baseUrl, `The base URL of ${name}`)
  const baseUrl = explicit ? (own ?? given.baseUrl) : (given.baseUrl ?? own)

  // With a named profile, PAYROLL_API_KEY may be meant for the other address that the environment names.
  const elsewhere = explicit && given.baseUrl !== undefined && given.baseUrl.origin !== baseUrl?.origin
  const authorization = writtenAuthorization(
    name,
    stored,
    elsewhere ? undefined : given.authorization,
    explicit,
  )
  const { key, token, withheld, ...credential } = credentialOf({
    name,
    settings,
    origin: baseUrl?.origin,
    given: elsewhere ? undefined : given.key,
    storedFirst: explicit,
    // What it prints is for the stored address alone.
    hasCommand: stored.keyCommand !== undefined && own !== undefined && own.origin === baseUrl?.origin,
  })
  return {
    name,
    kind: 'stored',
    ...(baseUrl === undefined ? {} : address(baseUrl)),
    prefix: stored.prefix ?? 'svc',
    ...(stored.country !== undefined && { country: stored.country }),
    ...(stored.journal && { journal: stored.journal }),
    protected: stored.protected ?? false,
    ...(stored.readOnly && { readOnly: { by: 'profile', name } as const }),
    routes: stored.routes ?? {},
    ...(key !== undefined && {
      key: checkKey(key, `The stored ${token ? 'access token' : 'key'} of ${name}`),
    }),
    ...(authorization && { authorization }),
    ...(stored.keyCommand !== undefined && { keyCommand: stored.keyCommand }),
    ...(stored.authorizeUrl !== undefined && { authorizeUrl: stored.authorizeUrl }),
    ...(token && { token }),
    ...(withheld !== undefined && { keyWithheld: withheld }),
    source: {
      profile: source,
      baseUrl: baseUrl === undefined ? 'none' : baseUrl === own ? 'stored' : 'environment',
      key: credential.source,
    },
    fallback: false,
  }
}

/** How the key is presented: as a named profile says, then the environment, then the stored default. */
function writtenAuthorization(
  name: string,
  { authorization }: StoredProfile,
  given: Given['authorization'],
  storedFirst: boolean,
): Given['authorization'] {
  if (authorization === undefined || (given !== undefined && !storedFirst)) return given
  return { text: authorization, from: `The stored authorization of ${name}` }
}

function storedProfileOf(name: string, settings: Settings): StoredProfile {
  const names = profileNames(settings)
  if (names.includes(name)) return { ...builtIn[name], ...settings.profiles[name] }
  throw usage(`There is no profile ${name}. There are: ${names.join(', ')}.`, 'payroll profiles list')
}

function originsOf(name: string, settings: Settings): (string | undefined)[] {
  const { baseUrl } = storedProfileOf(name, settings)
  return [
    baseUrl === undefined ? undefined : checkBaseUrl(baseUrl).origin,
    keyStore(settings).get(name).key?.origin,
  ]
}

function address(url: URL): { baseUrl: string; origin: string } {
  return { baseUrl: url.href.replace(/\/$/, ''), origin: url.origin }
}

function noProfileFailure(settings: Settings, given: Given): Failure {
  const names = Object.keys(settings.profiles)
  if (given.key !== undefined) {
    return usage(
      'PAYROLL_API_KEY is set, but no service to send it to. Nothing was sent.',
      'Set PAYROLL_BASE_URL too.',
    )
  }
  if (names.length > 0) {
    return usage(
      `No profile is selected. There are: ${names.join(', ')}. Nothing was sent.`,
      `payroll profiles use ${names[0]}`,
    )
  }
  return usage(
    'No profile is configured. Nothing was sent: without a terminal the sandbox is not used.',
    'Set PAYROLL_BASE_URL and PAYROLL_API_KEY, or run payroll profiles set production --base-url https://…',
  )
}
