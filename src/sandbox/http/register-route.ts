import type { Context, Hono } from 'hono'
import type { Operation } from '../../api/contract/operations/operation.ts'

/** An operation of the contract, and what the sandbox does for it. */
export interface Route {
  readonly operation: Operation
  readonly handle: (c: Context) => Response | Promise<Response>
}

/** Puts the routes into the application: method and path are the contract's. */
export function register(app: Hono, routes: readonly Route[]): void {
  for (const { operation, handle } of routes.toSorted(byPath)) {
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ':$1'), handle)
  }
}

/**
 * The first route that fits is taken, so `/svc/candidates/ireland` must come before `/svc/candidates/{id}`.
 * A brace sorts behind every letter and digit.
 */
function byPath(a: Route, b: Route): number {
  return a.operation.path < b.operation.path ? -1 : 1
}
