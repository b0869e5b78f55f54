import type { Client } from '../api/client.ts'
import type { Clock } from '../api/http/clock.ts'
import type { RowSource } from '../files/table/row-source.ts'
import type { Facts } from '../model/facts/facts.ts'
import type { RecordKind } from '../model/natural-key.ts'
import type { Operation } from '../model/records/operation.ts'
import type { RecordType } from '../model/records/record-type.ts'
import type { ServicePlace } from '../origin.ts'
import type { EmptyFields } from '../write/at-risk.ts'
import type { IsMade, NoteSeen, RecordTarget, WantedCircumstances } from '../write/record-write.ts'
import type { ServiceKnowledge } from '../write/service-knowledge.ts'
import type { ApprovedPlan } from './approved-plan.ts'
import type { MissingLines } from './lines.ts'
import type { SharedJournal } from './shared-journal/shared-journal.ts'

/** How an import changes the records that exist. */
export interface ChangeService {
  readonly update: Operation
  /** Whether the bank details of people may be changed too. */
  readonly changesBank: boolean
  /** Finds the fields that the record came back without, although it may have them. */
  readonly findAtRisk: WantedCircumstances['findAtRisk']
  readonly noteSeen: NoteSeen
  /** Reads what the service made of what earlier updates of this computer sent. */
  readonly readMade: () => Promise<IsMade>
  /** The meaning of a field that the service does not show. */
  readonly emptyFields: () => Promise<EmptyFields>
  /** Objects of a record that have no place in a request, and that somebody allowed to be lost. */
  readonly allowedMissing: readonly string[]
}

/** The service that an import writes to, and the operations that it uses. */
export interface ImportService {
  readonly client: Client
  readonly create: Operation
  /** The record as it is sent, to create it and to change it. */
  readonly type: RecordType
  readonly list: Operation
  readonly kind: RecordKind
  /** Reads one whole record; undefined where existing records cannot be changed. */
  readonly get?: Operation | undefined
  readonly knowledge: ServiceKnowledge
  /** Undefined where records that exist are left as they are. */
  readonly change?: ChangeService | undefined
  /** Reads rows by the words that records have shown since. Returns whether that may change what a row says. */
  readonly learnWords: () => Promise<boolean>
  /** The command that shows the record of an id. */
  readonly lookUpCommand: (
    id: string,
    ...options: readonly string[]
  ) => ReturnType<RecordTarget['lookUpCommand']>
  /** Why the list may not show a reference yet, for each new record that another command of this computer sent a moment ago. */
  readonly sentLately: () => AsyncIterable<{ readonly reference: string; readonly why: string }>
}

/** Where an import is remembered. */
export interface Journals {
  readonly place: ServicePlace
  readonly profile: string
  readonly folder: string
  /** The two paths that its journal can have: for the file, and for the file with this API key. */
  readonly forFile: string
  readonly forApiKey: string
}

/** What decides about rows before any is sent; what was typed, by the name of its option. */
export interface PlanRules {
  readonly incomplete: boolean
  readonly samePerson: boolean
  readonly readyOnly: boolean
  readonly strict: boolean
  /** Undefined: a row that lacks lines of its record is held back. */
  readonly missingLines?: MissingLines | undefined
  /** Whether to send a timesheet whose days overlap those of another one of the person. */
  readonly allowsOverlap: boolean
  /** Whether a person is shown the doubts and asked before anything is sent. */
  readonly asksAboutDoubts: boolean
  /** Whether a person sees the plan before anything is sent, and is asked about changes of bank details and hours. */
  readonly isPreviewed: boolean
  /** The approved plan. Nothing else is sent. */
  readonly approvedPlan?: ApprovedPlan | undefined
  /** Whether every change is kept for a file, not only the first hundred. */
  readonly keepsEveryChange: boolean
  /** YYYY-MM-DD */
  readonly today: string
  readonly facts: Facts
}

/** How rows are sent. */
export interface Sending {
  /** How long a request without an answer may still reach the service, in milliseconds. */
  readonly settleMs: number
  /** The most requests to send at the same time. */
  readonly concurrency: number
  /** `now`: milliseconds since 1970. */
  readonly clock: Clock & { readonly now: () => number }
  /** Aborts when the import must send no more rows. */
  readonly signal: AbortSignal
  readonly shared?: SharedJournal | undefined
}

/** One import, by what its parts are needed for: to read the file, to ask the service, to plan, to remember and to send. */
export interface ImportJob {
  /** The file, as it was typed; `-`: standard input. */
  readonly typedFile: string
  /** The real path, so that the same file under another name is the same import. */
  readonly file: string
  readonly source: RowSource
  readonly service: ImportService
  readonly rules: PlanRules
  readonly journals: Journals
  readonly sending: Sending
}
