import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import { type Failure, usage } from '../errors.ts'
import type { FaultAnswer } from './faults/faults.ts'
import { type FaultPlan, operationAt } from './faults/plan-faults.ts'
import { errorResponse } from './requests.ts'

/** Only this machine can reach the sandbox. */
const hostname = '127.0.0.1'

interface ServeOptions {
  readonly app: Hono
  /** 0 takes any free port. */
  readonly port: number
  readonly faults?: FaultPlan
}

/** Serves the sandbox on 127.0.0.1. Throws a usage failure if it cannot listen on the port. */
export async function serveSandbox({ app, port, faults }: ServeOptions) {
  let ownPort = port
  const answer = faults ? withFaults(app, faults) : app.fetch
  const server = createAdaptorServer({
    // The bindings are those of an HTTP/1.1 server.
    fetch: (request, env) => rejectCrossOrigin(request, ownPort) ?? answer(request, env as HttpBindings),
    // Leave the global Request and Response of this program alone.
    overrideGlobalObjects: false,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, resolve)
  }).catch((error: unknown) => {
    throw cannotListen(port, error)
  })
  const address = server.address()
  if (typeof address === 'object' && address !== null) ownPort = address.port
  return {
    baseUrl: `http://${hostname}:${ownPort}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function cannotListen(port: number, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const hint = 'Choose another port; 0 takes any that is free.'
  if (code === 'EADDRINUSE') {
    return usage(`Port ${port} of 127.0.0.1 is in use.`, `Stop the program that holds it. ${hint}`)
  }
  return usage(`The sandbox cannot listen on port ${port} of 127.0.0.1.`, hint)
}

/** Applies a fault plan to the application: a request either meets a fault or is handled normally. */
function withFaults(app: Hono, nextFault: FaultPlan) {
  return async (request: Request, { outgoing }: HttpBindings): Promise<Response> => {
    const operation = operationAt(request.method, new URL(request.url).pathname)
    const fault = operation && nextFault(operation)
    if (!fault) return app.fetch(request)
    // The client may close the connection at any time; ignore the error.
    outgoing.on('error', () => {})
    // Read whole, so that a fault can handle the request later or never, without its connection.
    const { url, method, headers } = request
    const body = method === 'GET' ? undefined : Buffer.from(await request.arrayBuffer())
    const apply = async () =>
      readFaultAnswer(await app.fetch(new Request(url, { method, headers, ...(body && { body }) })))
    await fault.act({ apply, outgoing })
    return RESPONSE_ALREADY_SENT
  }
}

async function readFaultAnswer(response: Response): Promise<FaultAnswer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

const ownNames = ['127.0.0.1', 'localhost', '[::1]']

/** Keeps web pages away: a 403 for DNS rebinding (Host) and pages of other sites (Origin, Sec-Fetch-Site). */
function rejectCrossOrigin(request: Request, port: number): Response | undefined {
  // Uses URL, because browsers leave the default port out of both headers.
  const ownOrigins = ownNames.map((name) => new URL(`http://${name}:${port}`).origin)
  const host = request.headers.get('Host')?.toLowerCase()
  const origin = request.headers.get('Origin')
  const site = request.headers.get('Sec-Fetch-Site')
  const isOwn =
    ownOrigins.includes(`http://${host}`) &&
    (origin === null || ownOrigins.includes(origin)) &&
    site !== 'cross-site'
  return isOwn
    ? undefined
    : errorResponse(
        403,
        'The sandbox answers to 127.0.0.1 and localhost only, and to no page of another site',
      )
}
