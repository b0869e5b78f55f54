import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure, systemCode, usage } from '../../errors.ts'

const hostname = '127.0.0.1'

/** The port to listen on, 0 for any that is free, and the path that the browser is sent back to. */
export interface CallbackPlace {
  readonly port: number
  readonly path: string
}

/** A server on this computer that waits for the browser to come back. */
export interface CallbackListener {
  readonly redirectUri: string
  /** The whole address of the first answer. Rejects when the listener is closed by the system. */
  readonly answered: Promise<string>
  /** Whether an answer came that belongs to another sign-in. */
  readonly hasRefused: () => boolean
  close(): Promise<void>
}

/**
 * Listens at one path for the answer with this state. It refuses anything else and goes on waiting, because
 * any web page can make the browser send a request here. Throws a usage failure if the port is taken.
 */
export async function listenForCallback(
  { port, path }: CallbackPlace,
  state: string,
): Promise<CallbackListener> {
  let [isAnswered, hasRefused] = [false, false]
  let settle: { resolve: (address: string) => void; reject: (error: Failure) => void } | undefined
  const answered = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject }
  })
  answered.catch(() => {})
  const server = createServer((request, response) => {
    const address = answerIn(request, { port: boundPort(), path })
    const isOurs = address?.searchParams.get('state') === state
    if (!address || !isOurs || isAnswered) {
      hasRefused ||= address !== undefined && !isOurs
      return showPage(response, 'other')
    }
    isAnswered = true
    // The page goes out before the run may end.
    showPage(response, 'answered', () => settle?.resolve(address.href))
  })
  const boundPort = () => (server.address() as AddressInfo | null)?.port ?? port
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, resolve)
  }).catch((error: unknown) => {
    const code = systemCode(error)
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`
    throw usage(`Port ${port} of ${hostname} ${why}.`, 'Name another with --redirect-uri, or leave it out.')
  })
  let isClosing = false
  server.on('close', () => {
    if (!isClosing) settle?.reject(new Failure('auth', closed, { outcome: 'not-sent' }))
  })
  return {
    redirectUri: `http://${hostname}:${boundPort()}${path}`,
    answered,
    hasRefused: () => hasRefused,
    close: () =>
      new Promise((resolve) => {
        isClosing = true
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const closed = 'Waiting for the browser was stopped by the system.'

/** The whole address of an answer; undefined for anything else. */
function answerIn(
  { method, url = '', headers }: IncomingMessage,
  { port, path }: CallbackPlace,
): URL | undefined {
  const origin = `http://${hostname}:${port}`
  // Another site can make the browser ask for a name that leads to this computer.
  if (method !== 'GET' || headers.host !== `${hostname}:${port}` || !URL.canParse(url, origin))
    return undefined
  const address = new URL(url, origin)
  const isAnswer = ['code', 'error', 'state'].some((name) => address.searchParams.has(name))
  return address.pathname === path && isAnswer ? address : undefined
}

const pages = {
  answered: [
    200,
    'You can close this window',
    'payroll has the answer. The terminal says whether you are signed in.',
  ],
  other: [
    404,
    'This is not what payroll waits for',
    'It goes on waiting for the answer of the consent page, unless it has had that.',
  ],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string, text: string]>>

function showPage(response: ServerResponse, page: keyof typeof pages, shown?: () => void): void {
  const [status, title, text] = pages[page]
  if (shown) response.on('close', shown)
  response.writeHead(status, callbackHeaders).end(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`)
}

const callbackHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const
