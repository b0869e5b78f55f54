import type { Context } from '../../context/context.ts'
import { isEmpty, type Json } from '../../files/json/path.ts'
import { countryById } from '../../model/countries/countries.ts'
import { keyOf } from '../../model/natural-key.ts'
import { candidateByCountry } from '../../model/resources/country-candidates.ts'
import { isStoredAlike, valueComparer } from '../../model/values/compare-stored.ts'
import type { ComparedPerson } from '../../model/values/person-likeness.ts'
import { dayMs } from '../../text/day.ts'
import { groupBy } from '../../text/group-by.ts'
import {
  type HistoryEntry,
  readHistory,
  removedUntil,
  usualHistoryDays,
} from '../../write/history/history.ts'
import type { PersonChange } from './compare.ts'
import type { MarkHeader } from './marks.ts'

/** Who made a change, as far as the history of this computer knows. */
export interface Maker {
  /** `null`: it is not known. */
  readonly here: boolean | null
  /** The time of the last write from here (ISO 8601 in UTC), and who made it. */
  readonly at?: string
  readonly user?: string
}

/**
 * Tells who made a change since a mark, by the history of this computer. A write is of the person with the id to which it
 * was sent; only where no person has that id, of the one with its reference: one person's id may be another's reference.
 */
export async function makersSince(
  context: Context,
  mark: MarkHeader,
  people: readonly Pick<ComparedPerson, 'id'>[],
): Promise<(change: PersonChange) => Promise<Maker>> {
  const directory = await context.directory()
  const { origin = '' } = await context.profile()
  const mode = (await context.settings()).profiles[mark.profile]?.history
  const [since, now] = [Date.parse(mark.at), context.host.now()]
  const days = mode === undefined || Number.isNaN(Number(mode)) ? usualHistoryDays : Number(mode)
  const begins = Math.max(now - days * dayMs, await removedUntil(directory))
  const isKnown = mode !== 'off' && begins <= since && since <= now
  const writes: HistoryEntry[] = []
  for await (const entry of readHistory(directory)) {
    // The file of a day may begin with writes of the day before, and is read from its end.
    if (entry.at < since - dayMs) break
    const mayBeApplied = entry.outcome === 'applied' || entry.outcome === 'unknown'
    if (entry.at >= since && entry.origin === origin && mayBeApplied) writes.push(entry)
  }
  const ids = new Set(people.map(({ id }) => id))
  const referencesOf = (names: readonly (string | undefined)[]) =>
    names.flatMap((name) => (name === undefined ? [] : [`reference ${keyOf(name)}`]))
  const byPerson = groupBy(writes, ({ record, reference }) =>
    record !== undefined && ids.has(record) ? [`id ${record}`] : referencesOf([record, reference]),
  )
  const raw = writes.filter(({ operation }) => operation.includes(' '))

  return async (change) => {
    const { person, reference, path } = change
    const id = person?.id
    const keys = [`id ${id}`, ...referencesOf([reference, change.before])]
    const own = [
      ...new Set(keys.flatMap((key) => byPerson.get(key) ?? [])),
      ...raw.filter(({ operation }) => id !== undefined && recordOf(operation) === encodeURIComponent(id)),
    ]
    const write = own.find((each) => mayHaveMade(each, change))
    if (write) {
      const at = new Date(write.at).toISOString()
      const maker: Maker = { here: true, at, user: write.user }
      const value = path === undefined ? undefined : valueSent(write, path)
      const isUnclear = write.outcome === 'unknown' || (change.change === 'changed' && !value)
      if (isUnclear) return { ...maker, here: null }
      // Without the value, somebody else may have changed it later.
      return { ...maker, here: !value || path === undefined || isSameValue(change, path, value.sent) }
    }
    const cleared = await mayHaveCleared(context, change, own)
    if (cleared) return { here: null, at: new Date(cleared.at).toISOString(), user: cleared.user }
    return { here: isKnown ? false : null }
  }
}

/** The value of a field that a write sent; undefined where the history does not have it. */
function valueSent({ made, changes, namesOnly }: HistoryEntry, path: string) {
  const own = made?.find((each) => each.path === path)
  if (own) return { sent: own.value }
  const difference = changes?.find((each) => each.path === path)
  return difference && !namesOnly ? { sent: difference.to } : undefined
}

/** The record that a raw request is about: 12 of `PUT /svc/candidates/12`. */
const recordOf = (operation: string) => operation.split('?')[0]?.split('/').at(-1)

/** What may have made a change: a verb of candidates, or the method of a raw request with the id in its path. */
const madeBy: Readonly<Record<PersonChange['change'], { verb: string; methods: readonly string[] }>> = {
  new: { verb: 'create', methods: ['POST', 'PUT'] },
  gone: { verb: 'delete', methods: ['DELETE'] },
  changed: { verb: 'update', methods: ['POST', 'PUT', 'PATCH'] },
}

/** Whether a write may have made a change. The history does not say which fields a raw request changes. */
function mayHaveMade(
  { operation, changes, made = [] }: HistoryEntry,
  { change, country, path }: PersonChange,
): boolean {
  const { verb, methods } = madeBy[change]
  if (operation.includes(' ')) return methods.includes(operation.split(' ')[0] ?? '')
  if (operation !== `candidates.${verb}${countryById[country].operationSuffix}`) return false
  if (change !== 'changed' || changes === undefined) return true
  return [...changes, ...made].some((each) => each.path === path)
}

/** The last update that may have cleared a field, which it did not send: an update sends the record whole. */
async function mayHaveCleared(
  context: Context,
  { country, person, path = '' }: PersonChange,
  own: readonly HistoryEntry[],
): Promise<HistoryEntry | undefined> {
  const update = own.find(({ changes }) => changes !== undefined)
  if (!update || person?.id === undefined || !isEmpty(person.differs?.values.get(path))) return undefined
  const { sent: type } = candidateByCountry[country]
  const sent = await (await context.knowledge()).sentFor(type, person.id)
  return sent?.last(path) === false ? update : undefined
}

/** Whether a person has the value that was sent, however the service writes it. */
function isSameValue({ country, person }: PersonChange, path: string, value: Json): boolean {
  const { sent } = candidateByCountry[country]
  const now = person?.differs?.values.get(path)
  return valueComparer(sent)(path, value, now) || isStoredAlike(sent, path, value, now)
}
