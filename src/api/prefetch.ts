import { Failure } from '../errors.ts'
import { limits } from './contract/operations/limits.ts'
import type { Page } from './response-body.ts'

/** How many pages are requested at once. */
const maxInFlight = 4

export type AskPage = (number: number, size: number) => Promise<Page>

/**
 * Fetches pages in order, a few at a time, but never beyond the total or the `needed` items. Ends on an empty page, or
 * if the total grows as fast as the list is read; the reader may stop earlier. Halves the page size once if the service
 * answers 413.
 */
export async function* prefetchPages(askFor: AskPage, needed: number): AsyncGenerator<Page> {
  let size: number = limits.maximumSize
  const first = await askFor(limits.defaultPage, size).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.details.status !== 413) throw error
    size = Math.floor(size / 2)
    return askFor(limits.defaultPage, size)
  })
  yield first
  let { total } = first
  let collected = first.items.length
  // A service that ignores the size uses its own.
  let step = Math.max(1, collected)
  const last = 2 * Math.ceil(total / step) + 2
  const asked: Promise<Page>[] = []
  for (let number = limits.defaultPage + 1; number <= last && collected > 0; number++) {
    const missing = Math.ceil((Math.min(total, needed) - collected) / step)
    while (asked.length < Math.max(1, Math.min(missing, maxInFlight))) asked.push(ask(number + asked.length))
    const page = (await asked.shift()) as Page
    yield page
    if (page.items.length === 0) return
    total = page.total
    collected += page.items.length
    step = Math.max(step, page.items.length)
  }

  function ask(number: number): Promise<Page> {
    const page = askFor(number, size)
    // It may fail before its turn, or after the reader has stopped.
    page.catch(() => {})
    return page
  }
}
