/** The failures of this tool. Each says what happened, whether anything was applied, and what to do next. */

/** The error codes of the JSON output and their exit codes. */
export const exitCodes = {
  done: 0,
  bug: 1,
  usage: 2,
  input: 3,
  auth: 4,
  'not-found': 5,
  refused: 6,
  temporary: 7,
  unknown: 8,
  partial: 9,
  'invalid-response': 10,
  'too-few': 10,
  locked: 11,
} as const

/** The name of an exit code. */
export type FailureCode = Exclude<keyof typeof exitCodes, 'done'>

/** The outcomes of a request, the worst last. `unknown`: sent, and nothing says whether it was applied. */
export const outcomes = ['not-sent', 'refused', 'applied', 'unknown'] as const

/** The outcome of a write, as far as is known. */
export type Outcome = (typeof outcomes)[number]

/** A problem with one field. `path` is the field's path, `generalSetting.DOB`; empty for the whole record. */
export interface Issue {
  readonly path: string
  readonly message: string
  /** The place as a person calls it, in a text. JSON has the path alone. */
  readonly place?: string
}

/** The details of a failure beside its message. */
export interface FailureDetails {
  readonly outcome?: Outcome | undefined
  readonly retryable?: boolean | undefined
  readonly status?: number | undefined
  readonly method?: string | undefined
  readonly path?: string | undefined
  /** The request id of the service, to quote to the people who run it. */
  readonly requestId?: string | undefined
  readonly issues?: readonly Issue[] | undefined
  /** How many issues there are, where `issues` has only the first of them. */
  readonly issueCount?: number | undefined
  readonly hint?: string | undefined
  /** The command that continues what was typed. It stands on a line of its own, so that it can be copied whole. */
  readonly resume?: string | readonly string[] | undefined
  /** Options that do what the hint says when they are added to the command. */
  readonly adds?: readonly string[]
  /** For a list: how many items were received, of how many. */
  readonly received?: { readonly count: number; readonly total: number }
  /** A list changed while it was read. Reading it again may show all of it. */
  readonly moved?: true
  /** How long the service asks clients to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** The command found what it was asked to look for. It ends with its exit code, and is not shown as an error. */
  readonly found?: true
  /** The person chose to cancel, so it is not shown as an error. */
  readonly declined?: true
  /**
   * What was not done: the sentence after the message says it. Set by commands/cli/register.ts when the command ends.
   */
  readonly nothing?: 'sent' | 'applied' | LocalEffect | undefined
  /** The service did not say whether it applied a write. render/failure-text.ts says so after the message of exit 8. */
  readonly isOpen?: true | undefined
  /** A web page said no, so perhaps not the service, but something in front of it. */
  readonly isPage?: true | undefined
}

/** The effect of a command on this computer, in the word that says that it did not happen. */
export type LocalEffect = 'changed' | 'deleted' | 'noted' | 'removed' | 'stored'

/**
 * What a failure of each code may have left behind: an exit code and an outcome never disagree. And whether
 * the same may succeed later: whoever goes on, waits or tries again asks that by `isTemporary`.
 */
const failureCodes = {
  bug: { outcomes, isTemporary: false },
  usage: { outcomes: ['not-sent', 'refused'], isTemporary: false },
  input: { outcomes: ['not-sent', 'refused'], isTemporary: false },
  // Any outcome: a sign-in writes no record, but may have used up its code.
  auth: { outcomes, isTemporary: false },
  'not-found': { outcomes: ['not-sent', 'refused'], isTemporary: false },
  refused: { outcomes: ['not-sent', 'refused'], isTemporary: false },
  temporary: { outcomes: ['not-sent', 'refused'], isTemporary: true },
  unknown: { outcomes: ['unknown'], isTemporary: false },
  partial: { outcomes: ['not-sent', 'refused', 'applied'], isTemporary: false },
  'invalid-response': { outcomes: ['not-sent', 'applied'], isTemporary: false },
  'too-few': { outcomes: ['not-sent'], isTemporary: false },
  // Another command on this computer has to end first, and no service is asked again meanwhile.
  locked: { outcomes: ['not-sent'], isTemporary: false },
} as const satisfies Readonly<
  Record<FailureCode, { readonly outcomes: readonly Outcome[]; readonly isTemporary: boolean }>
>

type OutcomeOf<Code extends FailureCode> = Code extends keyof typeof failureCodes
  ? (typeof failureCodes)[Code]['outcomes'][number]
  : never

/** Whether the same may succeed later, nothing having been applied. */
export const isTemporary = (code: FailureCode): boolean => failureCodes[code].isTemporary

/** The details of a failure with this code: `refused` has no outcome but `refused` or `not-sent`, and so on. */
export interface DetailsOf<Code extends FailureCode> extends Omit<FailureDetails, 'outcome'> {
  readonly outcome?: OutcomeOf<Code> | undefined
}

class AnyFailure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }

  /** A copy of the failure with another code, message or details. */
  with({
    code = this.code,
    message = this.message,
    ...details
  }: Amended & { code?: FailureCode }): AnyFailure {
    return new AnyFailure(code, message, { ...this.details, ...details })
  }
}

interface Amended extends FailureDetails {
  readonly message?: string
}

/** The one error of this tool. Message and hint are shown to the user as they are. */
export type Failure = AnyFailure
export const Failure: {
  new <Code extends FailureCode = FailureCode>(
    code: Code,
    message: string,
    details?: DetailsOf<Code>,
  ): Failure
  readonly prototype: Failure
} = AnyFailure

/** The stop signals, and the exit code that a shell reports for a program ended by one. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** A signal that ends a run. */
export type StopSignal = keyof typeof signalExitCodes

/** A signal stopped the run. main.ts raises the signal again, as a shell expects. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: StopSignal
  readonly details: FailureDetails

  /** `message` says how far the work got. */
  constructor(signal: StopSignal, message: string, details: FailureDetails = {}) {
    super(message)
    this.signal = signal
    this.details = details
  }

  /** A copy of the stop with another message or details. */
  with({ message = this.message, ...details }: Amended): Interrupted {
    return new Interrupted(this.signal, message, { ...this.details, ...details })
  }
}

/** The command, or the settings behind it, cannot be carried out as written. Exit 2. */
export function usage(message: string, hint?: string): Failure {
  return new Failure('usage', message, { outcome: 'not-sent', hint })
}

/** The person chose to cancel before anything was sent. Exit 2, and not shown as an error. */
export function declined(message: string): Failure {
  return new Failure('usage', message, { outcome: 'not-sent', declined: true })
}

/** Joins hints with full stops between: a command at the end of one must not run into the next. */
export function joinHints(...hints: readonly (string | false | undefined)[]): string {
  const texts = hints.filter((hint) => typeof hint === 'string' && hint !== '')
  return texts
    .map((hint, at) => (at < texts.length - 1 && !/[.?!:;]$/.test(String(hint)) ? `${hint}.` : hint))
    .join(' ')
}

/** Whether an error code means that there is no space: a full disk, a quota or a file size limit. */
export function isNoRoom(code: unknown): boolean {
  return code === 'ENOSPC' || code === 'EFBIG' || isOverQuota(code)
}

/** Node has no name for EDQUOT, which is 122 on Linux and 69 on macOS. */
const isOverQuota = (code: unknown) =>
  code === 'EDQUOT' || code === 'Unknown system error -122' || code === 'Unknown system error -69'

/** Returns a Failure, and throws any other error again. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** A function for `catch` that makes something else of a Failure. Any other error is thrown on. */
export const onFailure =
  <T>(make: (failure: Failure) => T) =>
  (error: unknown): T =>
    make(asFailure(error))

/** There was no space to write. Exit 7: nothing was applied, and the user can free space and retry. */
export function noRoom(message: string): Failure {
  return new Failure('temporary', message, {
    retryable: true,
    hint: 'Free some disk space, then run the same command again.',
  })
}

/** The input is invalid. Exit 3; nothing was sent. */
export function invalidInput(message: string, issues: readonly Issue[], hint?: string): Failure {
  return new Failure('input', message, { outcome: 'not-sent', issues, hint })
}

/**
 * The code of a system error, such as `EACCES`; undefined for other errors. Its message may say more than
 * should be shown.
 */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined
  return isOverQuota(error.code) ? 'EDQUOT' : String(error.code)
}
