import { readWholeRecord } from '../api/whole-record.ts'
import { Failure, type Issue } from '../errors.ts'
import { formatPath, type JsonObject, lastName, parsePath, valueAt } from '../files/json/path.ts'
import type { FileRow, RowIssue } from '../files/table/row.ts'
import { inColumn, placeInFile } from '../files/table/row-source.ts'
import type { Difference } from '../model/mapping/compare-stored.ts'
import { unreturnedFields } from '../model/mapping/field-mapping.ts'
import { labelOf } from '../model/mapping/record-name.ts'
import { mayHide } from '../model/mapping/service-masks.ts'
import { changedNoun, keyInWords } from '../model/natural-key.ts'
import { addedIssues, lackingFields, type RecordType } from '../model/records/record-type.ts'
import { headingFor } from '../model/values/find-field.ts'
import { onlyServiceSets, type PlacedValue, setOtherwise, tellsAge } from '../model/values/read-record.ts'
import { agree, plural, singular, wordList } from '../text/words.ts'
import { guardFindings } from '../write/guards.ts'
import { findHidden } from '../write/lost-fields.ts'
import type { Change, Circumstances, GuardFinding, RecordTarget } from '../write/record-write.ts'
import { beginChange } from '../write/send.ts'
import { type ChangedRecord, createChangeTally, type PlannedChanges } from './change-tally.ts'
import { askedOfGuards, type FileCheck, type PeopleCheck, type PlanInput } from './checks.ts'
import { changeState, hashInFile, hold, type ImportEntry, isToChange } from './entry.ts'
import { aboutEntry, findingsOfGuards, inRow, type RowFinding } from './findings.ts'
import type { ImportJob } from './job.ts'
import { describeMatch, digestOfMissing, isSameLines, type LineMatch } from './lines.ts'
import { compareListed } from './listed-fields.ts'
import { whyNotPlanned } from './plan-file.ts'
import { changesOf, digestOfRecord, listPath, type RecordChange, unsaidLine } from './row-change.ts'
import { matchOf, type Scan } from './scan.ts'

/** Is told how many of the records that may change were compared with their rows. */
export type OnCompared = (done: number, total: number) => void

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

/** A row beside the record that it changes, as that was read. */
interface RowAndRecord extends RecordChange {
  readonly row: FileRow
  readonly entry: ImportEntry
  /** The change of the record, as it was read. */
  readonly write: Change
  /** What the row says of what only the service sets, where the record has something else. */
  readonly setOtherwise: readonly PlacedValue[]
  /** The changes of fields that the service shows. */
  readonly shownChanges: readonly Difference[]
  /** A digest of the lines of its record that it lacks. */
  readonly missingLinesDigest: string | undefined
}

/** What becomes of a row. */
interface Ruling {
  /** The change of its entry; undefined where it stays as it is. */
  readonly becomes?: Partial<ImportEntry> | undefined
  readonly findings?: readonly RowFinding[]
  /** The change that the row makes, to be counted. */
  readonly changed?: ChangedRecord | undefined
}

/**
 * Plans for every row what it changes of its record, and stores that in its entry. Reads only the records
 * that the list does not already show to be as their row says.
 */
export function checkChanges(job: ImportJob, people: PeopleCheck, onCompared: OnCompared): ChangeCheck {
  const { kind, change, type, get } = job.service
  const listed = compareListed(type, kind.key.request)
  const tally = createChangeTally(type, {
    noun: changedNoun(kind),
    keepsAll: job.rules.keepsEveryChange,
    nameRate: job.source.nameRate,
    missingLines: job.rules.missingLines,
  })
  /** Records that are being read, in the order of the file. The order of the answers does not matter. */
  const reading: { readonly entry: ImportEntry; readonly compared: Promise<Ruling> }[] = []
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
          setChange(planning, entry, heldForLines(planning, entry, noLines, row).becomes)
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
        if (reading.length >= job.sending.concurrency) await takeNext(planning)
      }
    },
    async findings() {
      if (!planning) return []
      while (reading.length > 0) await takeNext(planning)
      // The shapes are about the file, not about the first row that they apply to.
      const about = job.rules.strict
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
    const { becomes, changed, findings = [] } = await next.compared
    found.push(...findings)
    if (changed && change) tally.add(changed)
    if (becomes) setChange(planning, next.entry, becomes)
    noteProgress()
  }

  function noteProgress(): void {
    done += 1
    onCompared(Math.min(done, total), total)
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
    hold(entry, [aboutEntry(job, entry, 'held', message)])
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

/** What decides about a row and its record before the guards do, in this order: the first that has an answer. */
const rules: Readonly<Record<string, (pair: RowAndRecord, planning: Planning) => Ruling | undefined>> = {
  'only the service sets it'({ row, setOtherwise }) {
    const owned = setOtherwise.find((each) => !tellsAge(each))
    return (
      owned && { findings: [inRow(row, 'wrong', { path: formatPath(owned.at), message: onlyServiceSets })] }
    )
  },
  // Where records stay as they are, only hours that are not those of the row are of interest: they are what is paid.
  'is not changed'({ entry, lines }, planning) {
    if (planning.job.service.change) return undefined
    return lines && !isSameLines(lines) ? heldForLines(planning, entry, lines) : {}
  },
  'cannot be emptied'({ row, write }, planning) {
    const why = whyNotEmptied(planning, row, write.seen.body)
    return why && { findings: [inRow(row, 'wrong', inColumn(planning.job.source, why))] }
  },
  // Lines that somebody kept in an earlier run of this import need no second answer, and others do.
  'lacks lines'({ entry, lines, missingLinesDigest }, planning) {
    if (!lines || missingLinesDigest === undefined || planning.job.rules.missingLines) return undefined
    const before = journalledChange(planning, entry)
    const isAnswered = before?.isSame && before.keptLines === missingLinesDigest
    return isAnswered ? undefined : heldForLines(planning, entry, lines)
  },
  // Which days the hours on the service are of, nobody knows: they cannot be kept beside those of the sheet.
  'has hours of some days'({ row, entry, lines }, planning) {
    const isHeld =
      lines && hasSomeDays(row) && changesHours(lines) && planning.job.rules.missingLines !== 'remove'
    return isHeld ? heldForLines(planning, entry, lines, row) : undefined
  },
  'is as the row says'({ entry, requested, shownChanges }, planning) {
    const open = wasSetBefore(planning, entry) ? shownChanges : requested
    return open.length === 0 ? { becomes: equalEntry(planning, entry) } : undefined
  },
  'was changed since the file'({ entry, setOtherwise }, { job }) {
    return setOtherwise.length > 0 ? heldFor([aboutEntry(job, entry, 'held', fileIsOlder)]) : undefined
  },
}

async function compareWhole(planning: Planning, row: FileRow, entry: ImportEntry): Promise<Ruling> {
  const [id = ''] = matchOf(planning.input.list, entry.key).ids
  const write = await readForChange(planning.job, row, entry, id)
  if ('why' in write) return heldFor([write.why])
  const pair = await pairOf(planning, row, entry, write)
  let ruling: Ruling | undefined
  for (const rule of Object.values(rules)) ruling ??= rule(pair, planning)
  const { findings = [], ...more } = ruling ?? (await askGuards(planning, pair))
  return { ...more, findings: [...notesOfMoved(planning.type, row, pair.moved), ...findings] }
}

async function pairOf(
  { job, input, type, unreturned }: Planning,
  row: FileRow,
  entry: ImportEntry,
  write: Change,
): Promise<RowAndRecord> {
  const { change, kind, knowledge } = job.service
  const { record, body } = write.seen
  const laid = changesOf(type, kind.key.request, body, row, job.rules.missingLines)
  // A field that the service hides or masks is taken to be as an earlier run of this import set it.
  const isHidden = change && (await findHidden(knowledge, type, write.target.id, record))
  const isUnseen = ({ path, before, after }: Difference) =>
    unreturned.has(path) || mayHide(type, path, before, after) || (before === undefined && isHidden?.(path))
  return {
    ...laid,
    row,
    entry,
    write,
    setOtherwise: change ? setOtherwise(row.serviceOwned ?? [], record) : [],
    shownChanges: laid.requested.filter((each) => !isUnseen(each)),
    missingLinesDigest: laid.lines && type.lines && digestOfMissing(type.lines, laid.lines, input.salt),
  }
}

const heldFor = (issues: readonly RowFinding[], change?: ImportEntry['change']): Ruling => ({
  becomes: { state: 'held', issues, change },
})

const fileIsOlder = 'somebody changed it after the record in the file was read (updatedAt): read it again'

/** assumed: a sheet with so many days of a week has all that were worked. */
const daysOfWork = 5

const hasSomeDays = ({ days = [] }: FileRow) => days.length > 0 && days.length < daysOfWork

/** Whether hours of some days are known to be all: an earlier run sent them of these days, or somebody says so. */
const isAllOf = (planning: Planning, entry: ImportEntry) =>
  planning.job.rules.missingLines === 'remove' || wasSetBefore(planning, entry)

const noLines: LineMatch = { after: [], both: [], added: [], missing: [] }

const changesHours = ({ both }: LineMatch) => both.some(({ before, after }) => before !== after)

/**
 * Holds back a row whose record has other lines, because the lines are what is paid. `some`: the row, where
 * the hours of its days would replace those of all days, or may be those of others.
 */
function heldForLines({ job, type }: Planning, entry: ImportEntry, match: LineMatch, some?: FileRow): Ruling {
  const { lines } = type
  if (!lines) return {}
  const isUpdate = job.service.change !== undefined
  const hasMissingLines = isUpdate && (match.missing.length > 0 || some !== undefined)
  const asked =
    hasMissingLines && !some && !job.rules.isPreviewed
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
  const way = !isUpdate ? '--update' : hasMissingLines && !some ? '--missing-lines=keep' : undefined
  const finding = { ...aboutEntry(job, entry, 'held', message), path, column, way }
  return heldFor([finding], { hasMissingLines })
}

/** What the guards of a change say: the row is wrong, held back, or sent. */
async function askGuards(planning: Planning, pair: RowAndRecord): Promise<Ruling> {
  const { job, people, type, input, tally } = planning
  const { row, entry, write, after, requested, lines } = pair
  const { service } = job
  const { approvedPlan } = job.rules
  const lacking = findLacking(planning, pair)
  if (lacking) return { findings: [inRow(row, 'wrong', lacking)] }
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
  const all = inColumnsOf(job, row, guarded)
  const of = (...severities: readonly RowFinding['severity'][]) =>
    all.filter(({ severity }) => severities.includes(severity))
  const [wrong, held, notes] = [of('wrong'), of('held'), of('note')]
  if (wrong.length > 0) return { findings: wrong }
  const { body } = write.seen
  const person = labelOf(type, body) ?? ''
  const [unasked, reasons] = [held.filter(isOfBank), held.filter((each) => !isOfBank(each))]
  if (reasons.length > 0) return { ...heldFor(reasons, { person }), findings: notes }
  const before = journalledChange(planning, entry)
  const wasSent = before?.state === 'unclear'
  return {
    findings: [...notes, ...doubtsOfChange(planning, pair, of('doubt'))],
    changed: { row: row.row, reference: entry.reference, name: person, requested, lines },
    becomes: {
      state: wasSent ? 'unclear' : 'ready',
      // Each run sends it once more at most, when what was sent has arrived or never will. What an edited row
      // said before is waited for too.
      requests: wasSent && before.isSame ? 1 : 0,
      change: {
        recordDigest: digestOfRecord(type, body, input.salt),
        unasked: unasked.length > 0 ? unasked : undefined,
        person,
        keptLines: job.rules.missingLines === 'remove' ? undefined : pair.missingLinesDigest,
        sentAt: wasSent ? before.at : undefined,
      },
    },
  }
}

/** Runs the guards again right before a row is sent. Returns why the row is held back, if it is. */
export async function recheckChange(
  job: ImportJob,
  row: FileRow,
  write: Change,
  isAsSeen: Circumstances['read again']['isAsSeen'],
): Promise<RowFinding | undefined> {
  const asked = { ...askedOfGuards(job), writer: 'import update', isAsSeen } as const
  return firstThatHolds(inColumnsOf(job, row, await guardFindings(write, 'read again', asked, write.seen)))
}

const firstThatHolds = (found: readonly RowFinding[]) =>
  found.find(({ severity }) => severity === 'held' || severity === 'wrong')

/**
 * What guards found about a row, in the columns of the file. Several reasons of one guard have one message, which names
 * every column: an error shows a line for each.
 */
function inColumnsOf(job: ImportJob, row: FileRow, found: readonly GuardFinding[]): RowFinding[] {
  return findingsOfGuards(job, found, (reasons) => {
    const placed = reasons.map((reason) => ({ reason, at: job.source.columnFor?.(reason.path) }))
    const columns = placed.flatMap(({ at }) => at ?? []).sort((one, other) => one.column - other.column)
    const names = columns.map(({ place }) => place.replace(/^column /, ''))
    const where = names.length === 0 ? '' : `column${names.length > 1 ? 's' : ''} ${wordList(names, 'and')}: `
    return placed.map(({ reason, at }) =>
      inRow(row, 'held', { ...reason, message: where + reason.message, column: at?.column }),
    )
  })
}

/** Whether a row is held back because its bank details would change. */
export const isOfBank = ({ way }: RowFinding): boolean => way === '--bank'

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
  { row, entry, requested, shownChanges }: RowAndRecord,
  guarded: readonly RowFinding[],
): readonly RowFinding[] {
  const isAsked = ({ path }: Issue) => requested.some((each) => within(path, each.path))
  const read = row.warnings.filter(isAsked)
  // A value is doubted once, and who else has it is another question.
  const isRead = ({ path, isAllowed }: RowFinding) =>
    isAllowed === undefined && read.some((each) => each.path === path)
  const doubts = [
    ...read.map((issue) => inRow(row, 'doubt', issue)),
    ...guarded.filter((each) => !isRead(each)),
  ]
  if (!wasSetBefore(planning, entry)) return doubts
  const changedSince = inColumn(planning.job.source, {
    path: shownChanges[0]?.path ?? '',
    message: `an earlier run of this import set it, and ${keyInWords(entry.reference)} was changed on the service since`,
    cause: 'changed on the service since an earlier run of this import set it',
  })
  return [inRow(row, 'doubt', changedSince), ...doubts]
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
function findLacking(
  { job, type }: Planning,
  { write: { seen }, after }: RowAndRecord,
): RowIssue | undefined {
  if (job.rules.incomplete) return undefined
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
function setChange({ input, job }: Planning, entry: ImportEntry, more: Partial<ImportEntry> = {}): void {
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
  row: FileRow,
  entry: ImportEntry,
  id: string,
): Promise<Change | { readonly why: RowFinding }> {
  const { reference } = entry
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
    lookUpCommand: (...more) => job.service.lookUpCommand(id, ...more),
  }
  try {
    const seen = await readWholeRecord(client, target)
    const write = beginChange(target, seen, { typed: reference, key: kind.key })
    const found = await guardFindings(write, 'read', {
      ...askedOfGuards(job),
      writer: 'import update',
      findListed: undefined,
    })
    const why = firstThatHolds(inColumnsOf(job, row, found))
    return why ? { why } : write
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    const message = `the list shows ${keyInWords(reference)} as ${id}, but the service has no such record`
    return { why: aboutEntry(job, entry, 'held', message) }
  }
}
