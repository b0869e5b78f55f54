import { accountOfKey } from '../credentials/key.ts'
import type { Access } from '../credentials/profile.ts'
import type { ServicePlace } from '../origin.ts'
import { canonicalOrigin } from '../origin.ts'

/** Identifies a service by its address and its key, because two companies may share an address. */
export function servicePlace({ baseUrl, key, token }: Access, url: string, operation: string): ServicePlace {
  const origin = canonicalOrigin(url)
  const base = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '')
  // An access token changes with each refresh, and its account does not.
  const account = token?.account ?? (key === undefined ? undefined : accountOfKey(key))
  return { origin, base, operation, account }
}
