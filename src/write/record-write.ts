import type { ReadableRecord, WholeRecord } from '../api/whole-record.ts'
import type { Failure, Issue, Outcome } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import type { Facts } from '../model/facts/facts.ts'
import type { NaturalKey } from '../model/natural-key.ts'
import type { Operation } from '../model/records/operation.ts'
import type { Difference } from '../model/values/compare-stored.ts'
import type { ComparedPerson, Likeness } from '../model/values/person-likeness.ts'
import type { SeenAfter } from './history/history.ts'

/** The record that is changed: how it is read and sent. */
export interface RecordTarget extends ReadableRecord {
  readonly id: string
  readonly operation: Operation
  readonly list?: Operation | undefined
  /** The command that shows the record, with more options where they are given. */
  readonly lookUpCommand: (...options: readonly string[]) => Promise<string>
  /** The command that updates the record, with these options. An import, whose values are in its file, has none. */
  readonly updateCommand?: ((...options: readonly string[]) => Promise<string>) | undefined
  /** This run's command, with more options added. */
  readonly repeatCommand?: ((...options: readonly string[]) => string) | undefined
}

export type RecordWrite = Change | NewRecord

export interface NewRecord {
  readonly kind: 'create'
  readonly target: Pick<RecordTarget, 'type' | 'operation' | 'parameters'>
  /** Its import key, where that is more than a reference: `UK-07 / A1 / 2026-05-25 / 2026-05-31`. */
  readonly key: string | undefined
  readonly wanted: JsonObject
}

/** A record that is to be changed. Its members are filled from reading it to sending it. */
export interface Change {
  readonly kind: 'change'
  readonly target: RecordTarget
  /** The name as it was typed. */
  readonly typed: string
  /** The fields that hold the name by which it was looked up; undefined where it was named by its id. */
  readonly key?: NaturalKey | undefined
  readonly seen: WholeRecord
  /** The record as it should be. Equal to `seen` until somebody says what changes. */
  readonly wanted: JsonObject
  readonly changes: readonly Difference[]
  /** The values given in this run, changed or not. Such a value may look like a mask without being one. */
  readonly givenValues?: JsonObject | undefined
  /** The whole row of a file, which tells whom the row means. */
  readonly row?: JsonObject | undefined
  readonly undoes?: Undone
}

/** Earlier writes of one record that are taken back together. */
interface Undone {
  /** The ids of their history entries, the newest first. */
  readonly ids: readonly string[]
  /** The signs of whose record it is, each with every value that it may have had since. */
  readonly ownerSigns: readonly OwnerSign[]
  /** The fields that those writes changed, each with every value that they may have left. */
  readonly writtenFields: readonly WrittenField[]
}

/** A field that tells whose a record is, by a sign of its value: a digest, or a reference as its key. */
export interface OwnerSign {
  readonly path: string
  readonly label: string
  /** The signs that it may have. */
  readonly allowed: ReadonlySet<string>
  readonly signIn: (body: JsonObject) => string | undefined
  /** Whether a record that does not show the sign is refused. */
  readonly isNeeded: boolean
}

/** A field that earlier writes of this computer changed. */
export interface WrittenField {
  readonly path: string
  /** The value before the oldest of the writes. */
  readonly from: Difference['before']
  /** The values that they may have left, the likeliest first. */
  readonly to: readonly Difference['after'][]
}

/** Who writes. A form creates too; it has asked about each value where it was entered. */
export type Writer = ChangeWriter | 'create' | 'import create' | 'form'

export type ChangeWriter = 'update' | 'undo' | 'import update'

/** When a guard runs: after the record was read, once the wanted record is known, or right before it is sent. */
export type Stage = 'read' | 'wanted' | 'read again'

/**
 * What a guard found. `hold`: nothing is sent. `ask`: sent only if a person says yes; a script fails with
 * `otherwise`. An import asks nothing of a single row: both hold it back. `doubt`: a value is doubtful, which is asked
 * together with the write. `warn`: a message; those of one topic are shown once for several records.
 */
export type GuardFinding =
  | (HeldRow & { readonly does: 'hold'; readonly failure: Failure })
  | (HeldRow & {
      readonly does: 'ask'
      readonly warning: string
      readonly question: string
      readonly otherwise: Failure
    })
  | {
      readonly does: 'doubt'
      readonly issue: RowReason
      /** Whether an option says that it may be so, which --strict leaves alone. */
      readonly isAllowed?: boolean | undefined
    }
  | { readonly does: 'warn'; readonly message: string; readonly topic?: string }

/** What a finding means for the row of a file that it holds back. */
interface HeldRow {
  /** Whether the row is wrong: then nothing of the whole file is sent. */
  readonly stopsFile?: true
  readonly reasons?: readonly RowReason[] | undefined
}

/** Why one row of a file is held back. A finding without it is described by its Failure. */
export interface RowReason extends Issue {
  /** The message without what only this row has, so that equal ones can be counted. */
  readonly cause?: string | undefined
  /** The option, or the options, with which it would be sent. */
  readonly way?: string | readonly string[] | undefined
  /** Whether it is listed before all others, however many there are of its kind. */
  readonly leads?: boolean | undefined
}

/** Somebody whom the service has, and who may be the person of a write. */
export interface AlikePerson {
  readonly likeness: Likeness
  readonly mine: ComparedPerson
  readonly theirs: ComparedPerson
  /** Whether they are one person. `likely`: nothing tells the two apart. */
  readonly certainty: 'sure' | 'likely' | 'possible'
  /** Whether a likely one is asked about, as a doubt is. Else it holds the write back. */
  readonly isAsked: boolean
  /** Whether somebody said that people who are alike are not one. */
  readonly isAllowed: boolean
  /** What else is known of them, to end a sentence. */
  readonly more?: string
  /** The command that shows them. An import, which names many, has none. */
  readonly lookUpCommand?: string
}

/** A record of the same work on some of the same days. `isDead`: it counts for nothing, because it is rejected. */
export type Overlap = RowReason & { readonly isDead: boolean }

/** What is known of a record of work that is to be written. */
export interface FoundWork {
  /** Why the service takes it, or may take it, for another person's. */
  readonly ofOther?: RowReason | undefined
  /** Why it should have the other of the reference and the id of its person. */
  readonly otherName?: RowReason | undefined
  /** The record of the same person and work that is there on its days. */
  readonly overlap?: Overlap | undefined
}

/** What guards need to know besides the write, of every writer. */
export interface CommonCircumstances {
  /** YYYY-MM-DD. */
  readonly today: string
  readonly facts: Facts
  /** Whether messages show sensitive values. */
  readonly reveal: boolean
}

/** Notes in the history what a record showed after an update of this outcome. */
export type NoteSeen = (record: string, outcome: Outcome, seen: SeenAfter) => void

/** Tells whether a record has already what the service makes of the wanted value: this computer sent it the same before. */
export type IsMade = (record: string, difference: Difference) => boolean

/** What else guards of the wanted record ask of some writers: an update looks it up, an import knows the list. */
export interface WantedCircumstances {
  /** Finds what the write may clear, because the record came back without it. */
  readonly findAtRisk: (write: Change) => Promise<readonly GuardFinding[]>
  /** Says why an approved plan does not have exactly this write; undefined where it has, and without a plan. */
  readonly whyUnplanned: () => Unplanned | undefined
  /** Whether somebody said that bank details may change. */
  readonly mayChangeBank: boolean
  /** Finds other records that have this reference; none where the kind of record has no reference of its own. */
  readonly findTaken: (reference: string) => Promise<readonly GuardFinding[]>
  /** Finds who of the service is most like the person of a write. */
  readonly findAlike: () => Promise<AlikePerson | undefined>
  /** Says of a record of work whose it is, and what of that person is there on its days. */
  readonly findWork: () => Promise<FoundWork | undefined>
  /** What becomes of a record that overlaps another. */
  readonly overlapPolicy: 'allowed' | 'doubtful' | 'wrong'
}

/**
 * By writer: what its guards of the wanted record ask. All of it is required, so that no guard is switched
 * off by forgetting it; and a guard asks no more than all its writers know.
 */
interface AskedOf {
  readonly update: 'findAtRisk' | 'findTaken' | 'findWork' | 'overlapPolicy' | 'findAlike'
  readonly undo: 'findAtRisk' | 'findTaken'
  readonly 'import update': 'findAtRisk' | 'whyUnplanned' | 'mayChangeBank' | 'findAlike' | 'findWork'
  readonly create: 'findTaken' | 'findWork' | 'overlapPolicy' | 'findAlike'
  readonly form: AskedOf['create']
  readonly 'import create': AskedOf['create'] | 'whyUnplanned'
}

/** By writer: what is known of a record as it is wanted. */
export type WantedBy = {
  readonly [W in Writer]: CommonCircumstances & { readonly writer: W } & Pick<WantedCircumstances, AskedOf[W]>
}

type ChangeCircumstances = CommonCircumstances & { readonly writer: ChangeWriter }

/** By stage: what guards need to know besides the write. */
export interface Circumstances {
  readonly read: ChangeCircumstances & {
    /** Finds items of the list, none where it cannot be read. `proved by key`: the id is what the list has under the key. */
    readonly findListed:
      | ((isMeant: (item: JsonObject) => boolean) => Promise<readonly JsonObject[]>)
      | 'proved by key'
  }
  readonly wanted: WantedBy[Writer]
  readonly 'read again': ChangeCircumstances & {
    /** Tells whether a record is as it was seen, where only a digest of that was kept. */
    readonly isAsSeen: ((now: WholeRecord) => boolean) | undefined
  }
}

/** Why a plan does not have exactly this write, to end a sentence; `cause` leaves out what only this one has. */
export interface Unplanned {
  readonly why: string
  readonly cause: string
}

/** One question between a write and its request. `Known`: the circumstances of its stage. */
export interface Guard<Known> {
  readonly for: readonly Writer[]
  /** Why other writers do not run it; left out where that is obvious. */
  readonly why?: string | undefined
  readonly check: Check<RecordWrite, Known>
}

/** What a guard finds in a write. `now` is the record of a change as it was last read. */
export type Check<Write, Known> = (
  write: Write,
  circumstances: Known,
  now: WholeRecord | undefined,
) => readonly GuardFinding[] | undefined | Promise<readonly GuardFinding[] | undefined>
