import { isDeepStrictEqual } from 'node:util'
import { Failure, joinHints } from '../errors.ts'
import { isObject, type Json } from '../files/json/path.ts'
import { stringifyJson } from '../files/json/stringify.ts'
import type { CountryId } from '../model/countries/countries.ts'
import { idOf } from '../model/records/identity.ts'
import { limits, type Operation } from '../model/records/operation.ts'
import { candidatesByCountry } from '../model/resources/operations.ts'
import { textHash } from '../text/text-hash.ts'
import type { CallRequest, Client } from './client.ts'
import type { Page } from './response-body.ts'

/** The smallest read, which shows whether the service is there and knows the key. Throws as `call` does. */
export const readOne = (client: Client, country: CountryId) =>
  client.call(candidatesByCountry[country].list, { query: { page: 1, size: 1 } })

/** Fetches one page of a list. Throws as `call` does, and exit 10 when the response is not a page. */
export async function fetchPage(
  client: Client,
  operation: Operation,
  page: number,
  size: number,
  request: CallRequest = {},
): Promise<Page> {
  const query = { ...request.query, page, size }
  const pageRequest: CallRequest = { ...request, query }
  const { page: answer, status, hint } = await client.call(operation, pageRequest)
  const details = { status, ...routeOf(client, operation, pageRequest) }
  if (typeof answer !== 'object')
    throw new Failure('invalid-response', `The answer is not a page of a list: ${answer}.`, {
      ...details,
      hint: hint?.(),
    })
  // Such an item counts towards the total, so the list would look whole although a record of it is missing.
  const stray = answer.items.findIndex((item) => !isObject(item))
  if (stray < 0) return { ...answer, hint }
  throw new Failure(
    'invalid-response',
    `Item ${stray + 1} of page ${page} is not a record, so the list cannot be read whole.`,
    details,
  )
}

/** How a list is read. */
export interface ListOptions {
  /** The number of items that are needed; no page is fetched beyond them. All by default. */
  readonly needed?: number | undefined
  readonly onTotal?: (total: number) => void
  /** Reads a list of several pages twice, and both must agree: for what decides over a write, or money. */
  readonly mustAgree?: boolean | undefined
  /** Gets the list after its last page, to check it later: this reading then does not. */
  readonly onWhole?: (list: ListRead) => void
  /** The items are printed as they come: fails rather than give one that may have been given already. */
  readonly asItComes?: boolean
}

/** A list of which every page was read. */
export interface ListRead {
  /** Equal for two readings that show the same items. */
  readonly fingerprint: string
  /** Throws (exit 10, `moved`) if the list changed: with `mustAgree` in any item, else in its first page. */
  readonly assertStill: (mustAgree: boolean) => Promise<void>
}

/**
 * Runs `work`, which reads a list, again if the list changed meanwhile, `most` times in all: it must print
 * nothing before its last page. `onAgain` is called before each further reading. Throws what `work` throws
 * last, which is exit 10 if the list changes each time.
 */
export async function readSteadily<T>(
  work: () => Promise<T>,
  { most = 2, onAgain = (): void | Promise<void> => {} } = {},
): Promise<T> {
  for (let triesLeft = most - 1; ; triesLeft--) {
    try {
      return await work()
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof Failure && error.details.moved)) throw error
      await onAgain()
    }
  }
}

/**
 * Every item of a list, each once, told apart by its id, or without one by all of it. "A client fetching all
 * pages stops when the number of items collected equals totalDocs." The first page is read again at the end.
 * Throws exit 10, with what was received, when the list moved or is not whole.
 */
export async function* fetchPages(
  client: Client,
  operation: Operation,
  request: CallRequest = {},
  options: ListOptions = {},
): AsyncGenerator<readonly Json[]> {
  const reading = startReading(client, operation, request, options)
  try {
    yield* reading.items()
    if (!options.onWhole) await assertStill(options.mustAgree ?? false)
  } catch (error) {
    throw withProgress(error)
  }
  options.onWhole?.({
    fingerprint: reading.fingerprint(),
    assertStill: (mustAgree) =>
      assertStill(mustAgree).catch((error: unknown) => {
        throw withProgress(error)
      }),
  })

  function withProgress(error: unknown): unknown {
    const { given, total } = reading.progress
    return error instanceof Failure ? error.with({ received: { count: given, total } }) : error
  }

  /** Checks that the list did not change while its pages were read. A list of one page came at one moment. */
  async function assertStill(mustAgree: boolean): Promise<void> {
    const { pages, isCut } = reading.progress
    if (pages < 2) return
    if (isCut || !(mustAgree || reading.isAmbiguous())) return reading.assertFirstPage()
    const again = startReading(client, operation, request, {})
    for await (const _ of again.items());
    if (again.fingerprint() !== reading.fingerprint()) throw reading.changedFailure()
  }
}

function startReading(
  client: Client,
  operation: Operation,
  request: CallRequest,
  { needed = Number.POSITIVE_INFINITY, asItComes = false, onTotal }: ListOptions,
) {
  const tally = createTally()
  /** `isCut`: it ended when it had the items that are needed. */
  const progress = { given: 0, total: 0, pages: 0, isCut: false }
  let first: Page | undefined
  let pageSize = 0
  const { isAmbiguous, fingerprint } = tally
  return { items, progress, isAmbiguous, fingerprint, assertFirstPage, changedFailure }

  function askFor(page: number, size: number, isGuess = false): Promise<Page> {
    pageSize = size
    // Some services fail at each page behind the last one: that is not worth the half minute of a page that is needed.
    return fetchPage(client, operation, page, size, isGuess ? { ...request, attempts: 2 } : request)
  }

  async function* items(): AsyncGenerator<readonly Json[]> {
    let before: Page | undefined
    for await (const page of prefetchPages(askFor, needed)) {
      const isRepeated = before !== undefined && isSamePage(page, before)
      const isWhole = before !== undefined && tally.count === progress.total
      // A page after the last is empty, whatever it says of the total, or it is the last again.
      if (isWhole && (page.items.length === 0 || isRepeated)) break
      first ??= page
      progress.pages += 1
      progress.total = page.total
      onTotal?.(page.total)
      if (page.total !== first.total) throw changedFailure()
      if (isRepeated) throw incomplete(`page ${progress.pages} repeats page ${progress.pages - 1}`)
      before = page
      const fresh = tally.add(page.items)
      if (tally.count > page.total) throw incomplete()
      if (asItComes && tally.isAmbiguous()) throw changedFailure()
      progress.given += fresh.length
      if (fresh.length > 0) yield fresh
      if (progress.given >= needed) break
    }
    progress.isCut = progress.given >= needed && tally.count < progress.total
    if (progress.isCut || tally.count === progress.total) return
    throw tally.hasRepeated() ? changedFailure() : incomplete()
  }

  async function assertFirstPage(): Promise<void> {
    const again = await askFor(limits.defaultPage, pageSize)
    if (!first || again.total !== first.total || !hasSameItems(again, first)) throw changedFailure()
  }

  function changedFailure(): Failure {
    const { given, total } = progress
    const why = given === total ? '' : `: the service returned ${given} of ${total}`
    return new Failure('invalid-response', `The list changed while it was read${why}.`, {
      ...routeOf(client, operation, request),
      moved: true,
      retryable: true,
      hint: 'Run the same command again.',
    })
  }

  function incomplete(why?: string): Failure {
    const { count } = tally
    const { total } = progress
    const short = count === total ? 'some items may be missing' : `the service returned ${count} of ${total}`
    const what = count > total ? 'longer than its total' : 'incomplete'
    return new Failure('invalid-response', `The list is ${what}: ${why ? `${why}; ` : ''}${short}.`, {
      ...routeOf(client, operation, request),
      hint: joinHints('It may be changing right now; run the same command again.', why && first?.hint?.()),
    })
  }
}

/** Whether a page repeats another, also in what its items say. An empty page repeats none. */
function isSamePage(page: Page, other: Page): boolean {
  return (
    page.items.length > 0 &&
    hasSameItems(page, other) &&
    page.items.every((item, at) => isDeepStrictEqual(item, other.items[at]))
  )
}

/** Whether two pages have the same items in the same order: the same ids, or without ids equal items. */
function hasSameItems({ items }: Page, { items: otherItems }: Page): boolean {
  return (
    items.length === otherItems.length &&
    items.every((item, at) => {
      const [id, other] = [idOf(item), idOf(otherItems[at])]
      return id === other && (id !== undefined || isDeepStrictEqual(item, otherItems[at]))
    })
  )
}

/** Counts items, each id once. Equal items without an id count in one page; in two, one may have moved. */
function createTally() {
  const ids = createIdSet()
  let [repeated, ambiguous] = [0, 0]
  const tally = {
    count: 0,
    hasRepeated: () => repeated > 0,
    isAmbiguous: () => ambiguous > 0,
    /** Equal for two readings that show the same items. */
    fingerprint: () => `${tally.count} ${ids.fingerprint()}`,
    add(items: readonly Json[]): readonly Json[] {
      const inPage = new Map<string, number>()
      const fresh = items.filter((item) => {
        const id = idOf(item)
        const text = id ?? stringifyJson(item)
        // Of equal items without an id each has its number within the page.
        const number = id === undefined ? (inPage.get(text) ?? 0) + 1 : 0
        if (number > 0) inPage.set(text, number)
        const isNew = ids.add(number > 0 ? `${number} ${text}` : text)
        if (!isNew) repeated += 1
        if (!isNew && id === undefined) ambiguous += 1
        return isNew || id === undefined
      })
      tally.count += fresh.length
      return fresh
    },
  }
  return tally
}

/** The route as it was called: prefix and corrections applied. */
function routeOf(client: Client, operation: Operation, request: CallRequest) {
  const { method, url } = client.prepare(operation, request)
  return { method, path: new URL(url).pathname }
}

const maxInFlight = 4

/** How many items services put on a page where they do not give as many as were asked for: "default 20" (interface.md), and guesses. */
const usualSizes = [10, limits.defaultSize, 25, 50]

/**
 * Fetches pages in order, a few at a time, but never beyond the total or the `needed` items. After a full
 * page always one more, because the total may be the size of the page. Halves the page size once after a 413.
 */
async function* prefetchPages(
  askFor: (page: number, size: number, isGuess?: boolean) => Promise<Page>,
  needed: number,
): AsyncGenerator<Page> {
  let askedSize: number = limits.maximumSize
  const first = await askFor(limits.defaultPage, askedSize).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.details.status !== 413) throw error
    askedSize = Math.floor(askedSize / 2)
    return askFor(limits.defaultPage, askedSize)
  })
  yield first
  let { total } = first
  let collected = first.items.length
  let lastCount = collected
  // A service that ignores the size uses its own.
  let ownSize = Math.max(1, collected)
  let fullSizes = new Set([askedSize, ...usualSizes])
  const mostPages = 2 * Math.ceil(total / ownSize) + 2
  const requests: Promise<Page>[] = []
  for (let number = limits.defaultPage + 1; number <= mostPages && lastCount > 0; number++) {
    const isWhole = collected >= total
    if (isWhole && !fullSizes.has(lastCount)) return
    const isGuess = isWhole && lastCount < askedSize
    const missing = Math.ceil((Math.min(total, needed) - collected) / ownSize)
    while (requests.length < Math.max(1, Math.min(missing, maxInFlight)))
      requests.push(ask(number + requests.length, isGuess))
    const page = await (requests.shift() as Promise<Page>).catch((error: unknown) => {
      if (isWhole && isNoSuchPage(error, isGuess)) return undefined
      throw error
    })
    if (!page) return
    yield page
    lastCount = page.items.length
    total = page.total
    collected += lastCount
    ownSize = Math.max(ownSize, lastCount)
    // Once there are two pages, they show which size is its own.
    fullSizes = new Set([askedSize, ownSize])
  }

  function ask(number: number, isGuess: boolean): Promise<Page> {
    const page = askFor(number, askedSize, isGuess)
    // It may fail before its turn, or after the reader has stopped.
    page.catch(() => {})
    return page
  }
}

/**
 * "Behaviour when … page is out of range …: not shown." assumed: a refusal says that there is no such page. Behind a page
 * with fewer items than were asked for, so does whatever fails there: the total is right but for a guess.
 */
const isNoSuchPage = (error: unknown, isGuess: boolean) =>
  error instanceof Failure && (isGuess || [400, 404, 416, 422].includes(error.details.status ?? 0))

/** Whether the service has no such list, or none for this key. */
export function lacksList(error: unknown): error is Failure {
  return error instanceof Failure && [403, 404, 405].some((status) => status === error.details.status)
}

/** Ids of a list, of which only 53 bits each are kept: a list may have a million, and all their texts take 100 MB. */
export function createIdSet() {
  const numbers = new Set<number>()
  let [high, low] = [0, 0]
  return {
    /** Whether the id is new. Two with the same bits make a list look incomplete, never complete. */
    add(id: string): boolean {
      const bits = textHash(id)
      if (numbers.has(bits)) return false
      numbers.add(bits)
      high += Math.floor(bits / 2 ** 32)
      low = (low + bits) >>> 0
      return true
    },
    /** Equal for two sets of the same ids, in whatever order they were added. */
    fingerprint: () => `${numbers.size} ${high} ${low}`,
  }
}
