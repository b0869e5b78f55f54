import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure, systemCode, usage } from '../../errors.ts'

const hostname = '127.0.0.1'

/** The port to listen on, 0 for any that is free, and the path that the browser is sent back to. */
export interface CallbackPlace {
  readonly port: number
  readonly path: string
}

/** Waits on this computer for the browser to come back. */
export interface CallbackListener {
  /** Where the consent page sends the browser. */
  readonly redirectUri: string
  /** The whole address of the first answer. Rejects when the listener is closed by the system. */
  readonly answered: Promise<string>
  /** Whether something came that looks like an answer and belongs to another sign-in. */
  readonly hasRefused: () => boolean
  close(): Promise<void>
}

/** What to show for an answer: what became of it is said in the terminal. `stray`: it is of another sign-in. */
type Judge = (address: string) => 'done' | 'denied' | 'failed' | 'stray'

/**
 * Listens on 127.0.0.1, at one path, for one answer. What is no answer to this sign-in (another path, method, host or
 * state, or no parameter of one) is refused, and the wait goes on: any web page can make the browser ask for it. Throws a usage failure if the port is taken.
 */
export async function listenForCallback(
  { port, path }: CallbackPlace,
  judge: Judge,
): Promise<CallbackListener> {
  let [isAnswered, hasRefused] = [false, false]
  let settle: { resolve: (address: string) => void; reject: (error: Failure) => void } | undefined
  const answered = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject }
  })
  answered.catch(() => {})
  const server = createServer((request, response) => {
    const address = answerIn(request, { port: boundPort(), path })
    if (address === undefined) return show(response, 'unknown')
    if (isAnswered) return show(response, 'again')
    const verdict = judge(address)
    if (verdict === 'stray') {
      hasRefused = true
      return show(response, verdict)
    }
    isAnswered = true
    // The page goes out before the run may end.
    show(response, verdict, () => settle?.resolve(address))
  })
  const boundPort = () => (server.address() as AddressInfo | null)?.port ?? port
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, resolve)
  }).catch((error: unknown) => {
    throw cannotListen(port, systemCode(error))
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
): string | undefined {
  const origin = `http://${hostname}:${port}`
  // A name that leads here is not ours: another site could have made the browser ask for it.
  if (method !== 'GET' || headers.host !== `${hostname}:${port}` || !URL.canParse(url, origin))
    return undefined
  const { pathname, searchParams, href } = new URL(url, origin)
  const isAnswer = ['code', 'error', 'state'].some((name) => searchParams.has(name))
  return pathname === path && isAnswer ? href : undefined
}

function show(response: ServerResponse, page: CallbackPage, shown?: () => void): void {
  const { status, html } = callbackPage(page)
  if (shown) response.on('close', shown)
  response.writeHead(status, callbackHeaders).end(html)
}

function cannotListen(port: number, code: string | undefined): Failure {
  const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`
  return usage(
    `Port ${port} of ${hostname} ${why}.`,
    'Choose another with --redirect-port, or leave it out for any that is free.',
  )
}

/** What the browser shows at the end. Static text: nothing of the request is repeated. */
type CallbackPage = 'done' | 'denied' | 'failed' | 'stray' | 'again' | 'unknown'

const pages: Readonly<Record<CallbackPage, readonly [status: number, title: string, text: string]>> = {
  done: [
    200,
    'You can close this window',
    'payroll has the answer. The terminal says whether you are signed in.',
  ],
  denied: [200, 'You can close this window', 'The consent was not given, and you are not signed in.'],
  failed: [400, 'This sign-in has failed', 'You can close this window. The terminal says why.'],
  stray: [
    400,
    'This belongs to another sign-in',
    'payroll goes on waiting for the answer of the consent page.',
  ],
  again: [409, 'This sign-in has had its answer', 'You can close this window.'],
  unknown: [404, 'There is nothing here', 'payroll waits for the answer of the consent page.'],
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

function callbackPage(page: CallbackPage): { readonly status: number; readonly html: string } {
  const [status, title, text] = pages[page]
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`
  return { status, html }
}
