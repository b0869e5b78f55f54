import type { PromptHost } from '../terminal/prompt-host.ts'

/** What a command gives the form that it opens. */
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
  /** The address of the service, if the profile has one. */
  readonly origin?: string | undefined
  /** Whether writes there must be confirmed; the form asks for it. */
  readonly protected: boolean
}
