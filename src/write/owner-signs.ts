import { type Json, type JsonObject, lastName, valueAt } from '../files/json/path.ts'
import { leafFields } from '../model/fields/field-tree.ts'
import { maskFinder } from '../model/mapping/service-masks.ts'
import { keyOf } from '../model/natural-key.ts'
import { idText } from '../model/records/identity.ts'
import type { RecordType } from '../model/records/record-type.ts'
import { onceFor } from '../once.ts'
import { dayOfTimestamp } from '../text/day.ts'
import { compactNumber } from '../text/words.ts'
import type { HistoryEntry } from './history/history.ts'
import type { Seal } from './history/seal.ts'
import type { OwnerSign } from './record-write.ts'

/** A field that tells whose a record is, or of which days. `plain` gives its value in comparable form; undefined where there is none. */
interface TellingField {
  readonly path: string
  readonly label: string
  readonly plain: (value: Json) => string | undefined
}

/** The day on which a person was born, in a record as it is sent. */
export const birthdayPath = 'generalSetting.DOB'

/** The birthday and the NI or PPS number of a person, and the days of a timesheet; none of any other record. */
const tellingFields = onceFor(({ fields, days }: RecordType): readonly TellingField[] => [
  ...(days ?? []).map((path, at) => ({
    ...{ path, label: at === 0 ? 'first day' : 'last day' },
    plain: (value: Json) => dayOfTimestamp(typeof value === 'string' ? value : '') || undefined,
  })),
  ...leafFields(fields).flatMap(({ path, field }): TellingField[] => {
    const isNumber = field.standard === 'nino' || field.standard === 'ppsn'
    if (!isNumber && path !== birthdayPath) return []
    const isMask = maskFinder(lastName(path), field.standard)
    const plain = (value: Json) => {
      if (typeof value !== 'string' || value.trim() === '') return undefined
      if (isMask(value)) return undefined
      return isNumber ? compactNumber(value) : dayOfTimestamp(value)
    }
    return [{ path, label: field.label, plain }]
  }),
])

/** The digests of the fields that tell whose a record is, by path. The values cannot be read from them. */
export function ownerDigestsIn(type: RecordType, body: JsonObject, { digest }: Seal): Record<string, string> {
  return Object.fromEntries(
    tellingFields(type).flatMap(({ path, plain }) => {
      const value = plain(valueAt(body, path))
      const digestText = value === undefined ? '' : digest(path, value)
      return digestText === '' ? [] : [[path, digestText]]
    }),
  )
}

/**
 * How the record of history entries is recognised: by its reference, which it must have, and by birthday and
 * number where both are known. Values that the entries or later writes gave it count as its own. `entries`:
 * those that are undone together, the newest first; `later`: newer ones of the same record, the oldest first.
 */
export function findOwnerSigns(
  type: RecordType,
  entries: readonly HistoryEntry[],
  later: readonly HistoryEntry[],
  { digest, check }: Seal,
): readonly OwnerSign[] {
  const [entry] = entries
  // The digests of another key say nothing: a person, or --unsealed, has vouched for such a line.
  const whose = entry && check(entry.line) === 'whole' ? entry.whose : undefined
  const noted = referenceKey(entry?.reference)
  const signIn = (value: Json) => referenceKey(idText(value))
  const reference =
    type.reference === undefined
      ? []
      : [{ path: type.reference, label: 'reference', noted, isNeeded: noted !== undefined, signIn }]
  const others = tellingFields(type).flatMap(({ path, label, plain }) => {
    const signIn = (value: Json) => {
      const text = plain(value)
      return text === undefined ? undefined : digest(path, text)
    }
    const digestNoted = whose?.[path]
    return digestNoted === undefined ? [] : [{ path, label, noted: digestNoted, isNeeded: false, signIn }]
  })
  return [...reference, ...others].map(({ path, label, noted, isNeeded, signIn }) => {
    const changesOf = (entries: readonly HistoryEntry[]) =>
      entries.flatMap(({ changes = [] }) => changes.filter((each) => each.path === path))
    // An entry notes what it sent, which may not have been applied.
    const own = [noted, ...changesOf(entries).map(({ from }) => signIn(from))]
    const allowed = new Set(own.filter((sign) => sign !== undefined))
    for (const { from, to } of changesOf(later)) {
      const [before, after] = [signIn(from), signIn(to)]
      const continues = before === undefined ? allowed.size === 0 : allowed.has(before)
      if (continues && after !== undefined) allowed.add(after)
    }
    return { path, label, allowed, isNeeded, signIn: (body) => signIn(valueAt(body, path)) }
  })
}

const referenceKey = (text: string | undefined) => (text === undefined ? undefined : keyOf(text))
