import type { Json } from '../json/path.ts'
import type { RowSource } from '../table/open-source.ts'
import type { Row } from '../table/row.ts'
import type { Entry } from './ledger.ts'
import { keyOf, nameIn } from './natural-key.ts'
import {
  describeLikeness,
  type Likeness,
  likenessOf,
  lookUpKeys,
  type Person,
  personReader,
  slipKey,
  slipOf,
} from './person-likeness.ts'
import { type Findings, isReady } from './plan.ts'
import type { Remark } from './remarks.ts'
import type { ImportService } from './service.ts'

/** Finds people of a file whom the service has under another reference. */
interface PeopleSearch {
  /** Call it for every row that may be sent. */
  readonly onRow: (row: Row) => void
  /** Call it for every record of the list. It may be called for a record twice: a list that changes is read again. */
  readonly onItem: (key: string | undefined, item: Json) => void
  /** What was found about the rows that are ready. Reads the file again if there is any row to compare. */
  readonly find: (entries: ReadonlyMap<string, Entry>) => Promise<Findings>
  /** What the list does not show, so that people could not be compared by it; undefined where it shows it. */
  readonly notCompared: () => string | undefined
}

/** So many people of one name, or one number, are compared with a row: more would take minutes where everybody is called alike. */
const mostAlike = 50

/** Stands for several rows. */
const several = 0

/** For kinds of records that are not about people it finds nobody. */
export function searchPeople(source: RowSource, { kind, create }: ImportService): PeopleSearch {
  const reader = personReader(kind, create.requestRecord)
  const isAboutPeople = kind.identityFields.length > 0
  /** A number for each text of a row, and the row: some bytes each, which name nobody. */
  const rowsByHash = new Map<number, number>()
  const listedByKey = new Map<string, Map<string, Person>>()
  const rowKeys = new Map<string, number>()
  let [hasNumbers, showsNumbers, isEmpty] = [false, false, true]

  return {
    onRow({ row, record }) {
      if (!isAboutPeople) return
      const person = reader.sent(record)
      hasNumbers ||= person.number !== undefined
      if (person.reference !== undefined) rowKeys.set(keyOf(person.reference), row)
      for (const key of keysOf(person, 'sent')) {
        const hash = hashOf(key)
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
    async find(entries) {
      const found: [LikePerson, Remark][] = []
      const mayBeSent = (entry: Entry) => isReady(entry) && entry.attempt <= 1
      // The file is read once more only for rows that may become new people.
      if (listedByKey.size === 0 || ![...entries.values()].some(mayBeSent)) return { held: [], doubts: [] }
      for await (const { row, record } of source.rows()) {
        const entry = entries.get(keyOf(nameIn(record, kind.key.request) ?? ''))
        if (entry?.row !== row || !mayBeSent(entry)) continue
        const likeness = closest(reader.sent(record), entries)
        if (likeness) found.push([likeness, remarkOf(row, likeness)])
      }
      const inOrder = [
        ...found.filter(([{ by }]) => by === 'reference'),
        ...found.filter(([{ by }]) => by !== 'reference'),
      ]
      const only = (isSure: boolean) =>
        inOrder.filter(([each]) => each.isSure === isSure).map(([, remark]) => remark)
      return { held: only(true), doubts: only(false) }
    },
    notCompared() {
      if (!hasNumbers || showsNumbers || isEmpty || !reader.number) return undefined
      return `the list shows no ${reader.number.label}, so people who are there under another reference are only known by name and date of birth`
    },
  }

  /** What is surest of all that one row is like. */
  function closest(mine: Person, entries: ReadonlyMap<string, Entry>): LikePerson | undefined {
    const people = new Set(keysOf(mine, 'sent').flatMap((key) => [...(listedByKey.get(key)?.values() ?? [])]))
    const alike = [...people].flatMap((theirs): LikePerson[] => {
      const key = keyOf(theirs.reference ?? '')
      if (key === keyOf(mine.reference ?? '')) return []
      const likeness = likenessOf(mine, theirs) ?? slipOf(mine, theirs)
      if (!likeness) return []
      // A row of this file that an earlier run created: that both rows have one number was a doubt then, and is one now.
      const isOurs = entries.get(key)?.state === 'created'
      return [{ ...likeness, isSure: likeness.isSure && !isOurs, mine, theirs }]
    })
    return alike.sort((one, other) => rankOf(one) - rankOf(other))[0]
  }

  function remarkOf(row: number, likeness: LikePerson): Remark {
    const { by, mine, theirs } = likeness
    const path = by === 'number' ? (reader.number?.path ?? '') : kind.key.request.join(', ')
    const place = source.columnFor?.(path)
    const { message, cause } = describeLikeness(likeness, mine, theirs, reader.number?.label)
    return {
      row,
      path,
      message,
      cause,
      ...(by !== 'number' && { value: mine.reference }),
      ...(by === 'reference' && { leads: true }),
      ...(place && { column: place.column }),
    }
  }
}

interface LikePerson extends Likeness {
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
function hashOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x9747b28c]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x5bd1e995)
  }
  return (high >>> 0) * 2 ** 21 + ((low ^ (low >>> 13)) & 0x1fffff)
}
