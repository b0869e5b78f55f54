import process from 'node:process'
import { Interrupted } from '../../errors.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that can be stopped in good order. The first signal aborts; the work then finishes what it must, and
 * the run ends by the same signal. A second one ends it at once, as if nobody listened.
 *
 * @param resume what to say to the person who stopped it
 */
export async function interruptibly<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { asked, stopped }: { asked: () => void; stopped: (result: T) => string },
): Promise<T> {
  const abort = new AbortController()
  let by: (typeof signals)[number] | undefined
  const listeners = signals.map((name) => {
    const listener = () => {
      by = name
      release()
      abort.abort()
      asked()
    }
    process.on(name, listener)
    return { name, listener }
  })
  const release = () => {
    for (const { name, listener } of listeners) process.off(name, listener)
  }
  try {
    const result = await work(abort.signal)
    if (by) throw new Interrupted(by, stopped(result))
    return result
  } finally {
    release()
  }
}
