import { countries } from '../contract/countries/countries.ts'
import { type Operation, resourceName } from '../contract/operations/operation.ts'
import { candidatesByCountry } from '../contract/operations/operations.ts'
import type { Parameters } from '../route-path.ts'

/** What to type next, where that depends on how the service was chosen. The api is handed it. */
export interface Hints {
  /** For a path that may be wrong; undefined where it cannot be. */
  readonly route: (operation: Operation) => string | undefined
  /** For a key that the service refused. */
  readonly refusedKey: string
  /** For a key that may not do this. */
  readonly forbidden: string
  /** For a certificate of the service that nobody vouches for. */
  readonly untrusted: string
  /** Whether a client certificate is shown to the service. */
  readonly hasClientCertificate: boolean
  /** For a service that wants a client certificate, or another one. */
  readonly clientCertificate: string
}

/**
 * What a server means that ends a connection, or answers, because of the client certificate or for want of one. `isSure`: it said
 * so itself.
 */
export function clientCertificateRefusal(
  hints: Hints | undefined,
  isSure: boolean,
): { readonly sentence: string; readonly hint: string } {
  const sentence = hints?.hasClientCertificate
    ? 'did not accept the client certificate'
    : isSure
      ? 'requires a client certificate'
      : 'refused the connection; it may require a client certificate'
  const hint = hints?.clientCertificate ?? 'Ask the people who run the service for a client certificate.'
  return { sentence: `The server ${sentence}`, hint }
}

/** Where the records of a person are asked for. */
export const personHint = 'Check --employee. To look for a person: payroll candidates find <text>'

/** Where a person typed the path. */
export const rawPathHint = 'To see the paths that payroll knows: payroll routes list'

/** Where a record is asked for by its id: what its commands are called, and where else it may be. */
export function recordHint({ id }: Operation, { employeeId = '<id>' }: Parameters = {}): string {
  const [group = ''] = id.split('.')
  const own = countries.find((each) =>
    Object.values(candidatesByCountry[each.id]).some((operation) => operation.id === id),
  )
  if (own) {
    const others = countries.filter((each) => each !== own).map(({ flag }) => flag)
    const elsewhere = `Is the person in another country? Add ${others.join(' or ')}.`
    return `${elsewhere} To look for a person: payroll candidates find <text>`
  }
  if (group === 'documents')
    return `Check --employee. To see the ids: payroll documents list --employee ${employeeId}`
  return `To see the ids: payroll ${resourceName(group)} list`
}
