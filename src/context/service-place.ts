import { accountOf } from '../credentials/key.ts'
import type { Profile } from '../credentials/resolve.ts'
import type { Place } from '../import/journal-file.ts'
import { canonicalOrigin } from '../loopback.ts'

/** Identifies the service: two companies may share one address and differ by their key. */
export function servicePlace({ baseUrl, key, token }: Profile, url: string, operation: string): Place {
  const origin = canonicalOrigin(url)
  const base = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '')
  // An access token changes with each refresh, and its account does not.
  const account = token?.account ?? (key === undefined ? undefined : accountOf(key))
  return { origin, base, operation, account }
}
