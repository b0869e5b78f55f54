import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../../errors.ts'
import type { ImportService } from '../import-service.ts'
import type { Entry, Ledger } from '../rows/ledger.ts'
import { asNumbers, keyOf } from '../rows/natural-key.ts'
import type { Row } from '../rows/row.ts'
import { isDoubtful } from '../rows/row-state.ts'
import type { Evidence } from './evidence.ts'
import { createLikeness, isSame } from './likeness.ts'
import { type Match, matchOf, type Scan, scan } from './scan.ts'

export interface ResolveOptions {
  readonly service: ImportService
  readonly ledger: Ledger
  readonly evidence: Evidence
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
 * Resolves the rows in doubt. What one complete list shows is there: one POST makes no second
 * record. What it does not show may still be on its way, so absence counts only in two equal complete lists, read
 * when `settleMs` have gone by since the last doubt arose, and only when nothing speaks against those lists. A row that
 * two POSTs were made of always waits.
 *
 * @param since when the last doubt arose, by the clock
 */
export async function resolveUnknownRows(
  settler: ResolveOptions,
  entries: readonly Entry[],
  since: number,
): Promise<void> {
  const { signal, settleMs, clock, onWait } = settler
  const first = (await look(settler, entries))?.list
  const found = entries.filter((entry) => entry.attempt === 1 && seenIn(first, entry).count === 1)
  for (const entry of found) await decide(settler, entry, seenIn(first, entry))
  const open = entries.filter((entry) => !found.includes(entry))
  if (open.length === 0 || signal.aborted) return
  const left = since + settleMs - clock()
  if (left > 0) {
    onWait(left)
    await pause(left, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
  }
  const { last, stable } = await lookTwice(settler, open)
  const absent = open.filter((entry) => seenIn(last?.list, entry).count === 0)
  const against = await reasonAgainst(settler, stable && absent.length > 0 ? last?.list : undefined)
  for (const entry of open) {
    const like = last?.alike.get(keyOf(entry.name))
    const why = against ?? (like && `the service has a record of the same name under another key (${like})`)
    if (why === undefined || !absent.includes(entry)) await decide(settler, entry, seenIn(last?.list, entry))
    else {
      entry.why = why
      await settler.ledger.move(entry, { type: 'unsure' })
    }
  }
}

async function reasonAgainst(
  { evidence }: ResolveOptions,
  list: Scan | undefined,
): Promise<string | undefined> {
  return list
    ? evidence.whyUnreliable(list)
    : 'the list kept changing while it was read, so it is not reliable'
}

/** A list, and the records in it that may be a row under another key. */
interface Look {
  readonly list: Scan
  /** What they are called there, by the key of the row. */
  readonly alike: ReadonlyMap<string, string>
}

/** Two lists in a row that say the same, of four at most. */
async function lookTwice(
  settler: ResolveOptions,
  entries: readonly Entry[],
): Promise<{ last: Look | undefined; stable: boolean }> {
  let before: Look | undefined
  let last: Look | undefined
  for (let scans = 0; scans < mostScans && !settler.signal.aborted; scans++) {
    last = await look(settler, entries)
    if (last && before && last.list.fingerprint === before.list.fingerprint) return { last, stable: true }
    before = last
  }
  return { last, stable: false }
}

/** One complete list; undefined when none can be had. */
async function look(settler: ResolveOptions, entries: readonly Entry[]): Promise<Look | undefined> {
  const { service, doubtful, ledger } = settler
  const keys = entries.map(({ name }) => keyOf(name))
  const likeness = createLikeness(service.kind, rowsOf(keys, doubtful), (key) => ledger.entries.has(key))
  try {
    const list = await scan(service, {
      keeps: new Set(keys.flatMap((key) => [key, asNumbers(key)])),
      onItem: likeness.onItem,
    })
    return { list, alike: likeness.found }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

function* rowsOf(keys: Iterable<string>, rows: ReadonlyMap<string, Row>): Generator<[string, Row]> {
  for (const key of keys) {
    const row = rows.get(key)
    if (row) yield [key, row]
  }
}

const nowhere: Match = { count: 0, ids: [], item: undefined }

const seenIn = (list: Scan | undefined, { name }: Entry): Match =>
  list ? matchOf(list, keyOf(name)) : nowhere

/** Records what a list shows of a row. A row that is gone and was edited in the file is sent again. */
async function decide(
  { ledger, service, doubtful }: ResolveOptions,
  entry: Entry,
  { count, ids, item }: Match,
): Promise<void> {
  const row = entry.edited === undefined ? doubtful.get(keyOf(entry.name)) : undefined
  const same = row === undefined || isSame(service.kind, row.record, item)
  const [id] = ids
  delete entry.why
  await ledger.move(entry, { type: 'found', count, same }, { via: 'list', ...(count === 1 && { id }) })
  if (entry.state === 'pending' && entry.edited !== undefined) await ledger.move(entry, { type: 'renewed' })
}

/** The rows that still have to be looked for. */
export function rowsInDoubt(ledger: Ledger): Entry[] {
  return [...ledger.entries.values()].filter(isDoubtful)
}
