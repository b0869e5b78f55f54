import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { connectionCode, isClientCertificateError } from '../../text/connection-codes.ts'
import { ConnectionLost, type Fetch, type LostReason } from './attempt.ts'
import type { ProxyAgent } from './proxy.ts'

/** The largest decoded body that is accepted. In bytes. */
const largestBody = 32 * 1024 * 1024

/** How long connecting may take, including the TLS handshake. In milliseconds. */
const timeoutMs = 10_000

/** How long an idle connection is kept: a write on one that the service just closed would be lost. */
export const keptAlive = { keepAlive: true, timeout: 250 }

interface TransportOptions {
  /** In milliseconds. */
  readonly connectMs?: number
  /** For an https origin behind a proxy; made with `keptAlive`. */
  readonly agent?: ProxyAgent | undefined
  /** The authorities and the client certificate for the origin. */
  readonly secureContext?: SecureContext | undefined
  /** Aborted when the command is over: a read under way is dropped, and a later one never ends. */
  readonly over?: AbortSignal
}

/** A promise that never settles. It does not keep the process alive, as a timer or a connection would. */
export const never = new Promise<never>(() => {})

/**
 * A fetch for one origin, which knows whether any byte of the request was sent. It follows no redirects,
 * which would take the key to another host. After the service has closed an idle connection under a request
 * (RFC 9112, 9.5), each write goes on a new one. Throws only ConnectionLost.
 */
export function createTransport(
  origin: string,
  { connectMs = timeoutMs, agent: proxied, secureContext, over }: TransportOptions = {},
): Fetch {
  const loading = loadRequest(origin, proxied, secureContext)
  let closesIdle = false
  return async (request) => {
    const url = new URL(request.url)
    if (url.origin !== origin) throw new ConnectionLost('wrong-origin', { sent: false })
    const { agent, request: send } = await loading
    const content = await request.arrayBuffer()
    const body = content.byteLength > 0 ? Buffer.from(content) : undefined
    if (closesIdle && request.method !== 'GET') closeIdleConnections(agent)
    if (over?.aborted && request.method === 'GET') await never
    const outgoing = send(url, { method: request.method, agent })
    // Not in the options: NODE_DEBUG=http would print them, and so the key.
    for (const [name, value] of request.headers) outgoing.setHeader(name, value)
    outgoing.setHeader('accept-encoding', 'gzip')
    if (body) outgoing.setHeader('content-length', body.byteLength)
    const letGo = () => void outgoing.destroy()
    if (request.method === 'GET') over?.addEventListener('abort', letGo, { once: true })
    return exchange(outgoing, body, connectMs, request.signal, proxied?.proxy.host)
      .catch((error: unknown) => {
        if (error instanceof ConnectionLost && error.reason === 'reset' && error.status === undefined)
          closesIdle ||= outgoing.reusedSocket
        throw error
      })
      .finally(() => over?.removeEventListener('abort', letGo))
  }
}

function closeIdleConnections({ freeSockets }: Agent): void {
  for (const sockets of Object.values(freeSockets))
    for (const socket of [...(sockets ?? [])]) socket.destroy()
}

/** Loads http or https. https takes longer to load than the rest of a short command, so only if needed. */
async function loadRequest(origin: string, proxied?: Agent, secureContext?: SecureContext) {
  if (!origin.startsWith('https:')) return { agent: new Agent(keptAlive), request: httpRequest }
  const https = await import('node:https')
  return { agent: proxied ?? new https.Agent({ ...keptAlive, secureContext }), request: https.request }
}

function exchange(
  outgoing: ClientRequest,
  body: Buffer | undefined,
  connectMs: number,
  signal: AbortSignal,
  proxy: string | undefined,
): Promise<Response> {
  let isSent = false
  let status: number | undefined
  return new Promise<Response>((resolve, reject) => {
    const lose = (reason: LostReason, cause?: NodeJS.ErrnoException) => {
      const code = cause && connectionCode(cause)
      const details = { sent: isSent, status, proxy, ...(code && { cause: code }) }
      reject(cause instanceof ConnectionLost ? cause : new ConnectionLost(reason, details))
      outgoing.destroy()
    }
    const onAbort = () => lose(isSent ? 'timeout' : 'connect')
    const connecting = setTimeout(() => lose('connect'), connectMs)
    outgoing.on('socket', (socket) => {
      const onConnected = () => {
        clearTimeout(connecting)
        isSent = true
      }
      // Node writes the request as soon as it is connected; until then no byte was sent.
      if (!socket.connecting) onConnected()
      else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected)
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // With TLS 1.3 the request leaves before our certificate is checked. If that fails, none of it is read.
      if (status === undefined && !outgoing.reusedSocket && isClientCertificateError(error.code))
        isSent = false
      const unreadable = error.code?.startsWith('HPE_')
      lose(!isSent ? 'connect' : unreadable ? 'protocol' : 'reset', error)
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
      // A protocol upgrade ends a request without a response and without an error.
      if (status === undefined) lose(isSent ? 'protocol' : 'connect')
    })
    if (signal.aborted) onAbort()
    else outgoing.end(body)
  })
}

/** The compressions in the registry of HTTP, in one header or in a chain of them. */
const compressions = /gzip|deflate|compress|\bbr\b|zstd|\bdc[bz]\b|\bexi\b|aes128gcm/

/** The complete decoded body. Rejects with the reason if it is incomplete or too large. */
function collect(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject: (reason: LostReason) => void) => {
    const { statusCode = 0 } = incoming
    // Response accepts no other status, and the service should not send one.
    if (statusCode < 200 || statusCode > 599) return reject('protocol')
    const encoding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? ''
    // RFC 9110, 8.4.1.3: x-gzip is gzip. Some services name there what is no compression, such as utf-8.
    const isPacked = /^(x-)?gzip$/.test(encoding)
    if (!isPacked && compressions.test(encoding)) return reject('encoding')
    let isEmpty = true
    const readBody = (body: Readable) => {
      const chunks: Buffer[] = []
      let size = 0
      body.on('data', (chunk: Buffer) => {
        size += chunk.byteLength
        if (size > largestBody) reject('too-large')
        else chunks.push(chunk)
      })
      body.on('end', () => resolve(Buffer.concat(chunks, size)))
      body.on('error', ({ code }: NodeJS.ErrnoException) => {
        // An empty body is not valid gzip, but still an empty body. Z_BUF_ERROR: the rest of it is missing.
        if (body !== incoming && isEmpty) resolve(new Uint8Array())
        else reject(body === incoming || code === 'Z_BUF_ERROR' ? 'reset' : 'encoding')
      })
    }
    incoming.on('aborted', () => reject('reset'))
    incoming.on('error', () => reject('reset'))
    if (!isPacked) readBody(incoming)
    // Loaded only for a compressed response; until then nothing of it is read.
    else
      import('node:zlib').then(({ createGunzip }) => {
        incoming.once('data', () => {
          isEmpty = false
        })
        readBody(incoming.pipe(createGunzip()))
      })
  })
}

function asResponse(incoming: IncomingMessage, bytes: Uint8Array): Response {
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const status = incoming.statusCode ?? 0
  const bodiless = status === 204 || status === 205 || status === 304
  return new globalThis.Response(bodiless ? null : bytes, { status, headers })
}
