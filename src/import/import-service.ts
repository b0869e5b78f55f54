import type { Client } from '../api/client.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import type { NaturalKey } from './rows/natural-key.ts'

/** What is imported, as data. */
export interface ImportKind {
  /** As a sentence names several: "candidates". */
  readonly noun: string
  readonly key: NaturalKey
  /**
   * Fields that tell one person from another, in the request and in an item of the list: a record that has the key
   * and another name is not the one that was sent.
   */
  readonly identityFields: readonly (readonly [request: string, item: string])[]
}

/** The service that an import goes to, and the two operations of it that an import needs. */
export interface ImportService {
  readonly client: Client
  readonly create: Operation
  readonly list: Operation
  readonly kind: ImportKind
}
