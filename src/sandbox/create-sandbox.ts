import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Database } from './database/database.ts'
import { serveConsent } from './oauth/consent.ts'
import { oauthRoutes } from './oauth/oauth-routes.ts'
import { isAccessToken } from './oauth/oauth-tokens.ts'
import { recordRoutes } from './records/record-routes.ts'
import { errorResponse, refusal, register, respondToError } from './requests.ts'

/** The key of the built-in sandbox. It works nowhere else, so it is not secret. */
export const sandboxKey = 'sandbox-key'

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

/**
 * "Requests carry the header `Authorization` with an API key value." Anything but the key or an access token is 401.
 * assumed: a token is sent bare, like the key, or as `Bearer <token>` as in RFC 6750 ("how an access token is
 * presented to the endpoints: not shown").
 */
function keyCheck(key: string, isAccessToken: (token: string) => boolean): MiddlewareHandler {
  const expected = digest(key)
  return async (c, next) => {
    const given = c.req.header('Authorization')
    if (given === undefined) throw refusal(401, 'The Authorization header is missing')
    const isKey = timingSafeEqual(digest(given), expected)
    if (!isKey && !isAccessToken(given.replace(/^Bearer +/i, ''))) {
      throw refusal(401, 'The API key or access token is not valid')
    }
    await next()
  }
}

/** All digests are equally long, so comparing them reveals neither the key nor its length. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
