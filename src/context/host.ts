import type { Readable, Writable } from 'node:stream'
import type { StopSignal } from '../errors.ts'
import type { Secrets } from '../secrets/guard-streams.ts'

/** The machine a run happens on: what main.ts takes from the process, and tests hand in. */
export interface Host {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that never run backwards. */
  readonly monotonicNow: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Calls at each signal that asks to stop, which ends nothing by itself from then on. Returns how to stop listening. */
  readonly onSignal: (heard: (signal: StopSignal) => void) => () => void
  /** Ends this process by a signal, as if it had never been caught. */
  readonly raiseSignal: (signal: StopSignal) => void
  /** Calls with an error that nobody caught, which Node would print with all that it holds. */
  readonly onUncaughtError?: (tell: (error: unknown) => void) => void
  /** The version of Node: `20.19.4`. */
  readonly node?: string
}

/** The machine, and what neither of its streams may show. */
export interface GuardedHost extends Host {
  readonly secrets: Secrets
}
