import { Failure } from '../errors.ts'
import { type Page, readPage } from './answer.ts'
import type { CallRequest, Client } from './client.ts'
import { limits } from './contract/limits.ts'
import type { Operation } from './contract/operation.ts'
import type { Json } from './contract/path.ts'

/** One page of a list. Throws as `call` does, and exit 10 for an answer that is no page. */
export async function onePage(
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
    'answer',
    'The answer is not a page of a list: it needs its items and a whole totalDocs.',
    { status, ...routeOf(client, operation, asked) },
  )
}

/**
 * Every item of a list, page by page. "A client fetching all pages stops when the number of items collected
 * equals totalDocs." Throws exit 10 when the service stops before that, or gives a page twice: a list that is not
 * whole must not look so.
 */
export async function* everyPage(
  client: Client,
  operation: Operation,
  request: CallRequest = {},
): AsyncGenerator<readonly Json[]> {
  let collected = 0
  let before = ''
  for (let number: number = limits.defaultPage; ; number++) {
    const { items, total } = await onePage(client, operation, number, limits.maximumSize, request)
    const text = JSON.stringify(items)
    if (items.length > 0 && text === before) throw incomplete(`page ${number} is page ${number - 1} again`)
    before = text
    collected += items.length
    if (items.length > 0) yield items
    if (collected === total) return
    if (items.length === 0 || collected > total) throw incomplete(`the service gave ${collected} of ${total}`)
  }

  function incomplete(why: string): Failure {
    return new Failure('answer', `The list is not whole: ${why}.`, {
      ...routeOf(client, operation, request),
      hint: 'Somebody may be changing it; run the same command again.',
    })
  }
}

/** The route as it was called: prefix and corrections applied. */
function routeOf(client: Client, operation: Operation, request: CallRequest) {
  const { method, url } = client.prepare(operation, request)
  return { method, path: new URL(url).pathname }
}
