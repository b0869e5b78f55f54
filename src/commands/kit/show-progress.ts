import { fstatSync } from 'node:fs'
import type { Context } from '../../context/context.ts'

/** Waits for work, with a spinner at a terminal. */
export async function showProgress<T>(context: Context, text: string, work: Promise<T>): Promise<T> {
  if (!mayDraw(context)) return work
  // The work may fail before the spinner handles it.
  work.catch(() => undefined)
  const { withSpinner } = await import('../../render/progress.ts')
  return withSpinner(context.host.stderr, text, work, context.interruption.signal)
}

/** Passes items on, with a spinner until the last has come: what is shown then has the screen for itself. */
export async function* withProgress<T>(context: Context, items: AsyncIterable<T>): AsyncGenerator<T> {
  if (!mayDraw(context)) return yield* items
  const { startSpinner } = await import('../../render/progress.ts')
  const end = startSpinner(context.host.stderr, 'Reading', context.interruption.signal)
  try {
    yield* items
  } finally {
    end()
  }
}

/** Whether a spinner may be drawn. If output goes into a pipe, a pager may use the same screen. */
export const mayDraw = ({ draws, host }: Context): boolean => draws && !isPipe(host.stdout)

function isPipe({ fd, isTTY }: { readonly fd?: number; readonly isTTY?: boolean }): boolean {
  if (fd === undefined || isTTY) return false
  const stats = fstatSync(fd)
  return stats.isFIFO() || stats.isSocket()
}
