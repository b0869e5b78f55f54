import { defaults } from '../defaults.ts'
import { usage } from '../errors.ts'
import { checkBaseUrl } from './base-url.ts'
import { credentialOf } from './credential.ts'
import { addressOf, type Given } from './given-profile.ts'
import { checkKey } from './key.ts'
import { keyLocationOf } from './key-stores.ts'
import type { Profile, Source } from './profile.ts'
import type { Settings, StoredProfile } from './settings-shape.ts'
import { credentialsIn } from './stored-credentials.ts'

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

/** An explicitly named profile comes before the environment; the stored default comes after it. */
export function storedProfile(name: string, source: Source, settings: Settings, given: Given): Profile {
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
  const keyLocation = keyLocationOf(stored)
  const { key, token, withheld, ...credential } = credentialOf({
    name,
    settings,
    origin: baseUrl?.origin,
    given: elsewhere ? undefined : given.key,
    storedFirst: explicit,
    // What it prints is for the stored address alone.
    hasCommand: keyLocation.in === 'command' && own !== undefined && own.origin === baseUrl?.origin,
  })
  return {
    name,
    kind: 'stored',
    ...(baseUrl === undefined ? {} : addressOf(baseUrl)),
    prefix: stored.prefix ?? defaults.prefix,
    ...(stored.country !== undefined && { country: stored.country }),
    ...(stored.journal && { journal: stored.journal }),
    ...(stored.emptyFields !== undefined && { emptyFields: stored.emptyFields }),
    ...(stored.rate !== undefined && { rate: stored.rate }),
    protected: stored.protected ?? false,
    ...(stored.readOnly && { readOnly: { by: 'profile', name, unlock: name } as const }),
    routes: stored.routes ?? {},
    ...(key !== undefined && {
      key: checkKey(key, `The stored ${token ? 'access token' : 'key'} of ${name}`),
    }),
    ...(authorization && { authorization }),
    keyLocation,
    ...(stored.authorizeUrl !== undefined && { authorizeUrl: stored.authorizeUrl }),
    ...(token && { token }),
    ...(own && certificatesOf(stored, own.origin)),
    ...(withheld !== undefined && { keyWithheld: withheld }),
    source: {
      profile: source,
      baseUrl: baseUrl === undefined ? 'none' : baseUrl === own ? 'stored' : 'environment',
      key: credential.source,
    },
    fallback: false,
  }
}

/** The files for TLS of a stored profile, for the origin of its address. */
function certificatesOf(
  { certificateAuthority, clientCertificate, clientKey }: StoredProfile,
  origin: string,
): Pick<Profile, 'certificates'> {
  const files = {
    ...(certificateAuthority && { certificateAuthority }),
    ...(clientCertificate && { clientCertificate }),
    ...(clientKey && { clientKey }),
  }
  return Object.keys(files).length === 0 ? {} : { certificates: { ...files, origin } }
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

/** What is stored of a profile. Throws a usage failure for an unknown name. */
export function storedProfileOf(name: string, settings: Settings): StoredProfile {
  const names = profileNames(settings)
  if (names.includes(name)) return { ...builtIn[name], ...settings.profiles[name] }
  throw usage(`There is no profile ${name}. There are: ${names.join(', ')}.`, 'payroll profiles list')
}

/** The origins that belong to a profile: that of its address, and that of its key. */
export function originsOf(name: string, settings: Settings): (string | undefined)[] {
  const { baseUrl } = storedProfileOf(name, settings)
  return [
    baseUrl === undefined ? undefined : checkBaseUrl(baseUrl).origin,
    credentialsIn(settings).get(name).key?.origin,
  ]
}
