import type { Operation } from '../../api/contract/operations/operation.ts'
import { allOperations } from '../../api/contract/operations/operations.ts'
import { consent } from './consent-faults.ts'
import { isWrite } from './fault.ts'

/** The operation of a request; undefined for unknown paths. */
export function operationOf(method: string, pathname: string): Operation | undefined {
  if (method === consent.method && pathname === consent.path) return consent
  const fitting = allOperations.filter(
    (operation) => operation.method === method && fits(operation.path, pathname),
  )
  // In `/svc/candidates/ireland`, `ireland` is not an id.
  return fitting.find(({ path }) => path === pathname) ?? fitting[0]
}

function fits(path: string, pathname: string): boolean {
  const [segments, given] = [path.split('/'), pathname.split('/')]
  return (
    segments.length === given.length &&
    segments.every((segment, at) => segment.startsWith('{') || segment === given[at])
  )
}

/**
 * The operations that the text after `@` names: `writes`, `reads`, `consent`, or the id of one. Empty if the text is
 * wrong. Without a text, all but the consent page, which is no operation of the service.
 */
export function operationsIn(scope: string | undefined): readonly Operation[] {
  if (scope === undefined) return allOperations
  if (scope === 'writes') return allOperations.filter(isWrite)
  if (scope === 'reads') return allOperations.filter((operation) => !isWrite(operation))
  return [...allOperations, consent].filter(({ id }) => id === scope)
}
