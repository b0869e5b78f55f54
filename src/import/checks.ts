import { Failure, type Issue } from '../errors.ts'
import { formatPath, isObject, type Json, type JsonObject, valueAt } from '../files/json/path.ts'
import { type FileRow, rowList } from '../files/table/row.ts'
import { inColumn, placeInFile } from '../files/table/row-source.ts'
import { type FieldPlaces, placesOf, valueAtPlaces } from '../model/mapping/field-mapping.ts'
import { keyInWords, keyOf, readKey, readListedKey, withoutLeadingZeros } from '../model/natural-key.ts'
import { idOf } from '../model/records/identity.ts'
import { lackingFields } from '../model/records/record-type.ts'
import { bankAccountOf, bankFields } from '../model/standards/bank.ts'
import { headingFor } from '../model/values/find-field.ts'
import { differingParts, type Identity, identityReader } from '../model/values/person-likeness.ts'
import { howLeft } from '../model/values/read-record.ts'
import { collectSaid, type KnownBy, personOn } from '../model/whose.ts'
import { textHash } from '../text/text-hash.ts'
import { foldText, nameSome, wordList } from '../text/words.ts'
import { runGuards } from '../write/guards.ts'
import type {
  AlikePerson,
  FoundWork,
  GuardFinding,
  NewRecord,
  RowReason,
  WantedBy,
} from '../write/record-write.ts'
import { fieldsOf, whyNotPlanned } from './approved-plan.ts'
import { type ImportEntry, isNew, isReady, isToChange } from './entry.ts'
import { aboutEntry, findingsOfGuards, inRow, keyPlace, type RowFinding } from './findings.ts'
import type { ImportJob } from './job.ts'
import { judgeWork } from './judge-work.ts'
import type { JournalState } from './read-journal.ts'
import { matchOf, type Scan } from './scan.ts'
import type { SharedJournal } from './shared-journal/shared-journal.ts'

/** All that is known after the file, the journals and the list of the service were read. */
export interface PlanInput {
  /** By key: the rows that may be sent. */
  readonly entries: ReadonlyMap<string, ImportEntry>
  /** Undefined where the list could not be read: then a row is taken for new. */
  readonly list: Scan | undefined
  readonly before: JournalState | undefined
  readonly salt: string
}

/** What a plan needs beside the job. */
export interface PlanAids {
  /** The claims of other runs, where computers share a journal. */
  readonly claims: SharedJournal | undefined
  /** Is told how many of the records that may change were compared with their rows. */
  readonly onCompared: (done: number, total: number) => void
}

type RowTest = (entry: ImportEntry) => boolean

/** One check of the rows before anything is sent, called in the order of its members. `checksOf` lists all checks. */
export interface FileCheck {
  readonly onRow?: (row: FileRow, key: string) => void
  /** May be called twice for one record, because a list that changes is read again. */
  readonly onItem?: (key: string | undefined, item: Json, entries: ReadonlyMap<string, ImportEntry>) => void
  /** Gives the test of the rows that it has to see once more; undefined where it needs none. */
  readonly asksAgain?: (input: PlanInput) => RowTest | undefined | Promise<RowTest>
  readonly onRowAgain?: (row: FileRow, entry: ImportEntry) => void | Promise<void>
  readonly findings: (input: PlanInput) => readonly RowFinding[] | Promise<readonly RowFinding[]>
}

/** Knows the people of the list who may be those of rows. */
export interface PeopleCheck extends FileCheck {
  /** Whether anybody of the list may be the person of a row under another reference. */
  readonly hasAlike: (entry: ImportEntry) => boolean
  /** Who of the list is most like the person of a row, as it is sent. */
  readonly findAlike: (sent: JsonObject, entry: ImportEntry) => AlikePerson | undefined
}

/** Reports the fields that a new record may not lack, and the doubts about rows that create one. */
export function checkNewRows(job: ImportJob): FileCheck {
  const { source, service, rules } = job
  const { type, change } = service
  const faults = new Map<
    string,
    {
      readonly lacks: readonly RowFinding[]
      readonly doubts: readonly RowFinding[]
      readonly leaving: RowReason | undefined
    }
  >()
  /** The fault of a row without a name whose reference is not on the service: it was probably meant for somebody else. */
  function unknown(entry: ImportEntry, lacks: readonly RowFinding[]) {
    const labels = lacks.map(({ path }) => headingFor(type, path).toLowerCase())
    const create = `The row would create ${type.displayName}, and has no ${wordList(labels, 'and').replace(' and ', ' and no ')}`
    const { start } = keyPlace(job)
    const message = `${start}nobody on the service has ${entry.reference}. ${create}`
    const cause = `${start}nobody on the service has this reference. ${create}`
    return aboutEntry(job, entry, 'wrong', message, cause)
  }

  /** What a row says of somebody who has left, which a new record would not say. */
  function leavingIn({ serviceOwned = [] }: FileRow): RowReason | undefined {
    const said = serviceOwned.flatMap((each) => {
      const how = howLeft(type, each)
      return how === undefined ? [] : { how, path: formatPath(each.at) }
    })
    const [first] = said
    if (!first) return undefined
    const how = wordList(
      said.map((each) => each.how),
      'and',
    )
    const cause = 'a new record does not say that somebody has left: it would be one of somebody at work'
    const options = said.map((each) => `--ignore-column=${each.path}`).join(' ')
    const way = source.columns ? `; ${options} creates it all the same` : ''
    return { path: first.path, message: `the person ${how}, and ${cause}${way}`, cause }
  }

  /** Nobody who has left is created where no person is asked. */
  const leaver = (entry: ImportEntry, { path, message, cause }: RowReason): RowFinding =>
    rules.asksAboutDoubts || rules.strict
      ? { row: entry.row, path, severity: 'doubt', message, cause }
      : { ...aboutEntry(job, entry, 'held', message, cause), path }

  return {
    onRow(row, key) {
      const lacking = rules.incomplete ? [] : lackingFields(type, row.record)
      const lacks = lacking.map(({ path, message }) => {
        const says = `${message}; --incomplete would create the record without it`
        return inRow(row, 'wrong', inColumn(source, { path, message: says }))
      })
      const doubts = row.warnings.map((issue) => inRow(row, 'doubt', issue))
      const leaving = leavingIn(row)
      if (leaving || lacks.length + doubts.length > 0) faults.set(key, { lacks, doubts, leaving })
    },
    findings({ entries, list }) {
      if (!list && change) return []
      return [...faults].flatMap(([key, { lacks, doubts, leaving }]) => {
        const entry = entries.get(key)
        if (!entry || !isNew(entry)) return []
        const left = leaving ? [leaver(entry, leaving)] : []
        return [...(change && lacks.length > 0 ? [unknown(entry, lacks)] : lacks), ...doubts, ...left]
      })
    },
  }
}

const filledText = (value: Json) => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** A doubt about several rows, said once for the file. With --strict, every row that is not yet done is wrong. */
export function doubtOfRows(
  { source, rules }: ImportJob,
  entries: PlanInput['entries'],
  rows: readonly number[],
  issue: Issue,
): RowFinding[] {
  const rowsDone = new Set([...entries.values()].flatMap(({ row, state }) => (state === 'done' ? row : [])))
  const open = rows.filter((row) => !rowsDone.has(row))
  return rules.strict
    ? open.map((row) => ({ row, severity: 'wrong', ...inColumn(source, issue) }))
    : [
        { row: 0, severity: 'doubt', ...inColumn(source, issue) },
        ...open.map((row) => ({ row, severity: 'marked' as const, ...issue })),
      ]
}

/** assumed: couples share an account. From this many different surnames on, the column was filled down by mistake. */
const fewestOfOneAccount = 3

/** Finds one bank account for people of several surnames, in the file or on the service: all would be paid into it. */
export function checkAccounts(job: ImportJob): FileCheck {
  const { kind, type } = job.service
  const places = new Map(Object.values(bankFields).map((path) => [path as string, placesOf(type, path)]))
  const identities = identityReader(kind)
  const byAccount = new Map<number, { readonly rows: number[]; readonly names: Set<number>; path: string }>()
  const rowsWithAccount = new Set<number>()
  /** By account and key: the people whom the service has with an account of the file, and no row with one. */
  const byHash = new Map<number, Map<string, { readonly who: string; readonly name: number }>>()
  let isNamed = true

  /** The hash of an account; undefined where there is none. */
  function hashOf(readField: (places: FieldPlaces) => Json): number | undefined {
    const textOf = (path: string) => {
      const own = places.get(path)
      return filledText(own && readField(own))
    }
    const { number = '', rollNumber } = bankAccountOf(textOf) ?? {}
    // Fewer digits are a mask, or a word such as `TBC`.
    return /\d{5}$/.test(number) ? textHash(`${number} ${rollNumber}`) : undefined
  }

  return {
    onRow({ row, record }, key) {
      if (kind.identityFields.length === 0) return
      const hash = hashOf(({ sent }) => valueAt(record, sent))
      if (hash === undefined) return
      const hasNumber = filledText(valueAt(record, bankFields.accountNumber)) !== undefined
      const path = hasNumber ? bankFields.accountNumber : bankFields.iban
      const same = byAccount.get(hash) ?? { rows: [], names: new Set(), path }
      const { surname } = identities.sent(record)
      isNamed &&= surname !== undefined
      same.rows.push(row)
      same.names.add(textHash(foldText(surname ?? key)))
      byAccount.set(hash, same)
      rowsWithAccount.add(row)
    },
    onItem(key, item, entries) {
      if (key === undefined || byAccount.size === 0 || rowsWithAccount.has(entries.get(key)?.row ?? 0)) return
      const hash = hashOf((places) => valueAtPlaces(item, places))
      if (hash === undefined || !byAccount.has(hash)) return
      const { name, surname } = identities.listed(item)
      const who = [readListedKey(item, kind.key), name].filter(Boolean).join(' ')
      const ofName = textHash(foldText(surname ?? key))
      byHash.set(hash, (byHash.get(hash) ?? new Map()).set(key, { who, name: ofName }))
    },
    findings({ entries }) {
      const rowsSent = [...entries.values()].filter((entry) => isNew(entry) || isToChange(entry))
      const rowsToSend = new Set(rowsSent.map(({ row }) => row))
      return [...byAccount].flatMap(([hash, { rows, names, path }]) => {
        // Who has shared an account for long is not named every night.
        const listedToo = rows.some((row) => rowsToSend.has(row))
          ? [...(byHash.get(hash)?.values() ?? [])]
          : []
        const surnames = new Set([...names, ...listedToo.map(({ name }) => name)])
        if (surnames.size < 2) return []
        const who = `${rows.length + listedToo.length} people${isNamed ? ' with different surnames' : ''}`
        const namesListed = listedToo.map((each) => each.who)
        const there = namesListed.length > 0 ? `, and on the service ${nameSome(namesListed, 3)}` : ''
        const message = `one account for ${who}: ${rowList(rows)}${there}`
        if (surnames.size < fewestOfOneAccount)
          return [{ row: 0, severity: 'note' as const, ...inColumn(job.source, { path, message }) }]
        return doubtOfRows(job, entries, rows, { path, message })
      })
    },
  }
}

/** Finds rows whose record the service has already. A row is held back where the record is another person's. */
export function checkExisting(job: ImportJob): FileCheck {
  const { service } = job
  const { kind } = service
  const { sent, listed } = identityReader(kind)
  const identities = new Map<string, Identity>()
  const byRow = new Map<number, RowFinding>()
  const isListed = (entry: ImportEntry) =>
    entry.state === 'ready' && entry.existing > 0 && entry.requests === 0
  return {
    onItem(key, item, entries) {
      if (service.change || key === undefined || kind.identityFields.length === 0 || identities.has(key))
        return
      if (entries.get(key)?.state === 'ready') identities.set(key, listed(item))
    },
    asksAgain: () =>
      identities.size === 0 ? undefined : (entry) => isListed(entry) && identities.has(entry.key),
    onRowAgain({ row, record }, entry) {
      const theirs = identities.get(entry.key)
      if (!theirs || entry.existing === 0) return
      const mine = sent(record)
      const parts = differingParts(mine, theirs)
      if (parts.length === 0) return
      const [here = '', there = ''] = [mine, theirs].map(({ name = 'somebody else' }) => name)
      const differs = here === there ? `${there}, born on another day` : `${there}, not ${here}`
      const isOneDay =
        mine.birthday !== undefined && theirs.birthday !== undefined && !parts.includes('birthday')
      // A different surname with the same birthday is a marriage, not another person.
      const isRenamed = parts.length === 1 && isOneDay
      const message = `${keyInWords(entry.reference)} is on the service as ${differs}: this row is not created`
      const finding = aboutEntry(job, entry, isRenamed ? 'doubt' : 'held', message, message)
      byRow.set(row, { ...finding, isAllowed: isRenamed })
    },
    findings({ entries, list }) {
      for (const entry of entries.values()) {
        const { key, row, reference, state, requests, existing } = entry
        if (entry.left || entry.createdBy) continue
        const { dead, ids } = matchOf(list, key)
        const mayChange = service.change && state !== 'held' && !(state === 'ready' && requests > 0)
        if (dead !== undefined && (mayChange || isListed(entry))) {
          // A new one of the same days could not be told from it, if the answer were lost.
          const cause = `on the service, and ${dead}: nothing is paid for it${service.change ? '' : ', and nothing is sent'}`
          const message = `${keyInWords(reference)} is ${cause} (${ids.join(', ')})`
          byRow.set(row, aboutEntry(job, entry, service.change ? 'doubt' : 'held', message, cause))
        } else if (list && !service.change && isListed(entry) && !byRow.has(row)) {
          const cause = `already on the service${existing > 1 ? ' more than once' : ''}; not changed`
          const times = existing > 1 ? ` ${existing} times (${ids.join(', ')})` : ''
          const message = `${keyInWords(reference)} is already on the service${times}; it is not changed`
          byRow.set(row, aboutEntry(job, entry, 'note', message, cause))
        }
      }
      return [...byRow.values()]
    },
  }
}

/**
 * Finds rows that give the id of another record. An id that the list lacks is left alone: it may be of another service.
 */
export function checkIds(job: ImportJob): FileCheck {
  const { kind, change } = job.service
  const { listed } = identityReader(kind)
  const rows = new Map<string, { readonly row: number; readonly id: string }>()
  const ids = new Set<string>()
  const owners = new Map<string, { readonly key: string | undefined; readonly who: string }>()
  // Only a person can be sent again on purpose.
  const way = kind.identityFields.length > 0 ? ('--same-person' as const) : undefined
  return {
    onRow({ row, givenId }, key) {
      if (givenId === undefined) return
      rows.set(key, { row, id: givenId })
      ids.add(givenId)
    },
    onItem(key, item) {
      const id = ids.size > 0 ? idOf(item) : undefined
      if (id === undefined || !ids.has(id)) return
      const reference = readListedKey(item, kind.key) ?? 'a record without one'
      const { name } = listed(item)
      owners.set(id, { key, who: keyInWords(reference) + (name ? ` (${name})` : '') })
    },
    findings({ entries }) {
      return [...rows].flatMap(([key, { row, id }]): RowFinding[] => {
        const [entry, owner] = [entries.get(key), owners.get(id)]
        if (!owner || entry?.row !== row || entry.state === 'held') return []
        // `0003` is 3 on some services, so both keys mean the same record.
        if (owner.key !== undefined && withoutLeadingZeros(owner.key) === withoutLeadingZeros(key)) return []
        const creates = isReady(entry)
        if (!creates && !change) return []
        const { start } = keyPlace(job)
        const message = `${start}the id in the row is that of ${owner.who} on the service, not of ${keyInWords(entry.reference)}`
        const cause = `${start}the id in the row is that of another record on the service`
        const isAllowed = creates && job.rules.samePerson
        const finding = aboutEntry(job, entry, isAllowed ? 'doubt' : 'wrong', message, cause)
        return [{ ...finding, isAllowed, way: creates ? way : undefined }]
      })
    },
  }
}

/** Knows of the rows of hours whose they are, and what is there on their days. */
export interface WorkCheck extends FileCheck {
  readonly findWork: (row: number) => FoundWork | undefined
}

/** The checks that know what guards ask of a row. */
export interface KnowingChecks {
  readonly people: PeopleCheck
  readonly work: WorkCheck
}

/** Finds out whose the rows of hours are, for the guards that hold them back or doubt them. */
export function checkWork(job: ImportJob): WorkCheck {
  const { people = [] } = job.source
  const names = collectSaid()
  let found: ReadonlyMap<number, FoundWork> = new Map()
  const persons = new Map<string, KnownBy>()
  return {
    onRow({ person }, key) {
      if (person) persons.set(key, person)
    },
    onItem(_key, item) {
      if (people.length > 0 && isObject(item)) names.add(personOn(item))
    },
    asksAgain({ entries, list }) {
      if (list) found = judgeWork(job.service.kind, entries, { list, said: names.all(), people, persons })
      return undefined
    },
    findWork: (row) => found.get(row),
    findings: () => [],
  }
}

/** The key of a row of the file; empty text for one without. */
export const keyOfRow = ({ service: { kind } }: Pick<ImportJob, 'service'>, { record }: FileRow): string =>
  keyOf(readKey(record, kind.key.request) ?? '')

/** What the guards ask of every write of an import. */
export const askedOfGuards = ({ rules: { today, facts } }: ImportJob) => ({ today, facts, reveal: false })

/**
 * Asks the guards of a new record about the rows that would create one, where the plan, the list, the file or
 * another command of this computer says anything that a guard could find.
 */
export function guardNewRows(job: ImportJob, { people, work }: KnowingChecks): FileCheck {
  const { approvedPlan, allowsOverlap } = job.rules
  const { kind, type, create, sentLately: newRecords } = job.service
  const { request } = kind.key
  /** By key: the records that the list does not show yet, because another command created them a moment ago. */
  const sentLately = new Map<string, readonly GuardFinding[]>()
  const findingsByEntry = new Map<ImportEntry, readonly GuardFinding[]>()

  /** A reason beside the key of its record. What another cell says is not repeated. */
  function besideKey(entry: ImportEntry, reason: RowReason) {
    const about = { ...aboutEntry(job, entry, 'held', reason.message, reason.cause) }
    if (reason.path === '' || reason.path === about.path) return { ...reason, ...about }
    const { start, column } = placeInFile(job.source, reason.path)
    // What is wrong with a name does not say itself in which cell it is.
    const message = reason.path === request[0] ? start + reason.message : reason.message
    return { ...about, ...reason, message, column, value: undefined }
  }

  return {
    async asksAgain({ list }) {
      if (list) {
        for await (const { reference, why } of newRecords()) {
          const message = `${keyInWords(reference)} ${why}: run it again in ten minutes`
          const failure = new Failure('refused', `${message}.`, { outcome: 'not-sent' })
          sentLately.set(keyOf(reference), [{ does: 'hold', failure, reasons: [{ path: '', message }] }])
        }
      }
      return (entry) =>
        isReady(entry) &&
        (approvedPlan !== undefined ||
          work.findWork(entry.row) !== undefined ||
          sentLately.has(entry.key) ||
          (isNew(entry) && people.hasAlike(entry)))
    },
    async onRowAgain({ row, record }, entry) {
      const write: NewRecord = {
        kind: 'create',
        target: { type, operation: create, parameters: {} },
        key: request.length > 1 ? entry.reference : undefined,
        wanted: record,
      }
      const circumstances: WantedBy['import create'] = {
        ...askedOfGuards(job),
        writer: 'import create',
        overlapPolicy: allowsOverlap ? 'allowed' : 'wrong',
        whyUnplanned() {
          if (!approvedPlan) return undefined
          const fields = fieldsOf(type, request, record).map((each) => ({ ...each, from: null }))
          return whyNotPlanned(approvedPlan, entry.key, 'create', fields)
        },
        findTaken: async () => sentLately.get(entry.key) ?? [],
        findAlike: async () => (isNew(entry) ? people.findAlike(record, entry) : undefined),
        findWork: async () => work.findWork(row),
      }
      findingsByEntry.set(entry, await runGuards(write, 'wanted', circumstances))
    },
    findings: () =>
      [...findingsByEntry].flatMap(([entry, guarded]) =>
        isReady(entry)
          ? findingsOfGuards(job, guarded, (reasons) => reasons.map((reason) => besideKey(entry, reason)))
          : [],
      ),
  }
}
