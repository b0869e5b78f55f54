/** Time as this computer measures it. A test hands in one whose pauses take none. */
export interface Clock {
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
  /** Waits that many milliseconds; less, and without an error, if the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
