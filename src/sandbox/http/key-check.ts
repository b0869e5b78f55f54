import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { refusal } from './refusal.ts'

/**
 * "Requests carry the header `Authorization` with an API key value." Anything but the key or an access token is 401.
 * assumed: a token is sent bare, like the key, or as `Bearer <token>` as in RFC 6750 ("how an access token is
 * presented to the endpoints: not shown").
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

/** All digests are equally long, so comparing them reveals neither the key nor its length. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
