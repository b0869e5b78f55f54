import { readWholeRecord } from '../api/whole-record.ts'
import { Failure, type Issue } from '../errors.ts'
import { formatPath, type JsonObject, lastName, parsePath, valueAt } from '../files/json/path.ts'
import type { FileRow, RowIssue } from '../files/table/row.ts'
import { inColumn, placeInFile, type RowSource } from '../files/table/row-source.ts'
import type { Difference } from '../model/mapping/compare-stored.ts'
import { unreturnedFields } from '../model/mapping/field-mapping.ts'
import { labelOf } from '../model/mapping/record-name.ts'
import { mayHide } from '../model/mapping/service-masks.ts'
import { changedNoun, keyInWords, keyPath } from '../model/natural-key.ts'
import { addedIssues, lackingFields, type RecordType } from '../model/records/record-type.ts'
import { headingFor } from '../model/values/find-field.ts'
import { onlyServiceSets, setOtherwise, tellsAge } from '../model/values/read-record.ts'
import { agree, asClause, plural, singular, wordList } from '../text/words.ts'
import { guardFindings } from '../write/guards.ts'
import { findHidden } from '../write/lost-fields.ts'
import type { Change, Circumstances, GuardFinding, RecordTarget } from '../write/record-write.ts'
import { beginChange } from '../write/send.ts'
import { type ChangedRecord, createChangeTally, type PlannedChanges } from './change-tally.ts'
import {
  aboutEntry,
  aboutRecord,
  askedOfGuards,
  type FileCheck,
  type PeopleCheck,
  type PlanInput,
} from './checks.ts'
import { changeState, hashInFile, hold, type ImportEntry, isToChange, type Reason } from './entry.ts'
import { type RowFinding, remarkOf, severityOf } from './findings.ts'
import type { ImportJob } from './job.ts'
import { describeMatch, digestOfMissing, isSameLines, type LineMatch } from './lines.ts'
import { compareListed } from './listed-fields.ts'
import { whyNotPlanned } from './plan-file.ts'
import { changesOf, digestOfRecord, listPath, type RecordChange, unsaidLine } from './row-change.ts'
import { matchOf, type Scan } from './scan.ts'

/** Compares the rows of a file with the records that the service has under their keys. */
interface ChangeCheck extends FileCheck {
  /** Says how many records differ from their row, where none may be changed: of those that no check holds back. */
  readonly notChanged: FileCheck
  /** The changes that the rows make. Call it after `findings`. */
  readonly planned: () => PlannedChanges
}

interface Planning {
  readonly job: ImportJob
  readonly people: PeopleCheck
  /** The record as it is sent. */
  readonly type: RecordType
  /** The fields that no answer returns. */
  readonly unreturned: ReadonlySet<string>
  readonly tally: ReturnType<typeof createChangeTally>
  readonly input: PlanInput & { readonly list: Scan }
}

interface RowComparison {
  /** The change of its entry; undefined where it stays as it is. */
  readonly becomes?: Partial<ImportEntry> | undefined
  readonly found?: readonly RowFinding[]
  /** The change that the row makes, to be counted. */
  readonly changed?: ChangedRecord | undefined
}

interface ChangingRow extends RecordChange {
  readonly row: FileRow
  readonly entry: ImportEntry
  /** The change of the record, as it was read. */
  readonly write: Change
  /** The changes of fields that the service shows. */
  readonly shownChanges: readonly Difference[]
  /** A digest of the lines of its record that it lacks. */
  readonly missingLinesDigest: string | undefined
}

/**
 * Plans for every row what it changes of its record, and stores that in its entry. Reads only the records
 * that the list does not already show to be as their row says.
 */
export function checkChanges(job: ImportJob, people: PeopleCheck): ChangeCheck {
  const { kind, change, type, get } = job.service
  const listed = compareListed(type, kind.key.request)
  const tally = createChangeTally(type, {
    noun: changedNoun(kind),
    keepsAll: job.keepsEveryChange,
    nameRate: job.source.nameRate,
    missingLines: job.missingLines,
  })
  /** Records that are being read, in the order of the file. The order of the answers does not matter. */
  const reading: { readonly entry: ImportEntry; readonly compared: Promise<RowComparison> }[] = []
  const found: RowFinding[] = []
  const differing: ImportEntry[] = []
  let planning: Planning | undefined
  let [done, total] = [0, 0]

  return {
    onRow: listed.onRow,
    onItem(key, item, entries) {
      if (key !== undefined && (entries.get(key)?.row ?? 0) > 0) listed.onItem(key, item)
    },
    asksAgain({ list, ...input }) {
      if (!list) return undefined
      const unreturned = new Set(unreturnedFields(type))
      planning = { job, people, type, unreturned, tally, input: { ...input, list } }
      const mayDiffer = (entry: ImportEntry) =>
        entry.existing > 0 || (entry.state === 'done' && (change !== undefined || isPaidAsCreated(entry)))
      total = [...input.entries.values()].filter(mayDiffer).length
      return total === 0 ? undefined : mayDiffer
    },
    async onRowAgain(row, entry) {
      if (!planning || !hasOneRecord(planning, entry)) return
      const { shows, moved } = listed.compare(row, entry.key)
      if (!change && entry.state !== 'ready') {
        if (shows === 'differs' && isPaidAsCreated(entry)) found.push(changedSinceCreated(job, entry))
        return
      }
      if (shows === 'differs') differing.push(entry)
      const isRead = shows !== 'equal' && (change || (type.lines && get))
      if (!isRead) found.push(...notesOfMoved(type, row, moved))
      if (shows === 'equal') {
        if (type.lines && hasSomeDays(row) && !isAllOf(planning, entry)) {
          setChange(planning, entry, heldForLines(planning, noLines, row) ?? {})
          return
        }
        if (!change) return
        setChange(planning, entry, equalEntry(planning, entry))
        noteProgress()
      } else if (isRead) {
        const compared = compareWhole(planning, row, entry)
        // A failure is thrown later, in the order of the file, by `takeNext`.
        compared.catch(() => {})
        reading.push({ entry, compared })
        if (reading.length >= job.concurrency) await takeNext(planning)
      }
    },
    async findings() {
      if (!planning) return []
      while (reading.length > 0) await takeNext(planning)
      // The shapes are about the file, not about the first row that they apply to.
      const about = job.isStrict
        ? ({ severity: 'wrong' } as const)
        : ({ row: 0, path: '', severity: 'doubt' } as const)
      return [...found, ...tally.end().shapes.map((each) => ({ ...each, ...about }))]
    },
    notChanged: {
      findings() {
        const count = change ? 0 : differing.filter(({ state }) => state !== 'held').length
        if (count === 0) return []
        const message = `${plural(count, singular(kind.noun))} that the service has already ${agree(count, 'is')} not as the file says: --update changes ${agree(count, 'it')}`
        return [{ row: 0, path: '', severity: 'note', message, leads: true }]
      },
    },
    planned: tally.end,
  }

  /** Whether an earlier run created it from the row as it is, and its lines are what is paid: they may be changed since. */
  function isPaidAsCreated({ writes, state, editedHash }: ImportEntry): boolean {
    return type.lines !== undefined && writes === 'create' && state === 'done' && editedHash === undefined
  }

  async function takeNext(planning: Planning): Promise<void> {
    const next = reading.shift()
    if (!next) return
    const { becomes, changed, found: more = [] } = await next.compared
    found.push(...more)
    if (changed && change) tally.add(changed)
    if (becomes) setChange(planning, next.entry, becomes)
    noteProgress()
  }

  function noteProgress(): void {
    done += 1
    job.onPlanning?.({ done: Math.min(done, total), total })
  }
}

/** Says which values of a row the service has advanced by itself. */
const notesOfMoved = (type: RecordType, { row }: FileRow, moved: readonly Difference[]) =>
  moved.map(({ path, before, after }) => {
    const message = `${headingFor(type, path)}: the service changed ${after} to ${before} by itself, and the record keeps ${before}`
    return { row, path: '', message, severity: 'reading' } as const
  })

/** Whether the service has exactly one record for the row. Holds the row back where it could change several. */
function hasOneRecord({ job, input }: Planning, entry: ImportEntry): boolean {
  const { key, state, reference } = entry
  const { count, ids } = matchOf(input.list, key)
  const mayHaveRecord = state === 'done' || (state === 'ready' && entry.requests === 0)
  if (entry.left || !mayHaveRecord || count === 0) return false
  if (count === 1 && ids.length === 1) return true
  if (job.service.change && state === 'ready') {
    const message =
      count > 1
        ? `${keyInWords(reference)} is on the service ${count} times (${ids.join(', ')}), and which of them is meant is not known`
        : `the list shows no id of ${keyInWords(reference)}, so it cannot be changed`
    hold(entry, [{ path: keyPath(job.service.kind.key), message }])
    entry.writes = 'change'
  }
  return false
}

/** Says that a record is no longer as this import created it: the service pays what it has, not what the row says. */
function changedSinceCreated(job: ImportJob, entry: ImportEntry): RowFinding {
  const cause =
    'created by an earlier run, and changed on the service since; --update sends what the file says'
  return aboutEntry(job, entry, 'note', `${keyInWords(entry.reference)} was ${cause}`, cause)
}

async function compareWhole(planning: Planning, row: FileRow, entry: ImportEntry): Promise<RowComparison> {
  const { job, input, type, unreturned } = planning
  const { change, kind, knowledge } = job.service
  const [id = ''] = matchOf(input.list, entry.key).ids
  const write = await readForChange(job, entry, id)
  if ('why' in write) return { becomes: { state: 'held', issues: [write.why] } }
  const { record, body } = write.seen
  const set = change ? setOtherwise(row.serviceOwned ?? [], record) : []
  const owned = set.find((each) => !tellsAge(each))
  if (owned) {
    const issue = { path: formatPath(owned.at), message: onlyServiceSets }
    return { found: [{ ...remarkOf(row, issue), severity: 'wrong' }] }
  }
  const wanted = changesOf(type, kind.key.request, body, row, job.missingLines)
  const { requested, lines } = wanted
  const found = notesOfMoved(type, row, wanted.moved)
  if (lines && !change)
    return { found, becomes: isSameLines(lines) ? undefined : heldForLines(planning, lines) }
  const unsure = whyNotEmptied(planning, row, body)
  if (unsure)
    return { found: [...found, { ...remarkOf(row, inColumn(job.source, unsure)), severity: 'wrong' }] }
  // A field that the service hides or masks is taken to be as an earlier run of this import set it.
  const isHidden = change && (await findHidden(knowledge, type, id, record))
  const isUnseen = ({ path, before, after }: Difference) =>
    unreturned.has(path) || mayHide(type, path, before, after) || (before === undefined && isHidden?.(path))
  const shownChanges = requested.filter((each) => !isUnseen(each))
  const open = wasSetBefore(planning, entry) ? shownChanges : requested
  const missingLinesDigest = lines && type.lines && digestOfMissing(type.lines, lines, input.salt)
  // Lines that somebody kept in an earlier run of this import need no second answer, and others do.
  const noted = journalledChange(planning, entry)
  const isAnswered = noted?.isSame && noted.keptLines === missingLinesDigest
  if (lines && missingLinesDigest !== undefined && !job.missingLines && !isAnswered)
    return { found, becomes: heldForLines(planning, lines) }
  // Which days the hours on the service are of, nobody knows: they cannot be kept beside those of the sheet.
  if (lines && hasSomeDays(row) && changesHours(lines) && job.missingLines !== 'remove')
    return { found, becomes: heldForLines(planning, lines, row) }
  if (open.length === 0) return { found, becomes: equalEntry(planning, entry) }
  if (set.length > 0) return { found, becomes: { state: 'held', issues: [aboutRecord(job, fileIsOlder)] } }
  const changing = { row, entry, write, shownChanges, missingLinesDigest, ...wanted }
  const guarded = await guardChange(planning, changing)
  return { ...guarded, found: [...found, ...(guarded.found ?? [])] }
}

const fileIsOlder = 'somebody changed it after the record in the file was read (updatedAt): read it again'

/** assumed: a sheet with so many days of a week has all that were worked. */
const daysOfWork = 5

const hasSomeDays = ({ days = [] }: FileRow) => days.length > 0 && days.length < daysOfWork

/** Whether hours of some days are known to be all: an earlier run sent them of these days, or somebody says so. */
const isAllOf = (planning: Planning, entry: ImportEntry) =>
  planning.job.missingLines === 'remove' || wasSetBefore(planning, entry)

const noLines: LineMatch = { after: [], both: [], added: [], missing: [] }

const changesHours = ({ both }: LineMatch) => both.some(({ before, after }) => before !== after)

/**
 * Holds back a row whose record has other lines, because the lines are what is paid. `some`: the row, where
 * the hours of its days would replace those of all days, or may be those of others.
 */
function heldForLines(
  { job, type }: Planning,
  match: LineMatch,
  some?: FileRow,
): Partial<ImportEntry> | undefined {
  const { lines } = type
  if (!lines) return undefined
  const isUpdate = job.service.change !== undefined
  const hasMissingLines = isUpdate && (match.missing.length > 0 || some !== undefined)
  const asked =
    hasMissingLines && !some && !job.isPreviewed
      ? '. Without --yes, at a terminal, you are asked whether what the sheet lacks is kept or removed; --missing-lines=keep or --missing-lines=remove says it'
      : ''
  const what = lines.path === 'rates' ? 'hours' : lines.path
  const are =
    match === noLines
      ? `the service has as many ${what} for it, which may be of other days`
      : `the service has other ${what} for it: ${describeMatch(lines, match, job.source)}`
  const days = some
    ? `. The sheet has only ${plural(some.days?.length ?? 0, 'day')} of it: give it every day that was worked, or say with --update --missing-lines=remove that it has them all`
    : ''
  const message = `${are}${days}${asked}`
  const { path, column } = placeInFile(job.source, `${lines.path}[0].${lines.amount}`)
  const override = !isUpdate ? '--update' : hasMissingLines && !some ? '--missing-lines=keep' : undefined
  return { state: 'held', issues: [{ path, message, column, override }], change: { hasMissingLines } }
}

async function guardChange(planning: Planning, changing: ChangingRow): Promise<RowComparison> {
  const { job, people, type, input, tally } = planning
  const { row, entry, write, after, requested, lines } = changing
  const { approvedPlan, service } = job
  const guarded = await guardFindings(
    { ...write, wanted: after, changes: requested, row: row.record },
    'wanted',
    {
      ...askedOfGuards(job),
      writer: 'import update',
      mayChangeBank: service.change?.changesBank === true,
      findLost: async (write) => (await service.change?.findLost(write)) ?? [],
      findAlike: async () => people.findAlike(row.record, entry),
      whyUnplanned: () =>
        approvedPlan &&
        whyNotPlanned(approvedPlan, entry.key, 'change', tally.fieldsOf({ requested, lines })),
    },
  )
  const lacking = findLacking(planning, changing)
  const refusing = guarded.filter((each) => severityOf(each, false) === 'wrong')
  const wrong = lacking ? [lacking] : reasonsOf(job, refusing)
  if (wrong.length > 0)
    return { found: wrong.map((issue) => ({ ...remarkOf(row, issue), severity: 'wrong' })) }
  const notes = guarded.flatMap((finding): RowFinding[] =>
    finding.does === 'warn' ? [{ row: row.row, path: '', message: finding.message, severity: 'note' }] : [],
  )
  const all = reasonsOf(job, guarded)
  const unasked = all.filter(isOfBank)
  const reasons = all.filter((reason) => !isOfBank(reason))
  const { body } = write.seen
  const person = labelOf(type, body) ?? ''
  if (reasons.length > 0)
    return { found: notes, becomes: { state: 'held', issues: reasons, change: { person } } }
  const noted = journalledChange(planning, entry)
  const wasSent = noted?.state === 'unclear'
  return {
    found: [...notes, ...doubtsOfChange(planning, changing, guarded)],
    changed: { row: row.row, reference: entry.reference, name: person, requested, lines },
    becomes: {
      state: wasSent ? 'unclear' : 'ready',
      // Each run sends it once more at most, when what was sent has arrived or never will. What an edited row
      // said before is waited for too.
      requests: wasSent && noted.isSame ? 1 : 0,
      change: {
        recordDigest: digestOfRecord(type, body, input.salt),
        unasked: unasked.length > 0 ? unasked : undefined,
        person,
        keptLines: job.missingLines === 'remove' ? undefined : changing.missingLinesDigest,
        sentAt: wasSent ? noted.at : undefined,
      },
    },
  }
}

/** Runs the guards again right before a row is sent. Returns why the row is held back, if it is. */
export async function recheckChange(
  job: ImportJob,
  write: Change,
  isAsSeen: Circumstances['read again']['isAsSeen'],
): Promise<Reason | undefined> {
  const found = await guardFindings(
    write,
    'read again',
    { ...askedOfGuards(job), writer: 'import update', isAsSeen },
    write.seen,
  )
  return reasonsOf(job, found)[0]
}

/**
 * Why findings hold their row back, in the columns of the file. A question
 * does too: an import does not ask about single rows.
 */
function reasonsOf(
  { source, service }: Pick<ImportJob, 'source' | 'service'>,
  found: readonly GuardFinding[],
): Reason[] {
  return found.flatMap((finding) => {
    if (finding.does !== 'hold' && finding.does !== 'ask') return []
    if (finding.reason) return [inColumn(source, finding.reason)]
    const failure = finding.does === 'hold' ? finding.failure : finding.otherwise
    const { issues = [] } = failure.details
    if (finding.does === 'ask' && finding.topic === 'bank') return bankReasons(source, issues)
    const message = asClause(failure.message)
    const details = issues.map((each) => `${each.path || 'the record'}: ${each.message}`).join('; ')
    const path = issues[0]?.path || keyPath(service.kind.key)
    return [inColumn(source, { path, message: details === '' ? message : `${message} (${details})` })]
  })
}

/**
 * A reason for each changed bank detail. All have one message, which names
 * every column: an error shows a line for each row.
 */
function bankReasons(source: RowSource, issues: readonly Issue[]): Reason[] {
  const placed = issues.map((issue) => ({ ...issue, place: source.columnFor?.(issue.path) }))
  const inOrder = placed.flatMap(({ place }) => place ?? []).sort((one, other) => one.column - other.column)
  const columns = inOrder.map(({ place }) => place.replace(/^column /, ''))
  const where =
    columns.length === 0 ? '' : `column${columns.length > 1 ? 's' : ''} ${wordList(columns, 'and')}: `
  return placed.map(({ path, message, place }) => ({
    path,
    message: where + message,
    cause: message,
    override: '--bank',
    column: place?.column,
  }))
}

/** Whether a row is held back because its bank details would change. */
export const isOfBank = ({ override }: Reason): boolean => override === '--bank'

/** Holds back the rows whose changes need an answer that nobody gave. */
export function holdUnasked(entries: Iterable<ImportEntry>): void {
  for (const entry of entries) {
    const { unasked } = entry.change ?? {}
    if (unasked && isToChange(entry)) hold(entry, unasked)
  }
}

/**
 * The doubts about a change: the record was changed since this import set
 * it, the row was read with doubt, or a guard doubts it.
 */
function doubtsOfChange(
  planning: Planning,
  { row, entry, requested, shownChanges }: ChangingRow,
  guarded: readonly GuardFinding[],
): readonly RowFinding[] {
  const { job } = planning
  const severity = job.isStrict ? 'wrong' : 'doubt'
  const doubtOf = (issue: RowIssue) => ({ ...remarkOf(row, issue), severity }) as const
  const isAsked = ({ path }: Issue) => requested.some((each) => within(path, each.path))
  const read = row.warnings.filter(isAsked)
  const added = guarded.flatMap((finding): RowFinding[] => {
    if (finding.does !== 'doubt') return []
    // A value is doubted once, and who else has it is another question.
    const isRead = finding.isAllowed === undefined && read.some(({ path }) => path === finding.issue.path)
    if (isRead) return []
    const issue = inColumn(job.source, finding.issue)
    return [{ ...remarkOf(row, issue), severity: severityOf(finding, job.isStrict) }]
  })
  const doubts = [...read.map(doubtOf), ...added]
  if (!wasSetBefore(planning, entry)) return doubts
  const changedSince = inColumn(job.source, {
    path: shownChanges[0]?.path ?? '',
    message: `an earlier run of this import set it, and ${keyInWords(entry.reference)} was changed on the service since`,
    cause: 'changed on the service since an earlier run of this import set it',
  })
  return [doubtOf(changedSince), ...doubts]
}

/** Why a row cannot empty a field: nobody would see whether it worked, or it would work again each time. */
function whyNotEmptied({ type, unreturned }: Planning, row: FileRow, body: JsonObject): Issue | undefined {
  const hidden = (row.cleared ?? []).find((path) => unreturned.has(listPath(path)))
  if (hidden !== undefined) {
    const message = `the service does not return ${headingFor(type, hidden)}, so an import cannot see whether it is empty: empty it with update --unset ${lastName(hidden)}`
    return { path: hidden, message }
  }
  const unsaid = unsaidLine(body, row)
  if (unsaid === undefined) return undefined
  const lines = valueAt(body, parsePath(listPath(unsaid)) ?? [])
  const count = Array.isArray(lines) ? lines.length : 0
  const message = `the record has ${plural(count, 'line')}, and the row does not say all of them: fill in or [clear] each, or the next import of the row would empty another one`
  return { path: unsaid, message }
}

/** The problem with a change that empties a field which the record must have; undefined where there is none. */
function findLacking({ job, type }: Planning, { write: { seen }, after }: ChangingRow): RowIssue | undefined {
  if (job.allowsIncomplete) return undefined
  const [lacking] = addedIssues(lackingFields, type, seen.body, after)
  if (!lacking) return undefined
  const message = `${lacking.message}; --incomplete would empty it`
  return inColumn(job.source, { path: lacking.path, message })
}

/** The change of a row in the journal of an earlier run. `isSame`: the row had the same values then. */
function journalledChange({ input }: Planning, entry: ImportEntry) {
  const noted = input.before?.rows.get(entry.key)?.change
  return noted && { ...noted, isSame: noted.hash === hashInFile(entry) }
}

/** Whether an earlier run of this import created or changed the record to what the row says, the last that it sent of it. */
function wasSetBefore(planning: Planning, entry: ImportEntry): boolean {
  const noted = journalledChange(planning, entry)
  if (noted) return noted.isSame && noted.state === 'done'
  const creation = planning.input.before?.rows.get(entry.key)?.creation
  return creation?.state === 'done' && entry.editedHash === undefined
}

/** Settles a row whose record is as the row says: nothing is to be sent, whoever set the record so. */
function equalEntry(planning: Planning, entry: ImportEntry): Partial<ImportEntry> {
  const noted = journalledChange(planning, entry)
  // The request of a run that was killed arrived.
  const isEarlier = noted?.isSame === true && noted.state === 'unclear'
  return { state: isEarlier ? 'done' : 'equal', isEarlier, requests: noted?.requests ?? 0 }
}

/** Turns the entry of a row into one that changes its record, where records may be changed. */
function setChange({ input, job }: Planning, entry: ImportEntry, more: Partial<ImportEntry>): void {
  const { count, ids } = matchOf(input.list, entry.key)
  const { state = entry.state } = more
  if (job.service.change) entry.writes = 'change'
  changeState(entry, 'ready', { id: ids[0], existing: count, isEarlier: false, requests: 0, issues: [] })
  changeState(entry, state, more)
}

const within = (path: string, section: string) =>
  path === section || path.startsWith(`${section}.`) || path.startsWith(`${section}[`)

/**
 * Reads the record that a row changes. Returns a change that changes nothing yet, or why the row is held
 * back. Throws every Failure that is not about this record alone.
 */
export async function readForChange(
  job: ImportJob,
  { reference }: Pick<ImportEntry, 'reference'>,
  id: string,
): Promise<Change | { readonly why: Reason }> {
  const { client, kind, change, create, type, get, list } = job.service
  if (!get) throw new TypeError('nothing may be changed')
  const target: RecordTarget = {
    id,
    type,
    operation: change?.update ?? create,
    get,
    list,
    parameters: { id },
    allowedMissing: change?.allowedMissing,
    lookUpCommand: (...more) => job.lookUpCommand(id, ...more),
  }
  try {
    const seen = await readWholeRecord(client, target)
    const write = beginChange(target, seen, { typed: reference, key: kind.key })
    const found = await guardFindings(write, 'read', {
      ...askedOfGuards(job),
      writer: 'import update',
      findListed: undefined,
    })
    const [why] = reasonsOf(job, found)
    return why ? { why } : write
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    const message = `the list shows ${keyInWords(reference)} as ${id}, but the service has no such record`
    return { why: aboutRecord(job, message) }
  }
}
