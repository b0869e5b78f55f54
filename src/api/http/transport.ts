import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ConnectionLost, type LostReason } from './connection-lost.ts'
import { ProxyRefused } from './proxy.ts'
import { type Fetch, Headers, Response } from './web-classes.ts'

/** The largest decoded body that is taken in. In bytes. */
const largestBody = 32 * 1024 * 1024

/** How long a connection may take, its TLS handshake included. In milliseconds. */
const patienceMs = 10_000

/**
 * A connection is kept for the next request, for so many milliseconds of no use. One that the service
 * closed meanwhile, behind a long form, would swallow a write without a trace.
 */
export const keptAlive = { keepAlive: true, timeout: 1000 }

interface TransportOptions {
  /** In milliseconds. */
  readonly connectMs?: number
  /** Of an https origin, when it is reached through a proxy; made with `keptAlive`. */
  readonly agent?: Agent | undefined
}

/**
 * A fetch over node:http and node:https for one origin. It knows whether a byte of the request ever left; it
 * follows no redirect, because a redirect would carry the key and a person's data to another host; it returns
 * only when the body is there whole, so that the request's deadline covers the body too.
 *
 * Throws ConnectionLost, and nothing else, when there is no whole answer.
 */
export function createTransport(
  origin: string,
  { connectMs = patienceMs, agent }: TransportOptions = {},
): Fetch {
  const opened = opener(origin, agent)
  return async (request) => {
    const url = new URL(request.url)
    if (url.origin !== origin) throw new ConnectionLost('wrong-origin', { sent: false })
    const { agent, request: send } = await opened
    const body = request.content === undefined ? undefined : Buffer.from(request.content)
    const outgoing = send(url, { method: request.method, agent })
    // Not among the options: NODE_DEBUG=http prints those, and the key with them.
    for (const [name, value] of request.headers) outgoing.setHeader(name, value)
    outgoing.setHeader('accept-encoding', 'gzip')
    if (body) outgoing.setHeader('content-length', body.byteLength)
    return exchange(outgoing, body, connectMs, request.signal)
  }
}

/** How requests to an origin are opened. https costs more to load than the rest of a short command: only if needed. */
async function opener(origin: string, proxied?: Agent) {
  if (!origin.startsWith('https:')) return { agent: new Agent(keptAlive), request: httpRequest }
  const https = await import('node:https')
  return { agent: proxied ?? new https.Agent(keptAlive), request: https.request }
}

/** Sends one request and collects its answer. */
function exchange(
  outgoing: ClientRequest,
  body: Buffer | undefined,
  connectMs: number,
  signal: AbortSignal,
): Promise<Response> {
  let sent = false
  let status: number | undefined
  return new Promise<Response>((resolve, reject) => {
    const lose = (reason: LostReason, cause?: NodeJS.ErrnoException) => {
      reject(
        new ConnectionLost(reason, {
          sent,
          ...(status && { status }),
          ...(cause?.code && { cause: cause.code }),
          ...(cause instanceof ProxyRefused && { proxy: cause.proxy }),
        }),
      )
      outgoing.destroy()
    }
    const onAbort = () => lose(sent ? 'timeout' : 'connect')
    const connecting = setTimeout(() => lose('connect'), connectMs)
    outgoing.on('socket', (socket) => {
      const connected = () => {
        clearTimeout(connecting)
        sent = true
      }
      // A request is written the moment its connection stands, not before: until then no byte has left.
      if (!socket.connecting) connected()
      else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const unreadable = error.code?.startsWith('HPE_')
      lose(!sent ? 'connect' : unreadable ? 'protocol' : 'reset', error)
    })
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
      // A switch of protocols ends a request without an answer and without an error.
      if (status === undefined) lose(sent ? 'protocol' : 'connect')
    })
    if (signal.aborted) onAbort()
    else outgoing.end(body)
  })
}

/** The decoded body, whole and within the limit. Rejects with the reason it is not. */
function collect(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject: (reason: LostReason) => void) => {
    const { statusCode = 0 } = incoming
    // A Response holds no other status, and the service has no use for one.
    if (statusCode < 200 || statusCode > 599) return reject('protocol')
    const encoding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
    if (encoding !== 'identity' && encoding !== 'gzip') return reject('encoding')
    const read = (body: Readable) => {
      const chunks: Buffer[] = []
      let size = 0
      body.on('data', (chunk: Buffer) => {
        size += chunk.byteLength
        if (size > largestBody) reject('too-large')
        else chunks.push(chunk)
      })
      body.on('end', () => resolve(Buffer.concat(chunks, size)))
      body.on('error', () => reject(body === incoming ? 'reset' : 'encoding'))
    }
    incoming.on('aborted', () => reject('reset'))
    incoming.on('error', () => reject('reset'))
    if (encoding === 'identity') read(incoming)
    // Loaded only for an answer that needs it; until then nothing of the answer is read.
    else import('node:zlib').then(({ createGunzip }) => read(incoming.pipe(createGunzip())))
  })
}

function asResponse(incoming: IncomingMessage, bytes: Uint8Array): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const each of value ?? []) headers.append(name, each)
  }
  const status = incoming.statusCode ?? 0
  const bodiless = status === 204 || status === 205 || status === 304
  return new Response(bodiless ? new Uint8Array() : bytes, { status, headers })
}
