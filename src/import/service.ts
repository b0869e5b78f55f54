import type { Client } from '../api/client.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import type { NaturalKey } from './natural-key.ts'

/** One kind of record that can be imported, as data. */
export interface ImportKind {
  /** The plural, for messages: "candidates". */
  readonly noun: string
  readonly key: NaturalKey
  /**
   * Fields that tell one person from another, in the request and in an item of the list: a record with the same key
   * but another name is not the one that we sent.
   */
  readonly identityFields: readonly (readonly [request: string, item: string])[]
  /** Which parts of the key are the first and the last day of what the record is for, if any are. */
  readonly days?: readonly [first: number, last: number]
}

/** The service that an import writes to, and the two operations that it uses. */
export interface ImportService {
  readonly client: Client
  readonly create: Operation
  readonly list: Operation
  readonly kind: ImportKind
}
