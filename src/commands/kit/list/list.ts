import type { CallRequest, Client } from '../../../api/client.ts'
import { fetchPage, fetchPages, type ListOptions, readSteadily } from '../../../api/pages.ts'
import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { isObject, type Json } from '../../../files/json/path.ts'
import { answerType, limits, type Operation } from '../../../model/records/operation.ts'
import { nounOfType } from '../../../model/records/record-type.ts'
import { once } from '../../../once.ts'
import { mapGroups } from '../../../text/group-by.ts'
import { countOf } from '../../../text/words.ts'
import type { Options } from '../../cli/options.ts'
import { type ListVerb, named, parameterOptions, pathParameters, when } from '../../cli/resource-verbs.ts'
import { chooseOperation, countryOptionsOf } from '../../cli/target.ts'
import { namingNote, type Verb } from '../../cli/verb.ts'
import { withProgress } from '../show-progress.ts'

const notes = [
  'A condition of --where is a field, one of = != < <= > >= ~ (contains) and a value, in quotes.',
  "Capitals do not matter, and ~ ignores accents too. Without a value, 'email=' finds the items that have none.",
  'For a field use the heading that the table shows, or a name from payroll explain.',
]

const sumNote =
  'With --sum no items are listed, but their totals, one line for each value of --by; in JSON: [{"by", "count", "sum": {field: total}}].'

/** The argument that limits a list to one person. */
export const personArgument = {
  name: 'person',
  summary: 'only those of one person, by the id, your own reference or the name',
  optional: true,
  variadic: true,
} as const

/** `list`: shows every page, or one page with --page or --size, filtered by --where, --sort and --limit. */
export function list(verb: ListVerb): Verb {
  const { operation: target, whoseItem, sums } = verb
  return {
    ...named('list', verb),
    answer: async () => (await import('../answers.ts')).answers.list(verb),
    notes: [...(whoseItem ? [namingNote] : []), ...notes, ...(sums ? [sumNote] : [])],
    arguments: whoseItem && [personArgument],
    options: [
      ...countryOptionsOf(target),
      ...parameterOptions(target),
      'where',
      'sort',
      ...when(sums, 'sum', 'by'),
      'limit',
      'page',
      'size',
      'consistent',
    ],
    run: (context, { options, arguments: { person } }) => runList(context, verb, options, person),
  }
}

async function runList(
  context: Context,
  { operation: target, whoseItem, inWords }: ListVerb,
  options: Options,
  person: string | undefined,
): Promise<void> {
  const { where, sort, sum, by, limit } = options
  const operation = chooseOperation(target, options)
  const parameters = pathParameters(options)
  const typeOf = () => answerType(operation)
  if (by !== undefined && sum === undefined) throw usage('--by needs --sum.')
  const printSums = sum === undefined ? undefined : (await import('./sum.ts')).sumPrinter(typeOf(), sum, by)
  if (person !== undefined && (options.page !== undefined || options.size !== undefined))
    throw usage('A person cannot be combined with --page or --size: a page has the items of everybody.')
  const select =
    where || sort !== undefined
      ? (await import('./where.ts')).selectItems(context, typeOf()?.fields ?? {}, options)
      : undefined
  const client = await context.client()
  const selectPerson =
    whoseItem && person !== undefined
      ? await (await import('../find/items-of-person.ts')).selectPerson(context, person, whoseItem)
      : undefined
  // Lines that are written as they arrive cannot be taken back, and leave no room for a spinner.
  const streams = context.output.format.streams && !printSums
  const { isForPerson } = context.output.format
  let [total, matching] = [0, 0]
  const show = () => {
    const pages = pagesOf(client, operation, options, {
      request: { parameters },
      needed: select || selectPerson ? undefined : limit,
      onTotal: (count) => {
        total = count
      },
      mustAgree: options.consistent,
      asItComes: streams,
    })
    const own = selectPerson ? selectPerson(pages) : pages
    const selected = limitItems(select ? select(own) : own, limit, {
      // A person is told how many match; a script gets the first ones as soon as they are there.
      readsOn: !select || isForPerson,
      onMatching: (count) => {
        matching = count
      },
    })
    const pagesShown = streams ? selected : withProgress(context, selected)
    if (printSums) return printSums(context, pagesShown)
    const readable =
      inWords && context.output.isRead ? mapGroups(pagesShown, inWordsOnce(context, inWords)) : pagesShown
    return context.output.pages(readable, typeOf)
  }
  const count = streams
    ? await orIncomplete(context, show())
    : await readUnlessChanged(context, show, options.consistent)
  if (!isForPerson || printSums) return
  const type = typeOf()
  const noun = operation.country ? 'person' : type ? nounOfType(type) : 'item'
  context.note(countOf(count, total, noun, select || selectPerson ? matching : count))
}

/** Does the work again if the list changed meanwhile. `isOnce`: output cannot be taken back. */
export function readUnlessChanged<T>(context: Context, work: () => Promise<T>, isOnce = false): Promise<T> {
  return readSteadily(work, {
    most: isOnce ? 1 : 2,
    onAgain: () => context.warn('the list changed while it was being read, so it was read again.'),
  })
}

/** Items as a person reads them. What that takes is asked once there is an item. */
function inWordsOnce(context: Context, inWords: NonNullable<ListVerb['inWords']>) {
  const load = once(() => inWords(context))
  return async (items: readonly Json[]) => {
    if (items.length === 0) return items
    const make = await load()
    return items.map((item) => (isObject(item) ? make(item) : item))
  }
}

/** The first `most` items. With `readsOn` the rest is read all the same: to be counted, and held against its total. */
export async function* limitItems(
  pages: AsyncIterable<readonly Json[]>,
  most = Number.POSITIVE_INFINITY,
  { readsOn, onMatching }: { readonly readsOn: boolean; readonly onMatching: (count: number) => void },
): AsyncGenerator<readonly Json[]> {
  let count = 0
  for await (const items of pages) {
    if (count < most) yield items.slice(0, most - count)
    count += items.length
    onMatching(count)
    if (count >= most && !readsOn) return
  }
}

/** Lines that were written cannot be taken back, so standard error says how many are missing. */
async function orIncomplete<T>(context: Context, listing: Promise<T>): Promise<T> {
  try {
    return await listing
  } catch (error) {
    const progress = error instanceof Failure ? error.details.received : undefined
    if (progress && progress.count < progress.total)
      context.host.stderr.write(`incomplete: ${progress.count} of ${progress.total}\n`)
    throw error
  }
}

async function* pagesOf(
  client: Client,
  operation: Operation,
  { page, size }: Options,
  { request, ...list }: ListOptions & { readonly request: CallRequest },
): AsyncGenerator<readonly Json[]> {
  if (page === undefined && size === undefined) return yield* fetchPages(client, operation, request, list)
  const [number, items] = [page ?? limits.defaultPage, size ?? limits.defaultSize]
  const answer = await fetchPage(client, operation, number, items, request)
  list.onTotal?.(answer.total)
  yield answer.items
}
