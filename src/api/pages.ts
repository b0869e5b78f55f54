import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../errors.ts'
import type { Json } from '../json/path.ts'
import type { CallRequest, Client } from './client.ts'
import { limits, type Operation } from './contract/operations/operation.ts'
import { idOf } from './contract/records/identity.ts'
import { type Page, readPage } from './response-body.ts'

/** Fetches one page of a list. Throws as `call` does, and exit 10 when the response is not a page. */
export async function fetchPage(
  client: Client,
  operation: Operation,
  page: number,
  size: number,
  request: CallRequest = {},
): Promise<Page> {
  const asked = { ...request, query: { ...request.query, page, size } }
  const { body, status } = await client.call(operation, asked)
  const read = readPage(body)
  if (read) return read
  throw new Failure(
    'invalid-response',
    'The answer is not a page of a list: it needs an array of items and an integer totalDocs.',
    { status, ...routeOf(client, operation, asked) },
  )
}

export interface ListOptions {
  /** The number of items that are needed; no page is fetched beyond them. All by default. */
  readonly needed?: number
  /** Fails when the list changes while it is read. */
  readonly consistent?: boolean
  /** Called if the list changed while it was read, but is complete all the same. */
  readonly onChange?: () => void
  /** Told with each page how many items the list has. */
  readonly onTotal?: (total: number) => void
}

/** How often a changing list is read from its start at most. */
const mostPasses = 3

/**
 * Every item of a list, each once. "A client fetching all pages stops when the number of items collected equals
 * totalDocs": items are told apart by their id. When the total changes on the way, or an item comes twice, the list
 * is read again, and what is new is added. Throws exit 10 when the service gives less than its total, more, or one
 * page twice, with what was received so far: a list that is not whole must not look so.
 */
export async function* fetchPages(
  client: Client,
  operation: Operation,
  request: CallRequest = {},
  { needed = Number.POSITIVE_INFINITY, consistent = false, onChange, onTotal }: ListOptions = {},
): AsyncGenerator<readonly Json[]> {
  const askFor = (page: number, size: number) => fetchPage(client, operation, page, size, request)
  const received = createTally()
  let given = 0
  let total = 0
  try {
    for (let pass = 1; ; pass++) {
      const tally = pass === 1 ? received : createTally()
      let number = 0
      let before: readonly Json[] = []
      let totals = new Set<number>()
      for await (const page of prefetchPages(askFor, needed)) {
        total = page.total
        totals = totals.add(total)
        onTotal?.(total)
        number += 1
        if (isSame(page.items, before)) {
          throw incomplete(`page ${number} repeats page ${number - 1}`)
        }
        before = page.items
        const fresh = page.items.filter(
          (item) => tally.add(item) && (tally === received || received.add(item)),
        )
        given += fresh.length
        if (fresh.length > 0) yield fresh
        if (given >= needed) return
        if (tally.count >= total) break
      }
      const changed = totals.size > 1
      if (!changed && tally.count === total) return pass > 1 ? onChange?.() : undefined
      if (!changed && tally.repeated === 0) throw incomplete()
      if (pass === mostPasses || (!changed && pass > 1)) {
        if (consistent || received.count < total) throw incomplete('it changed while it was read')
        return onChange?.()
      }
    }
  } catch (error) {
    throw error instanceof Failure
      ? new Failure(error.code, error.message, { ...error.details, received: { count: given, total } })
      : error
  }

  function incomplete(why?: string): Failure {
    const short =
      received.count !== total
        ? `the service returned ${received.count} of ${total}`
        : 'some items may be missing'
    return new Failure('invalid-response', `The list is incomplete: ${why ? `${why}; ` : ''}${short}.`, {
      ...routeOf(client, operation, request),
      hint: 'It may be changing right now; run the same command again.',
    })
  }
}

/** Whether a page repeats the one before it. An empty page does not count. */
function isSame(items: readonly Json[], before: readonly Json[]): boolean {
  if (items.length === 0 || items.length !== before.length) return false
  // The ids usually differ, and cost less to compare than whole items.
  return items.every((item, at) => idOf(item) === idOf(before[at]) && isDeepStrictEqual(item, before[at]))
}

/** Counts items, each id once; items without an id are all counted. */
function createTally() {
  const ids = createIdSet()
  const tally = {
    count: 0,
    repeated: 0,
    /** Whether the item is new. */
    add(item: Json): boolean {
      const id = idOf(item)
      if (id !== undefined && !ids.add(id)) {
        tally.repeated += 1
        return false
      }
      tally.count += 1
      return true
    },
  }
  return tally
}

/** The route as it was called: prefix and corrections applied. */
function routeOf(client: Client, operation: Operation, request: CallRequest) {
  const { method, url } = client.prepare(operation, request)
  return { method, path: new URL(url).pathname }
}

/** How many pages are requested at once. */
const maxInFlight = 4

type AskPage = (number: number, size: number) => Promise<Page>

/**
 * Fetches pages in order, a few at a time, but never beyond the total or the `needed` items. Ends on an empty page, or
 * if the total grows as fast as the list is read; the reader may stop earlier. Halves the page size once if the service
 * answers 413.
 */
async function* prefetchPages(askFor: AskPage, needed: number): AsyncGenerator<Page> {
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

/** Ids of a list, of which only 63 bits each are kept: a list may have a million, and all their texts take 100 MB. */
interface IdSet {
  /** Whether the id is new. Two ids with the same bits, one list in billions, make a list look incomplete, never complete. */
  add(id: string): boolean
}

const firstSize = 1024

export function createIdSet(): IdSet {
  // Pairs of 32 bits, at the place that the first of them says or at the next that is free. 0 0 is a free place.
  let slots = new Uint32Array(2 * firstSize)
  let count = 0
  return {
    add(id) {
      const [high, low] = bitsOf(id)
      if (!put(slots, high, low)) return false
      count += 1
      if (count * 2 > slots.length / 2) slots = enlarged(slots)
      return true
    },
  }
}

function put(slots: Uint32Array, high: number, low: number): boolean {
  const mask = slots.length / 2 - 1
  for (let place = high & mask; ; place = (place + 1) & mask) {
    const [theirHigh, theirLow] = [slots[2 * place], slots[2 * place + 1]]
    if (theirHigh === high && theirLow === low) return false
    if (theirHigh !== 0 || theirLow !== 0) continue
    slots[2 * place] = high
    slots[2 * place + 1] = low
    return true
  }
}

function enlarged(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * slots.length)
  for (let at = 0; at < slots.length; at += 2) {
    const [high = 0, low = 0] = [slots[at], slots[at + 1]]
    if (high !== 0 || low !== 0) put(larger, high, low)
  }
  return larger
}

/** Two hashes of 32 bits, mixed as MurmurHash3 does; never 0 0, for which the last bit is given up. */
function bitsOf(id: string): readonly [number, number] {
  let [high, low] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    high = Math.imul(high ^ code, 0xcc9e2d51)
    low = Math.imul(low ^ code, 0x1b873593)
    high ^= low >>> 15
    low ^= high >>> 13
  }
  return [mixed(high ^ id.length), (mixed(low) | 1) >>> 0]
}

function mixed(bits: number): number {
  let value = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
