import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono } from 'hono'
import type { Answer, Exchange } from './fault.ts'
import { operationOf } from './fault-scope.ts'
import type { FaultPlan } from './plan-faults.ts'

/** Applies a fault plan to the application: a request either meets a fault or is handled normally. */
export function withFaults(app: Hono, plan: FaultPlan) {
  return async (request: Request, { outgoing }: HttpBindings): Promise<Response> => {
    const url = new URL(request.url)
    const operation = operationOf(request.method, url.pathname)
    const fault = operation && plan.next({ operation, url })
    if (!fault) return app.fetch(request)
    // The client may close the connection at any time; ignore the error.
    outgoing.on('error', () => {})
    const apply = await bufferRequest(app, request)
    await fault.act({ operation, url, now: plan.now, apply, outgoing })
    return RESPONSE_ALREADY_SENT
  }
}

/** Reads the whole request, so that a fault can handle it later, again or never, without its connection. */
async function bufferRequest(app: Hono, request: Request): Promise<Exchange['apply']> {
  const { url, method, headers } = request
  const body = method === 'GET' ? undefined : Buffer.from(await request.arrayBuffer())
  return async (change) => {
    const asked = new URL(url)
    change?.(asked.searchParams)
    return answerOf(await app.fetch(new Request(asked, { method, headers, ...(body && { body }) })))
  }
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}
