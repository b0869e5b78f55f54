import { isObject, type Json, type JsonObject } from '../../../../src/files/json/path.ts'
import { type Fault, requestedPage, send } from '../../../../src/sandbox/faults/fault.ts'
import { isPage, replaceJson } from './answers.ts'

/** Faults of the pages of a list. */
export const listFaults: readonly Fault[] = [
  total('missing', 'leaves the total of a list out', () => undefined),
  total('negative', 'answers a total of -1', () => -1),
  total('string', 'answers the total as text', (count) => String(count)),
  total('huge', 'answers a total of 1e308', () => 1e308),
  {
    ...total(
      'shrinking',
      'answers a total that is one less with every page',
      (count, page) => count - page + 1,
    ),
    laterPages: true,
  },
  {
    ...total(
      'growing',
      'answers a total that is one more with every page',
      (count, page) => count + page - 1,
    ),
    laterPages: true,
  },
  {
    ...pages('empty-page', 'answers every page after the first without items, and the same total'),
    laterPages: true,
    act: replaceJson((json) => withItems(json, [])),
  },
  {
    ...pages('repeated-page', 'answers every page with the first one'),
    laterPages: true,
    act: withQuery((query) => query.set('page', '1')),
  },
  {
    ...pages('duplicate-ids', 'starts every page after the first with the last item of the one before'),
    laterPages: true,
    async act(exchange) {
      const before = await exchange.apply((query) => query.set('page', String(requestedPage(exchange) - 1)))
      const last = itemsOf(JSON.parse(before.body.toString())).slice(-1)
      await replaceJson((json) => withItems(json, [...last, ...itemsOf(json).slice(1)]))(exchange)
    },
  },
  {
    ...pages('size-ignored', 'answers 20 items a page, whatever size is asked for'),
    act: withQuery((query) => query.delete('size')),
  },
  {
    ...pages('size-exceeded', 'answers 100 items a page, whatever size is asked for'),
    act: withQuery((query) => query.set('size', '100')),
  },
]

function pages(name: string, summary: string) {
  return { name, summary, applied: 'yes', on: isPage } as const
}

/** Answers as if the query were another. */
function withQuery(change: (query: URLSearchParams) => void): Fault['act'] {
  return async ({ apply, outgoing }) => send(outgoing, await apply(change))
}

function total(
  name: string,
  summary: string,
  change: (count: number, page: number) => Json | undefined,
): Fault {
  return {
    ...pages(`total-${name}`, summary),
    act: replaceJson((json, exchange) => {
      const { meta } = json
      return isObject(meta)
        ? { ...json, meta: withChangedTotal(meta, requestedPage(exchange)) }
        : withChangedTotal(json, requestedPage(exchange))
    }),
  }

  function withChangedTotal({ totalDocs, ...rest }: JsonObject, page: number): JsonObject {
    const total = change(Number(totalDocs), page)
    return total === undefined ? rest : { ...rest, totalDocs: total }
  }
}

/** The items of a page, in the documented or the legacy shape. */
function itemsOf({ data, items }: JsonObject): readonly Json[] {
  const list = data ?? items
  return Array.isArray(list) ? list : []
}

function withItems(json: JsonObject, list: readonly Json[]): JsonObject {
  return 'items' in json ? { ...json, items: list } : { ...json, data: list }
}
