import type { Parameters } from '../api/route-path.ts'
import type { WholeRecord } from '../api/whole-record.ts'
import type { Failure, Issue } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import type { Facts } from '../model/facts/facts.ts'
import type { Difference } from '../model/mapping/compare-stored.ts'
import type { NaturalKey } from '../model/natural-key.ts'
import type { Operation } from '../model/operations/operation.ts'
import type { RecordType } from '../model/records/record-type.ts'

/** The record that is changed: how it is read and sent. */
export interface RecordTarget {
  readonly id: string
  /** The record as it is sent. */
  readonly type: RecordType
  readonly operation: Operation
  readonly reads: Operation
  readonly parameters: Parameters
  /** The command that shows the record, with more options where they are given. */
  readonly lookUpCommand: (...options: readonly string[]) => Promise<string>
  /** The command of this run, with more options. */
  readonly repeatCommand?: ((...options: readonly string[]) => string) | undefined
  /** The objects of a record without a field of ours that may be lost. */
  readonly leftOut?: readonly string[] | undefined
}

/** One record that is to be written. */
export type RecordWrite = Change | NewRecord

/** A record that is to be created. */
export interface NewRecord {
  readonly kind: 'create'
  readonly target: Pick<RecordTarget, 'type' | 'operation' | 'parameters'>
  readonly wanted: JsonObject
}

/** One that is to be changed, from reading it to sending it. */
export interface Change {
  readonly kind: 'change'
  readonly target: RecordTarget
  /** How it was named. */
  readonly typed: string
  /** The fields that hold the name by which it was looked up; undefined where it was named by its id. */
  readonly key?: NaturalKey | undefined
  /** The record as it was read. */
  readonly seen: WholeRecord
  /** The record as it is to be; until somebody says, as it was read. */
  readonly wanted: JsonObject
  readonly changes: readonly Difference[]
  /** The values given in this run, changed or not: one of them may look like a mask, and is none. */
  readonly given?: JsonObject
  /** The whole row of a file, which tells whom the row means. */
  readonly says?: JsonObject | undefined
  /** The writes of this computer that this one takes back. */
  readonly undoes?: Undone
}

/** Writes of the history of one record, which are taken back together. */
export interface Undone {
  /** The entries, the newest first. */
  readonly ids: readonly string[]
  /** Signs by which the record is recognised, each with every value that it may have had since. */
  readonly whose: readonly Recognition[]
  /** The fields that those writes changed, each with every value that they may have left in it. */
  readonly left: readonly LeftField[]
}

/** Something that says whose record it is; `reads`: from the record as it is sent. */
export interface Recognition {
  readonly path: string
  readonly label: string
  readonly may: ReadonlySet<string>
  readonly reads: (body: JsonObject) => string | undefined
  /** True where a record that does not show the sign is not taken for the one that is meant. */
  readonly isNeeded: boolean
}

export interface LeftField {
  readonly path: string
  /** As it was before the oldest of them. */
  readonly from: Difference['before']
  /** The values that they may have left, the likeliest first. */
  readonly to: readonly Difference['after'][]
}

/** Who writes. A form creates too; it has asked about each value where it was entered. */
export type Writer = 'update' | 'undo' | 'import update' | 'create' | 'form'

/** When a guard is asked: when the record was read, when it is known what it is to be, and right before it is sent. */
export type Stage = 'read' | 'wanted' | 'read again'

/**
 * A finding of a guard. `hold`: nothing is sent; of many rows a Failure of bad input stops them all, and any other this one.
 * `ask`: nothing is sent unless a person says yes to it; a script ends with `otherwise`. `doubt`: what a standard or plain sense
 * doubts, asked about with the write itself. `warn`: it is said; of several records those of one topic once.
 */
export type GuardFinding =
  | {
      readonly does: 'hold'
      readonly failure: Failure
      readonly reason?: RowReason | undefined
    }
  | {
      readonly does: 'ask'
      readonly warning: string
      readonly question: string
      readonly otherwise: Failure
      readonly reason?: RowReason | undefined
      /** A question that is asked once for all rows of a file; any other question holds its row back. */
      readonly topic?: 'bank' | undefined
    }
  | { readonly does: 'doubt'; readonly issue: Issue }
  | { readonly does: 'warn'; readonly message: string; readonly topic?: string }

/** Why one row of a file is held back, with the option that would send it; a Finding without it says what its Failure says. */
export interface RowReason extends Issue {
  /** The message without what only this row has, so that equal ones can be counted. */
  readonly cause?: string | undefined
  /** The options with which it would be sent. */
  readonly way?: readonly string[] | undefined
}

/** What guards need to know besides the write: an update looks it up, an import knows the list. */
export interface GuardContext {
  readonly writer: Writer
  /** YYYY-MM-DD. */
  readonly today: string
  /** The law by which values are doubted. */
  readonly facts: Facts
  /** True where messages show sensitive values. */
  readonly reveal: boolean
  /** Finds items of the list; none where it cannot be read. Undefined where the id is from the list under the same key. */
  readonly findListed?:
    | ((isMeant: (item: JsonObject) => boolean) => Promise<readonly JsonObject[]>)
    | undefined
  /** Finds the fields that the record came back without, although it may have them. */
  readonly findLost?: (write: Change) => Promise<readonly GuardFinding[]>
  /** Says why a plan that somebody looked at does not have the change just so; without a plan it may be any. */
  readonly whyUnplanned?: ((write: Change) => Unplanned | undefined) | undefined
  /** True where somebody has said that bank details may change. */
  readonly mayChangeBank?: boolean
  /** Tells whether a record is as it was seen, where only a digest of that was kept. */
  readonly isAsSeen?: ((now: WholeRecord) => boolean) | undefined
  /** Finds other records that have this reference; none where the kind of record has no reference of its own. */
  readonly findSameReference?: (reference: string) => Promise<readonly GuardFinding[]>
  /** Finds the person among those whom the service has under another reference. */
  readonly findSamePerson?: (write: NewRecord) => Promise<readonly GuardFinding[]>
  /** Finds records of the same work on the same days. */
  readonly findOverlaps?: (write: NewRecord) => Promise<readonly GuardFinding[]>
}

/** Why a plan does not have exactly this write, to end a sentence; `cause` leaves out what only this one has. */
export interface Unplanned {
  readonly why: string
  readonly cause: string
}

type Findings = readonly GuardFinding[] | undefined

/** One question between a write and its request. */
export interface Guard {
  /** Who asks it. */
  readonly for: readonly Writer[]
  /** Why nobody else does; of a guard of all changes it is plain. */
  readonly why?: string
  /** `now`: the record, as it was read last. */
  readonly ofChange?: (write: Change, world: GuardContext, now: WholeRecord) => Findings | Promise<Findings>
  readonly ofNew?: (write: NewRecord, world: GuardContext) => Findings | Promise<Findings>
}
