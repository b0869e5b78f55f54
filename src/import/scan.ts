import type { Clock } from '../api/http/clock.ts'
import { fetchPages, type ListRead, readSteadily } from '../api/pages.ts'
import { Failure } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import {
  hasNumber,
  joinParts,
  keyOf,
  keyValues,
  readParts,
  withoutLeadingZeros,
} from '../model/natural-key.ts'
import { idOf } from '../model/records/identity.ts'
import { isDay } from '../text/day.ts'
import type { ImportService } from './job.ts'

/** The records that the service has under one key. */
export interface ListMatch {
  readonly count: number
  /** The ids of the records that have one. */
  readonly ids: readonly string[]
  /** The first record, where `keeps` asked for this key. */
  readonly item: JsonObject | undefined
  /** The state of the records that count for nothing, such as `rejected`; undefined where one counts. */
  readonly dead: string | undefined
}

/** The parts of a complete list that an import needs. */
export interface Scan extends ListRead {
  /** By key. */
  readonly byKey: ReadonlyMap<string, ListMatch>
  /** Records whose key is a number: by the key without leading zeros. */
  readonly numbers: ReadonlyMap<string, ListMatch>
  /** Whether some item has a field for every part of the key; true for an empty list. */
  readonly showsKey: boolean
  /** For each part of the key: whether items have it, but never as a day. */
  readonly neverDay: readonly boolean[]
}

/** The records with a key; none where no list could be read. */
export function matchOf(list: Scan | undefined, key: string): ListMatch {
  if (!list) return noMatch
  const { byKey, numbers } = list
  const [text, number] = [
    byKey.get(key),
    numbers.size > 0 ? numbers.get(withoutLeadingZeros(key)) : undefined,
  ]
  if (!text || !number) return text ?? number ?? noMatch
  return {
    count: text.count + number.count,
    ids: [...text.ids, ...number.ids],
    item: text.item,
    dead: text.dead && number.dead,
  }
}

const noMatch: ListMatch = { count: 0, ids: [], item: undefined, dead: undefined }

interface ScanOptions {
  /** The keys whose first record is kept. */
  readonly keeps?: ReadonlySet<string>
  /** Called for every record, with its key if it has one; twice where the list is read again. */
  readonly onItem?: (key: string | undefined, item: Json) => void
  /**
   * Reads the list twice each time, and requires both readings to show the same items. For lists that decide
   * what is sent.
   */
  readonly mustAgree?: boolean
}

interface Listing {
  readonly service: Pick<ImportService, 'client' | 'list' | 'kind'>
  readonly sending: { readonly clock: Clock }
}

/**
 * Runs work that reads the list. If the list changes, runs it again, three
 * times in all. Then throws the last Failure (exit 10).
 */
export const whileListStays = <T>(
  { sending: { clock } }: Pick<Listing, 'sending'>,
  work: () => Promise<T>,
): Promise<T> => readSteadily(work, { most: 3, onAgain: () => clock.sleep(250) })

/** Reads the whole list, again if it changes. */
export const scan = (job: Listing, options: ScanOptions = {}): Promise<Scan> =>
  whileListStays(job, async () => {
    const list = await scanOnce(job, options)
    await list.assertStill(options.mustAgree ?? false)
    return list
  })

/** Reads the whole list once. `assertStill` of the result throws if the list has changed meanwhile. */
export async function scanOnce({ service }: Listing, options: ScanOptions = {}): Promise<Scan> {
  const list = await readPages(service, options).catch(throwMoved)
  return { ...list, assertStill: (mustAgree) => list.assertStill(mustAgree).catch(throwMoved) }
}

/** Throws a list's failure. A list that is short, or cannot be read, may be changing. */
function throwMoved(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'invalid-response') throw error
  throw error.with({ outcome: undefined, moved: true })
}

type FoundRecords = Map<string, { -readonly [Name in keyof ListMatch]: ListMatch[Name] } & { ids: string[] }>

async function readPages(
  { client, list, kind: { key: keyFields, deadState } }: Listing['service'],
  { keeps, onItem }: ScanOptions,
): Promise<Scan> {
  const [byKey, numbers]: [FoundRecords, FoundRecords] = [new Map(), new Map()]
  const parts = keyFields.item.map(() => ({ count: 0, days: 0 }))
  let [isEmpty, showsKey] = [true, false]
  let whole: ListRead | undefined
  const onWhole = (list: ListRead) => {
    whole = list
  }
  for await (const items of fetchPages(client, list, {}, { onWhole })) {
    for (const item of items) {
      isEmpty = false
      const values = keyValues(item, keyFields)
      const own = readParts(values)
      const text = joinParts(own)
      const key = text === undefined ? undefined : keyOf(text)
      showsKey ||= values.every((value) => value !== undefined)
      for (const [at, part] of parts.entries()) {
        if (own[at]) part.count += 1
        if (isDay(own[at] ?? '')) part.days += 1
      }
      onItem?.(key, item)
      if (key === undefined || !isObject(item)) continue
      const [records, place] = hasNumber(values) ? [numbers, withoutLeadingZeros(key)] : [byKey, key]
      const dead = deadState?.(item)
      const itemToKeep = keeps?.has(place) ? item : undefined
      const match = records.get(place) ?? { count: 0, ids: [], item: itemToKeep, dead }
      match.dead &&= dead
      records.set(place, match)
      const id = idOf(item)
      match.count += 1
      if (id !== undefined) match.ids.push(id)
    }
  }
  if (!whole) throw new TypeError('a list that was read has an end')
  return {
    ...whole,
    byKey,
    numbers,
    showsKey: showsKey || isEmpty,
    neverDay: parts.map(({ count, days }) => count > 0 && days === 0),
  }
}
