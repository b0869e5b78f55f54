import type { Environment } from '../environment.ts'
import { asFailure, Failure, usage } from '../errors.ts'
import { once } from '../once.ts'
import { checkKey } from './key.ts'
import type { Access, Profile } from './profile.ts'
import { given, meansAnother } from './resolve.ts'
import {
  readSettings,
  type Settings,
  type StoredProfile,
  type StoredSecrets,
  secretsOf,
  secretTextsOf,
  withSecrets,
} from './settings.ts'

/** The place of the settings, and the environment by which the keyring is found. */
export interface SettingsPlace {
  readonly directory: () => Promise<string>
  readonly env: Environment
}

/** All that is stored of one profile. */
export interface StoredProfileKeys {
  /** Undefined for a profile that is not there, or is to be removed. */
  readonly profile: StoredProfile | undefined
  readonly secrets: StoredSecrets
  readonly default: string | undefined
}

/**
 * Changes a profile with its secrets, wherever they lie. Returns warnings; writes nothing if `change` returns the
 * same object. The new place has a secret before the settings say so, and they say so before it is gone from the old
 * one. Throws as `changeSettings` does, and an `auth` failure if the keyring cannot be used: then nothing is changed. A
 * profile that leaves such a keyring leaves it without its key, with a warning.
 */
export async function changeProfile(
  place: SettingsPlace,
  name: string,
  change: (stored: StoredProfileKeys, settings: Settings) => StoredProfileKeys,
): Promise<readonly string[]> {
  const directory = await place.directory()
  const { changeSettings } = await import('./change-settings.ts')
  const keyring = once(() => keyringOf(place.env, directory, name))
  const lost: string[] = []
  let removeOld = async () => {}
  const warnings = await changeSettings(directory, async (settings) => {
    const profile = settings.profiles[name]
    const opened = await openStored(place, settings, name).catch(asFailure)
    const [closed, secrets] = opened instanceof Failure ? [opened, {}] : [undefined, opened]
    const before: StoredProfileKeys = { profile, default: settings.default, secrets }
    let after: StoredProfileKeys
    try {
      after = change(before, settings)
    } catch (error) {
      throw closed ?? error
    }
    if (closed && after.profile?.keyStore === 'keyring') throw closed
    if (closed)
      lost.push(`${closed.message} The key of ${name} may still be there, and is not used any more.`)
    if (after === before) return settings
    const wasInKeyring = isOutside(settings, name)
    const goesToKeyring = after.profile?.keyStore === 'keyring'
    const newSecrets = JSON.stringify(after.secrets)
    if (goesToKeyring && !(wasInKeyring && newSecrets === JSON.stringify(before.secrets))) {
      const { remove, write } = await keyring()
      // Secrets that the keyring did not give when the profile left it may still be there.
      await (secretTextsOf(after.secrets).length === 0 ? remove() : write(newSecrets))
    }
    if (wasInKeyring && !goesToKeyring && !closed) {
      const { remove } = await keyring()
      if (after.profile) removeOld = remove
      else await remove()
    }
    const { [name]: _, ...others } = settings.profiles
    const profiles = after.profile ? { ...settings.profiles, [name]: after.profile } : others
    const { default: __, ...rest } = withSecrets(settings, name, goesToKeyring ? {} : after.secrets)
    return { ...rest, ...(after.default !== undefined && { default: after.default }), profiles }
  })
  await removeOld()
  return [...warnings, ...lost]
}

const isOutside = ({ profiles }: Settings, name: string): boolean => profiles[name]?.keyStore === 'keyring'

/** The secrets of a profile, from wherever they lie. Throws an `auth` failure if the keyring does not give them. */
export async function readSecrets(place: SettingsPlace, name: string): Promise<StoredSecrets> {
  const { settings } = await readSettings(await place.directory())
  return openStored(place, settings, name)
}

async function openStored(place: SettingsPlace, settings: Settings, name: string): Promise<StoredSecrets> {
  if (!isOutside(settings, name)) return secretsOf(settings, name)
  const text = await (await keyringOf(place.env, await place.directory(), name)).read()
  if (text === undefined) return {}
  const { tryParseJson: parseJson, secretsShape } = await import('./settings-shape.ts')
  return secretsShape.safeParse(parseJson(text)).data ?? {}
}

async function keyringOf(env: Environment, directory: string, name: string) {
  const { systemKeyring } = await import('./keyring.ts')
  return systemKeyring(env, name, `${name} in ${directory}`)
}

interface KeyPlace extends SettingsPlace {
  readonly settings: () => Promise<Settings>
  readonly hide: (secret: string) => void
}

/**
 * The profile with the key for its service. The key of a named profile comes before PAYROLL_API_KEY, that of
 * the default profile after it. A stored key goes only to its own origin. Throws a Failure that says why the
 * keyring does not give it.
 */
export async function withKey(profile: Profile, place: KeyPlace): Promise<Access> {
  const { kind, name, isNamed } = profile
  if (kind === 'sandbox') return { ...profile, keyFrom: 'none' }
  const keyInEnvironment = givenKey(profile, place.env)
  if (keyInEnvironment !== undefined && !isNamed)
    return { ...profile, key: keyInEnvironment, keyFrom: 'environment' }
  const settings = await place.settings()
  if (kind === 'environment') {
    const keyWithheld = secretsOf(settings, settings.default ?? '').key?.origin
    return { ...profile, keyFrom: 'none', keyWithheld }
  }
  if (!isOutside(settings, name)) return chooseKey(profile, secretsOf(settings, name), keyInEnvironment)
  const secrets = await readSecrets(place, name)
  for (const secret of secretTextsOf(secrets)) place.hide(secret)
  const access = chooseKey(profile, secrets, keyInEnvironment)
  if (access.key !== undefined || access.keyWithheld !== undefined) return access
  throw new Failure('auth', `The key of ${name} is not in the system keyring.`, {
    outcome: 'not-sent',
    hint: `Sign in: payroll auth login --profile ${name}`,
  })
}

/** The access of a profile without opening the keyring: the key is not known then, only where it comes from. */
export async function withKnownKey(profile: Profile, place: KeyPlace): Promise<Access> {
  const isInKeyring = profile.kind === 'stored' && isOutside(await place.settings(), profile.name)
  const isGiven = isInKeyring && givenKey(profile, place.env) !== undefined
  if (isInKeyring && (profile.isNamed || !isGiven)) return { ...profile, keyFrom: 'keyring' }
  return withKey(profile, place).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'auth') return { ...profile, keyFrom: 'none' }
    throw error
  })
}

/** The key in PAYROLL_API_KEY, unless it is meant for another address. Throws a usage failure for what is not a key. */
function givenKey(profile: Profile, env: Environment): string | undefined {
  const text = given(env, 'PAYROLL_API_KEY')
  const key = text === undefined ? undefined : checkKey(text, 'PAYROLL_API_KEY')
  return meansAnother(profile, env) ? undefined : key
}

function chooseKey(profile: Profile, secrets: StoredSecrets, keyInEnvironment: string | undefined): Access {
  const { name, origin, keyStore } = profile
  const apiKey = secrets.key?.origin === origin ? secrets.key?.key : undefined
  const token = secrets.token?.origin === origin ? secrets.token : undefined
  const storedKey = token?.access ?? apiKey
  if (storedKey === undefined) {
    if (keyInEnvironment !== undefined) return { ...profile, key: keyInEnvironment, keyFrom: 'environment' }
    return { ...profile, keyFrom: 'none', keyWithheld: (secrets.token ?? secrets.key)?.origin }
  }
  const from = keyStore === 'keyring' ? `of ${name} in the system keyring` : `of ${name}`
  const what = keyStore === 'keyring' ? 'The' : 'The stored'
  const key = checkKey(storedKey, `${what} ${token ? 'access token' : 'key'} ${from}`)
  return {
    ...profile,
    key,
    keyFrom: keyStore === 'keyring' ? 'keyring' : 'stored',
    token,
    apiKey: apiKey ?? keyInEnvironment,
  }
}

/** The name of a profile, if it is a stored one. Throws a usage failure otherwise. */
export function requireStored({ name, kind }: Profile, what: string): string {
  if (kind === 'stored') return name
  throw usage(
    `${what}, and ${name} is not a stored one.`,
    'To list the stored profiles: payroll profiles list',
  )
}
