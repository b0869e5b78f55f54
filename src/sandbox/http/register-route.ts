import type { Context, Hono } from 'hono'
import type { Operation } from '../../api/contract/operations/operation.ts'

/** An operation of the contract and its handler. */
export interface Route {
  readonly operation: Operation
  readonly handle: (c: Context) => Response | Promise<Response>
}

/** Registers the routes with the method and path of the contract. */
export function register(app: Hono, routes: readonly Route[]): void {
  for (const { operation, handle } of routes.toSorted(byPath)) {
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ':$1'), handle)
  }
}

/**
 * The first matching route wins, so `/svc/candidates/ireland` must come before `/svc/candidates/{id}`. A brace sorts
 * after every letter and digit.
 */
function byPath(a: Route, b: Route): number {
  return a.operation.path < b.operation.path ? -1 : 1
}
