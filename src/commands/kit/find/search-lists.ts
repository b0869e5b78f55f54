import { fetchPages, lacksList, readSteadily } from '../../../api/pages.ts'
import type { Parameters } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import { asFailure, Failure, joinHints } from '../../../errors.ts'
import { isObject, type JsonObject } from '../../../files/json/path.ts'
import type { Country } from '../../../model/countries/countries.ts'
import { referenceOf, valueInResponse } from '../../../model/mapping/field-mapping.ts'
import { labelOf } from '../../../model/mapping/record-name.ts'
import { keyOf } from '../../../model/natural-key.ts'
import type { Operation } from '../../../model/operations/operation.ts'
import { idOf, idText } from '../../../model/records/identity.ts'
import { countriesOf, type Options } from '../../cli/options.ts'
import { answerType, chooseOperation, type Target } from '../../cli/target.ts'
import { showProgress } from '../show-progress.ts'

/** A list to search, and its country if there is one list for each. */
export interface SearchedList {
  readonly operation: Operation
  readonly country?: Country
}

/** An item of a list, with the names that people know it by. */
export interface ListedRecord {
  readonly item: JsonObject
  readonly list: SearchedList
  readonly id: string | undefined
  /** The reference that its sender gave it. */
  readonly reference: string | undefined
  /** Its name besides the reference: `Aoife Ní Shampla`. */
  readonly name: string | undefined
  /** `an Irish candidate` */
  readonly kind: string
}

/** Finds the names of a list item. */
export function listedRecord(item: JsonObject, list: SearchedList): ListedRecord {
  const type = answerType(list.operation)
  const paths = type && referenceOf(type)
  return {
    item,
    list,
    id: idOf(item),
    reference: paths && idText(valueInResponse(item, paths)),
    name: type && labelOf(type, item),
    kind: type?.displayName ?? 'a record',
  }
}

/** `Aoife Ní Shampla, an Irish candidate`. */
export function nameWithKind({ name, reference, kind }: ListedRecord): string {
  const label = name ?? reference
  return label ? `${label}, ${kind}` : kind
}

/** Whether a reference is the typed one, ignoring capitals and spaces around it. */
export const isReference = (reference: string | undefined, typed: string): boolean =>
  reference !== undefined && keyOf(reference.trim()) === keyOf(typed.trim())

/** The lists of a target: of the country that the options name, or of all countries. */
export function listsOf(target: Target, options: Options): readonly SearchedList[] {
  if ('path' in target || 'current' in target) return [{ operation: chooseOperation(target, options) }]
  return countriesOf(options).map((country) => ({ operation: target[country.id], country }))
}

/** Whether the service does not know the key: then it refuses each request. */
export const isUnknownKey = ({ details }: Failure): boolean => details.status === 401

interface SearchOptions {
  readonly parameters?: Parameters
  /** A list that the service does not have counts as empty, because it may serve only one country. */
  readonly mayBeMissing?: boolean
  /** A list that the key may not read counts as empty, with a warning, if another one can be read. */
  readonly mayBeClosed?: boolean
  /** Reads the list twice, and requires the same items. For searches whose empty result permits a write. */
  readonly mustAgree?: boolean
  /** Called with the number of items of each list. */
  readonly onRead?: (count: number) => void
}

/** A list that changes each time is read this often, because others may be creating many records. */
const mostReadings = 4

/**
 * Finds the wanted records in these lists. Each list is read whole, and again if it changed. Throws exit 10
 * for a list that keeps changing or breaks off, because a second match could be in the rest.
 */
export async function searchLists(
  context: Context,
  lists: readonly SearchedList[],
  isWanted: (record: ListedRecord) => boolean,
  { parameters = {}, mayBeMissing, mayBeClosed, mustAgree = false, onRead }: SearchOptions = {},
): Promise<ListedRecord[]> {
  const client = await context.client()
  const closed: Failure[] = []
  let unknownKey: Failure | undefined
  let noteAnswer = () => {}
  const firstAnswer = new Promise<void>((resolve) => {
    noteAnswer = resolve
  })
  const found = await showProgress(context, 'Searching', Promise.all(lists.map(searchList)))
  const [refusal] = closed
  if (refusal && closed.length === lists.length) throw refusal
  if (refusal)
    context.warn('only the records of one country were looked at: the key may not read the others (403).')
  return found.flat()

  async function searchList(list: SearchedList): Promise<readonly ListedRecord[]> {
    // The other lists wait for the first answer, so that a refused key is sent only once.
    if (list !== lists[0]) await firstAnswer
    if (unknownKey) throw unknownKey
    try {
      return await readSteadily(() => readList(list), { most: mostReadings })
    } catch (error) {
      noteAnswer()
      const failure = asFailure(error)
      const { status } = failure.details
      if (isUnknownKey(failure)) unknownKey = failure
      if (mayBeMissing && (status === 404 || status === 405)) return []
      if (!mayBeClosed || status !== 403) throw failure
      closed.push(failure)
      return []
    }
  }

  async function readList(list: SearchedList): Promise<readonly ListedRecord[]> {
    const wanted: ListedRecord[] = []
    let count = 0
    for await (const items of fetchPages(client, list.operation, { parameters }, { mustAgree })) {
      noteAnswer()
      count += items.length
      const records = items.filter(isObject).map((item) => listedRecord(item, list))
      wanted.push(...records.filter(isWanted))
    }
    noteAnswer()
    onRead?.(count)
    return wanted
  }
}

/**
 * The failure of a list that a write depends on. It is never exit 6, which would mean that there is such a record.
 * `without`: how to do without the list. Advice about the connection or the key comes before it. It helps nobody
 * whose key is refused (401); a key that may not read the list (403) may do the rest.
 */
export function unreadableFailure(
  sentence: string,
  { code, message, details }: Failure,
  without?: string,
): Failure {
  const way = details.status === 401 ? undefined : without
  const hint = joinHints((code === 'temporary' || code === 'auth' || !way) && details.hint, way)
  const meant = code === 'refused' ? 'invalid-response' : code
  return new Failure(meant, `${sentence} ${message}`, { ...details, outcome: 'not-sent', hint })
}

/** In a word why a list could not be read. */
export function whyUnread({ code, details: { status } }: Failure): string {
  if (status === undefined) return code
  if (status >= 300) return String(status)
  return code === 'refused' ? 'the service refused it' : 'its answer is not a list'
}

/**
 * Whether a list can never be read: the key may not, or the service has none. Checks that only warn go on without it.
 */
export function isUnreadable(failure: Failure): boolean {
  return failure.code === 'invalid-response' || failure.code === 'refused' || lacksList(failure)
}
