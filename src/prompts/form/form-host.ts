import type { PickedFrom } from '../../api/contract/fields/field.ts'
import type { PromptHost } from '../terminal/prompt-host.ts'

/** A record that can be picked: what is sent for it, and how a person knows it. */
export interface PickedRecord {
  readonly value: string
  readonly name: string
}

/** What a command gives the form that it opens. */
export interface FormHost extends PromptHost {
  /** YYYY-MM-DD. */
  readonly today: string
  /** Whether sensitive values are hidden from the start. */
  readonly masked: boolean
  /** Where the record would be sent. */
  readonly place: FormPlace
  /** Reads the records that a value is picked from; undefined if they cannot be read. */
  readonly recordsOf: (from: PickedFrom) => Promise<readonly PickedRecord[] | undefined>
}

export interface FormPlace {
  /** The name of the profile. */
  readonly name: string
  /** The address of the service, if the profile has one. */
  readonly origin?: string | undefined
  /** Whether writes there must be confirmed; the form asks for it. */
  readonly protected: boolean
}
