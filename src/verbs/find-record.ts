import { referenceOf, valueInResponse } from '../api/contract/mapping/field-mapping.ts'
import type { Operation } from '../api/contract/operations/operation.ts'
import { idOf } from '../api/contract/records/identity.ts'
import type { Options } from '../cli/options.ts'
import { pathParameters } from '../cli/resource-verbs.ts'
import { answerType, chooseOperation, optionsFor, type Target, variantFlags } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import { Failure, usage } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import type { Reference } from './command-line.ts'
import { listsOf, type Match, type SearchedList, searchLists } from './search-lists.ts'

/** A shorter beginning of an id is typed by mistake, or fits many. */
const shortestBeginning = 6

/** The one record that was meant, and the options that choose its operation; undefined where there is none. */
export async function findReferred(
  context: Context,
  reference: Reference,
  list: Target,
): Promise<{ readonly id: string; readonly options: Options } | undefined> {
  const { id, options, target } = reference
  const matches = await findMatches(context, reference, list)
  const [match] = matches
  if (!match) return undefined
  if (matches.length > 1) throw several(id, matches)
  const chosen = optionsOf(target, match, options)
  const found = idOf(match.item) ?? ''
  const isElsewhere = chooseOperation(target, chosen).id !== chooseOperation(target, options).id
  // The list has the id that the service says it has not: there is nothing else to try.
  if (found === id && !isElsewhere) return undefined
  if (isElsewhere && !reference.anyCountry) throw elsewhere(id, match, variantFlags(chosen))
  context.note(`${id} is ${describe(match)}.`)
  return { id: found, options: chosen }
}

async function findMatches(
  context: Context,
  { id, options, target }: Reference,
  list: Target,
): Promise<readonly Match[]> {
  const { id: _id, ...parameters } = pathParameters(target, options, id)
  const wanted = id.toLowerCase()
  const isBeginning = id.length >= shortestBeginning
  const found = await searchLists(
    context,
    listsOf(list, options),
    (item, { operation }) => {
      const own = idOf(item)
      if (own === undefined) return false
      const begins = isBeginning && own.toLowerCase().startsWith(wanted)
      return own === id || begins || referenceIn(item, operation)?.toLowerCase() === wanted
    },
    { parameters, mayBeMissing: true },
  )
  const exact = found.filter(({ item }) => idOf(item) === id)
  return exact.length > 0 ? exact : found
}

/** The reference that its sender gave a record. */
function referenceIn(item: JsonObject, operation: Operation): string | undefined {
  const type = answerType(operation)
  const paths = type && referenceOf(type)
  const value = paths && valueInResponse(item, paths)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** The options that choose the operation for a match: those of its country. */
function optionsOf(target: Target, { list: { variant } }: Match, options: Options): Options {
  if (!variant || 'path' in target || 'current' in target) return options
  return { ...options, ...optionsFor(target, target[variant.id].id) }
}

/** "Aoife Ní Shampla, an Irish candidate (4f1c…)": what a person knows the record by. */
function describe({ item, list }: Match): string {
  return `${naming(item, list)} (${idOf(item)})`
}

function naming(item: JsonObject, { operation }: SearchedList): string {
  const label = labelOf(item) ?? referenceIn(item, operation)
  const kind = answerType(operation)?.displayName ?? 'a record'
  return label ? `${label}, ${kind}` : kind
}

/** What a person calls a record of a list, other than by its reference: its name or description. */
export function labelOf(item: JsonObject): string | undefined {
  const names = [item.forename, item.surname].filter((name) => typeof name === 'string' && name !== '')
  const label = names.join(' ') || item.description || item.name
  return typeof label === 'string' && label !== '' ? label : undefined
}

function several(id: string, matches: readonly Match[]): Failure {
  return new Failure('usage', `${id} can mean ${matches.length} records. Nothing was sent.`, {
    outcome: 'not-sent',
    issues: matches.map(({ item, list }) => ({
      path: idOf(item) ?? '',
      message: [referenceIn(item, list.operation), naming(item, list)].filter(Boolean).join(', '),
    })),
    hint: 'Type the id of the one that you mean.',
  })
}

function elsewhere(id: string, match: Match, flags: readonly string[]): Failure {
  const flag = flags[0] ?? `--${match.list.variant?.id}`
  return usage(`${id} is ${describe(match)}. Nothing was sent.`, `To mean that record, add ${flag}.`)
}
