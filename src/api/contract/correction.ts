import type { Method, Operation } from './operation.ts'

/** Routes that a user corrected, by operation: `{ 'payslips.list': 'GET /svc/payslips' }`. */
export type Corrections = Readonly<Record<string, string>>

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]

/** Plain segments and identifiers in braces; nothing that a decoder could turn into another path. */
const path = /^(\/([A-Za-z0-9_~-][A-Za-z0-9._~-]*|\{\w+\}))+$/

/**
 * A route as a person writes it, `GET /svc/payslips`, as that of an operation; else the sentence that says what
 * is wrong with it. An identifier that the operation does not have could never be filled in.
 */
export function parseRoute(operation: Operation, route: string): Pick<Operation, 'method' | 'path'> | string {
  const [method = '', where = '', ...rest] = route.trim().split(/\s+/)
  if (rest.length > 0 || !methods.includes(method))
    return `expected a method and a path, as GET ${operation.path}`
  if (!path.test(where)) return 'expected a path of plain segments, as /svc/payslips/{id}'
  const known = identifiers(operation.path)
  const strange = identifiers(where).find((name) => !known.includes(name))
  if (strange)
    return `${operation.id} has no {${strange}}${known.length > 0 ? `, only {${known.join('} {')}}` : ''}`
  return { method: method as Method, path: where as Operation['path'] }
}

/** The operation by the route that the user gave it; itself where none was given, or one that cannot be read. */
export function corrected(operation: Operation, corrections: Corrections): Operation {
  const route = Object.hasOwn(corrections, operation.id) ? corrections[operation.id] : undefined
  const parsed = route === undefined ? undefined : parseRoute(operation, route)
  return typeof parsed === 'object' ? { ...operation, ...parsed } : operation
}

/** The names in braces. */
export function identifiers(route: string): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}
