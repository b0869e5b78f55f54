import type { Environment } from '../environment.ts'
import { Failure, usage } from '../errors.ts'
import { settingsDirectory } from '../files/private-directory.ts'
import { canonicalOrigin } from '../origin.ts'
import { environmentProfile, fromEnvironment, type Given, sandboxProfile } from './given-profile.ts'
import type { Profile, Source } from './profile.ts'
import { checkProfileName, type Settings, type StoredProfile } from './settings-shape.ts'
import { credentialsIn } from './stored-credentials.ts'
import { originsOf, storedProfile, storedProfileOf } from './stored-profile.ts'

export type { Profile, Source }

interface Input {
  /** The value of --profile. */
  readonly flag?: string | undefined
  readonly env: Environment
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
  env: Environment,
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
  if (profile.protected || profile.origin === undefined) return profile
  const because = await protectionAt(profile.origin, input.env, input.settings, storedProfileOf)
  return because === undefined ? profile : { ...profile, protected: true, protectedBecause: because }
}

/** Whether the environment forbids writes. It can forbid them and never allow them. */
const isReadOnly = ({ PAYROLL_READ_ONLY: given = '' }: Environment) =>
  !/^(|0|no|false|off)$/i.test(given.trim())

/**
 * The environment may forbid writes for every profile, and a stored profile those to its address, under every name and
 * by every profile but one that was itself set to `--writable`.
 */
async function withReadOnly(profile: Profile, { env, settings }: Input): Promise<Profile> {
  if (isReadOnly(env)) return { ...profile, readOnly: { by: 'PAYROLL_READ_ONLY' } }
  const { origin } = profile
  if (origin === undefined || profile.readOnly) return profile
  // Settings that cannot be read protect every address; see below.
  const stored = await settings().catch(() => undefined)
  const name =
    stored && profileAt(origin, stored, (each) => stored.profiles[each]?.readOnly === true, storedProfileOf)
  if (stored === undefined || name === undefined) return profile
  const isOwn = profile.kind === 'stored' && profile.source.baseUrl === 'stored'
  if (isOwn && stored.profiles[profile.name]?.readOnly === false) return profile
  return { ...profile, readOnly: { by: 'profile', name, unlock: isOwn ? profile.name : name } }
}

async function chosenProfile({ flag, env, settings, terminal }: Input): Promise<Profile> {
  const named = namedProfile(flag, env)
  if (named?.name === 'sandbox') return sandboxProfile(named.by)
  const given = fromEnvironment(env)
  if (named) return storedProfile(checkProfileName(named.name), named.by, await settings(), given)
  if (given.baseUrl && given.key !== undefined) return environmentProfile(given.baseUrl, given)

  const stored = await settings()
  const chosen = stored.default
  if (given.baseUrl) {
    // With another origin it is not the default profile: messages must not call it production.
    return chosen !== undefined && originsOf(chosen, stored).includes(given.baseUrl.origin)
      ? storedProfile(chosen, 'stored', stored, given)
      : environmentProfile(given.baseUrl, given, credentialsIn(stored).get(chosen ?? '').key?.origin)
  }
  if (chosen === 'sandbox') return sandboxProfile('stored')
  if (chosen !== undefined) return storedProfile(chosen, 'stored', stored, given)
  if (terminal && given.key === undefined && Object.keys(stored.profiles).length === 0)
    return sandboxProfile('built in')
  throw noProfileFailure(stored, given)
}

function noProfileFailure(settings: Settings, given: Given): Failure {
  const names = Object.keys(settings.profiles)
  if (given.key !== undefined) {
    return usage('PAYROLL_API_KEY is set, but no service to send it to.', 'Set PAYROLL_BASE_URL too.')
  }
  if (names.length > 0) {
    return usage(
      `No profile is selected. There are: ${names.join(', ')}.`,
      `payroll profiles use ${names[0]}`,
    )
  }
  return usage(
    'No profile is configured. Without a terminal the sandbox is not used.',
    'Set PAYROLL_BASE_URL and PAYROLL_API_KEY, or run payroll profiles set production --base-url https://…',
  )
}

/**
 * Why a write to this origin must be confirmed, as the start of a sentence; undefined if not. The origin of a protected
 * profile is protected under every name and every profile. When the settings cannot be read, every address is protected.
 */
async function protectionAt(
  origin: string,
  env: Environment,
  settings: () => Promise<Settings>,
  known: (name: string, settings: Settings) => StoredProfile,
): Promise<string | undefined> {
  let stored: Settings
  try {
    stored = await settings()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return hasPlace(env) ? `${error.message} So it is not known whether ${origin} is protected` : undefined
  }
  const name = profileAt(origin, stored, (each) => known(each, stored).protected === true, known)
  return name === undefined ? undefined : `${origin} is the address of ${name}, which is protected`
}

/** The first of these profiles whose address, or whose key, is of this origin, however it is spelled. */
function profileAt(
  origin: string,
  stored: Settings,
  isMeant: (name: string) => boolean,
  known: (name: string, settings: Settings) => StoredProfile,
): string | undefined {
  const keys = credentialsIn(stored)
  const here = canonicalOrigin(origin)
  const isHere = (address: string | undefined) =>
    address !== undefined && URL.canParse(address) && canonicalOrigin(address) === here
  const names = new Set([...Object.keys(stored.profiles), ...keys.list()])
  return [...names].find(
    (each) => isMeant(each) && [known(each, stored).baseUrl, keys.get(each).key?.origin].some(isHere),
  )
}

/** Whether there can be settings: without a home directory there are none, so no address is protected. */
function hasPlace(env: Environment): boolean {
  if (env.PAYROLL_CONFIG_DIR) return true
  try {
    return settingsDirectory(env) !== ''
  } catch {
    return false
  }
}
