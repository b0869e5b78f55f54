import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type Json, type JsonObject, parsePath, valueAt } from '../api/contract/path.ts'
import { everyPage } from '../api/pages.ts'
import { Failure } from '../errors.ts'
import { keyOf, nameIn } from './key.ts'
import type { Service } from './service.ts'

/** What the service has under one key. */
export interface Sighting {
  /** How many records. */
  readonly count: number
  /** Of those that have one. */
  readonly ids: readonly string[]
  /** The first of them, where it was asked to be kept. */
  readonly item: JsonObject | undefined
}

/** A complete list, as far as an import needs it. */
export interface Scan {
  readonly total: number
  /** By key, of the keys that were asked for. */
  readonly seen: ReadonlyMap<string, Sighting>
  /** The same for two lists of the same records, in whatever order. */
  readonly print: string
  /** Whether some item has a place for every part of the key; true of an empty list. */
  readonly hasPlace: boolean
  /** Whether some item has a key. */
  readonly hasKey: boolean
}

export interface Wanted {
  readonly has: (key: string) => boolean
  readonly keeps?: (key: string) => boolean
}

const mostReadings = 3
const betweenReadingsMs = 250

/**
 * Reads the whole list. One that changes while it is read is read again, twice at most; then throws the Failure
 * (exit 10) of the last. An item that comes twice is no complete list either: another is missing for it.
 */
export async function scan(service: Service, wanted: Wanted): Promise<Scan> {
  for (let reading = 1; ; reading++) {
    try {
      return await readOnce(service, wanted)
    } catch (error) {
      const mayChange = error instanceof Failure && error.code === 'answer'
      if (!mayChange || reading === mostReadings) throw error
      await pause(betweenReadingsMs)
    }
  }
}

async function readOnce({ client, list, kind }: Service, wanted: Wanted): Promise<Scan> {
  const places = kind.key.item.map((path) => parsePath(path) ?? [])
  const seen = new Map<string, { count: number; ids: string[]; item: JsonObject | undefined }>()
  const ids = new Set<string>()
  const print = Buffer.alloc(8)
  let [total, hasPlace, hasKey] = [0, false, false]
  for await (const items of everyPage(client, list)) {
    for (const item of items) {
      total += 1
      const name = nameIn(item, kind.key.item)
      const key = name === undefined ? undefined : keyOf(name)
      const id = idOf(item)
      if (id !== undefined && ids.has(id)) throw twice(list.method)
      if (id !== undefined) ids.add(id)
      mix(print, `${id ?? ''}\n${key ?? ''}`)
      hasKey ||= key !== undefined
      hasPlace ||= places.every((place) => valueAt(item, place) !== undefined)
      if (key !== undefined && isObject(item) && wanted.has(key)) see(key, id, item)
    }
  }
  return {
    total,
    seen,
    print: `${total} ${print.toString('hex')}`,
    hasPlace: hasPlace || total === 0,
    hasKey,
  }

  function see(key: string, id: string | undefined, item: JsonObject): void {
    let here = seen.get(key)
    if (!here) {
      here = { count: 0, ids: [], item: wanted.keeps?.(key) ? item : undefined }
      seen.set(key, here)
    }
    here.count += 1
    if (id !== undefined) here.ids.push(id)
  }
}

function idOf(item: Json): string | undefined {
  const id = valueAt(item, ['id'])
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** Adds up, so that the order of the items does not matter. */
function mix(print: Buffer, text: string): void {
  const digest = createHash('sha256').update(text).digest()
  print.writeBigUInt64BE(BigInt.asUintN(64, print.readBigUInt64BE() + digest.readBigUInt64BE()))
}

function twice(method: string): Failure {
  return new Failure('answer', 'The list is not whole: it has one record twice.', {
    method,
    hint: 'Somebody may be changing it; run the same command again.',
  })
}
