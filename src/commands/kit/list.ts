import type { CallRequest, Client } from '../../api/client.ts'
import { limits } from '../../api/contract/limits.ts'
import type { Operation } from '../../api/contract/operation.ts'
import type { Json } from '../../api/contract/path.ts'
import { everyPage, onePage } from '../../api/pages.ts'
import { usage } from '../../errors.ts'
import type { Options } from './options.ts'
import { parameterOptions, parametersOf } from './parameters.ts'
import { patiently } from './patiently.ts'
import { operationOf, type Target, variantOptions } from './variant.ts'
import type { Verb } from './verb.ts'

export interface ListVerb {
  readonly operation: Target
  readonly summary: string
  readonly examples: readonly string[]
}

/** `list`: every page by default, one page with --page or --size, the first items with --limit. */
export function list({ operation: target, summary, examples }: ListVerb): Verb {
  return {
    name: 'list',
    summary,
    examples,
    options: [...variantOptions(target), ...parameterOptions(target), 'page', 'size', 'limit'],
    async run(context, { options }) {
      const operation = operationOf(target, options)
      const client = await context.client()
      const type = operation.answers.kind === 'page' ? operation.answers.type : undefined
      const pages = pagesOf(client, operation, { parameters: parametersOf(target, options) }, options)
      const listing = context.output.pages(pages, type)
      // What is written as it comes leaves no room for a spinner.
      const count =
        context.output.format === 'ndjson' ? await listing : await patiently(context, 'Reading', listing)
      if (context.output.format === 'table') context.note(count === 1 ? '1 item' : `${count} items`)
    },
  }
}

/** The pages that the options ask for. */
async function* pagesOf(
  client: Client,
  operation: Operation,
  request: CallRequest,
  { page, size, limit }: Options,
): AsyncGenerator<readonly Json[]> {
  if (page !== undefined || size !== undefined) {
    if (limit !== undefined) throw usage('--limit counts over all pages; it goes without --page and --size.')
    const [number, items] = [page ?? limits.defaultPage, size ?? limits.defaultSize]
    yield (await onePage(client, operation, number, items, request)).items
    return
  }
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const items of everyPage(client, operation, request)) {
    yield items.slice(0, left)
    left -= items.length
    if (left <= 0) return
  }
}
