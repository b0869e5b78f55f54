import type { Hono } from 'hono'
import { type Fetch, Headers, Response } from '../api/http/web-classes.ts'

/** The sandbox as a `fetch`, without a socket. hono is handed the request as the platform's own class. */
export function sandboxFetch(app: Hono): Fetch {
  return async ({ url, method, headers, content = null, signal }) => {
    const request = new globalThis.Request(url, { method, headers: [...headers], body: content, signal })
    // A handler may answer synchronously, and the application takes a second argument for something else.
    const response = await app.fetch(request)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return new Response(bytes, { status: response.status, headers: new Headers(response.headers) })
  }
}
