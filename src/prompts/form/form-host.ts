import type { PromptHost } from '../terminal/prompt-host.ts'

/** All that a form is given by the command that opens it. */
export interface FormHost extends PromptHost {
  /** YYYY-MM-DD. */
  readonly today: string
  /** Whether sensitive values are shown. */
  readonly reveal: boolean
  /** Where the record would be sent. */
  readonly place: FormPlace
}

export interface FormPlace {
  /** The name of the profile. */
  readonly name: string
  /** The address of the service, where the profile has one. */
  readonly origin?: string | undefined
  /** Whether writing there asks for a confirmation, which the form takes care of. */
  readonly protected: boolean
}
