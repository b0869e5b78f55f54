import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { refusal } from './refusal.ts'

/**
 * "Requests carry the header `Authorization` with an API key value." Anything else is 401, but for an access
 * token. assumed: a token stands in the header as the key does, or as RFC 6750 has it, `Bearer <token>` ("how an
 * access token is presented to the endpoints: not shown").
 */
export function keyCheck(key: string, isAccessToken: (token: string) => boolean): MiddlewareHandler {
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

/** Digests have one length, so the comparison tells neither the key nor how long it is. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
