import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { idOf } from '../../api/contract/records/identity.ts'
import { fetchPages } from '../../api/pages.ts'
import { Failure } from '../../errors.ts'
import { isObject, type Json, type JsonObject } from '../../json/path.ts'
import type { ImportService } from '../import-service.ts'
import { isDay } from '../rows/iso-day.ts'
import { asNumbers, hasNumber, keyOf, keyValues, nameOf, partsFrom } from '../rows/natural-key.ts'

/** What the service has under one key. */
export interface Match {
  /** How many records. */
  readonly count: number
  /** Of those that have one. */
  readonly ids: readonly string[]
  /** The first of them, where it is to be kept. */
  readonly item: JsonObject | undefined
}

/** A complete list, as far as an import needs it. */
export interface Scan {
  readonly total: number
  /** By key. */
  readonly seen: ReadonlyMap<string, Match>
  /** Of the records that have their key as a number: by the key without leading zeros. */
  readonly numbers: ReadonlyMap<string, Match>
  /** The same for two lists of the same records, in whatever order. */
  readonly fingerprint: string
  /** Whether some item has a place for every part of the key; true of an empty list. */
  readonly hasPlace: boolean
  /** For each part of the key: whether items have it, and in none of them it is a day. */
  readonly dayless: readonly boolean[]
}

/** What the list shows of a key. */
export function matchOf({ seen, numbers }: Scan, key: string): Match {
  const [text, number] = [seen.get(key), numbers.size > 0 ? numbers.get(asNumbers(key)) : undefined]
  if (!text || !number) return text ?? number ?? nowhere
  return { count: text.count + number.count, ids: [...text.ids, ...number.ids], item: text.item }
}

const nowhere: Match = { count: 0, ids: [], item: undefined }

export interface ScanOptions {
  /** The keys of which the first record is kept. */
  readonly keeps?: ReadonlySet<string>
  /** Told of every record, and its key where it has one. */
  readonly onItem?: (key: string | undefined, item: Json) => void
}

const mostReadings = 3
const betweenReadingsMs = 250

/**
 * Reads the whole list. One that changes while it is read is read again, twice at most; then throws the Failure
 * (exit 10) of the last.
 */
export async function scan(service: ImportService, watch: ScanOptions = {}): Promise<Scan> {
  for (let reading = 1; ; reading++) {
    try {
      return await readOnce(service, watch)
    } catch (error) {
      const mayChange = error instanceof Failure && error.code === 'invalid-response'
      if (!mayChange || reading === mostReadings) throw error
      await pause(betweenReadingsMs)
    }
  }
}

type Seen = Map<string, { count: number; ids: string[]; item: JsonObject | undefined }>

async function readOnce(
  { client, list, kind }: ImportService,
  { keeps, onItem }: ScanOptions,
): Promise<Scan> {
  const [seen, numbers]: [Seen, Seen] = [new Map(), new Map()]
  const parts = kind.key.item.map(() => ({ count: 0, days: 0 }))
  const print = Buffer.alloc(8)
  let [total, hasPlace] = [0, false]
  for await (const items of fetchPages(client, list, {}, { consistent: true })) {
    for (const item of items) {
      total += 1
      const values = keyValues(item, kind.key)
      const own = partsFrom(values)
      const name = nameOf(own)
      const key = name === undefined ? undefined : keyOf(name)
      const id = idOf(item)
      addToFingerprint(print, `${id ?? ''}\n${key ?? ''}`)
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
    total,
    seen,
    numbers,
    fingerprint: `${total} ${print.toString('hex')}`,
    hasPlace: hasPlace || total === 0,
    dayless: parts.map(({ count, days }) => count > 0 && days === 0),
  }

  function see(where: Seen, key: string, id: string | undefined, item: JsonObject): void {
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

/** Adds up, so that the order of the items does not matter. */
function addToFingerprint(print: Buffer, text: string): void {
  const digest = createHash('sha256').update(text).digest()
  print.writeBigUInt64BE(BigInt.asUintN(64, print.readBigUInt64BE() + digest.readBigUInt64BE()))
}
