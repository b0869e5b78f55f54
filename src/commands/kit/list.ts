import type { CallRequest, Client } from '../../api/client.ts'
import { limits } from '../../api/contract/operations/limits.ts'
import type { Operation } from '../../api/contract/operations/operation.ts'
import { fetchPage, fetchPages, type ListOptions } from '../../api/pages.ts'
import type { Context } from '../../context/context.ts'
import { Failure, usage } from '../../errors.ts'
import { plural } from '../../formats/words.ts'
import type { Json } from '../../json/path.ts'
import type { Options } from './declare/options.ts'
import { parameterOptions, pathParameters } from './declare/path-parameters.ts'
import { chooseOperation, variantOptions } from './declare/target.ts'
import type { Verb } from './declare/verb.ts'
import type { ListVerb } from './declare/verbs.ts'
import { showProgress } from './steps/show-progress.ts'

/** `list`: every page by default, one page with --page or --size, the first items with --limit. */
export function list({ operation: target, summary, examples }: ListVerb): Verb {
  return {
    name: 'list',
    summary,
    examples,
    options: [...variantOptions(target), ...parameterOptions(target), 'page', 'size', 'limit', 'consistent'],
    async run(context, { options }) {
      const operation = chooseOperation(target, options)
      const client = await context.client()
      const type = operation.response.kind === 'page' ? operation.response.type : undefined
      const onChange = () => context.warn('the list changed while it was being read, so it was read again.')
      const request = { parameters: pathParameters(target, options) }
      const pages = pagesOf(client, operation, request, options, onChange)
      const listing = context.output.pages(pages, type)
      // Lines that are written as they arrive leave no room for a spinner.
      const streams = context.output.format === 'ndjson'
      const count = streams
        ? await orIncomplete(context, listing)
        : await showProgress(context, 'Reading', listing)
      if (context.output.format === 'table') context.note(plural(count, 'item'))
    },
  }
}

/** Lines that were written cannot be taken back, so standard error says how many are missing. */
async function orIncomplete<T>(context: Context, listing: Promise<T>): Promise<T> {
  try {
    return await listing
  } catch (error) {
    const received = error instanceof Failure ? error.details.received : undefined
    if (received) context.host.stderr.write(`incomplete: ${received.count} of ${received.total}\n`)
    throw error
  }
}

/** The pages that the options ask for. */
async function* pagesOf(
  client: Client,
  operation: Operation,
  request: CallRequest,
  { page, size, limit, consistent = false }: Options,
  onChange: NonNullable<ListOptions['onChange']>,
): AsyncGenerator<readonly Json[]> {
  if (page !== undefined || size !== undefined) {
    if (limit !== undefined) throw usage('--limit cannot be combined with --page or --size.')
    const [number, items] = [page ?? limits.defaultPage, size ?? limits.defaultSize]
    yield (await fetchPage(client, operation, number, items, request)).items
    return
  }
  const needed = limit ?? Number.POSITIVE_INFINITY
  let left = needed
  for await (const items of fetchPages(client, operation, request, { needed, consistent, onChange })) {
    yield items.slice(0, left)
    left -= items.length
  }
}
