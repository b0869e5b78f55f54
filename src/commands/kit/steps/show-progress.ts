import type { Context } from '../../../context/context.ts'
import { isDumbTerminal } from '../../../render/text/style.ts'

/** Waits for work, with a spinner at a terminal. */
export async function showProgress<T>(context: Context, text: string, work: Promise<T>): Promise<T> {
  if (!context.interactive || context.options.quiet || isDumbTerminal(context.host.env)) return work
  // It may fail before the spinner listens for it.
  work.catch(() => undefined)
  const { withSpinner } = await import('../../../render/progress.ts')
  return withSpinner(context.host.stderr, text, work, context.interruption.signal)
}
