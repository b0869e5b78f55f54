import { Interrupted, type StopSignal } from '../errors.ts'
import type { WriteTracker } from './write-tracker.ts'

/** How a run hears that it is to stop: by Ctrl-C, from the system, because its terminal went away. */
export interface SignalListener {
  /** Aborted when the run is to end: whatever holds the terminal gives it back at once. */
  readonly signal: AbortSignal
  /** Rejects with Interrupted when the run is to end. Until then, and otherwise for ever, it is pending. */
  readonly interrupted: Promise<never>
  /**
   * For work that must not break off: the next signal calls `windDown` and nothing else, and the run ends itself,
   * throwing an Interrupted in its own words; the signal after that ends it as usual. Returns how to take that back.
   */
  onNextSignal(windDown: (signal: StopSignal) => void): () => void
  /** From here on signals end the process by themselves. */
  release(): void
}

/** The part of the host that signals come from and go to. */
interface Signals {
  readonly onSignal: (heard: (signal: StopSignal) => void) => () => void
  readonly raiseSignal: (signal: StopSignal) => void
}

/**
 * Listens for signals. The first ends the run, in the words of `work`; one more while it ends, because something
 * hangs, ends the process there and then.
 */
export function listenForSignals({ onSignal, raiseSignal }: Signals, work: WriteTracker): SignalListener {
  const ending = new AbortController()
  let winding: ((signal: StopSignal) => void) | undefined
  let end: (reason: Interrupted) => void
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  ended.catch(() => {})
  const release = onSignal((signal) => {
    if (winding) {
      const windDown = winding
      winding = undefined
      windDown(signal)
    } else if (ending.signal.aborted) {
      release()
      raiseSignal(signal)
    } else {
      const { message, details } = work.describeInterruption()
      ending.abort()
      // By the next turn the terminal has been given back.
      setImmediate(() => end(new Interrupted(signal, message, details)))
    }
  })
  return {
    signal: ending.signal,
    interrupted: ended,
    release,
    onNextSignal(windDown) {
      winding = windDown
      return () => {
        if (winding === windDown) winding = undefined
      }
    },
  }
}
