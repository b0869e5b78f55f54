import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../api/http/clock.ts'
import type { Environment } from '../environment.ts'
import type { StopSignal } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

/** The machine a run happens on: bin takes it from the process, and tests provide their own. */
export interface Host extends Clock {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & {
    readonly isTTY?: boolean
    readonly columns?: number
    readonly rows?: number
    /** The number of the file or the terminal behind it; none where a test reads it. */
    readonly fd?: number
  }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }
  readonly now: () => number
  /** Calls the handler for each stop signal, which then no longer ends the process by itself. Returns an unsubscriber. */
  readonly onSignal: (heard: (signal: StopSignal) => void) => () => void
  /** Ends this process with a signal, as if the signal had not been caught. */
  readonly raiseSignal: (signal: StopSignal) => void
  /** Calls the handler with an uncaught error, which Node would otherwise print with everything in it. */
  readonly onUncaughtError?: (tell: (error: unknown) => void) => void
  readonly node?: string
  /** Which build runs: `clone`, `npm package`, `executable linux-x64`. */
  readonly build?: string
  /** The commit of its sources: `1a2b3c4d`; empty where that is not known. */
  readonly commit?: string
  /** The system whose shell commands are quoted for; by default that of this process. */
  readonly platform?: NodeJS.Platform
}

/** The host, with the secrets that its streams must not show. */
export interface RedactingHost extends Host {
  readonly secrets: Secrets
}
