import type { Operation } from '../../model/operations/operation.ts'
import type { Parameters } from '../route-path.ts'

/** Hints with commands to type. The api knows no command, and is handed them. */
export interface Hints {
  /** For a path that may be wrong; undefined where it cannot be. */
  readonly route: (operation: Operation) => string | undefined
  /** For a refusal after which the path is only a little in doubt: how to try other paths. */
  readonly tryRoutes: string
  /** For a path that a person typed. */
  readonly typedPath: string
  readonly address: string
  readonly otherRecord: string
  /** For a record that the service does not have: what its commands are called, and where else it may be. */
  readonly record: (operation: Operation, parameters?: Parameters) => string
  /** For a person of whom the service has no records. */
  readonly person: string
  /** For a read that the service refused with an explanation: nothing typed for it can be put right. */
  readonly refusedRead: string
  readonly unexplained: string
  readonly refusedKey: string
  /** For a key that may not do this. */
  readonly forbidden: string
  /** For a certificate of the service that nobody vouches for. */
  readonly untrusted: string
  readonly hasClientCertificate: boolean
  /** For a service that wants a client certificate, or another one. */
  readonly clientCertificate: string
}

/** A refusal because of the client certificate, or for want of one. `isSure`: the server said so itself. */
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
