import type { Readable, Writable } from 'node:stream'
import type { Style } from '../../render/text/style.ts'

/** The terminal that questions are asked on. */
export interface PromptHost {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly columns?: number; readonly rows?: number }
  readonly style: Style
  /** Asks in plain lines and draws nothing: for a screen reader, or a terminal that can only print. */
  readonly isPlain: boolean
  /** Aborted when the run is to end: an open question then gives the terminal back. */
  readonly signal: AbortSignal
  /** Rejects with Interrupted once `signal` is aborted; pending until then. */
  readonly interrupted: Promise<never>
}

/** Columns of a terminal that does not say how wide it is. */
const usualColumns = 80

export function columnsOf({ stderr }: Pick<PromptHost, 'stderr'>): number {
  return stderr.columns ?? usualColumns
}
