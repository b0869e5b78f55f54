import { setTimeout as pause } from 'node:timers/promises'
import { type Json, parsePath, valueAt } from '../api/contract/path.ts'
import { Failure } from '../errors.ts'
import { keyOf } from './key.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { Row } from './row.ts'
import { type Scan, type Sighting, scan } from './scan.ts'
import type { Kind, Service } from './service.ts'
import { isDoubtful } from './states.ts'

export interface Settler {
  readonly service: Service
  readonly ledger: Ledger
  /** The rows in doubt that are in the file, as they were sent. */
  readonly doubtful: ReadonlyMap<string, Row>
  readonly settleMs: number
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Told how long it waits before it looks. In milliseconds. */
  readonly onWait: (ms: number) => void
}

const mostScans = 4

/**
 * Finds out what became of the rows in doubt. What one complete list shows is there: one POST makes no second
 * record. What it does not show may still be on its way, so absence counts only in two equal complete lists, read
 * when `settleMs` have gone by since the last doubt arose. A row that two POSTs were made of always waits.
 *
 * @param since when the last doubt arose, by the clock
 */
export async function settle(settler: Settler, entries: readonly Entry[], since: number): Promise<void> {
  const { signal, settleMs, clock, onWait } = settler
  const first = await look(settler, entries)
  const found = entries.filter((entry) => entry.attempt === 1 && sightingOf(first, entry).count === 1)
  for (const entry of found) await decide(settler, entry, sightingOf(first, entry))
  const open = entries.filter((entry) => !found.includes(entry))
  if (open.length === 0 || signal.aborted) return
  const left = since + settleMs - clock()
  if (left > 0) {
    onWait(left)
    await pause(left, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
  }
  const { last, stable } = await lookTwice(settler, open)
  for (const entry of open) {
    const sighting = sightingOf(last, entry)
    if (stable || sighting.count > 0) await decide(settler, entry, sighting)
    else await settler.ledger.move(entry, { type: 'unsure' })
  }
}

/** Two lists in a row that say the same, of four at most. */
async function lookTwice(
  settler: Settler,
  entries: readonly Entry[],
): Promise<{ last: Scan | undefined; stable: boolean }> {
  let before: Scan | undefined
  let last: Scan | undefined
  for (let scans = 0; scans < mostScans && !settler.signal.aborted; scans++) {
    last = await look(settler, entries)
    if (last && before && last.print === before.print) return { last, stable: true }
    before = last
  }
  return { last, stable: false }
}

/** One complete list; undefined when none can be had. */
async function look({ service }: Settler, entries: readonly Entry[]): Promise<Scan | undefined> {
  const keys = new Set(entries.map(({ name }) => keyOf(name)))
  const has = (key: string) => keys.has(key)
  try {
    return await scan(service, { has, keeps: has })
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

const nowhere: Sighting = { count: 0, ids: [], item: undefined }

function sightingOf(list: Scan | undefined, { name }: Entry): Sighting {
  return list?.seen.get(keyOf(name)) ?? nowhere
}

/** Writes down what a list shows of a row; what is there no more and was given another text is tried anew. */
async function decide(
  { ledger, service, doubtful }: Settler,
  entry: Entry,
  { count, ids, item }: Sighting,
): Promise<void> {
  const row = entry.edited === undefined ? doubtful.get(keyOf(entry.name)) : undefined
  const same = row === undefined || isSame(service.kind, row.record, item)
  const [id] = ids
  await ledger.move(entry, { type: 'found', count, same }, { via: 'list', ...(count === 1 && { id }) })
  if (entry.state === 'pending' && entry.edited !== undefined) await ledger.move(entry, { type: 'renewed' })
}

/** Whether nothing that tells one person from another speaks against it. What either leaves out says nothing. */
function isSame({ telling }: Kind, sent: Json, item: Json): boolean {
  return telling.every(([request, answer]) => {
    const [mine, theirs] = [textAt(sent, request), textAt(item, answer)]
    return mine === undefined || theirs === undefined || mine === theirs
  })
}

function textAt(value: Json, path: string): string | undefined {
  const text = valueAt(value, parsePath(path) ?? [])
  return typeof text === 'string' && text.trim() !== '' ? keyOf(text.trim()) : undefined
}

/** The rows that still have to be looked for. */
export function inDoubt(ledger: Ledger): Entry[] {
  return [...ledger.entries.values()].filter(isDoubtful)
}
