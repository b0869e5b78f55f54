import { createHash } from 'node:crypto'
import type { Clock } from '../api/http/clock.ts'
import { fetchPages, type ListOptions, readSteadily } from '../api/pages.ts'
import { Failure } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../files/json/path.ts'
import { isDay } from '../model/fields/field.ts'
import { asNumbers, hasNumber, joinParts, keyOf, keyValues, readParts } from '../model/natural-key.ts'
import { idOf } from '../model/records/identity.ts'
import type { ImportService } from './job.ts'

/** The records that the service has under one key. */
export interface Match {
  readonly count: number
  /** The ids of those that have one. */
  readonly ids: readonly string[]
  /** The first record, if `keeps` has its key. */
  readonly item: JsonObject | undefined
}

/** A complete list, as far as an import needs it. */
export interface Scan {
  /** By key. */
  readonly seen: ReadonlyMap<string, Match>
  /** Records whose key is a number: by the key without leading zeros. */
  readonly numbers: ReadonlyMap<string, Match>
  /** Equal for two lists of the same records, in any order. */
  readonly fingerprint: string
  /** Whether some item has a field for every part of the key; true for an empty list. */
  readonly hasPlace: boolean
  /** For each part of the key: whether items have it, but never as a day. */
  readonly neverDay: readonly boolean[]
}

/** The records with a key; none where no list could be read. */
export function matchOf(list: Scan | undefined, key: string): Match {
  if (!list) return noMatch
  const { seen, numbers } = list
  const [text, number] = [seen.get(key), numbers.size > 0 ? numbers.get(asNumbers(key)) : undefined]
  if (!text || !number) return text ?? number ?? noMatch
  return { count: text.count + number.count, ids: [...text.ids, ...number.ids], item: text.item }
}

const noMatch: Match = { count: 0, ids: [], item: undefined }

interface ScanOptions {
  /** Keep the first record of each of these keys. */
  readonly keeps?: ReadonlySet<string>
  /** Called for every record, with its key if it has one. */
  readonly onItem?: (key: string | undefined, item: Json) => void
  /** Each reading is made of two that must show the same items: for what decides who is sent. */
  readonly mustAgree?: boolean
  /** Is given the check of the last reading, and makes it later. */
  readonly onWhole?: ListOptions['onWhole']
}

/** A list that changes each time is read so often. */
export const mostReadings = 3
/** The pause before a list that changed is read again, in milliseconds. */
export const betweenReadingsMs = 250

/** Reads the whole list; if it changes, again, twice at most. Then throws the last Failure (exit 10). */
export const scan = (
  { service, clock }: { readonly service: ImportService; readonly clock: Clock },
  watch: ScanOptions = {},
): Promise<Scan> =>
  readSteadily(() => readOnce(service, watch), {
    most: mostReadings,
    isWorth: isWorthReading,
    onAgain: () => clock.sleep(betweenReadingsMs),
  })

/** Whether a list that could not be read, or is not what it was, may be whole the next time. */
export const isWorthReading = (error: unknown) =>
  error instanceof Failure && error.code === 'invalid-response'

type SeenKeys = Map<string, { count: number; ids: string[]; item: JsonObject | undefined }>

async function readOnce(
  { client, list, kind }: ImportService,
  { keeps, onItem, mustAgree = false, onWhole }: ScanOptions,
): Promise<Scan> {
  const [seen, numbers]: [SeenKeys, SeenKeys] = [new Map(), new Map()]
  const parts = kind.key.item.map(() => ({ count: 0, days: 0 }))
  const fingerprint = Buffer.alloc(8)
  let [total, hasPlace] = [0, false]
  for await (const items of fetchPages(client, list, {}, { mustAgree, onWhole })) {
    for (const item of items) {
      total += 1
      const values = keyValues(item, kind.key)
      const own = readParts(values)
      const name = joinParts(own)
      const key = name === undefined ? undefined : keyOf(name)
      const id = idOf(item)
      addToFingerprint(fingerprint, `${id ?? ''}\n${key ?? ''}`)
      hasPlace ||= values.every((value) => value !== undefined)
      for (const [at, part] of parts.entries()) {
        if (own[at]) part.count += 1
        if (isDay(own[at] ?? '')) part.days += 1
      }
      onItem?.(key, item)
      if (key === undefined || !isObject(item)) continue
      if (hasNumber(values)) see(numbers, asNumbers(key), id, item)
      else see(seen, key, id, item)
    }
  }
  return {
    seen,
    numbers,
    fingerprint: `${total} ${fingerprint.toString('hex')}`,
    hasPlace: hasPlace || total === 0,
    neverDay: parts.map(({ count, days }) => count > 0 && days === 0),
  }

  function see(where: SeenKeys, key: string, id: string | undefined, item: JsonObject): void {
    const here = where.get(key)
    if (!here) {
      const kept = keeps?.has(key) ? item : undefined
      where.set(key, { count: 1, ids: id === undefined ? [] : [id], item: kept })
      return
    }
    here.count += 1
    if (id !== undefined) here.ids.push(id)
  }
}

/** Adds the digests up, so that the order of the items does not matter. */
function addToFingerprint(fingerprint: Buffer, text: string): void {
  const digest = createHash('sha256').update(text).digest()
  fingerprint.writeBigUInt64BE(BigInt.asUintN(64, fingerprint.readBigUInt64BE() + digest.readBigUInt64BE()))
}
