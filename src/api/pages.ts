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
  const { body, status } = await client.call(operation, {
    ...request,
    query: { ...request.query, page, size },
  })
  const read = readPage(body)
  if (read) return read
  throw new Failure(
    'answer',
    'The answer is not a page of a list: it needs its items and a whole totalDocs.',
    {
      status,
      method: operation.method,
      path: operation.path,
    },
  )
}

/**
 * Every item of a list, page by page. "A client fetching all pages stops when the number of items collected
 * equals totalDocs." Throws exit 10 when the service stops before that: a short list must not look whole.
 */
export async function* everyPage(
  client: Client,
  operation: Operation,
  request: CallRequest = {},
): AsyncGenerator<readonly Json[]> {
  let collected = 0
  for (let number: number = limits.defaultPage; ; number++) {
    const { items, total } = await onePage(client, operation, number, limits.maximumSize, request)
    collected += items.length
    if (items.length > 0) yield items
    if (collected === total) return
    if (items.length === 0 || collected > total) throw incomplete(operation, collected, total)
  }
}

function incomplete(operation: Operation, collected: number, total: number): Failure {
  return new Failure('answer', `The list is not whole: the service gave ${collected} of ${total}.`, {
    method: operation.method,
    path: operation.path,
    hint: 'Somebody may be changing it; run the same command again.',
  })
}
