import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ConnectionLost, type LostReason } from './connection-lost.ts'

/** What the transport takes from a service, and how long it waits for a connection. */
export const transportLimits = {
  /** Of a decoded body. */
  bytes: 32 * 1024 * 1024,
  connectMs: 10_000,
} as const

/**
 * A fetch over node:http and node:https for one origin. It knows whether a byte of the request ever left; it
 * follows no redirect, because a redirect would carry the key and a person's data to another host; it returns
 * only when the body is there whole, so that the request's deadline covers the body too.
 *
 * Throws ConnectionLost, and nothing else, when there is no whole answer.
 */
export function createTransport(origin: string): (request: Request) => Promise<Response> {
  const opened = opener(origin)
  return async (request) => {
    const url = new URL(request.url)
    if (url.origin !== origin) throw new ConnectionLost('wrong-origin', { sent: false })
    const { agent, request: send } = await opened
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    const headers: Record<string, string | number> = {
      ...Object.fromEntries(request.headers),
      'accept-encoding': 'gzip',
      ...(body && { 'content-length': body.byteLength }),
    }
    const outgoing = send(url, { method: request.method, headers, agent })
    return exchange(outgoing, body, request.signal)
  }
}

/** How requests to an origin are opened. https costs more to load than the rest of a short command: only if needed. */
async function opener(origin: string) {
  if (!origin.startsWith('https:')) return { agent: new Agent({ keepAlive: true }), request: httpRequest }
  const https = await import('node:https')
  return { agent: new https.Agent({ keepAlive: true }), request: https.request }
}

/** Sends one request and collects its answer. */
function exchange(outgoing: ClientRequest, body: Buffer | undefined, signal: AbortSignal): Promise<Response> {
  let sent = false
  let status: number | undefined
  return new Promise<Response>((resolve, reject) => {
    const lose = (reason: LostReason, cause?: NodeJS.ErrnoException) => {
      reject(
        new ConnectionLost(reason, {
          sent,
          ...(status && { status }),
          ...(cause?.code && { cause: cause.code }),
        }),
      )
      outgoing.destroy()
    }
    const onAbort = () => lose(sent ? 'timeout' : 'connect')
    const connecting = setTimeout(() => lose('connect'), transportLimits.connectMs)
    outgoing.on('socket', (socket) => {
      const connected = () => {
        clearTimeout(connecting)
        sent = true
      }
      // A request is written the moment its connection stands, not before: until then no byte has left.
      if (!socket.connecting) connected()
      else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => lose(sent ? 'reset' : 'connect', error))
    outgoing.on('response', (incoming) => {
      status = incoming.statusCode
      collect(incoming).then(
        (bytes) => resolve(asResponse(incoming, bytes)),
        (lost: LostReason) => lose(lost),
      )
    })
    signal.addEventListener('abort', onAbort, { once: true })
    outgoing.on('close', () => {
      clearTimeout(connecting)
      signal.removeEventListener('abort', onAbort)
    })
    if (signal.aborted) onAbort()
    else outgoing.end(body)
  })
}

/** The decoded body, whole and within the limit. Rejects with the reason it is not. */
function collect(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject: (reason: LostReason) => void) => {
    const encoding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    if (encoding !== 'identity' && encoding !== 'gzip') return reject('encoding')
    const body: Readable = encoding === 'gzip' ? incoming.pipe(createGunzip()) : incoming
    const chunks: Buffer[] = []
    let size = 0
    body.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > transportLimits.bytes) reject('too-large')
      else chunks.push(chunk)
    })
    body.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks, size))))
    body.on('error', () => reject(body === incoming ? 'reset' : 'encoding'))
    incoming.on('aborted', () => reject('reset'))
    incoming.on('error', () => reject('reset'))
  })
}

function asResponse(incoming: IncomingMessage, bytes: Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const each of value ?? []) headers.append(name, each)
  }
  const status = incoming.statusCode ?? 0
  const bodiless = status === 204 || status === 205 || status === 304
  return new Response(bodiless ? null : bytes, { status, headers })
}
