import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { type Failure, usage } from '../errors.ts'
import { withFaults } from './faults/fault-middleware.ts'
import type { FaultPlan } from './faults/plan-faults.ts'
import { rejectCrossOrigin } from './http/reject-cross-origin.ts'

export interface ServedSandbox {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  /** Stops listening and closes open connections. */
  readonly close: () => Promise<void>
}

/** Only this machine can reach the sandbox. */
const hostname = '127.0.0.1'

export interface ServeOptions {
  readonly app: Hono
  /** 0 takes any free port. */
  readonly port: number
  /** Faults to cause on purpose. */
  readonly faults?: FaultPlan
}

/** Serves the sandbox on 127.0.0.1. Throws a usage failure if it cannot listen on the port. */
export async function serveSandbox({ app, port, faults }: ServeOptions): Promise<ServedSandbox> {
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
      new Promise((resolve) => {
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
