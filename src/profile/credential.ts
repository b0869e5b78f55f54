import { keyStore } from './key-store.ts'
import type { Settings } from './settings-shape.ts'

/** The access token of a profile, when it is what goes to the service. */
export interface TokenInForce {
  /** Milliseconds since 1970, where the service said how long it lasts. */
  readonly expiresAt?: number
  readonly isRefreshable: boolean
  /** The API key beside it, which gets a new token. */
  readonly apiKey?: string
}

export interface Credential {
  readonly key?: string
  readonly source: 'stored' | 'environment' | 'none'
  readonly token?: TokenInForce
  /** The origin that what is stored belongs to, when that is not the origin in force and nothing else serves. */
  readonly withheld?: string
}

interface CredentialQuery {
  readonly name: string
  readonly settings: Settings
  /** Where the credential would go. */
  readonly origin: string | undefined
  /** Of PAYROLL_API_KEY. */
  readonly given: string | undefined
  /** What is stored goes before what is given: the profile was named. */
  readonly storedFirst: boolean
}

/**
 * What goes to the service for a profile. A stored access token goes before the stored key, and both only to the
 * origin that they were stored for.
 */
export function credentialOf({ name, settings, origin, given, storedFirst }: CredentialQuery): Credential {
  const { key, token: heldToken } = keyStore(settings).get(name)
  const apiKey = key?.origin === origin ? key?.key : undefined
  const token = heldToken?.origin === origin ? heldToken : undefined
  const stored = token?.access ?? apiKey
  const useStored = stored !== undefined && (storedFirst || given === undefined)
  if (!useStored) {
    if (given !== undefined) return { key: given, source: 'environment' }
    const withheld = (heldToken ?? key)?.origin
    return { source: 'none', ...(withheld !== undefined && { withheld }) }
  }
  if (token === undefined) return { key: stored, source: 'stored' }
  const beside = apiKey ?? given
  return {
    key: stored,
    source: 'stored',
    token: {
      isRefreshable: token.refresh !== undefined,
      ...(token.expiresAt !== undefined && { expiresAt: token.expiresAt }),
      ...(beside !== undefined && { apiKey: beside }),
    },
  }
}
