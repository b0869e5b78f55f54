import { fstatSync } from 'node:fs'
import type { Context } from '../../context/context.ts'
import { timeLeft } from '../../text/duration.ts'
import { groupDigits } from '../../text/words.ts'

/** Waits for work, with a spinner at a terminal. */
export async function showProgress<T>(context: Context, text: string, work: Promise<T>): Promise<T> {
  // The work may fail before the spinner is there.
  work.catch(() => undefined)
  const { end } = await startLine(context, { first: text })
  return work.finally(end)
}

/** Passes items on, with a spinner until the last has come: what is shown then has the screen for itself. */
export async function* withProgress<T>(context: Context, items: AsyncIterable<T>): AsyncGenerator<T> {
  const { end } = await startLine(context, { first: 'Reading' })
  try {
    yield* items
  } finally {
    end()
  }
}

const peopleOneByOne = 'The list does not show all that is needed. Reading people one by one'

/** A spinner while lists are read; then how many records are read one by one, which `work` tells `onEach`. */
export async function showReading<T>(
  context: Context,
  work: (onEach: (read: number, total: number) => void) => Promise<T>,
  oneByOne = peopleOneByOne,
): Promise<T> {
  const { show, end } = await startLine(context, { first: 'Reading the lists' })
  return work((read, total) => show(howFar(oneByOne, read, total))).finally(end)
}

/** Does work on one item after another, with a line of how many are done; `hide` takes it away for a question. */
export async function showEach<T>(
  context: Context,
  doing: string,
  items: readonly T[],
  work: (item: T, hide: () => void) => Promise<void>,
): Promise<void> {
  const { show, end } = await startLine(context, {})
  try {
    for (const [done, item] of items.entries()) {
      show(howFar(doing, done, items.length))
      await work(item, end)
    }
  } finally {
    end()
  }
}

const howFar = (doing: string, done: number, total: number) => (ms: number) =>
  `${doing}: ${groupDigits(done)} of ${groupDigits(total)}${timeLeft(ms, done, total)}`

/**
 * A line that says how far long work is, after a spinner with the text `first`; nothing where none may be drawn. What is
 * shown may say the milliseconds since it was shown first.
 */
export async function startLine(
  context: Context,
  { draws = mayDraw(context), first }: { readonly draws?: boolean; readonly first?: string },
) {
  if (!draws) return { show: () => {}, end: () => {} }
  const { host, interruption } = context
  const { liveLine } = await import('../../render/progress.ts')
  const spinner = first === undefined ? undefined : { text: first, stop: interruption.signal }
  const { show, end } = liveLine(host.stderr, spinner)
  let began: number | undefined
  return {
    show(text: (ms: number) => string) {
      began ??= host.monotonicNow()
      show(text(host.monotonicNow() - began))
    },
    end,
  }
}

/** Whether a spinner may be drawn. If output goes into a pipe, a pager may use the same screen. */
const mayDraw = ({ draws, host }: Context): boolean => draws && !isPipe(host.stdout)

function isPipe({ fd, isTTY }: { readonly fd?: number; readonly isTTY?: boolean }): boolean {
  if (fd === undefined || isTTY) return false
  const stats = fstatSync(fd)
  return stats.isFIFO() || stats.isSocket()
}
