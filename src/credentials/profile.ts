import { Failure, usage } from '../errors.ts'
import type { CertificateFiles, StoredToken } from './settings.ts'
import type { KeyStore } from './settings-shape.ts'

/** Where a value of a profile was found. */
export type ValueSource = 'flag' | 'environment' | 'stored' | 'built in' | 'none'

/** A setting in force. `from`: who says it, as the subject of a sentence. */
export interface Said {
  readonly text: string
  readonly from: string
}

/** The service that a command uses. For its address see `requireBaseUrl`, for its key `withKey`. */
export interface Profile {
  readonly name: string
  /** `environment`: PAYROLL_BASE_URL gives the base URL, not a stored profile. `sandbox`: no network, no key. */
  readonly kind: 'stored' | 'environment' | 'sandbox'
  readonly baseUrl?: string | undefined
  readonly origin?: string | undefined
  readonly prefix: string
  readonly country?: Said | undefined
  readonly journal?: Said | undefined
  readonly emptyFields?: Said | undefined
  readonly protected: boolean
  /** Why, unless the profile itself says so; the start of a sentence. */
  readonly protectedBecause?: string | undefined
  /** Set if nothing may be written: what forbids it. */
  readonly readOnly?: ReadOnly | undefined
  readonly routes: Readonly<Record<string, unknown>>
  readonly givenRoutes?: {
    readonly file: string
    readonly prefix?: string
    readonly routes: Readonly<Record<string, unknown>>
  }
  readonly keyStore: KeyStore
  /** How the key is presented, as it was written: see `authorizationOf`. The bare key without it. */
  readonly authorization?: Said | undefined
  readonly certificates?: (CertificateFiles & { readonly origin: string }) | undefined
  /** The profile `built in` is the sandbox, because nothing is configured: the person must be told. */
  readonly source: { readonly profile: ValueSource; readonly baseUrl: ValueSource }
  /** Whether it is a stored profile that was named: its values come before the environment. Those of the default come after it. */
  readonly isNamed: boolean
}

/** Where a key comes from. */
export type KeySource = 'environment' | 'stored' | 'keyring' | 'none'

/** A profile with the key that goes to its service. */
export interface Access extends Profile {
  readonly key?: string | undefined
  readonly keyFrom: KeySource
  readonly token?: StoredToken | undefined
  readonly apiKey?: string | undefined
  /** The origin of the stored key, if it is not sent because the origin in use is another. */
  readonly keyWithheld?: string | undefined
}

type ReadOnly =
  | { readonly by: 'PAYROLL_READ_ONLY' }
  /** `unlock`: the profile to set to writable, which may have another name for the same address. */
  | { readonly by: 'profile'; readonly name: string; readonly unlock: string }

/** Why a write is not sent. Exit 2; nothing was sent. */
export function readOnlyFailure(profile: string, readOnly: ReadOnly): Failure {
  if (readOnly.by === 'PAYROLL_READ_ONLY') {
    return usage('PAYROLL_READ_ONLY is set, so nothing may be changed.', 'To allow writes, unset it.')
  }
  const { name, unlock } = readOnly
  const which = name === profile ? `The profile ${name}` : `This is the address of ${name}, which`
  return usage(`${which} is read-only.`, `To allow writes: payroll profiles set ${unlock} --writable`)
}

/** The address to call. Throws a usage failure for a profile that has none. Not for the sandbox. */
export function requireBaseUrl({ name, baseUrl }: Profile): string {
  if (baseUrl !== undefined) return baseUrl
  throw usage(`The profile ${name} has no base URL yet.`, `payroll profiles set ${name} --base-url https://…`)
}

/** Throws `auth` without a key, or with a token that expired before `now`. Not for the sandbox. */
export function requireKey({ name, kind, key, keyWithheld, origin, token }: Access, now = 0): string {
  if (token && token.refresh === undefined && isOver(token, now)) throw signInAgain(name, 'has expired')
  if (key !== undefined) return key
  const message =
    keyWithheld === undefined
      ? `The profile ${name} has no key.`
      : `The stored key belongs to ${keyWithheld} and does not go to ${origin}.`
  const hint =
    kind === 'environment'
      ? 'Set PAYROLL_API_KEY, or name a stored profile: payroll profiles list'
      : `payroll auth login --profile ${name}`
  throw new Failure('auth', message, { outcome: 'not-sent', hint })
}

/** The failure of an access token that only a new sign-in mends. `what`: what became of it. */
export function signInAgain(name: string, what: string): Failure {
  const hint = `Sign in again: payroll auth login --browser --profile ${name}. Or go back to a key: payroll auth login --key --profile ${name}`
  return new Failure('auth', `The access token of ${name} ${what}.`, { outcome: 'not-sent', hint })
}

type TokenEnd = Pick<StoredToken, 'expiresAt'>

/** A token that ends this soon may end on its way to the service. In milliseconds. */
const margin = 30_000

/** Whether a token is over, or will be before a request that is sent now arrives. */
export const isOld = (token: TokenEnd, now: number): boolean => isOver(token, now + margin)

/** Whether a token is over. */
export const isOver = ({ expiresAt }: TokenEnd, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now
