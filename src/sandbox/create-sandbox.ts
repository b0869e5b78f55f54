import { Hono } from 'hono'
import type { Database } from './database/database.ts'
import { keyCheck } from './http/key-check.ts'
import { errorResponse, respondToError } from './http/refusal.ts'
import { register } from './http/register-route.ts'
import { serveConsent } from './oauth/consent.ts'
import { oauthRoutes } from './oauth/oauth-routes.ts'
import { isAccessToken } from './oauth/oauth-tokens.ts'
import { recordRoutes } from './records/record-routes.ts'

export interface SandboxOptions {
  readonly database: Database
  /** The API key that it accepts. */
  readonly key: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** How long an access token lasts, where not an hour. */
  readonly tokenLifetimeMs?: number | undefined
}

/** A small version of the service in interface.md. "Every endpoint needs the Authorization header." */
export function createSandbox({ database, key, now, tokenLifetimeMs }: SandboxOptions): Hono {
  const service = { database, now, ...(tokenLifetimeMs !== undefined && { tokenLifetimeMs }) }
  const app = new Hono()
  app.onError(respondToError)
  app.notFound(() => errorResponse(404, 'There is nothing at this path'))
  // Before the key check, because a browser has no key.
  serveConsent(app, service)
  app.use(keyCheck(key, (token) => isAccessToken(service, token)))
  register(app, [...recordRoutes(service), ...oauthRoutes(service)])
  return app
}
