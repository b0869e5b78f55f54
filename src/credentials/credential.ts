import { type KeySource, keyStores } from './key-stores.ts'
import { liesElsewhere, type Settings } from './settings-shape.ts'
import { credentialsIn } from './stored-credentials.ts'

/** A profile's access token, if it is sent instead of the key. */
export interface TokenInForce {
  /** Milliseconds since 1970, if the service said how long it lasts. */
  readonly expiresAt?: number
  /** Milliseconds since 1970. */
  readonly obtainedAt?: number
  /** Tells one sign-in from another; the same after a refresh. */
  readonly account?: string
  readonly isRefreshable: boolean
  /** The stored API key, to get a new token with. */
  readonly apiKey?: string
}

interface Credential {
  readonly key?: string
  readonly source: KeySource | 'environment' | 'none'
  readonly token?: TokenInForce
  /** The origin of the stored credentials, if they are not sent because the origin in use is another. */
  readonly withheld?: string
}

interface CredentialQuery {
  readonly name: string
  readonly settings: Settings
  /** The origin that the credential would go to. */
  readonly origin: string | undefined
  /** The key in PAYROLL_API_KEY. */
  readonly given: string | undefined
  /** The user named the profile, so its stored credentials come before PAYROLL_API_KEY. */
  readonly storedFirst: boolean
  /** The profile has a command that prints its key. */
  readonly hasCommand?: boolean
}

/**
 * Chooses the credential to send. A key command comes before what is stored. A stored access token comes before the stored key; both go only to the origin that
 * they were stored for.
 */
export function credentialOf(query: CredentialQuery): Credential {
  const { name, settings, origin, given, storedFirst } = query
  if (query.hasCommand && (storedFirst || given === undefined)) return { source: keyStores.command.source }
  const { key, token: heldToken } = credentialsIn(settings).get(name)
  const apiKey = key?.origin === origin ? key?.key : undefined
  const token = heldToken?.origin === origin ? heldToken : undefined
  const stored = token?.access ?? apiKey
  const useStored = stored !== undefined && (storedFirst || given === undefined)
  if (!useStored) {
    if (given !== undefined) return { key: given, source: 'environment' }
    const withheld = (heldToken ?? key)?.origin
    return { source: 'none', ...(withheld !== undefined && { withheld }) }
  }
  // Another store is opened when a request is to be sent.
  if (liesElsewhere(stored)) return { source: keyStores[stored.in].source }
  if (token === undefined) return { key: stored, source: keyStores.file.source }
  const beside = liesElsewhere(apiKey) ? given : (apiKey ?? given)
  return {
    key: stored,
    source: keyStores.file.source,
    token: {
      isRefreshable: token.refresh !== undefined,
      ...(token.expiresAt !== undefined && { expiresAt: token.expiresAt }),
      ...(token.obtainedAt !== undefined && { obtainedAt: token.obtainedAt }),
      ...(token.account !== undefined && { account: token.account }),
      ...(beside !== undefined && { apiKey: beside }),
    },
  }
}
