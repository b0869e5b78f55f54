import type { Context } from '../../context/context.ts'
import { timeLeft } from '../../text/duration.ts'
import { groupDigits } from '../../text/words.ts'
import { startLine } from './show-progress.ts'

const peopleOneByOne = 'The list does not show all that is needed. Reading people one by one:'

/** A spinner while lists are read; then how many records are read one by one, which `work` tells `onEach`. */
export async function showReading<T>(
  context: Context,
  work: (onEach: (read: number, total: number) => void) => Promise<T>,
  oneByOne = peopleOneByOne,
): Promise<T> {
  const { show, end } = await startLine(context, { first: 'Reading the lists' })
  return work((read, total) =>
    show((ms) => `${oneByOne} ${groupDigits(read)} of ${groupDigits(total)}${timeLeft(ms, read, total)}`),
  ).finally(end)
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
      show(
        (ms) =>
          `${doing}: ${groupDigits(done)} of ${groupDigits(items.length)}${timeLeft(ms, done, items.length)}`,
      )
      await work(item, end)
    }
  } finally {
    end()
  }
}
