import { Interrupted, type StopSignal } from '../errors.ts'
import type { Host } from './host.ts'
import type { WriteTracker } from './write-tracker.ts'

/** Notifies a run that it must stop: because of Ctrl-C, the system, or a closed terminal. */
export interface SignalListener {
  /** Aborted when the run must end, so that prompts release the terminal at once. */
  readonly signal: AbortSignal
  /** Rejects with Interrupted when the run must end; otherwise it stays pending. */
  readonly interrupted: Promise<never>
  /**
   * For work that must finish cleanly: the next signal only calls `handler`, and the work then throws its own
   * Interrupted. The signal after that ends the run as usual. Returns an unsubscriber.
   */
  onNextSignal(handler: (signal: StopSignal) => void): () => void
  /** Adds how to continue to what a stopped run says. Returns an unsubscriber. */
  sayWhenStopped(text: () => string | undefined): () => void
  /** Stops listening: signals end the process by themselves again. */
  release(): void
}

/** Listens for signals. The first one ends the run, with a message about its writes; a second one ends the process. */
export function listenForSignals(
  { onSignal, raiseSignal }: Pick<Host, 'onSignal' | 'raiseSignal'>,
  writes: WriteTracker,
): SignalListener {
  const ending = new AbortController()
  let nextHandler: ((signal: StopSignal) => void) | undefined
  let resume: () => string | undefined = () => undefined
  let end: (reason: Interrupted) => void
  const interrupted = new Promise<never>((_, reject) => {
    end = reject
  })
  interrupted.catch(() => {})
  const release = onSignal((signal) => {
    if (nextHandler) {
      const handler = nextHandler
      nextHandler = undefined
      handler(signal)
    } else if (ending.signal.aborted) {
      release()
      raiseSignal(signal)
    } else {
      const { message, details } = writes.describeInterruption()
      const more = resume()
      ending.abort()
      // By the next turn of the event loop prompts have released the terminal.
      setImmediate(() => end(new Interrupted(signal, message, { ...details, resume: more })))
    }
  })
  return {
    signal: ending.signal,
    interrupted,
    release,
    onNextSignal(handler) {
      nextHandler = handler
      return () => {
        if (nextHandler === handler) nextHandler = undefined
      }
    },
    sayWhenStopped(text) {
      resume = text
      return () => {
        if (resume === text) resume = () => undefined
      }
    },
  }
}
