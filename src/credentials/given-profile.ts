import { defaults } from '../defaults.ts'
import type { Environment } from '../environment.ts'
import { checkBaseUrl, storedUrl } from './base-url.ts'
import { checkKey } from './key.ts'
import type { Profile, Source } from './profile.ts'

/** What the environment says of the service. */
export interface Given {
  readonly baseUrl: URL | undefined
  readonly key: string | undefined
  readonly authorization: Profile['authorization']
}

/** An empty variable counts as unset. Throws a usage failure for a value that is none. */
export function fromEnvironment(env: Environment): Given {
  return {
    baseUrl: env.PAYROLL_BASE_URL ? checkBaseUrl(env.PAYROLL_BASE_URL, 'PAYROLL_BASE_URL') : undefined,
    key: env.PAYROLL_API_KEY ? checkKey(env.PAYROLL_API_KEY, 'PAYROLL_API_KEY') : undefined,
    authorization: env.PAYROLL_AUTHORIZATION
      ? { text: env.PAYROLL_AUTHORIZATION, from: 'PAYROLL_AUTHORIZATION' }
      : undefined,
  }
}

/** The practice copy inside the tool. */
export function sandboxProfile(source: Source): Profile {
  return {
    name: 'sandbox',
    kind: 'sandbox',
    prefix: defaults.prefix,
    protected: false,
    routes: {},
    source: { profile: source, baseUrl: 'none', key: 'none' },
    fallback: source === 'built in',
  }
}

/** A service that only the environment names. `keyWithheld`: the origin that a stored key belongs to. */
export function environmentProfile(
  baseUrl: URL,
  { key, authorization }: Given,
  keyWithheld?: string,
): Profile {
  return {
    name: 'environment',
    kind: 'environment',
    ...addressOf(baseUrl),
    prefix: defaults.prefix,
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

/** The address of a profile, and its origin. */
export function addressOf(url: URL): { baseUrl: string; origin: string } {
  return { baseUrl: storedUrl(url), origin: url.origin }
}
