import type { Fetch } from '../api/http/attempt.ts'

/** An application that takes Node's own Request class; it may answer synchronously. */
type Application = (request: globalThis.Request) => globalThis.Response | Promise<globalThis.Response>

/** An application inside this process as the `fetch` of a client, without a socket. */
export function inProcessFetch(application: Application): Fetch {
  return async (asked) => {
    const { url, method, headers, signal } = asked
    const content = await asked.arrayBuffer()
    const body = content.byteLength > 0 ? content : null
    // Not `globalThis.Request`, in whose place the build puts a lighter one: the application takes Node's own.
    const response = await application(new Request(url, { method, headers: [...headers], body, signal }))
    const bytes = new Uint8Array(await response.arrayBuffer())
    const { status } = response
    return new globalThis.Response(bytes.byteLength > 0 ? bytes : null, {
      status,
      headers: [...response.headers],
    })
  }
}
