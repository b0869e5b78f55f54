import { type Fetch, Headers, Response } from '../../api/http/web-classes.ts'

/** An application that takes Node's own Request class; it may answer synchronously. */
export type Application = (request: globalThis.Request) => globalThis.Response | Promise<globalThis.Response>

/** An application inside this process as the `fetch` of a client, without a socket. */
export function inProcessFetch(application: Application): Fetch {
  return async ({ url, method, headers, content = null, signal }) => {
    const request = new globalThis.Request(url, { method, headers: [...headers], body: content, signal })
    const response = await application(request)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return new Response(bytes, { status: response.status, headers: new Headers(response.headers) })
  }
}
