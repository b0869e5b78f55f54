import type { HttpResponse } from './attempt.ts'

/**
 * How long the service asks clients to wait, in milliseconds, from the Retry-After of a 429 or a 503: seconds or a
 * date (RFC 9110, 10.2.3). A date is compared with the Date header of the response, because the clock of this machine
 * may be wrong. Undefined when it is missing, in the past or unreadable.
 */
export function retryAfterMs({
  status,
  headers,
}: Pick<HttpResponse, 'status' | 'headers'>): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value || (status !== 429 && status !== 503)) return undefined
  const ms = /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - Date.parse(headers.get('date') ?? '')
  return ms >= 0 && Number.isFinite(ms) ? ms : undefined
}
