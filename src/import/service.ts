import type { Client } from '../api/client.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import type { World } from '../write/record-write.ts'
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

/** What several such records are called where they change: `people`, `payment rates`. */
export const changedNoun = ({ noun, identityFields }: ImportKind): string =>
  identityFields.length > 0 ? 'people' : noun

/** How an import changes the records that exist. */
export interface ChangeService {
  /** Reads one record whole. */
  readonly reads: Operation
  readonly update: Operation
  /** Whether the bank details of people may be changed too. */
  readonly bank: boolean
  /** What the record came back without, although it may have it. */
  readonly lost: World['lost']
}

/** The service that an import writes to, and the operations that it uses. */
export interface ImportService {
  readonly client: Client
  readonly create: Operation
  readonly list: Operation
  readonly kind: ImportKind
  /** Reads one record whole, where what exists is compared although it is left as it is: the lines of a timesheet. */
  readonly reads?: Operation | undefined
  /** Undefined where records that exist are left as they are. */
  readonly change?: ChangeService | undefined
}
