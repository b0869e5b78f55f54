import type { Kind } from './store.ts'

/** What a request is about. */
export interface Target {
  readonly kind: Kind
  /** One record; without it the list of them, or a new one. */
  readonly id?: string
}

const places: readonly (readonly [RegExp, Kind])[] = [
  [/^\/svc\/candidates\/ireland(?:\/([^/]+))?$/, 'ireland'],
  [/^\/svc\/candidates(?:\/([^/]+))?$/, 'uk'],
  [/^\/svc\/payment-rate(?:\/([^/]+))?$/, 'rates'],
  [/^\/svc\/vat-code$/, 'vat'],
  [/^\/svc\/time-sheets(?:\/([^/]+))?$/, 'timesheets'],
  [/^\/svc\/v[12]\/payslips$/, 'payslips'],
  [/^\/svc\/employees\/emp-1\/documents(?:\/([^/]+))?$/, 'documents'],
]

export function targetOf(path: string): Target | undefined {
  for (const [pattern, kind] of places) {
    const found = pattern.exec(path)
    if (found) return { kind, ...(found[1] !== undefined && { id: decodeURIComponent(found[1]) }) }
  }
  return undefined
}

/** The operations that are about no record, and what they answer. */
export const settled: Readonly<Record<string, unknown>> = {
  'GET /svc/oauth/grant-token-url': { data: { url: 'https://example.com/connect' }, success: true },
  'GET /svc/oauth/client-info': { data: { name: 'Example client' }, success: true },
  'POST /svc/oauth/token': { access_token: 'token-0000', token_type: 'bearer', expires_in: 3600 },
}
