import { defaults } from '../defaults.ts'
import type { Environment } from '../environment.ts'
import { isOn } from '../environment-flags.ts'
import { Failure, usage } from '../errors.ts'
import { canonicalOrigin } from '../origin.ts'
import { checkBaseUrl, storedUrl } from './base-url.ts'
import type { Profile, Said, ValueSource } from './profile.ts'
import { isProfileName } from './profile-words.ts'
import {
  type CertificateFiles,
  namesWithSecrets,
  type Settings,
  type StoredProfile,
  secretsOf,
} from './settings.ts'

interface ProfileInput {
  readonly flag?: string | undefined
  readonly env: Environment
  /** Called only when needed, so that the sandbox and the environment work despite a damaged file. */
  readonly settings: () => Promise<Settings>
  readonly terminal: boolean
}

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

/** Returns the name if it is valid for a profile. Throws a usage failure that does not repeat it. */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name
  throw usage(
    'Not a valid profile name.',
    'A name begins with a letter or digit and has up to 64 letters, digits, hyphens and underscores.',
  )
}

/** The stored profile. Throws a usage failure for an unknown name. */
export function storedProfileOf(name: string, settings: Settings): StoredProfile {
  const names = profileNames(settings)
  if (names.includes(name)) return { ...builtIn[name], ...settings.profiles[name] }
  throw usage(
    `There is no profile "${name}". There are: ${names.join(', ')}.`,
    'To set up another: payroll profiles set <name> --base-url https://…',
  )
}

/**
 * What the environment says of the service, or of who asks. Throws a usage failure for nothing: a script forgot its value,
 * or failed to get it, and must not get the default profile or its key, which may be another company's.
 */
export function given(env: Environment, name: 'PAYROLL_PROFILE' | 'PAYROLL_BASE_URL' | 'PAYROLL_API_KEY') {
  if (env[name] !== '') return env[name]
  throw usage(`${name} is set to nothing.`, 'Set it to what was meant, or unset it.')
}

/** The profile that is named, and whether by the flag or the variable. */
export function namedProfile(
  flag: string | undefined,
  env: Environment,
): { readonly name: string; readonly by: 'flag' | 'environment' } | undefined {
  if (flag !== undefined) return { name: flag, by: 'flag' }
  const name = given(env, 'PAYROLL_PROFILE')
  return name === undefined ? undefined : { name, by: 'environment' }
}

/** Whether anything says which profile to use: a name, the address in the environment, or the stored default. */
export async function isProfileChosen({
  flag,
  env,
  settings,
}: Omit<ProfileInput, 'terminal'>): Promise<boolean> {
  return Boolean(namedProfile(flag, env) || env.PAYROLL_BASE_URL || (await settings()).default)
}

/** The address in the environment. Throws a usage failure for one that is none. */
function givenAddress(env: Environment): URL | undefined {
  const text = given(env, 'PAYROLL_BASE_URL')
  return text === undefined ? undefined : checkBaseUrl(text, 'PAYROLL_BASE_URL')
}

/**
 * Chooses the profile: one that is named, then the environment, then the stored default. If any profile with its
 * address is read-only or protected, that counts. Throws a usage failure where nothing can be chosen. Without a
 * terminal that is so when nothing is configured: a cron job that silently used the sandbox would mean a missed payday.
 */
export async function resolveProfile(input: ProfileInput): Promise<Profile> {
  const { env, settings } = input
  const profile = await chosenProfile(input)
  // The environment can forbid writes and never allow them.
  const readOnly = isOn(env, 'PAYROLL_READ_ONLY') ? ({ by: 'PAYROLL_READ_ONLY' } as const) : profile.readOnly
  const { origin } = profile
  if (origin === undefined) return { ...profile, readOnly }
  let allSettings: Settings
  try {
    allSettings = await settings()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Settings that cannot be read may protect the address.
    const because = `${error.message} So it is not known whether ${origin} is protected`
    return { ...profile, readOnly, protected: true, protectedBecause: because }
  }
  const here = profilesAt(origin, allSettings)
  return { ...profile, readOnly: readOnly ?? readOnlyAt(profile, here), ...protectionAt(profile, here) }
}

type NamedProfile = readonly [name: string, profile: StoredProfile]

/** The profiles whose address, or whose key, is of this origin, however it is spelled. */
export function profilesAt(origin: string, settings: Settings): readonly NamedProfile[] {
  const here = canonicalOrigin(origin)
  const isHere = (address: string | undefined) =>
    address !== undefined && URL.canParse(address) && canonicalOrigin(address) === here
  const names = new Set([...Object.keys(settings.profiles), ...namesWithSecrets(settings)])
  return [...names]
    .map((name) => [name, { ...builtIn[name], ...settings.profiles[name] }] as const)
    .filter(([name, { baseUrl }]) => [baseUrl, secretsOf(settings, name).key?.origin].some(isHere))
}

/** The profiles that ask before a write: they say so themselves, or another one with their address does. */
export const protectedNames = (settings: Settings): string[] =>
  profileNames(settings).filter((name) => {
    const { protected: isProtected, baseUrl } = storedProfileOf(name, settings)
    const here = baseUrl === undefined ? [] : profilesAt(baseUrl, settings)
    return isProtected || here.some(([, each]) => each.protected)
  })

/** A read-only profile forbids writes to its address by every profile but one that was itself set to `--writable`. */
function readOnlyAt(
  { kind, source, name: own }: Profile,
  here: readonly NamedProfile[],
): Profile['readOnly'] {
  const [name] = here.find(([, { readOnly }]) => readOnly) ?? []
  if (name === undefined) return undefined
  const isOwn = kind === 'stored' && source.baseUrl === 'stored'
  if (isOwn && here.some(([each, { readOnly }]) => each === own && readOnly === false)) return undefined
  return { by: 'profile', name, unlock: isOwn ? own : name }
}

function protectionAt(profile: Profile, here: readonly NamedProfile[]) {
  const [name] = here.find(([, each]) => each.protected) ?? []
  if (profile.protected || name === undefined) return {}
  const protectedBecause = `${profile.origin} is the address of ${name}, which is protected`
  return { protected: true, protectedBecause }
}

async function chosenProfile({ flag, env, settings, terminal }: ProfileInput): Promise<Profile> {
  const byName = namedProfile(flag, env)
  if (byName?.name === 'sandbox') return sandboxProfile(byName.by, env)
  const address = givenAddress(env)
  if (byName) return storedProfile(checkProfileName(byName.name), byName.by, await settings(), env)
  // With an address and a key, the environment needs no settings.
  if (address && env.PAYROLL_API_KEY) return environmentProfile(address, env)

  const settingsNow = await settings()
  const defaultName = settingsNow.default
  if (address) {
    // With another origin it is not the default profile: messages must not call it production.
    const { baseUrl } = defaultName === undefined ? {} : storedProfileOf(defaultName, settingsNow)
    const own = [
      baseUrl && checkBaseUrl(baseUrl).origin,
      defaultName && secretsOf(settingsNow, defaultName).key?.origin,
    ]
    return defaultName !== undefined && own.includes(address.origin)
      ? storedProfile(defaultName, 'stored', settingsNow, env)
      : environmentProfile(address, env)
  }
  if (defaultName === 'sandbox') return sandboxProfile('stored', env)
  if (defaultName !== undefined) return storedProfile(defaultName, 'stored', settingsNow, env)
  const names = Object.keys(settingsNow.profiles)
  if (terminal && !env.PAYROLL_API_KEY && names.length === 0) return sandboxProfile('built in', env)
  throw env.PAYROLL_API_KEY
    ? usage('PAYROLL_API_KEY is set, but no service to send it to.', 'Set PAYROLL_BASE_URL too.')
    : names.length > 0
      ? usage(`No profile is selected. There are: ${names.join(', ')}.`, `payroll profiles use ${names[0]}`)
      : usage(
          'No profile is configured. Without a terminal the sandbox is not used.',
          'Set PAYROLL_BASE_URL and PAYROLL_API_KEY, or run payroll profiles set production --base-url https://…',
        )
}

const bareProfile = {
  prefix: defaults.prefix,
  protected: false,
  routes: {},
  keyStore: 'file',
  isNamed: false,
} as const

/** What somebody says of a setting. An empty text says nothing, as that of a variable that is set to nothing. */
const said = (text: string | undefined, from: string): Said | undefined => (text ? { text, from } : undefined)

/** What the environment says of the settings that a profile may have too. */
const givenSettings = (env: Environment) => ({
  country: said(env.PAYROLL_COUNTRY, 'PAYROLL_COUNTRY'),
  emptyFields: said(env.PAYROLL_EMPTY_FIELDS, 'PAYROLL_EMPTY_FIELDS'),
  journal: said(env.PAYROLL_JOURNAL, 'PAYROLL_JOURNAL'),
  authorization: said(env.PAYROLL_AUTHORIZATION, 'PAYROLL_AUTHORIZATION'),
})

function sandboxProfile(source: ValueSource, env: Environment): Profile {
  // No other computer reaches it, and it takes its own key.
  const { journal: _, authorization: __, ...given } = givenSettings(env)
  return {
    ...bareProfile,
    ...given,
    name: 'sandbox',
    kind: 'sandbox',
    source: { profile: source, baseUrl: 'none' },
  }
}

const environmentProfile = (address: URL, env: Environment): Profile => ({
  ...bareProfile,
  ...givenSettings(env),
  name: 'environment',
  kind: 'environment',
  ...addressOf(address),
  source: { profile: 'environment', baseUrl: 'environment' },
})

const addressOf = (url: URL) => ({ baseUrl: storedUrl(url), origin: url.origin })

function storedProfile(name: string, source: ValueSource, settings: Settings, env: Environment): Profile {
  const stored = storedProfileOf(name, settings)
  const isNamed = source !== 'stored'
  /** In the order of a named profile, the environment, the default profile. */
  const inForce = <T>(own: T | undefined, other: T | undefined) => (isNamed ? (own ?? other) : (other ?? own))
  const settle = (text: string | undefined, what: string, given: Said | undefined) =>
    inForce(said(text, `The ${what} ${name}`), given)
  const own = stored.baseUrl ? checkBaseUrl(stored.baseUrl, `The base URL of ${name}`) : undefined
  const address = inForce(own, givenAddress(env))
  const isForAnother = meansAnother({ isNamed, origin: address?.origin }, env)
  const { country, journal, emptyFields, authorization } = givenSettings(env)
  return {
    name,
    kind: 'stored',
    ...(address && addressOf(address)),
    prefix: stored.prefix ?? defaults.prefix,
    country: settle(stored.country, 'country of the profile', country),
    journal: settle(stored.journal, 'journal of the profile', journal),
    emptyFields: settle(stored.emptyFields, 'setting --empty-fields of the profile', emptyFields),
    protected: stored.protected ?? false,
    readOnly: stored.readOnly ? { by: 'profile', name, unlock: name } : undefined,
    routes: stored.routes ?? {},
    keyStore: stored.keyStore ?? 'file',
    authorization: settle(
      stored.authorization,
      'stored authorization of',
      isForAnother ? undefined : authorization,
    ),
    certificates: own && certificatesOf(stored, own.origin),
    source: { profile: source, baseUrl: !address ? 'none' : address === own ? 'stored' : 'environment' },
    isNamed,
  }
}

/** Whether the key in the environment is meant for another address than that of the named profile. */
export const meansAnother = (
  { isNamed, origin }: Pick<Profile, 'isNamed' | 'origin'>,
  env: Environment,
): boolean => isNamed && Boolean(env.PAYROLL_BASE_URL) && givenAddress(env)?.origin !== origin

function certificatesOf(
  { certificateAuthority, clientCertificate, clientKey }: CertificateFiles,
  origin: string,
): Profile['certificates'] {
  const isAny = certificateAuthority || clientCertificate || clientKey
  return isAny ? { certificateAuthority, clientCertificate, clientKey, origin } : undefined
}
