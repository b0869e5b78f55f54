import { fetchPages, lacksList, readSteadily } from '../../api/pages.ts'
import type { Parameters } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import { isObject, type JsonObject } from '../../files/json/path.ts'
import type { Country } from '../../model/countries/countries.ts'
import { referenceOf, valueInResponse } from '../../model/mapping/field-mapping.ts'
import { labelOf } from '../../model/mapping/record-name.ts'
import type { Operation } from '../../model/operations/operation.ts'
import { idOf } from '../../model/records/identity.ts'
import { countriesOf, type Options } from '../cli/options.ts'
import { answerType, chooseOperation, type Target } from '../cli/target.ts'
import { showProgress } from './show-progress.ts'

/** A list in which a record is looked for, and the country that it is of, where there is one for each. */
export interface SearchedList {
  readonly operation: Operation
  readonly country?: Country
}

/** A record that was found, and in which list. */
export interface Match {
  readonly item: JsonObject
  readonly list: SearchedList
}

/** The reference that its sender gave a record. */
export function referenceIn({ item, list }: Match): string | undefined {
  const type = answerType(list.operation)
  const paths = type && referenceOf(type)
  return paths && idOf({ id: valueInResponse(item, paths) })
}

/** The name of a record, other than its reference. */
export function labelIn({ item, list }: Match): string | undefined {
  const type = answerType(list.operation)
  return type && labelOf(type, item)
}

/** `Aoife Ní Shampla, an Irish candidate`: what a person knows a record by, and of what kind it is. */
export function nameIn(match: Match): string {
  const label = labelIn(match) ?? referenceIn(match)
  const kind = answerType(match.list.operation)?.displayName ?? 'a record'
  return label ? `${label}, ${kind}` : kind
}

/** The lists that a target has: those of all countries, unless an option names one. */
export function listsOf(target: Target, options: Options): readonly SearchedList[] {
  if ('path' in target || 'current' in target) return [{ operation: chooseOperation(target, options) }]
  return countriesOf(options).map((country) => ({ operation: target[country.id], country }))
}

/** Whether the service does not know the key: then it refuses each request. */
export const isUnknownKey = (error: unknown): boolean =>
  error instanceof Failure && error.details.status === 401

interface SearchOptions {
  readonly parameters?: Parameters
  /** It counts as empty: the service may serve one country alone. */
  readonly mayBeMissing?: boolean
  /** Finding nothing decides over a write: two readings must show the same items. */
  readonly mustAgree?: boolean
  /** Told of each list how many items it has. */
  readonly onRead?: (count: number) => void
  /** It counts as empty, with a warning, beside one that may be read: a key may be for one country. */
  readonly mayBeClosed?: boolean
}

const isMissing = (error: unknown) =>
  error instanceof Failure && (error.details.status === 404 || error.details.status === 405)

/** How often a list is read that changes each time: while others create records by the dozen, it does. */
const mostReadings = 4

/**
 * Every list is read whole, and again where it changed: throws exit 10 for one that keeps changing or
 * breaks off, because a second match could be in the rest.
 */
export async function searchLists(
  context: Context,
  lists: readonly SearchedList[],
  isWanted: (item: JsonObject, list: SearchedList) => boolean,
  {
    parameters = {},
    mayBeMissing = false,
    mayBeClosed = false,
    mustAgree = false,
    onRead,
  }: SearchOptions = {},
): Promise<Match[]> {
  const client = await context.client()
  const closed: Failure[] = []
  let onFirst = () => {}
  /** A key that is refused is sent once: no other list is asked before the first one answers. */
  const answered = new Promise<void>((resolve) => {
    onFirst = resolve
  })
  let unknownKey: unknown
  const search = async (list: SearchedList): Promise<Match[]> => {
    if (list !== lists[0]) await answered
    if (unknownKey) throw unknownKey
    try {
      return await readSteadily(() => searchOnce(list), { most: mostReadings })
    } catch (error) {
      if (isUnknownKey(error)) unknownKey = error
      onFirst()
      if (mayBeMissing && isMissing(error)) return []
      if (!(mayBeClosed && error instanceof Failure && error.details.status === 403)) throw error
      closed.push(error)
      return []
    }
  }
  const searchOnce = async (list: SearchedList): Promise<Match[]> => {
    const found: Match[] = []
    let count = 0
    for await (const items of fetchPages(client, list.operation, { parameters }, { mustAgree })) {
      onFirst()
      count += items.length
      for (const item of items) if (isObject(item) && isWanted(item, list)) found.push({ item, list })
    }
    onFirst()
    onRead?.(count)
    return found
  }
  const matches = await showProgress(context, 'Searching', Promise.all(lists.map(search)))
  const [refusal] = closed
  if (refusal && closed.length === lists.length) throw refusal
  if (refusal)
    context.warn('only the records of one country were looked at: the key may not read the others (403).')
  return matches.flat()
}

/** The failure of a list that decides over a write. Not exit 6, which says that there is such a record. */
export function notKnown(
  sentence: string,
  { code, message, details }: Failure,
  hint = details.hint,
): Failure {
  const meant = code === 'refused' ? 'invalid-response' : code
  return new Failure(meant, `${sentence} ${message}`, { ...details, outcome: 'not-sent', hint })
}

/** Why a list was not read, in a word. */
export function whyUnread({ code, details: { status } }: Failure): string {
  if (status === undefined) return code
  if (status >= 300) return String(status)
  return code === 'refused' ? 'the service refused it' : 'its answer is not a list'
}

/** The key may be closed to it, and the service may have none. Of what only warns, it is no obstacle. */
export function isUnreadable(failure: Failure): boolean {
  return failure.code === 'invalid-response' || failure.code === 'refused' || lacksList(failure)
}
