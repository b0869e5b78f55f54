import { fetchPages, lacksList, readSteadily } from '../../../api/pages.ts'
import type { Parameters } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import { type Failure, isTemporary, joinHints, onFailure } from '../../../errors.ts'
import { isObject, type JsonObject } from '../../../files/json/path.ts'
import { answeredValue, sentTypeOf } from '../../../model/mapping/field-mapping.ts'
import { kindOf, labelOf } from '../../../model/mapping/record-name.ts'
import { idOf, idText } from '../../../model/records/identity.ts'
import { answerType, type Operation } from '../../../model/records/operation.ts'
import type { KnownBy } from '../../../model/whose.ts'
import { eachOnce, isTaxedElsewhere, listedName, type NamedList, readLists } from '../../../reading/lists.ts'
import type { Creation, ReadyCreation } from '../../cli/create-request.ts'
import { showProgress } from '../show-progress.ts'

/** A record of a list, without its values. */
export interface ListedName extends KnownBy {
  readonly list: Operation
  /** `an Irish candidate` */
  readonly kind: string
}

/** An item of a list, with the names that people know it by. */
export interface ListedRecord extends ListedName {
  readonly item: JsonObject
}

/** The record of a list, as it is sent. */
function sentTypeIn(list: Operation) {
  const type = answerType(list)
  return type && sentTypeOf(type)
}

export function listedRecord(item: JsonObject, list: Operation): ListedRecord {
  const type = answerType(list)
  const requestType = sentTypeIn(list)
  return {
    item,
    list,
    id: idOf(item),
    reference: requestType?.reference && idText(answeredValue(requestType, item, requestType.reference)),
    name: type && labelOf(type, item),
    kind: type ? kindOf(type, item) : 'a record',
  }
}

/** A record that is to be written, for which others like it are looked for. */
export type Sought = Omit<ReadyCreation, 'verb' | 'seenBefore'> & {
  readonly verb: Pick<Creation['verb'], 'list' | 'people' | 'workKind'>
  /** Where the ids are noted of those that are there under its key. */
  readonly seenBefore?: Creation['seenBefore']
  /** The id of the record itself, which the lists have too. */
  readonly own?: string
}

interface SearchOptions {
  readonly parameters?: Parameters
  /** Another list counts as empty where the service has none, or, with a warning, none for this key. */
  readonly isNeeded?: (list: Operation) => boolean
  /** Whether one of the lists must be there. Where none is, what was typed may still be an id. */
  readonly needsOne?: boolean
  /** Reads the list twice, and requires the same items. For searches whose empty result permits a write. */
  readonly mustAgree?: boolean
}

/** A list that changes each time is read this often, because others may be creating many records. */
const mostReadings = 4

/** What `pick` keeps of the records in these lists, each read whole: a second match could be in the rest. */
export async function searchLists<T>(
  context: Context,
  lists: readonly Operation[],
  pick: (record: ListedRecord) => T | undefined,
  { parameters = {}, isNeeded = () => true, needsOne = false, mustAgree = false }: SearchOptions = {},
): Promise<T[]> {
  const client = await context.client()
  const searching = readLists<Operation, NamedList<T>>(
    lists,
    (list, noteAnswer) => readSteadily(() => searchList(list, noteAnswer), { most: mostReadings }),
    isNeeded,
  )
  const { read, closed } = await showProgress(context, 'Searching', searching)
  const forbidden = closed.find(({ failure }) => failure.details.status === 403)
  const [first] = closed
  if (first && closed.length === lists.length && (forbidden || needsOne)) throw (forbidden ?? first).failure
  if (forbidden)
    context.warn('only the people of one country were looked at: the key may not read the others (403).')
  return eachOnce(read)

  async function searchList(list: Operation, noteAnswer: () => void): Promise<NamedList<T>> {
    const names = new Set<string>()
    const matches: (readonly [string, T, boolean])[] = []
    const own = sentTypeIn(list)
    const others = lists.flatMap((each) => (each === list ? [] : (sentTypeIn(each) ?? [])))
    for await (const items of fetchPages(client, list, { parameters }, { mustAgree })) {
      noteAnswer()
      for (const item of items) {
        if (!isObject(item)) continue
        const record = listedRecord(item, list)
        const name = listedName(record, list.id)
        names.add(name)
        const picked = pick(record)
        if (picked !== undefined)
          matches.push([name, picked, own !== undefined && isTaxedElsewhere(item, own, others)])
      }
    }
    return { names, kept: matches }
  }
}

/** The records of these lists without their values, which would take too much memory. */
export const readNames = (
  context: Context,
  lists: readonly Operation[],
  options: Pick<SearchOptions, 'parameters' | 'needsOne'> = {},
): Promise<ListedName[]> =>
  searchLists(context, lists, ({ item: _, ...known }) => known, { ...options, isNeeded: () => false })

/**
 * The failure of a list that a write depends on, never exit 6: that means that there is such a record. `what`: what could
 * not be done, such as `find out whether A-1 exists already`. `without`: how to do without; no help with a refused key.
 */
export function unreadableFailure(what: string, failure: Failure, without?: string): Failure {
  const { code, message, details } = failure
  const way = details.status === 401 ? undefined : without
  const hint = joinHints((isTemporary(code) || code === 'auth' || !way) && details.hint, way)
  return failure.with({
    code: code === 'refused' ? 'invalid-response' : code,
    message: `payroll could not ${what}. ${message}`,
    outcome: 'not-sent',
    hint,
  })
}

/** Says what payroll could not find out without a list: `find out whether A-1 exists already`. */
export const withoutList = (what: string, failure: Failure): string =>
  `payroll could not ${what}: the list cannot be read (${whyUnread(failure)}).`

/** For `catch`: goes on without a list that can never be read, and says what that leaves open. */
export const goOnWithout = (context: Context, what: string) =>
  onFailure((failure): undefined => {
    if (!isUnreadable(failure)) throw failure
    context.warn(withoutList(what, failure))
  })

/** In a word why a list could not be read. */
export function whyUnread({ code, message, details: { status } }: Failure): string {
  if (status === undefined) return code === 'invalid-response' ? message.replace(/\.$/, '') : code
  if (status >= 300) return String(status)
  return code === 'refused' ? 'the service refused it' : 'its answer is not a list'
}

/** Whether a list can never be read: the key may not, or there is none. What only warns goes on without it. */
export function isUnreadable(failure: Failure): boolean {
  return failure.code === 'invalid-response' || failure.code === 'refused' || lacksList(failure)
}
