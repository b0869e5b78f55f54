import type { Context } from '../../../context/context.ts'
import { Interrupted, type StopSignal } from '../../../errors.ts'

/**
 * Runs work that can be stopped cleanly. The first signal aborts it; the work finishes what it must, and the run ends
 * with that signal. A second signal ends the run at once.
 */
export async function runUntilSignal<T>(
  { interruption }: Context,
  work: (signal: AbortSignal) => Promise<T>,
  /** What to say when the person asked, and when it has stopped. */
  {
    asked,
    stopped,
  }: {
    readonly asked: () => void
    readonly stopped: (result: T) => { readonly says: string; readonly hint: string }
  },
): Promise<T> {
  const abort = new AbortController()
  let by: StopSignal | undefined
  const release = interruption.onNextSignal((signal) => {
    by = signal
    abort.abort()
    asked()
  })
  try {
    const result = await work(abort.signal)
    if (by) {
      const { says, hint } = stopped(result)
      throw new Interrupted(by, says, { hint })
    }
    return result
  } finally {
    release()
  }
}
