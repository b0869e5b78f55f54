import {
  firstPart,
  keyInWords,
  keyOf,
  type RecordKind,
  splitDays,
  withoutAssignment,
  withoutLeadingZeros,
  withPerson,
} from '../model/natural-key.ts'
import { type ItemPerson, itemsOf, type KnownBy, nameWithReference, whoseIs } from '../model/whose.ts'
import { type Days, isDay, overlap, spelledOut } from '../text/day.ts'
import { addTo } from '../text/group-by.ts'
import type { FoundWork, Overlap, RowReason } from '../write/record-write.ts'
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

/** What the records of work are held against: the list of the service, what all of it says of its people, and the people. */
export interface WorkBackground {
  readonly list: Scan
  readonly said: readonly ItemPerson[]
  /** Of all countries; none where they cannot be read, or do not matter. */
  readonly people: readonly KnownBy[]
  /** Of a file, by key: whom a row was read as. A name beside a number tells the reference of one from the id of another. */
  readonly persons?: ReadonlyMap<string, KnownBy>
}

/**
 * Says of each row that would create or change a record of work whose the service would take it for, and what of that
 * person is there on its days, under the reference or the id. assumed: two assignments may share a week.
 */
export function judgeWork(
  kind: RecordKind,
  entries: ReadonlyMap<string, ImportEntry>,
  { list, said, people, persons }: WorkBackground,
): ReadonlyMap<number, FoundWork> {
  const { key, days } = kind
  const found = new Map<number, FoundWork>()
  if (!days) return found
  const { whose, whyHeld } = judgeNames(kind, people, said)
  const numberOf = new Map(people.map((person, at) => [person, at]))
  const takenDays = new Map<string, TakenDays[]>()
  // A timesheet without an assignment may be for any of them.
  const ofAny = new Map<string, TakenDays[]>()
  for (const [records, isNumber] of [[list.byKey, false] as const, [list.numbers, true] as const]) {
    for (const [recordKey, { ids, dead }] of records) {
      const { rest, first, last } = daysIn(recordKey, kind)
      if (!isDay(first) || !isDay(last)) continue
      const [id] = ids
      const isDead = dead !== undefined
      const is = isDead ? `, and is ${dead}` : ''
      const where = `that is on the service${id === undefined ? '' : ` (${id})`}${is}`
      const cause = `its days overlap those of one that is on the service${is}`
      const owners = whose(firstPart(recordKey), isNumber).people
      addDays({ rest, first, last, where, isDead, cause }, owners)
    }
  }
  const [path = ''] = key.request
  const pathOfDays = key.request[days[0]] ?? ''
  for (const [recordKey, entry] of entries) {
    const name = firstPart(recordKey)
    const owners = whose(name, false).people
    const { rest, first, last } = daysIn(recordKey, kind)
    const overlap = isNew(entry) ? overlapOf(entry, { rest, first, last }, owners) : undefined
    // Under the name that the service takes, what is there on its days is the same record, and not one that overlaps.
    const { ofOther, otherName } = whyHeld(name, persons?.get(recordKey))
    const reasons = {
      ofOther: ofOther && { path, ...ofOther },
      otherName: otherName && { path, ...otherName },
      overlap,
    }
    if (ofOther ?? otherName ?? overlap) found.set(entry.row, reasons)
    if (!isNew(entry) || ofOther || otherName || !isDay(first) || !isDay(last)) continue
    const cause = 'its days overlap those of another row'
    addDays({ rest, first, last, where: `in row ${entry.row}`, isDead: false, cause }, owners)
  }
  return found

  /** The work under its own name, and under each person whose it may be. */
  function underEach(rest: string, owners: readonly KnownBy[]) {
    return [rest, ...owners.map((person) => withPerson(rest, `\n${numberOf.get(person)}`))]
  }

  function addDays(one: TakenDays, owners: readonly KnownBy[]) {
    for (const work of underEach(one.rest, owners)) {
      addTo(takenDays, work, one)
      addTo(ofAny, withoutAssignment(work), one)
    }
  }

  function overlapOf(
    entry: ImportEntry,
    { rest, first, last }: Pick<TakenDays, 'rest' | 'first' | 'last'>,
    owners: readonly KnownBy[],
  ): Overlap | undefined {
    const isOfAny = withoutAssignment(rest) === rest
    const sameWork = underEach(rest, owners).flatMap((work) =>
      isOfAny
        ? (ofAny.get(work) ?? [])
        : [work, withoutAssignment(work)].flatMap((each) => takenDays.get(each) ?? []),
    )
    const overlapping = sameWork.filter((each) => overlap(each, { first, last }))
    const other = overlapping.find(({ isDead }) => !isDead) ?? overlapping[0]
    if (!other) return undefined
    const { cause, isDead } = other
    const isUnnamed = isOfAny && withoutAssignment(other.rest) !== other.rest
    const unnamed = isUnnamed ? ', for an assignment that this one does not name' : ''
    const theirs = `${spelledOut(other.first)} to ${spelledOut(other.last)}`
    const [mine, its] = [rest, other.rest].map(firstPart)
    const hasBoth = ({ reference = '', id = '' }: KnownBy) =>
      [mine, its].every((name = '') => [reference, id].map(bare).includes(bare(name)))
    const person = mine === its ? undefined : owners.find(hasBoth)
    const who = person ? `: ${withId(person)}` : ''
    const message = `${keyInWords(entry.reference)} overlaps the one from ${theirs} ${other.where}${unnamed}${who}`
    return { path: pathOfDays, message, cause, isDead }
  }
}

/** What a name in a record of work says of its person, by how the service names people in its list. */
function judgeNames({ noun }: RecordKind, people: readonly KnownBy[], said: readonly ItemPerson[]) {
  const listed = itemsOf(people, { items: said, said })
  const inFile = whoseIs(people, []).whose
  const asText = (reference: string): ItemPerson => ({ reference, isNumber: false, name: '' })
  const whose = (reference: string, isNumber: boolean) => listed.whose({ ...asText(reference), isNumber })
  const ways = listed.isMixed ? 'references and ids' : listed.usesIds ? 'ids' : 'references'
  const cause = `the service names people by their ${ways} in ${noun}`
  const reason = (
    people: readonly KnownBy[],
    write = 'the reference or the id that only the one who worked has',
  ) => ({
    cause,
    message: `${cause}: ${[...new Set(people)].map(withId).join(', ')}. Write ${write}`,
  })

  /** Whether a name is that of one person alone, for the service and for who reads a file. */
  function isSure(name: string, person: KnownBy): boolean {
    const { people: meant, doubt } = whose(name, false)
    return doubt === undefined && [...meant, ...inFile(asText(name)).people].every((each) => each === person)
  }

  /** `readAs`: whom the row of a file was read as. */
  function whyHeld(
    name: string,
    readAs: KnownBy | undefined,
  ): { ofOther?: NameReason; otherName?: NameReason } {
    const person = readAs ?? inFile(asText(name)).people[0]
    const { people: meant, doubt } = whose(name, false)
    const [first] = meant
    if (!person || !first || doubt === 'shared') return {}
    if (doubt === 'both' || first !== person) return { ofOther: reason([person, ...meant]) }
    if (doubt === 'id') return { otherName: reason(meant) }
    const { id, reference } = person
    if (id === undefined || reference === undefined) return {}
    const isById = name !== keyOf(reference)
    const [as, other] = isById ? [id, reference] : [reference, id]
    const own = listed.of(person)
    // Who follows the advice must not be sent back; and what the service has under this name already, it takes under it.
    if (!isSure(other, person) || own.some((each) => bare(each.reference) === bare(as))) return {}
    const isOther = listed.isMixed ? own.length > 0 : listed.usesIds !== isById
    return isOther ? { otherName: reason([person], `${other} in its place`) } : {}
  }

  return { whose, whyHeld }
}

type NameReason = Pick<RowReason, 'message' | 'cause'>

/** `Ann Sample (UK-07) has the id 4f1c` */
const withId = (person: KnownBy) =>
  nameWithReference(person) + (person.id === undefined ? '' : ` has the id ${person.id}`)

const bare = (name: string) => withoutLeadingZeros(keyOf(name))

/**
 * Whether the list of people has to be read to know whose a record is: its name is a number, which may be the id of one
 * and the reference of another, or the same work is there on its days under a name of another kind.
 */
export function needsPeople(kind: RecordKind, name: string, { byKey, numbers }: Scan): boolean {
  const listed = [...byKey.keys(), ...numbers.keys()]
  if (/^\d+$/.test(firstPart(name))) return listed.length > 0
  const own = daysIn(keyOf(name), kind)
  const form = formOf(own.rest)
  return listed.some((other) => {
    const { rest, ...days } = daysIn(other, kind)
    if (!overlap(days, own) || formOf(rest) === form) return false
    const [mine, theirs] = [own.rest, rest].map((each) => withPerson(each, ''))
    return mine === theirs || [mine, theirs].some((each) => each === withoutAssignment(each ?? ''))
  })
}

/** A name with any number in place of its own: ids are not formed as references are. */
const formOf = (rest: string) => firstPart(rest).replaceAll(/\d+/g, '0')

/** The first and last day of a key, and the rest of it, which is empty for a key without days. */
function daysIn(name: string, kind: RecordKind) {
  const { rest = '', first = '', last = '' } = splitDays(name, kind) ?? {}
  return { rest: withoutLeadingZeros(rest), first, last }
}
