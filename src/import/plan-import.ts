import { randomBytes } from 'node:crypto'
import { isDay } from '../api/contract/fields/field.ts'
import { nearest } from '../api/contract/fields/nearest.ts'
import { lackingFields } from '../api/contract/records/record-type.ts'
import type { AssertStill } from '../api/pages.ts'
import { Failure, type Issue, usage } from '../errors.ts'
import { wordList } from '../formats/words.ts'
import { type Json, type JsonObject, parsePath, valueAt } from '../json/path.ts'
import { canonicalOrigin } from '../origin.ts'
import { type Claim, type ClaimReader, timeOf } from '../shared-journal/claim.ts'
import type { RowSource } from '../table/open-source.ts'
import type { Row, RowIssue } from '../table/row.ts'
import { headingFor } from '../values/read-heading.ts'
import { leaveToOtherRun } from './claimed-elsewhere.ts'
import { explainByOtherRun } from './claims.ts'
import { watchGivenIds } from './given-ids.ts'
import type { ImportJob } from './job.ts'
import type { Entry } from './ledger.ts'
import { keyOf, keyValues, nameIn, nameOf as nameOfParts, partsFrom, partsOf } from './natural-key.ts'
import { overlappingDays } from './overlapping-days.ts'
import { findOwnJournal, idsIn, serviceOf } from './own-journal.ts'
import { type FilePlan, type Findings, isReady, noteBaseline, planFile, withFindings } from './plan.ts'
import { type ChangePlan, noChanges, searchChanges } from './plan-changes.ts'
import { type OtherJournal, readOthers } from './read-others.ts'
import { type Remark, type Remarks, searchNumbers, tallyRemarks } from './remarks.ts'
import type { JournalRow, Replay } from './replay.ts'
import { isDoubtful } from './row-state.ts'
import { betweenReadingsMs, isWorthReading, matchOf, mostReadings, type Scan, scan } from './scan.ts'
import { searchPeople } from './search-people.ts'
import type { ImportService } from './service.ts'
import { isOther, type Shown, shownIdentity } from './similar-records.ts'

/** A row that is not created, because the service has its key with another name or birthday. */
interface ReferenceConflict extends Remark {
  /** Whether it is the same person under a new name: the birthday is the same, and one of the two names. */
  readonly isRenamed: boolean
}

/** What the import would do, worked out before it sends anything. */
export interface Plan {
  readonly file: FilePlan
  readonly salt: string
  readonly journal: string
  readonly before: Replay | undefined
  /** The list before the import; undefined when the file cannot be imported anyway. */
  readonly baseline: Scan | undefined
  /** The other journals of this service. */
  readonly others: readonly OtherJournal[]
  /** What the list, the other journals and the other runs tell about the rows. */
  readonly notes: Remarks
  /** The rows whose key somebody else has on the service, or somebody of another name. */
  readonly referenceConflicts: readonly ReferenceConflict[]
  /** How many rows the import would send. */
  readonly ready: number
  /** How many of these are doubtful. */
  readonly warned: number
  /** What the rows change of records that exist. */
  readonly changes: ChangePlan
  /** How many rows are held back because the service has the person under another reference. */
  readonly samePeople: number
  /** How many are held back because their days overlap those of another one. */
  readonly overlaps: number
}

type FileState = Pick<Plan, 'file' | 'salt' | 'journal' | 'before'>

/**
 * Reads the whole file, the journals and the service's list. Sends and claims nothing. The list is read twice, and both readings
 * must show the same, where somebody may not be there: a person who moved from one page to another meanwhile would be created
 * again. Throws a Failure if the journal is damaged or belongs to another service, or if the service's list does not show the key.
 */
export async function planImport(
  job: ImportJob,
  claims: ClaimReader | undefined = job.shared,
): Promise<Plan> {
  for (let reading = 1; ; reading++) {
    let assertStill: AssertStill = async () => {}
    const plan = await planOnce(job, claims, (check) => {
      assertStill = check
    })
    try {
      await assertStill(mayCreateOrChange(plan))
      return plan
    } catch (error) {
      if (!isWorthReading(error) || reading === mostReadings) throw await explainList(claims, error)
      await job.clock.sleep(betweenReadingsMs)
    }
  }
}

/** Whether what the list does not show would matter. */
function mayCreateOrChange({ file, baseline }: Plan): boolean {
  if (!baseline) return false
  const isThere = ({ name }: Entry) => matchOf(baseline, keyOf(name)).count > 0
  const isSettled = ({ change }: Entry) => change?.state !== 'planned' && change?.state !== 'unknown'
  return ![...file.entries.values()].every((entry) => isThere(entry) && isSettled(entry))
}

/** Why the list could not be read, or is not what it was. */
async function explainList(claims: ClaimReader | undefined, error: unknown): Promise<unknown> {
  return (await explainByOtherRun(claims, error))?.failure ?? unreadList(error)
}

async function planOnce(
  job: ImportJob,
  claims: ClaimReader | undefined,
  onWhole: (assertStill: AssertStill) => void,
): Promise<Plan> {
  const { service, journals, place, settleMs, clock, signal, readyOnly } = job
  const own = await findOwnJournal(journals, place)
  if (own.certain) assertSameService(job, own.path, own.before)
  const people = searchPeople(job.source, service)
  const changed = searchChanges(job)
  const givenIds = watchGivenIds(job.source, service.kind)
  const onRow = (row: Row) => {
    people.onRow(row)
    givenIds.onRow(row)
    changed.onRow(row)
  }
  const known = await readKnown(job, own.path, own.before, onRow)
  // Whoever changes people wants to see what the other rows change, even if none is sent yet.
  if (!canBeSent(known.file, readyOnly || service.change !== undefined)) return withoutList(known)
  // The line that was cut off may have announced a request: wait until it must have reached the service.
  if (own.before?.torn) await clock.sleep(settleMs, signal)
  const identities = watchIdentities(job, known.file.entries)
  const references = watchReferences(job, known.file)
  const onItem = (key: string | undefined, item: Json) => {
    references.onItem(key, item)
    identities.onItem(key, item)
    people.onItem(key, item)
    givenIds.onItem(key, item)
    changed.onItem(key, item, known.file.entries)
  }
  const baseline = await scan(job, { onItem, onWhole }).catch(async (error: unknown) => {
    throw await explainList(claims, error)
  })
  assertShowsKey(service, known.file, baseline)
  const isOurs = own.certain || (own.before && serviceOf(idsIn(own.before), baseline) === 'same')
  const used = isOurs ? known : await readKnown(job, journals.ofAccount, undefined, onRow)
  const { others, warnings } = await readOtherImports(job, used, baseline)
  const notes = tallyRemarks()
  const there = noteBaseline(used.file.entries, baseline, service.kind)
  const changes = await changed.find({ ...used, list: baseline })
  // What a row that may change a record says of its person is compared with the record itself.
  const referenceConflicts = service.change
    ? []
    : await findReferenceConflicts(job, used.file.entries, identities.shown)
  const named = new Set(referenceConflicts.map(({ row }) => row))
  const path = service.kind.key.request.join(', ')
  const claimed = claims ? await noteClaims(claims, used.file, path, used.before) : []
  for (const { row, change } of used.file.entries.values()) if (change?.state === 'held') named.add(row)
  const existing = service.change ? [] : there.filter(({ row }) => !named.has(row))
  for (const remark of [...warnings, ...existing, ...claimed]) notes.add(remark)
  const notCompared = people.notCompared()
  if (notCompared) notes.add({ row: 0, path: '', message: notCompared })
  const otherKeys = await findUnderOtherKeys(used.file.entries, givenIds, people)
  const overlaps = overlappingDays(job.source, service.kind, used.file.entries, baseline)
  const ofNew = findingsOfNew(used.file, service, references)
  const planned = { ...used.file, notes: [...used.file.notes, ...changes.notes] }
  const file = withFindings(planned, sortFindings(job, { ofNew, changes, otherKeys, overlaps }))
  // Of other records nothing can be sent a second time on purpose.
  const mayRepeat = job.samePerson || service.kind.identityFields.length === 0
  return {
    ...used,
    file,
    baseline,
    others,
    notes: notes.end(),
    referenceConflicts,
    changes,
    samePeople: mayRepeat ? 0 : otherKeys.held.length,
    overlaps: job.overlapping ? 0 : overlaps.length,
    ...readyIn(file),
  }
}

/** The plan of a file of which nothing may be sent: it is not compared with the service. */
function withoutList(known: FileState): Plan {
  return {
    ...known,
    baseline: undefined,
    others: [],
    notes: tallyRemarks().end(),
    referenceConflicts: [],
    changes: noChanges,
    samePeople: 0,
    overlaps: 0,
    ...readyIn(known.file),
  }
}

interface UnderOtherKeys extends Findings {
  /** The rows that would change a record, while their id is that of another one. */
  readonly changing: readonly Remark[]
}

/** The rows whose record the service has under another key: by the id in the row, or by what is said of the person. */
async function findUnderOtherKeys(
  entries: FilePlan['entries'],
  givenIds: ReturnType<typeof watchGivenIds>,
  people: ReturnType<typeof searchPeople>,
): Promise<UnderOtherKeys> {
  const { changing, creating } = givenIds.find(entries)
  const { held, doubts } = await people.find(entries)
  const isNamed = new Set(creating.map(({ row }) => row))
  return { changing, held: [...creating, ...held.filter(({ row }) => !isNamed.has(row))], doubts }
}

/** What was found of the rows whose records turned out to be new. */
function findingsOfNew(
  { ifNew, entries }: FilePlan,
  { change }: ImportJob['service'],
  references: ReturnType<typeof watchReferences>,
): readonly Findings[] {
  return [...ifNew].flatMap(([key, { held, doubts, lacks }]) => {
    const entry = entries.get(key)
    const isNew = entry?.state === 'pending' && entry.existingCount === 0 && entry.attempt === 1
    if (!isNew) return []
    const isUnknown = change !== undefined && lacks.length > 0
    return [{ held: [...(isUnknown ? [references.unknown(entry, lacks)] : lacks), ...held], doubts }]
  })
}

/** Which findings hold a row back, and which only warn: as the options of the import say it. */
function sortFindings(
  job: ImportJob,
  {
    ofNew,
    changes,
    otherKeys,
    overlaps,
  }: {
    readonly ofNew: readonly Findings[]
    readonly changes: ChangePlan
    readonly otherKeys: UnderOtherKeys
    readonly overlaps: readonly Remark[]
  },
): Findings {
  return {
    held: [
      ...ofNew.flatMap(({ held }) => held),
      ...changes.findings.held,
      ...(job.service.change ? otherKeys.changing : []),
      ...(job.samePerson ? [] : otherKeys.held),
      ...(job.overlapping ? [] : overlaps),
      ...(job.strict ? [...otherKeys.doubts, ...changes.shapes] : []),
    ],
    doubts: [
      ...ofNew.flatMap(({ doubts }) => doubts),
      // They are about the file, and not about the row that comes first.
      ...(job.strict ? [] : changes.shapes.map((each) => ({ ...each, row: 0, path: '' }))),
      ...changes.findings.doubts,
      ...(job.samePerson ? otherKeys.held : []),
      ...(job.overlapping ? overlaps : []),
      ...(job.strict ? [] : otherKeys.doubts),
    ],
  }
}

/** Whether any row may be sent. One row that is wrong holds back all of them, unless only the sound ones are wanted. */
export function canBeSent({ invalidRows, isCutShort, entries }: FilePlan, readyOnly: boolean): boolean {
  return invalidRows.size === 0 || (readyOnly && !isCutShort && entries.size > 0)
}

function readyIn({ entries, warned }: FilePlan): Pick<Plan, 'ready' | 'warned'> {
  const all = [...entries.values()]
  const isSent = (entry: Entry) => isReady(entry) || entry.change?.state === 'planned'
  return {
    ready: all.filter(isReady).length,
    warned: all.filter((entry) => isSent(entry) && warned.has(entry.row)).length,
  }
}

async function readKnown(
  job: ImportJob,
  journal: string,
  before: Replay | undefined,
  onRow: (row: Row) => void,
): Promise<FileState> {
  const salt = before?.header?.salt ?? randomBytes(16).toString('hex')
  const { create, kind } = job.service
  const lacking = (record: JsonObject) =>
    job.incomplete || !create.requestRecord
      ? []
      : lackingFields(create.requestRecord, record).map((issue) => inColumn(job.source, issue))
  const numbers = searchNumbers(create.requestRecord)
  const file = await planFile(job.source, kind, salt, before ?? { rows: new Map() }, {
    lacking,
    numbers,
    onRow,
    isStrict: job.strict,
    updates: job.service.change !== undefined,
  })
  return { file, salt, journal, before }
}

/** What a row lacks, in the words of the file. */
function inColumn({ columns, columnFor }: RowSource, { path, message }: Issue): RowIssue {
  const found = columnFor?.(path)
  const why = found
    ? `${found.place}: it is empty, and `
    : columns
      ? 'the file has no column for it, and '
      : ''
  return {
    path,
    message: `${why}${message}; --incomplete would create the record without it`,
    ...(found && { column: found.column }),
  }
}

/** So many references that nobody has are compared with those of everybody, which may be a hundred thousand. */
const mostCompared = 20

/**
 * Keeps who is on the service, where rows may change records: a row without a name whose reference nobody has was meant for
 * one of them, and rather for one who is in no other row.
 */
function watchReferences(
  { source, service: { kind, change, create } }: ImportJob,
  { entries, ifNew }: FilePlan,
) {
  const [inFile, others] = [new Map<string, string>(), new Map<string, string>()]
  const path = kind.key.request.join(', ')
  const place = source.columnFor?.(path)
  const keeps = change !== undefined && [...ifNew.values()].some(({ lacks }) => lacks.length > 0)
  const type = create.requestRecord
  let compared = 0

  return {
    onItem(key: string | undefined, item: Json): void {
      if (!keeps || key === undefined) return
      const reference = nameOfParts(partsFrom(keyValues(item, kind.key)))
      const [forename, surname] = shownIdentity(kind, item)
      const name = [forename, surname].filter(isText).join(' ')
      if (reference !== undefined) (entries.has(key) ? inFile : others).set(reference, name)
    },
    /** What is wrong with a row that would create a record although it lacks what a new one needs. */
    unknown({ row, name }: Entry, lacks: readonly Remark[]): Remark {
      compared += 1
      const near =
        compared > mostCompared
          ? undefined
          : (nearest([...others.keys()], name) ?? nearest([...inFile.keys()], name))
      const whose = near === undefined ? '' : (others.get(near) ?? inFile.get(near))
      const who = near === undefined ? '' : `; the nearest is ${near}${whose && ` (${whose})`}`
      const labels = lacks.map(({ path }) => (type ? headingFor(type, path) : path).toLowerCase())
      const create = `The row would create ${type?.displayName ?? 'a record'}, and has no ${wordList(labels, 'and').replace(' and ', ' and no ')}`
      const start = place ? `${place.place}: ` : ''
      return {
        row,
        path,
        message: `${start}nobody on the service has ${name}${who}. ${create}`,
        cause: `${start}nobody on the service has this reference. ${create}`,
        value: name,
        ...(place && { column: place.column }),
      }
    },
  }
}

/** Adds the rows that imports of other files left in doubt at this service. */
async function readOtherImports(
  { place, journals, source, service }: ImportJob,
  { file: { entries, doubtful }, journal }: FileState,
  baseline: Scan,
): Promise<{ readonly others: readonly OtherJournal[]; readonly warnings: readonly Remark[] }> {
  const warnings: Remark[] = []
  const others = await readOthers(
    { folder: journals.folder, place, except: journal },
    new Set(entries.keys()),
    (path) =>
      warnings.push({
        row: 0,
        path,
        message: 'this journal cannot be read, so payroll does not know which rows it left in doubt',
      }),
  )
  const sorted = sortJournals(others, place.account, baseline)
  const marked = markInDoubt(entries, sorted, baseline)
  if (marked.size > 0) {
    for await (const row of source.rows()) {
      const key = keyOf(nameIn(row.record, service.kind.key.request) ?? '')
      if (marked.has(key)) doubtful.set(key, row)
    }
  }
  return { others: sorted.same, warnings }
}

function assertSameService({ place, profile }: ImportJob, journal: string, before: Replay | undefined): void {
  const header = before?.header
  if (!header) return
  const { origin, operation } = place
  if (
    canonicalOrigin(header.origin) === origin &&
    header.profile === profile &&
    header.operation === operation
  )
    return
  throw usage(
    `This file was imported into ${header.origin} with the profile ${header.profile}, not into ${origin} with ${profile}.`,
    `Use that profile; or, if that import is finished, delete ${journal}.`,
  )
}

/**
 * Leaves rows to the runs that have them, and returns a remark for each. Changes nothing in the shared journal: an import
 * looks again before it sends (`adoptClaims`).
 */
async function noteClaims(
  claims: Pick<ClaimReader, 'read'>,
  { entries }: Pick<FilePlan, 'entries'>,
  path: string,
  before: Replay | undefined,
): Promise<Remark[]> {
  const remarks: Remark[] = []
  const found = await claims.read([...entries.keys()])
  for (const [key, entry] of entries) {
    const claim = found.get(key)
    const isOpen = entry.state === 'pending' && entry.existingCount === 0
    if (!claim || !isOpen || claim.state === 'refused' || before?.owners.has(claim.owner)) continue
    remarks.push({ row: entry.row, path, value: entry.name, ...claimRemark(claim, entry) })
    if (claim.alive || claim.state === 'created') leaveToOtherRun(claim, entry)
  }
  return remarks
}

function claimRemark({ by, at, alive, state }: Claim, { name }: Entry): Pick<Remark, 'message' | 'cause'> {
  if (state === 'created')
    return {
      message: `${by} created ${name} at ${timeOf(at)}; it is not sent again`,
      cause: `created by ${by}; not sent again`,
    }
  if (alive)
    return {
      message: `${by} has been working on ${name} since ${timeOf(at)}; it is left to that run`,
      cause: `${by} is working on it; left to that run`,
    }
  return {
    message: `${by} claimed ${name} at ${timeOf(at)} and ended without saying what became of it; it is looked for before it is sent`,
    cause: `${by} ended without saying what became of it; looked for before it is sent`,
  }
}

/** Other journals, by how certain it is that they are about this service. */
interface OtherJournals {
  /** Certainly about this service. */
  readonly same: readonly OtherJournal[]
  /** Cannot be told. */
  readonly unknown: readonly OtherJournal[]
}

/**
 * Sorts the journals of one address by service. The same API key is the same company. Another key may be a new key of
 * the same company: it is if the list has a record whose id the journal knows, and is not if it has none of them.
 */
function sortJournals(
  others: readonly OtherJournal[],
  account: string | undefined,
  list: Scan,
): OtherJournals {
  const [same, unknown]: [OtherJournal[], OtherJournal[]] = [[], []]
  for (const other of others) {
    const isSame = other.account === undefined || other.account === account
    const verdict = isSame ? 'same' : serviceOf(other.ids, list)
    if (verdict === 'same') same.push(other)
    if (verdict === 'unknown') unknown.push(other)
  }
  return { same, unknown }
}

/**
 * Marks rows as in doubt if another import left them in doubt, or created them and the list does not show them. They
 * are looked up before they are sent. Returns their keys.
 */
function markInDoubt(
  entries: ReadonlyMap<string, Entry>,
  { same, unknown }: OtherJournals,
  list: Scan,
): Set<string> {
  const marked = new Set<string>()
  for (const { rows } of [...same, ...unknown]) {
    for (const [key, row] of rows) {
      const entry = entries.get(key)
      if (entry && markRow(entry, row, matchOf(list, key).count > 0)) marked.add(key)
    }
  }
  return marked
}

/** Whether the other journal puts the row in doubt. */
function markRow(entry: Entry, row: JournalRow, isShown: boolean): boolean {
  if (entry.state === 'created') return false
  const wasSent = row.state === 'created' || isDoubtful(row) || (row.state === 'pending' && row.attempt > 1)
  if (!wasSent) return false
  // It was created and the list shows it: leave it.
  if (row.state === 'created' && isShown && entry.state === 'pending' && entry.attempt === 1) return false
  entry.attempt = Math.max(entry.attempt, row.attempt)
  if (entry.tries.length < row.tries.length) entry.tries = row.tries
  if (entry.state === 'pending') {
    // Two lists already showed that it is not there: it may be sent a second time.
    if (row.state === 'pending') return false
    entry.state = 'ambiguous'
  }
  return !entry.left
}

interface Sources {
  readonly source: RowSource
  readonly service: ImportService
}

/** Keeps of the records of a list who they are, where a row of the file has their key and was not sent yet. */
function watchIdentities({ service: { kind } }: Sources, entries: ReadonlyMap<string, Entry>) {
  const shown = new Map<string, Shown>()
  return {
    shown,
    onItem(key: string | undefined, item: Json): void {
      if (key === undefined || kind.identityFields.length === 0 || shown.has(key)) return
      if (entries.get(key)?.state === 'pending') shown.set(key, shownIdentity(kind, item))
    },
  }
}

/**
 * A remark for each row whose key another person has on the service: it is not created, and a reader who counts it as there
 * believes that it is. Reads the file again if there is any row to compare.
 */
async function findReferenceConflicts(
  { source, service: { kind } }: Sources,
  entries: ReadonlyMap<string, Entry>,
  shown: ReadonlyMap<string, Shown>,
): Promise<ReferenceConflict[]> {
  if (shown.size === 0) return []
  const conflicts: ReferenceConflict[] = []
  const birthday = kind.identityFields.findIndex(([request]) => request.endsWith('DOB'))
  const path = kind.key.request.join(', ')
  const place = source.columnFor?.(path)
  for await (const { row, record } of source.rows()) {
    const key = keyOf(nameIn(record, kind.key.request) ?? '')
    const [entry, theirs] = [entries.get(key), shown.get(key)]
    if (!entry || entry.row !== row || entry.existingCount === 0 || !theirs) continue
    const own = kind.identityFields.map(([request]) => valueAt(record, parsePath(request) ?? []))
    const others = own.filter((mine, at) => isOther(mine, theirs[at]))
    if (others.length === 0) continue
    const [here, there] = [nameOf(own), nameOf(theirs)]
    const differs = here === there ? `${there}, born on another day` : `${there}, not ${here}`
    const message = `${entry.name} is on the service as ${differs}: this row is not created`
    conflicts.push({
      row,
      path,
      message,
      cause: message,
      value: entry.name,
      isRenamed: others.length === 1 && isSameDay(own[birthday], theirs[birthday]),
      ...(place && { column: place.column }),
    })
  }
  return conflicts
}

/** The forename and the surname. */
const nameOf = ([forename, surname]: Shown) =>
  [forename, surname].filter((part) => typeof part === 'string' && part !== '').join(' ') || 'somebody else'

const isSameDay = (mine: Json, theirs: Json) => isText(mine) && isText(theirs) && !isOther(mine, theirs)

const isText = (value: Json) => typeof value === 'string' && value.trim() !== ''

/**
 * Without the list it is not known who is there already, so nothing may be sent. A list that is short may be changing; of an answer that
 * was none at all the failure says what to do.
 */
function unreadList(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid-response') return error
  const { hint, status } = error.details
  const isNoList = status !== undefined && hint !== undefined
  return new Failure(error.code, `${error.message} An import has to know who is there already.`, {
    ...error.details,
    outcome: 'not-sent',
    ...(isNoList ? {} : mayChange),
  })
}

const mayChange = {
  retryable: true,
  hint: 'It may be changing right now: run the same command again. If it keeps happening, ask those who run the service.',
}

/** When an answer is lost, the row is looked up by its key: the list must show the key, in a form we can compare. */
function assertShowsKey(service: ImportService, { entries }: FilePlan, { hasPlace, neverDay }: Scan): void {
  const { key } = service.kind
  if (!hasPlace) throw cannotBeLookedUp(service, `does not show ${key.item.join(', ')}`)
  const [first] = entries.values()
  const at = partsOf(first?.name ?? '').findIndex((part, index) => isDay(part) && neverDay[index])
  if (at >= 0) throw cannotBeLookedUp(service, `shows ${key.item[at]} in a form that is not a date`)
}

function cannotBeLookedUp({ list }: ImportService, why: string) {
  return usage(
    `This service cannot be imported into safely: its list (${list.path}) ${why}.`,
    'A row whose answer is lost could not be found again, and might be created twice. Create them one by one.',
  )
}
