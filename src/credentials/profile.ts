import { type Failure, usage } from '../errors.ts'
import type { TokenInForce } from './credential.ts'
import type { KeyLocation, KeySource } from './key-stores.ts'
import type { CertificateFiles } from './settings-shape.ts'

/** Where a value was found. */
export type Source = 'flag' | 'environment' | 'stored' | KeySource | 'built in' | 'none'

/** The service that a command uses, and the key for it. It may be incomplete: see `requireBaseUrl` and `requireKey`. */
export interface Profile {
  readonly name: string
  /** `environment`: PAYROLL_BASE_URL gives the base URL, not a stored profile. `sandbox`: no network, no key. */
  readonly kind: 'stored' | 'environment' | 'sandbox'
  /** Without a trailing slash. */
  readonly baseUrl?: string
  readonly origin?: string
  readonly prefix: string
  /** The country of commands that name none, where one is stored. */
  readonly country?: string
  /** The address of its shared journal. */
  readonly journal?: string
  /** What the service means by leaving a field out, where that is set. */
  readonly emptyFields?: string
  /** How many requests a second the service allows. */
  readonly rate?: number
  /** Writes must be confirmed. */
  readonly protected: boolean
  /** Why, unless the profile itself says so; the start of a sentence. */
  readonly protectedBecause?: string
  /** Set if nothing may be written: what says so. */
  readonly readOnly?: ReadOnly
  /** The stored route corrections, by operation. */
  readonly routes: Readonly<Record<string, unknown>>
  /** The prefix and the routes of the file in PAYROLL_ROUTES. */
  readonly givenRoutes?: {
    readonly file: string
    readonly prefix?: string
    readonly routes: Readonly<Record<string, unknown>>
  }
  /** Absent until it is needed where it is not read with the settings: see `withKey`. */
  readonly key?: string
  /** Where the settings say that its key lies; absent for a profile that is not stored. */
  readonly keyLocation?: KeyLocation
  /** How the key is presented, as it was written: see `authorizationOf`. The bare key without it. */
  readonly authorization?: { readonly text: string; readonly from: string }
  /** The consent page for a sign-in in the browser, where one is stored. */
  readonly authorizeUrl?: string
  /** Set if the key is the stored access token. */
  readonly token?: TokenInForce
  /** Its files for TLS, and the only origin that they are for. */
  readonly certificates?: CertificateFiles & { readonly origin: string }
  /** The origin of the stored key, if it is not sent because the origin in use is another. */
  readonly keyWithheld?: string
  readonly source: { readonly profile: Source; readonly baseUrl: Source; readonly key: Source }
  /** The sandbox is used because nothing is configured: the person must be told. */
  readonly fallback: boolean
}

/** What says that nothing may be written: the profile, or the environment. */
type ReadOnly =
  | { readonly by: 'PAYROLL_READ_ONLY' }
  /**
   * The profile of this name, which has the same address if it is not the one in use. `unlock`: the profile to set to
   * writable.
   */
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
