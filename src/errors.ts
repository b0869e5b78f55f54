/**
 * Every way to fail. A failure is a value: what happened, whether anything was applied, what to do next.
 * Only main.ts turns its code into a number.
 */

/** What each exit code means to the script that reads it. */
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
  answer: 10,
  busy: 11,
} as const

export type FailureCode = Exclude<keyof typeof exitCodes, 'done'>

/**
 * What became of a request.
 * `not-sent`: no byte of it left. `refused`: the service answered no. `applied`: the service answered yes.
 * `unknown`: it left, and nobody can say what became of it.
 */
export type Outcome = 'not-sent' | 'refused' | 'applied' | 'unknown'

/** One thing wrong with one field. `path` is the field's path, `generalSetting.DOB`; empty for the whole. */
export interface Issue {
  readonly path: string
  readonly message: string
}

export interface FailureDetails {
  readonly outcome?: Outcome
  readonly retryable?: boolean
  readonly status?: number
  readonly method?: string
  readonly path?: string
  /** What the service calls the request: the name to give to whoever runs it. */
  readonly requestId?: string
  readonly issues?: readonly Issue[]
  readonly hint?: string
  /** Of a list: how many items were received, of how many. */
  readonly received?: { readonly count: number; readonly total: number }
  /** How long the service asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number
  /** A person decided against it: to them it is no error. */
  readonly declined?: true
}

/** The one error of this tool. Its message and hint are written for the person who reads them. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** The signals that ask a run to stop, and the exit code that a shell gives to a program that ended by one. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

export type StopSignal = keyof typeof signalExitCodes

/** A person or the system asked the run to stop. Ends by the signal raised again, as a shell expects. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: StopSignal
  readonly details: FailureDetails

  /** `message` says what became of the work. */
  constructor(signal: StopSignal, message: string, details: FailureDetails = {}) {
    super(message)
    this.signal = signal
    this.details = details
  }
}

/** The command, or the settings behind it, cannot be carried out as written. Exit 2. */
export function usage(message: string, hint?: string): Failure {
  return new Failure('usage', message, { outcome: 'not-sent', ...(hint === undefined ? {} : { hint }) })
}

/** Whether the system has no room for what is written: the disk, a quota, or how large a file may grow. */
export function isNoRoom(code: unknown): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
}

/** There was no room to write something. Exit 7: nothing was applied, and room can be made. */
export function noRoom(message: string): Failure {
  return new Failure('temporary', message, {
    retryable: true,
    hint: 'Make room on the disk, then run the same command again.',
  })
}

/** The data given cannot be sent. Exit 3; nothing was sent. */
export function invalidInput(message: string, issues: readonly Issue[], hint?: string): Failure {
  return new Failure('input', message, {
    outcome: 'not-sent',
    issues,
    ...(hint === undefined ? {} : { hint }),
  })
}
