import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../errors.ts'
import type { Json } from '../json/path.ts'
import type { CallRequest, Client } from './client.ts'
import type { Operation } from './contract/operations/operation.ts'
import { idOf } from './contract/records/identity.ts'
import { createIdSet } from './id-set.ts'
import { prefetchPages } from './prefetch.ts'
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
