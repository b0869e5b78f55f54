import type { Clock } from '../api/http/clock.ts'
import { Failure } from '../errors.ts'
import type { Row } from '../table/row.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { ListReliability } from './list-reliability.ts'
import { asNumbers, keyOf } from './natural-key.ts'
import { isDoubtful } from './row-state.ts'
import { type Match, matchOf, type Scan, scan } from './scan.ts'
import type { ImportService } from './service.ts'
import { createSimilarSearch, isSame } from './similar-records.ts'

interface ResolveOptions {
  readonly service: ImportService
  readonly ledger: Ledger
  readonly listReliability: ListReliability
  /** The rows in doubt that are in the file, as we sent them. */
  readonly doubtful: ReadonlyMap<string, Row>
  readonly settleMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called before it waits, with the milliseconds. */
  readonly onWait: (ms: number) => void
}

const mostScans = 4

/**
 * Finds out whether the rows in doubt were created. If one complete list shows a row, it was: one POST cannot make two
 * records. If not, the request may still arrive. So a row is missing only if two equal complete lists, read `settleMs`
 * after the last doubt, do not show it, and those lists are reliable. A row with two POSTs
 * always waits.
 *
 * @param since when the last doubt arose, by the clock
 */
export async function resolveUnknownRows(
  options: ResolveOptions,
  entries: readonly Entry[],
  since: number,
): Promise<void> {
  const { signal, settleMs, clock, onWait } = options
  const first = (await look(options, entries))?.list
  const found = entries.filter((entry) => entry.attempt === 1 && seenIn(first, entry).count === 1)
  for (const entry of found) await decide(options, entry, seenIn(first, entry))
  const open = entries.filter((entry) => !found.includes(entry))
  if (open.length === 0 || signal.aborted) return
  const left = since + settleMs - clock.monotonicNow()
  if (left > 0) {
    onWait(left)
    await clock.sleep(left, signal)
    if (signal.aborted) return
  }
  const { last, stable } = await lookTwice(options, open)
  const absent = open.filter((entry) => seenIn(last?.list, entry).count === 0)
  const against = await whyStillInDoubt(options, stable && absent.length > 0 ? last?.list : undefined)
  for (const entry of open) {
    const like = last?.similar.get(keyOf(entry.name))
    const why = against ?? (like && `the service has a record of the same name under another key (${like})`)
    if (why === undefined || !absent.includes(entry)) await decide(options, entry, seenIn(last?.list, entry))
    else {
      entry.why = why
      await options.ledger.move(entry, { type: 'unsure' })
    }
  }
}

async function whyStillInDoubt(
  { listReliability }: ResolveOptions,
  list: Scan | undefined,
): Promise<string | undefined> {
  return list
    ? listReliability.whyUnreliable(list)
    : 'the list kept changing while it was read, so it is not reliable'
}

/** A list, and its records that may be one of the rows under another key. */
interface Look {
  readonly list: Scan
  /** Their keys, by the key of the row. */
  readonly similar: ReadonlyMap<string, string>
}

/** Reads the list until two in a row are equal, four times at most. */
async function lookTwice(
  options: ResolveOptions,
  entries: readonly Entry[],
): Promise<{ last: Look | undefined; stable: boolean }> {
  let before: Look | undefined
  let last: Look | undefined
  for (let scans = 0; scans < mostScans && !options.signal.aborted; scans++) {
    last = await look(options, entries)
    if (last && before && last.list.fingerprint === before.list.fingerprint) return { last, stable: true }
    before = last
  }
  return { last, stable: false }
}

/** Reads one complete list; undefined if it cannot. */
async function look(options: ResolveOptions, entries: readonly Entry[]): Promise<Look | undefined> {
  const { service, doubtful, ledger } = options
  const keys = entries.map(({ name }) => keyOf(name))
  const similar = createSimilarSearch(service.kind, rowsOf(keys, doubtful), (key) => ledger.entries.has(key))
  try {
    const list = await scan(options, {
      keeps: new Set(keys.flatMap((key) => [key, asNumbers(key)])),
      onItem: similar.onItem,
    })
    return { list, similar: similar.found }
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

const noMatch: Match = { count: 0, ids: [], item: undefined }

const seenIn = (list: Scan | undefined, { name }: Entry): Match =>
  list ? matchOf(list, keyOf(name)) : noMatch

/** Records what the list shows. A row that is missing there and was edited in the file will be sent again. */
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

/** The rows of which it is not known whether the service has them; those that a person left so are settled. */
export function rowsInDoubt(ledger: Ledger): Entry[] {
  return [...ledger.entries.values()].filter((entry) => isDoubtful(entry) && !entry.left)
}
