import type { Context } from '../../context/context.ts'
import { timeLeft } from '../../text/duration.ts'
import { grouped } from '../../text/words.ts'
import { mayDraw } from './show-progress.ts'

const peopleOneByOne = 'The list does not show all that is needed. Reading people one by one:'

/** A spinner while lists are read; then how many records are read one by one, which `work` tells `onEach`. */
export async function showReading<T>(
  context: Context,
  work: (onEach: (read: number, total: number) => void) => Promise<T>,
  oneByOne = peopleOneByOne,
): Promise<T> {
  if (!mayDraw(context)) return work(() => {})
  const { host, interruption } = context
  const { liveLine, startSpinner } = await import('../../render/progress.ts')
  const endSpinner = startSpinner(host.stderr, 'Reading the lists', interruption.signal)
  let line: ReturnType<typeof liveLine> | undefined
  let began = 0
  const onEach = (read: number, total: number) => {
    if (!line) {
      endSpinner()
      line = liveLine(host.stderr)
      began = host.monotonicNow()
    }
    const time = timeLeft(host.monotonicNow() - began, read, total)
    line.show(`${oneByOne} ${grouped(read)} of ${grouped(total)}${time}`)
  }
  try {
    return await work(onEach)
  } finally {
    endSpinner()
    line?.end()
  }
}

/** Does work on one item after another, with a line of how many are done; `hide` takes it away for a question. */
export async function showEach<T>(
  context: Context,
  doing: string,
  items: readonly T[],
  work: (item: T, hide: () => void) => Promise<void>,
): Promise<void> {
  const { host } = context
  const line = mayDraw(context) ? (await import('../../render/progress.ts')).liveLine(host.stderr) : undefined
  const hide = () => line?.end()
  const began = host.monotonicNow()
  try {
    for (const [done, item] of items.entries()) {
      const time = timeLeft(host.monotonicNow() - began, done, items.length)
      line?.show(`${doing}: ${grouped(done)} of ${grouped(items.length)}${time}`)
      await work(item, hide)
    }
  } finally {
    hide()
  }
}
