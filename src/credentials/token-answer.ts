import type { JsonObject } from '../json/path.ts'
import type { StoredToken } from './settings.ts'

/** What belongs to a token besides the answer of the service. */
export interface TokenOwner {
  readonly origin: string
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** The refresh token that was used: it stays good where the answer holds no new one (RFC 6749, 6). */
  readonly refresh?: string | undefined
  /** Tells one sign-in from another; see `StoredToken`. */
  readonly account: string
}

/**
 * The token in an answer, as it is stored; undefined if the answer has none. assumed: the names of RFC 6749, 5.1.
 * "Token formats, lifetimes and scopes of this flow …: not shown."
 *
 * @param now milliseconds since 1970
 */
export function tokenOfAnswer(
  answer: JsonObject | undefined,
  { origin, clientId, clientSecret, refresh: used, account }: TokenOwner,
  now: number,
): StoredToken<string> | undefined {
  const { access_token, refresh_token, expires_in } = answer ?? {}
  // What a header cannot hold is no token.
  if (typeof access_token !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(access_token)) return undefined
  const refresh = typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : used
  const expiresAt = Math.round(now + Number(expires_in ?? Number.NaN) * 1000)
  return {
    origin,
    access: access_token,
    ...(refresh !== undefined && { refresh }),
    obtainedAt: now,
    ...(Number.isSafeInteger(expiresAt) && { expiresAt }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    account,
  }
}
