import type { Client } from '../api/client.ts'
import type { RecordKind } from '../model/natural-key.ts'
import type { Operation } from '../model/operations/operation.ts'
import type { World } from '../write/record-write.ts'

/** How an import changes the records that exist. */
export interface ChangeService {
  /** Reads one record whole. */
  readonly reads: Operation
  readonly update: Operation
  /** Whether the bank details of people may be changed too. */
  readonly bank: boolean
  /** Finds the fields that the record came back without, although it may have them. */
  readonly lost: World['lost']
}

/** The service that an import writes to, and the operations that it uses. */
export interface ImportService {
  readonly client: Client
  readonly create: Operation
  readonly list: Operation
  readonly kind: RecordKind
  /** Reads one record whole, where what exists is compared although it is left as it is: the lines of a timesheet. */
  readonly reads?: Operation | undefined
  /** Undefined where records that exist are left as they are. */
  readonly change?: ChangeService | undefined
}
