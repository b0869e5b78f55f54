import { rowList } from '../files/table/row.ts'
import { inColumn } from '../files/table/row-source.ts'
import { keyOf, keyPath, type RecordKind } from '../model/natural-key.ts'
import {
  type ComparedPerson,
  earlierAlike,
  likenessOf,
  lookUpKeys,
  mostAlikeCompared,
  nameLookUpKey,
  namesakeOf,
  nearReferenceOf,
  personReader,
  rareKeys,
} from '../model/values/person-likeness.ts'
import { groupBy } from '../text/group-by.ts'
import { textHash } from '../text/text-hash.ts'
import { wordList } from '../text/words.ts'
import type { AlikePerson } from '../write/record-write.ts'
import { doubtOfRows, type PeopleCheck, type PlanInput } from './checks.ts'
import { type ImportEntry, isNew, isUnclear } from './entry.ts'
import type { RowFinding } from './findings.ts'
import type { ImportJob } from './job.ts'

/** Stands for several rows in `rowsByHash`. */
const severalRows = 0

/**
 * Finds rows of the file that may be one person under two references, or have one NI or PPS number. It takes the whole
 * file at once, for two rows are a fault of both. Whom the service has already, the guards of each row ask.
 */
export function checkPeople(job: ImportJob): PeopleCheck {
  const { rules } = job
  const { kind, type } = job.service
  const reader = personReader(kind, type)
  const isAboutPeople = kind.identityFields.length > 0
  /** By the hash of a text: the row that has it. The hashes take little memory and name nobody. */
  const rowsByHash = new Map<number, number>()
  const listedByKey = new Map<string, Map<string, ComparedPerson>>()
  /** The rows that have a text in common with somebody of the list. */
  const alikeRows = new Set<number>()
  /** The NI or PPS numbers of the file, by key. */
  const numbersByKey = new Map<string, string>()
  /** The rows that have a text in common with another row. */
  const sharing = new Set<number>()
  const people: PersonOfRow[] = []
  let [hasNumbers, showsNumbers, isEmpty] = [false, false, true]
  let entries: ReadonlyMap<string, ImportEntry> = new Map()
  let before: PlanInput['before']

  return {
    onRow(each, key) {
      if (!isAboutPeople) return
      const { row } = each
      const person = reader.sent(each.record)
      hasNumbers ||= person.number !== undefined
      if (person.number !== undefined) numbersByKey.set(key, person.number)
      for (const each of keysOf(person, 'sent')) {
        const hash = textHash(each)
        const other = rowsByHash.get(hash) ?? row
        if (other !== row) sharing.add(other).add(row)
        rowsByHash.set(hash, other === row ? row : severalRows)
      }
    },
    onItem(key, item, entries) {
      if (rowsByHash.size === 0) return
      const person = reader.listed(item)
      isEmpty = false
      showsNumbers ||= person.number !== undefined
      // Skip the record of the row itself.
      const own = key === undefined ? undefined : entries.get(key)?.row
      for (const each of keysOf(person, 'listed')) {
        const row = rowsByHash.get(textHash(each))
        if (row === undefined || row === own) continue
        alikeRows.add(row)
        const people = listedByKey.get(each) ?? new Map<string, ComparedPerson>()
        if (people.size < mostAlikeCompared)
          listedByKey.set(each, people.set(person.id ?? `${person.reference} ${person.name}`, person))
      }
    },
    asksAgain(input) {
      entries = input.entries
      before = input.before
      return sharing.size === 0 ? undefined : ({ row }) => sharing.has(row)
    },
    onRowAgain({ row, record }, entry) {
      people.push({ row, entry, person: reader.sent(record) })
    },
    hasAlike: ({ row }) => alikeRows.has(row) || (sharing.has(row) && alikeRows.has(severalRows)),
    findAlike: (body, entry) => closest(reader.sent(body), entry),
    findings(input) {
      const findings = [...findTwins(people, kind), ...findNumbers(job, reader, people, input.entries)]
      if (!hasNumbers || showsNumbers || isEmpty || !reader.number) return findings
      const message = `the list shows no ${reader.number.label}, so people who are there under another reference are only known by name and date of birth`
      return [...findings, { row: 0, path: '', severity: 'note', message }]
    },
  }

  /** The surest likeness that a row has. */
  function closest(mine: ComparedPerson, own: ImportEntry): AlikePerson | undefined {
    const listed = new Set(keysOf(mine, 'sent').flatMap((key) => [...(listedByKey.get(key)?.values() ?? [])]))
    const alike = [...listed].flatMap((theirs) => rankedPerson(mine, theirs, own) ?? [])
    return alike.sort((one, other) => one.rank - other.rank)[0]
  }

  function rankedPerson(
    mine: ComparedPerson,
    theirs: ComparedPerson,
    own: ImportEntry,
  ): RankedPerson | undefined {
    const key = keyOf(theirs.reference ?? '')
    if (key === keyOf(mine.reference ?? '')) return undefined
    const likeness = likenessOf(mine, theirs) ?? nearReferenceOf(mine, theirs)
    if (!likeness) return undefined
    // Who exists is known by another's number alone, unless the file gives that one another too.
    const numbers = [theirs.number, numbersByKey.get(key) ?? mine.number]
    if (!isNew(own) && numbers.some((number) => number !== mine.number)) return undefined
    // An earlier run created this person from a row of the file. That two rows share a number was only a
    // doubt then, so it is only a doubt now.
    const entry = entries.get(key)
    const isOurs = entry?.state === 'done'
    // From a row that is in the file no longer: its reference was changed.
    const creation = (entry?.row ?? 0) === 0 ? before?.rows.get(key)?.creation : undefined
    const isFormer = creation !== undefined && (creation.state === 'done' || isUnclear(creation))
    const isSure = likeness.isSure && !isOurs
    const isLikely = isFormer || (likeness.by === 'slip' && !isOurs && mine.number === undefined)
    return {
      rank: (isSure ? 0 : isFormer ? 2 : 4) + (likeness.by === 'reference' ? 0 : 1),
      likeness: { ...likeness, isSure },
      certainty: isSure ? 'sure' : isLikely ? 'likely' : 'possible',
      // At a terminal the user is asked, and --strict refuses it.
      isAsked: rules.asksAboutDoubts || rules.strict,
      isAllowed: rules.samePerson,
      more: isFormer ? ', created from a row of this file that is no longer in it' : '',
      mine,
      theirs,
    }
  }
}

/** Finds rows with the name of an earlier row and something else in common that few people of one name share. */
function findTwins(people: readonly PersonOfRow[], kind: RecordKind): readonly RowFinding[] {
  const alikeAbove = earlierAlike(({ person }: PersonOfRow) => rareKeys(person))
  return people.flatMap((mine): RowFinding[] => {
    const above = alikeAbove(mine)
    if (!isNew(mine.entry)) return []
    // Two rows with one number are found by it. Alike references make it the likelier that two are one person.
    const namesakeTo = ({ person }: PersonOfRow) => {
      const namesake = namesakeOf(mine.person, person)
      const isFoundByNumber = namesake && likenessOf(mine.person, person)?.by === 'number'
      return isFoundByNumber ? undefined : namesake
    }
    const twin = [...above].find(namesakeTo)
    if (!twin) return []
    const shared = wordList(namesakeTo(twin)?.shared ?? [], 'and')
    const message = `${mine.person.reference} has ${shared} of ${twin.person.reference} in row ${twin.row}: would one person be created twice?`
    const cause = `another row of the file has ${shared} of this person`
    return [{ row: mine.row, path: keyPath(kind.key), severity: 'doubt', message, cause }]
  })
}

/** Finds one number under several references: a person would be created twice, or it is mistyped. */
function findNumbers(
  job: ImportJob,
  { number: { path, label } = { path: '', label: '' } }: ReturnType<typeof personReader>,
  people: readonly PersonOfRow[],
  entries: PlanInput['entries'],
): readonly RowFinding[] {
  const isAllowed = job.rules.samePerson
  const byNumber = groupBy(people, ({ person }) => person.number)
  return [...byNumber.values()].flatMap((sharing): RowFinding[] => {
    const twice = sharing.flatMap(({ row, entry, person }): RowFinding[] => {
      const other = isNew(entry) && sharing.find((each) => isOne(person, each.person))
      if (!other) return []
      const message = `${person.reference} has the same ${label} as ${other.person.reference} in row ${other.row}: one person would be created twice`
      const cause = `another row of the file has the same ${label}, and is the same person`
      const what = { ...inColumn(job.source, { path, message }), cause, way: '--same-person' }
      return [{ ...what, row, severity: isAllowed ? 'doubt' : 'wrong', isAllowed }]
    })
    if (twice.length > 0 || sharing.length < 2) return twice
    const rows = sharing.map(({ row }) => row)
    return doubtOfRows(job, entries, rows, { path, message: `the same ${label} is in ${rowList(rows)}` })
  })
}

const isOne = (one: ComparedPerson, other: ComparedPerson) =>
  one.reference !== other.reference &&
  ((one.name !== undefined && one.name.toLowerCase() === other.name?.toLowerCase()) ||
    (one.birthday !== undefined && one.birthday === other.birthday))

interface PersonOfRow {
  readonly row: number
  readonly entry: ImportEntry
  readonly person: ComparedPerson
}

interface RankedPerson extends AlikePerson {
  /** Those come first that hold a row back, and among equals those by reference. */
  readonly rank: number
}

/** The texts by which a row, or a record of the list, is looked up. */
function keysOf(person: ComparedPerson, side: 'sent' | 'listed'): readonly string[] {
  const slip = side === 'sent' && person.birthday !== undefined ? undefined : nameLookUpKey(person)
  return [...lookUpKeys(person), ...(slip === undefined ? [] : [slip])]
}
