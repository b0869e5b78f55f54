import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { refusal } from './refusal.ts'

/** "Requests carry the header `Authorization` with an API key value." Anything else is 401. */
export function keyCheck(key: string): MiddlewareHandler {
  const expected = digest(key)
  return async (c, next) => {
    const given = c.req.header('Authorization')
    if (given === undefined) throw refusal(401, 'The Authorization header is missing')
    if (!timingSafeEqual(digest(given), expected)) throw refusal(401, 'The API key is not valid')
    await next()
  }
}

/** Digests have one length, so the comparison tells neither the key nor how long it is. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
