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
      const rows = await patiently(
        context,
        'Reading',
        collect(client, operation, { parameters: parametersOf(target, options) }, options),
      )
      await context.output.list(rows, operation.answers.kind === 'page' ? operation.answers.type : undefined)
      if (context.output.format === 'table')
        context.note(rows.length === 1 ? '1 item' : `${rows.length} items`)
    },
  }
}

async function collect(
  client: Client,
  operation: Operation,
  request: CallRequest,
  options: Options,
): Promise<readonly Json[]> {
  const { page, size, limit = Number.POSITIVE_INFINITY } = options
  if (page !== undefined || size !== undefined) {
    if (options.limit !== undefined)
      throw usage('--limit counts over all pages; it goes without --page and --size.')
    const one = await onePage(
      client,
      operation,
      page ?? limits.defaultPage,
      size ?? limits.defaultSize,
      request,
    )
    return one.items
  }
  const rows: Json[] = []
  for await (const items of everyPage(client, operation, request)) {
    rows.push(...items)
    if (rows.length >= limit) return rows.slice(0, limit)
  }
  return rows
}
