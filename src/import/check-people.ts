import type { Row } from '../files/table/row.ts'
import { placeIn } from '../files/table/row-source.ts'
import { keyOf } from '../model/natural-key.ts'
import {
  describeLikeness,
  type Likeness,
  likenessOf,
  lookUpKeys,
  type Person,
  personReader,
  slipKey,
  slipOf,
} from '../model/person-likeness.ts'
import { type FileCheck, keyPlace } from './checks.ts'
import { type Entry, isReady } from './entry.ts'
import type { RowFinding } from './findings.ts'
import type { ImportJob } from './job.ts'

/** So many people of one name, or one number, are compared with a row: more would take minutes where everybody is called alike. */
const mostAlike = 50

const people = new WeakMap<Row, Person>()

/** Who a row is about: several checks ask it of each row. */
export function personIn(reader: ReturnType<typeof personReader>, row: Row): Person {
  const known = people.get(row) ?? reader.sent(row.record)
  people.set(row, known)
  return known
}

/** Stands for several rows. */
const several = 0

/**
 * Finds people of a file whom the service has under another reference, or perhaps under the one that was meant. For kinds of
 * records that are not about people it finds nobody.
 */
export function checkPeople(job: ImportJob): FileCheck {
  const { source, samePerson, strict, asks } = job
  const { kind, create } = job.service
  const reader = personReader(kind, create.requestRecord)
  const isAboutPeople = kind.identityFields.length > 0
  /** A number for each text of a row, and the row: some bytes each, which name nobody. */
  const rowsByHash = new Map<number, number>()
  const listedByKey = new Map<string, Map<string, Person>>()
  const rowKeys = new Map<string, number>()
  const found: LikePerson[] = []
  let [hasNumbers, showsNumbers, isEmpty] = [false, false, true]
  let entries: ReadonlyMap<string, Entry> = new Map()
  const mayBeSent = (entry: Entry) => isReady(entry) && entry.attempt <= 1

  return {
    onRow(each, key) {
      if (!isAboutPeople) return
      const { row } = each
      const person = personIn(reader, each)
      hasNumbers ||= person.number !== undefined
      rowKeys.set(key, row)
      for (const each of keysOf(person, 'sent')) {
        const hash = hashOf(each)
        rowsByHash.set(hash, (rowsByHash.get(hash) ?? row) === row ? row : several)
      }
    },
    onItem(key, item) {
      if (rowsByHash.size === 0) return
      const person = reader.listed(item)
      isEmpty = false
      showsNumbers ||= person.number !== undefined
      // A row that is there already is like itself.
      const own = key === undefined ? undefined : rowKeys.get(key)
      for (const each of keysOf(person, 'listed')) {
        const row = rowsByHash.get(hashOf(each))
        if (row === undefined || row === own) continue
        const people = listedByKey.get(each) ?? new Map<string, Person>()
        if (people.size < mostAlike)
          listedByKey.set(each, people.set(person.id ?? `${person.reference} ${person.name}`, person))
      }
    },
    asksAgain(ofFile) {
      entries = ofFile.entries
      return listedByKey.size === 0 ? undefined : mayBeSent
    },
    onRowAgain({ row, record }, entry) {
      const likeness = mayBeSent(entry) ? closest(row, reader.sent(record)) : undefined
      if (likeness) found.push(likeness)
    },
    findings() {
      const inOrder = [
        ...found.filter(({ by }) => by === 'reference'),
        ...found.filter(({ by }) => by !== 'reference'),
      ]
      const notCompared =
        hasNumbers && !showsNumbers && !isEmpty && reader.number
          ? `the list shows no ${reader.number.label}, so people who are there under another reference are only known by name and date of birth`
          : undefined
      return [
        ...inOrder.map(findingOf),
        ...(notCompared === undefined
          ? []
          : [{ row: 0, path: '', severity: 'note' as const, message: notCompared }]),
      ]
    },
  }

  /** What is surest of all that one row is like. */
  function closest(row: number, mine: Person): LikePerson | undefined {
    const people = new Set(keysOf(mine, 'sent').flatMap((key) => [...(listedByKey.get(key)?.values() ?? [])]))
    const alike = [...people].flatMap((theirs): LikePerson[] => {
      const key = keyOf(theirs.reference ?? '')
      if (key === keyOf(mine.reference ?? '')) return []
      const likeness = likenessOf(mine, theirs) ?? slipOf(mine, theirs)
      if (!likeness) return []
      // A row of this file that an earlier run created: that both rows have one number was a doubt then, and is one now.
      const isOurs = entries.get(key)?.state === 'done'
      return [{ ...likeness, isSure: likeness.isSure && !isOurs, isOurs, row, mine, theirs }]
    })
    return alike.sort((one, other) => rankOf(one) - rankOf(other))[0]
  }

  function findingOf({ row, mine, theirs, isOurs, ...likeness }: LikePerson): RowFinding {
    const { by, isSure } = likeness
    const { start: _, ...place } =
      by === 'number' ? placeIn(source, reader.number?.path ?? '') : keyPlace(job)
    // Nothing tells the two people of a slip apart: at a terminal somebody is asked.
    const isSlip = by === 'slip' && !isOurs && mine.number === undefined
    const isHeld = isSlip && !asks && !samePerson
    return {
      row,
      ...place,
      ...describeLikeness(likeness, mine, theirs, reader.number?.label),
      severity: (isSure && !samePerson) || (!isSure && strict) ? 'wrong' : isHeld ? 'held' : 'doubt',
      way: isSure || isSlip ? '--same-person' : undefined,
      value: by === 'number' ? undefined : mine.reference,
      leads: by === 'reference' || undefined,
    }
  }
}

interface LikePerson extends Likeness {
  readonly row: number
  /** Whether an earlier run of this import created the other person. */
  readonly isOurs: boolean
  readonly mine: Person
  readonly theirs: Person
}

/** What a row, or a record of the list, is looked up by. */
function keysOf(person: Person, side: 'sent' | 'listed'): readonly string[] {
  const slip = side === 'sent' && person.birthday !== undefined ? undefined : slipKey(person)
  return [...lookUpKeys(person, side), ...(slip === undefined ? [] : [slip])]
}

/** Whatever holds a row back comes first, and of that a reference that looks alike. */
const rankOf = ({ isSure, by }: Likeness) => (isSure ? 0 : 2) + (by === 'reference' ? 0 : 1)

/** 53 bits of a text. Two texts with the same only cost a second look. */
export function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9747b28c]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x5bd1e995)
  }
  return (high >>> 0) * 2 ** 21 + ((low ^ (low >>> 13)) & 0x1fffff)
}
