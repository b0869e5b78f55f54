import type { Operation } from '../../model/records/operation.ts'
import type { Parameters } from '../route-path.ts'

/** Hints with commands to type. The api knows no command, and is handed them. */
export interface Hints {
  /** For a path that may be wrong; undefined where it cannot be. */
  readonly route: (operation: Operation) => string | undefined
  /** For a list whose parts have other names than ours, such as page and size; undefined where they cannot have. */
  readonly names: (operation: Operation, ours: readonly string[]) => string | undefined
  /** For a path that a person typed. */
  readonly typedPath: string
  readonly address: string
  readonly otherRecord: string
  /** For a record that the service does not have: what its commands are called, and where else it may be. */
  readonly record: (operation: Operation, parameters?: Parameters) => string
  /** For a person of whom the service has no records. */
  readonly person: string
  /** `scheme`: the word that the service wants before a key, `Bearer`, where it names one. */
  readonly refusedKey: (scheme: string | undefined) => string
  /** For a key that may not do this. */
  readonly forbidden: string
  /** For a certificate of the service that nobody vouches for. */
  readonly untrusted: string
  /** For a service that wants a client certificate, or another one. */
  readonly clientCertificate: string
}
