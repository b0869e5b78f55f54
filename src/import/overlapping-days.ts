import type { RowSource } from '../files/table/row-source.ts'
import { joinParts, noPart, type RecordKind, splitKey, withoutLeadingZeros } from '../model/natural-key.ts'
import { spelledOut } from '../model/values/read-date.ts'
import { isDay } from '../text/day.ts'
import { type Entry, isReady } from './entry.ts'
import type { Remark } from './findings.ts'
import { keyInWords } from './key-in-words.ts'
import type { Scan } from './scan.ts'

interface Days {
  readonly first: string
  readonly last: string
  /** Completes `overlaps the one from Monday to Sunday …`. */
  readonly where: string
  readonly cause: string
}

/** Finds rows whose days overlap others for the same work. assumed: two assignments may share a week. */
export function overlappingDays(
  { columnFor }: Pick<RowSource, 'columnFor'>,
  { key, days }: RecordKind,
  entries: ReadonlyMap<string, Entry>,
  { seen, numbers }: Scan,
): Remark[] {
  if (!days) return []
  const listed = new Map<string, Days[]>()
  // A timesheet without an assignment may be for any of them.
  const ofAny = new Map<string, Days[]>()
  for (const [known, { ids }] of [...seen, ...numbers]) {
    const { rest, first, last } = split(known, days)
    if (!isDay(first) || !isDay(last)) continue
    const [id] = ids
    const where = `that is on the service${id === undefined ? '' : ` (${id})`}`
    note(rest, { first, last, where, cause: 'its days overlap those of one that is on the service' })
  }
  const path = key.request[days[0]] ?? ''
  const column = columnFor?.(path)?.column
  return [...entries].flatMap(([known, entry]) => {
    const { rest, first, last } = split(known, days)
    if (!isReady(entry) || entry.attempt > 1) return []
    const any = withoutPart(rest)
    const others = rest === any ? ofAny.get(any) : [...(listed.get(rest) ?? []), ...(listed.get(any) ?? [])]
    const other = others?.find((each) => each.first <= last && first <= each.last)
    const where = `in row ${entry.row}`
    if (isDay(first) && isDay(last))
      note(rest, { first, last, where, cause: 'its days overlap those of another row' })
    if (!other) return []
    const { cause } = other
    const theirs = `${spelledOut(other.first)} to ${spelledOut(other.last)}`
    const message = `${keyInWords(entry.reference)} overlaps the one from ${theirs} ${other.where}`
    return [{ row: entry.row, path, message, cause, value: first, column }]
  })

  function note(rest: string, one: Days) {
    for (const [days, name] of [
      [listed, rest],
      [ofAny, withoutPart(rest)],
    ] as const) {
      const others = days.get(name)
      if (others) others.push(one)
      else days.set(name, [one])
    }
  }
}

/** The key with only its first part, which is the person. */
const withoutPart = (rest: string) =>
  joinParts(splitKey(rest).map((part, at) => (at === 0 ? part : noPart))) ?? rest

/** The first and last day of a key, and the rest of it. */
function split(key: string, [first, last]: readonly [number, number]) {
  const parts = splitKey(key)
  const rest = parts.filter((_, at) => at !== first && at !== last)
  return {
    rest: withoutLeadingZeros(joinParts(rest) ?? ''),
    first: parts[first] ?? '',
    last: parts[last] ?? '',
  }
}
