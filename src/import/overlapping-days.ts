import {
  keyInWords,
  type RecordKind,
  splitDays,
  withoutAssignment,
  withoutLeadingZeros,
} from '../model/natural-key.ts'
import { type Days, isDay, overlap, spelledOut } from '../text/day.ts'
import { addTo } from '../text/group-by.ts'
import type { Overlap } from '../write/record-write.ts'
import { type ImportEntry, isNew } from './entry.ts'
import type { Scan } from './scan.ts'

interface TakenDays extends Days {
  /** Person and assignment. */
  readonly rest: string
  /** Completes `overlaps the one from Monday to Sunday …`. */
  readonly where: string
  readonly cause: string
  /** Whether they count for nothing, because that timesheet is rejected. */
  readonly isDead: boolean
}

/** By row: the other of the same work whose days it overlaps. assumed: two assignments may share a week. */
export function overlappingDays(
  kind: RecordKind,
  entries: ReadonlyMap<string, ImportEntry>,
  { byKey, numbers }: Scan,
): ReadonlyMap<number, Overlap> {
  const { key, days } = kind
  const overlaps = new Map<number, Overlap>()
  if (!days) return overlaps
  const takenDays = new Map<string, TakenDays[]>()
  // A timesheet without an assignment may be for any of them.
  const ofAny = new Map<string, TakenDays[]>()
  for (const [recordKey, { ids, dead }] of [...byKey, ...numbers]) {
    const { rest, first, last } = daysIn(recordKey, kind)
    if (!isDay(first) || !isDay(last)) continue
    const [id] = ids
    const isDead = dead !== undefined
    const is = isDead ? `, and is ${dead}` : ''
    const where = `that is on the service${id === undefined ? '' : ` (${id})`}${is}`
    addDays({
      rest,
      first,
      last,
      where,
      isDead,
      cause: `its days overlap those of one that is on the service${is}`,
    })
  }
  const path = key.request[days[0]] ?? ''
  for (const [recordKey, entry] of entries) {
    const { rest, first, last } = daysIn(recordKey, kind)
    if (!isNew(entry)) continue
    const any = withoutAssignment(rest)
    const sameWork = any === rest ? ofAny.get(rest) : [rest, any].flatMap((each) => takenDays.get(each) ?? [])
    const overlapping = sameWork?.filter((each) => overlap(each, { first, last })) ?? []
    const other = overlapping.find(({ isDead }) => !isDead) ?? overlapping[0]
    const where = `in row ${entry.row}`
    if (isDay(first) && isDay(last))
      addDays({ rest, first, last, where, isDead: false, cause: 'its days overlap those of another row' })
    if (!other) continue
    const { cause, isDead } = other
    const unnamed =
      any === rest && other.rest !== rest ? ', for an assignment that this one does not name' : ''
    const theirs = `${spelledOut(other.first)} to ${spelledOut(other.last)}`
    const message = `${keyInWords(entry.reference)} overlaps the one from ${theirs} ${other.where}${unnamed}`
    overlaps.set(entry.row, { path, message, cause, isDead })
  }
  return overlaps

  function addDays(one: TakenDays) {
    addTo(takenDays, one.rest, one)
    addTo(ofAny, withoutAssignment(one.rest), one)
  }
}

/** The first and last day of a key, and the rest of it, which is empty for a key without days. */
function daysIn(name: string, kind: RecordKind) {
  const { rest = '', first = '', last = '' } = splitDays(name, kind) ?? {}
  return { rest: withoutLeadingZeros(rest), first, last }
}
