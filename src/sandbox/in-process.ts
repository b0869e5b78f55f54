import type { Hono } from 'hono'

/**
 * The sandbox as a `fetch`, without a socket. The wrapper is needed: a handler may answer synchronously, and
 * the application takes its second argument for something else than fetch's options.
 */
export function sandboxFetch(app: Hono): (request: Request) => Promise<Response> {
  return async (request) => app.fetch(request)
}
