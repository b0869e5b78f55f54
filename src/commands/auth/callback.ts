import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemCode, usage } from '../../errors.ts'

const hostname = '127.0.0.1'

/** The port to listen on, 0 for any that is free, and the path that the browser is sent back to. */
export interface CallbackPlace {
  readonly port: number
  readonly path: string
}

/** A server on this computer that waits for the browser to come back. */
export interface CallbackListener {
  readonly redirectUri: string
  /** The whole address of the first answer. */
  readonly answered: Promise<URL>
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
  let isAnswered = false
  let take: (address: URL) => void
  const answer = new Promise<URL>((resolve) => {
    take = resolve
  })
  const server = createServer((request, response) => {
    const address = addressIn(request, { port: boundPort(), path })
    if (isAnswered || address?.searchParams.get('state') !== state) return showPage(response, 'other')
    isAnswered = true
    // The page goes out before the run may end.
    response.on('close', () => take(address))
    showPage(response, 'answered')
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
  return {
    redirectUri: `http://${hostname}:${boundPort()}${path}`,
    answered: answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The whole address that was asked for; undefined where it is not the path that is listened at. */
function addressIn(
  { method, url = '', headers }: IncomingMessage,
  { port, path }: CallbackPlace,
): URL | undefined {
  const origin = `http://${hostname}:${port}`
  // Another site can make the browser ask for a name that leads to this computer.
  if (method !== 'GET' || headers.host !== `${hostname}:${port}` || !URL.canParse(url, origin))
    return undefined
  const address = new URL(url, origin)
  return address.pathname === path ? address : undefined
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
} as const

function showPage(response: ServerResponse, page: keyof typeof pages): void {
  const [status, title, text] = pages[page]
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
