import { accountOf, type Place } from '../../import/journal/journal-file.ts'
import type { Profile } from '../../profile/resolve.ts'

/** Identifies the service: two companies may share one address and differ by their key. */
export function servicePlace({ baseUrl, key }: Profile, url: string, operation: string): Place {
  const { origin } = new URL(url)
  const base = baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '')
  return { origin, base, operation, account: key === undefined ? undefined : accountOf(key) }
}
