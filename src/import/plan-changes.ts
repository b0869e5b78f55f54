import { readWholeRecord } from '../api/whole-record.ts'
import { Failure, type Issue } from '../errors.ts'
import { formatPath, lastName, valueAt } from '../files/json/path.ts'
import type { FileRow, RowIssue } from '../files/table/row.ts'
import { inColumn, placeInFile } from '../files/table/row-source.ts'
import { neverReturned } from '../model/mapping/field-mapping.ts'
import { labelOf } from '../model/mapping/record-name.ts'
import { mayHide } from '../model/mapping/service-masks.ts'
import { changedNoun, keyInWords } from '../model/natural-key.ts'
import { textIn } from '../model/records/identity.ts'
import { addedIssues, lackingFields, type RecordType } from '../model/records/record-type.ts'
import type { Difference } from '../model/values/compare-stored.ts'
import { headingFor } from '../model/values/find-field.ts'
import { onlyServiceSets, setOtherwise, tellsAge } from '../model/values/read-record.ts'
import { agree, nameSome, plural, singular, wordList } from '../text/words.ts'
import { findHidden } from '../write/at-risk.ts'
import { runGuards } from '../write/guards.ts'
import type { Change, Circumstances, GuardFinding, RecordTarget } from '../write/record-write.ts'
import { beginChange } from '../write/send-write.ts'
import { whyNotPlanned } from './approved-plan.ts'
import { type ChangedRecord, createChangeTally, type PlannedChanges } from './change-tally.ts'
import { askedOfGuards, type FileCheck, type KnowingChecks, type PlanAids, type PlanInput } from './checks.ts'
import { changeState, hashInFile, hold, type ImportEntry, isToChange } from './entry.ts'
import { aboutEntry, faultsBeside, faultsOf, findingsOfGuards, inRow, type RowFinding } from './findings.ts'
import type { ImportJob } from './job.ts'
import { describeMatch, isSameLines, type LineMatch } from './lines.ts'
import {
  changesOf,
  compareListed,
  digestOfRecord,
  listPath,
  type RecordChange,
  unsaidLine,
} from './row-change.ts'
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
  readonly knowing: KnowingChecks
  /** The record as it is sent. */
  readonly type: RecordType
  /** The fields that no answer returns. */
  readonly unreturned: ReadonlySet<string>
  readonly tally: ReturnType<typeof createChangeTally>
  readonly input: PlanInput & { readonly list: Scan }
}

type PlannedRow = ReturnType<typeof plannedRow>
type RowAndRecord = Awaited<ReturnType<typeof pairOf>>

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
export function checkChanges(job: ImportJob, knowing: KnowingChecks, { onCompared }: PlanAids): ChangeCheck {
  const { kind, change, type, get } = job.service
  const tally = createChangeTally(type, {
    noun: changedNoun(kind),
    keepsAll: job.rules.keepsEveryChange,
    nameRate: job.source.nameRate,
    missingLines: job.rules.missingLines,
  })
  /** Records that are being read, in the order of the file. The order of the answers does not matter. */
  const reading: { readonly planned: PlannedRow; readonly compared: Promise<Ruling> }[] = []
  const found: RowFinding[] = []
  const differing: ImportEntry[] = []
  /** Whether the table was exported from the service: only there was a cell that is empty now probably emptied. */
  const isExport = change !== undefined && job.source.columns?.some((name) => name.trim() === 'id') === true
  const columns = isExport ? (job.source.shown ?? []).flatMap(({ path }) => path ?? []) : []
  const comparison = compareListed(type, kind.key.request, columns)
  /** By key: what is wrong with rows that are not compared with their record yet. */
  const faults = new Map<string, readonly RowFinding[]>()
  /** By field: how many records keep a value where the cell of the row is empty. */
  const kept = new Map<string, number>()
  let planning: Planning | undefined
  let [done, total] = [0, 0]

  return {
    onRow(row, key) {
      const ofRow = faultsOf(row)
      if (ofRow.length > 0) faults.set(key, ofRow)
      comparison.onRow(row, key, ofRow)
    },
    onItem(key, item, entries) {
      if (key !== undefined && (entries.get(key)?.row ?? 0) > 0) comparison.onItem(key, item)
    },
    asksAgain({ list, ...input }) {
      if (!list) return undefined
      const unreturned = new Set(neverReturned(type))
      planning = { job, knowing, type, unreturned, tally, input: { ...input, list } }
      const mayDiffer = (entry: ImportEntry) =>
        entry.existing > 0 || (entry.state === 'done' && change !== undefined)
      total = [...input.entries.values()].filter(mayDiffer).length
      return total === 0 ? undefined : mayDiffer
    },
    async onRowAgain(row, entry) {
      if (!planning || !hasOneRecord(planning, entry)) return
      const ofRow = faults.get(entry.key) ?? []
      faults.delete(entry.key)
      const { shows, moved, kept: keptHere, shownFaults } = comparison.compare(row, entry.key, ofRow)
      if (shownFaults.length > 0) return void found.push(...shownFaults)
      if (isExport) for (const { path } of keptHere) kept.set(path, (kept.get(path) ?? 0) + 1)
      if (!change && entry.state !== 'ready') return
      if (shows === 'differs') differing.push(entry)
      const isRead = shows !== 'equal' && (change || (type.lines && get))
      if (!isRead) found.push(...notesOfMoved(type, row, moved))
      const planned = plannedRow(planning, row, entry, ofRow)
      if (shows === 'equal') {
        // Hours of some days are all where an earlier run sent them of these days, or somebody says so.
        const areAll = job.rules.missingLines === 'remove' || planned.wasSetBefore
        if (type.lines && hasSomeDays(row) && !areAll)
          return setChange(planned, heldForLines(planned, noLines, 'some days').becomes)
        if (!change) return
        setChange(planned, asTheRecord(planned.before))
        noteProgress()
      } else if (isRead) {
        const ruling = compareWhole(planned)
        // A failure is thrown later, in the order of the file, by `takeNext`.
        ruling.catch(() => {})
        reading.push({ planned, compared: ruling })
        if (reading.length >= job.sending.concurrency) await takeNext()
      }
    },
    async findings() {
      while (reading.length > 0) await takeNext()
      return [
        ...found,
        ...[...faults.values()].flat(),
        ...tally.end().shapes,
        ...notesOfKept(type, changedNoun(kind), kept),
      ]
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

  async function takeNext(): Promise<void> {
    const next = reading.shift()
    if (!next) return
    const { becomes, changed, findings = [] } = await next.compared
    found.push(...findings)
    if (changed && change) tally.add(changed)
    if (becomes) setChange(next.planned, becomes)
    noteProgress()
  }

  function noteProgress(): void {
    done += 1
    onCompared(Math.min(done, total), total)
  }
}

/** A row that has a record, with all that is known of the plan. */
function plannedRow(planning: Planning, row: FileRow, entry: ImportEntry, faults: readonly RowFinding[]) {
  const { change, creation } = planning.input.before?.rows.get(entry.key) ?? {}
  /** Its change in the journal of an earlier run. `isSame`: the row had the same values then. */
  const before = change && { ...change, isSame: change.hash === hashInFile(entry) }
  const isAsCreated = creation?.state === 'done' && entry.editedHash === undefined
  /** Whether an earlier run created or changed the record to what the row says, the last that it sent of it. */
  const wasSetBefore = before ? before.isSame && before.state === 'done' : isAsCreated
  return { ...planning, row, entry, faults, before, wasSetBefore }
}

/** Says which values of a row the service has advanced by itself. */
const notesOfMoved = (type: RecordType, { row }: FileRow, changes: readonly Difference[]) =>
  changes.map(({ path, before, after }) => {
    const message = `${headingFor(type, path)}: the service changed ${after} to ${before} by itself, and the record keeps ${before}`
    return { row, path: '', message, severity: 'reading' } as const
  })

/** Says that nobody empties a field by an empty cell, where the service has a value. */
function notesOfKept(type: RecordType, noun: string, kept: ReadonlyMap<string, number>): RowFinding[] {
  if (kept.size === 0) return []
  const fields = [...kept].map(
    ([path, count]) => `${headingFor(type, path)} (${plural(count, singular(noun))})`,
  )
  const message = `a cell that is empty leaves what the service has: ${nameSome(fields, 5)}. [clear] in a cell empties its field`
  return [{ row: 0, path: '', severity: 'note', message }]
}

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

/** What decides about a row and its record before the guards do, in this order: the first that has an answer. */
const rowRules: Readonly<Record<string, (pair: RowAndRecord) => Ruling | undefined>> = {
  'says what only the service sets'({ job, entry, row, write, setOtherwise }) {
    const owned = setOtherwise.find((each) => !tellsAge(each))
    if (!owned) return undefined
    const path = formatPath(owned.at)
    const [mine, theirs] = [owned.value, valueAt(write.seen.record, owned.at)].map((each) => textIn(each))
    const way = job.source.columns ? `leave the column out: --ignore-column=${path}` : 'leave it out'
    const message = `${onlyServiceSets}: the file has ${mine || 'another value'}, and ${keyInWords(entry.reference)} has ${theirs || 'none'} on the service. Give it as it is there, or ${way}`
    return wrong(row, { path, message })
  },
  'has a value that cannot be read'({ faults, write }) {
    const findings = faultsBeside(faults, write.seen.body)
    return findings.length > 0 ? { findings } : undefined
  },
  // Where records stay as they are, only hours that are not those of the row are of interest: they are what is paid.
  'is not to be changed'(pair) {
    const { job, lines } = pair
    if (job.service.change) return undefined
    return lines && !isSameLines(lines) ? heldForLines(pair, lines) : {}
  },
  'empties what nobody sees'({ job, type, unreturned, row }) {
    const path = row.cleared?.find((each) => unreturned.has(listPath(each)))
    if (path === undefined) return undefined
    const message = `the service does not return ${headingFor(type, path)}, so an import cannot see whether it is empty: empty it with update --unset ${lastName(path)}`
    return wrong(row, inColumn(job.source, { path, message }))
  },
  'empties a line of which others would take the place'({ job, row, write }) {
    const path = unsaidLine(write.seen.body, row)
    if (path === undefined) return undefined
    const lines = valueAt(write.seen.body, listPath(path))
    const count = Array.isArray(lines) ? lines.length : 0
    const message = `the record has ${plural(count, 'line')}, and the row does not say all of them: fill in or [clear] each, or the next import of the row would empty another one`
    return wrong(row, inColumn(job.source, { path, message }))
  },
  'lacks lines'(pair) {
    const { job, lines } = pair
    return lines && lines.missing.length > 0 && !job.rules.missingLines
      ? heldForLines(pair, lines)
      : undefined
  },
  // Which days the hours on the service are of, nobody knows: they cannot be kept beside those of the sheet.
  'has hours of some days'(pair) {
    const { job, row, lines } = pair
    if (!lines || !hasSomeDays(row) || job.rules.missingLines === 'remove') return undefined
    const areOthers = lines.both.some(({ before, after }) => before !== after)
    return areOthers ? heldForLines(pair, lines, 'some days') : undefined
  },
  'says what the record has'({ requested, shownChanges, wasSetBefore, before }) {
    const open = wasSetBefore ? shownChanges : requested
    return open.length === 0 ? { becomes: asTheRecord(before) } : undefined
  },
  'is older than the record'({ job, entry, setOtherwise }) {
    return setOtherwise.length > 0 ? held([aboutEntry(job, entry, 'held', fileIsOlder)]) : undefined
  },
  'empties what a record must have'({ job, type, row, write, after }) {
    const [lacking] = job.rules.incomplete ? [] : addedIssues(lackingFields, type, write.seen.body, after)
    if (!lacking) return undefined
    const { path, message } = lacking
    return wrong(row, inColumn(job.source, { path, message: `${message}; --incomplete would empty it` }))
  },
}

const wrong = (row: FileRow, issue: RowIssue): Ruling => ({ findings: [inRow(row, 'wrong', issue)] })

const held = (issues: readonly RowFinding[], change?: ImportEntry['change']): Ruling => ({
  becomes: { state: 'held', issues, change },
})

async function compareWhole(planned: PlannedRow): Promise<Ruling> {
  const { job, type, input, row, entry } = planned
  const [id = ''] = matchOf(input.list, entry.key).ids
  const write = await readForChange(job, row, entry, id)
  if ('why' in write) return held([write.why])
  const pair = await pairOf(planned, write)
  let ruling: Ruling | undefined
  for (const rule of Object.values(rowRules)) ruling ??= rule(pair)
  const { findings = [], ...more } = ruling ?? (await askGuards(pair))
  return { ...more, findings: [...notesOfMoved(type, row, pair.moved), ...findings] }
}

/** Lays a row over a record, which keeps what the service made of these values before. */
export async function changesBy(
  { service: { kind, change }, rules: { missingLines } }: ImportJob,
  { target, seen }: Change,
  row: FileRow,
): Promise<RecordChange> {
  const lay = (isMade?: (each: Difference) => boolean) =>
    changesOf(target.type, kind.key.request, seen.body, row, missingLines, isMade)
  const laid = lay()
  if (!change || laid.requested.length === 0) return laid
  const isMade = await change.readMade()
  return lay((each) => isMade(target.id, each))
}

/** A row beside the record that it changes, as that was read. */
async function pairOf(planned: PlannedRow, write: Change) {
  const { job, type, unreturned, row } = planned
  const { change, knowledge } = job.service
  const { record } = write.seen
  const laid = await changesBy(job, write, row)
  // A field that the service hides or masks is taken to be as an earlier run of this import set it.
  const isHidden = change && (await findHidden(knowledge, type, write.target.id, record))
  const isUnseen = ({ path, before, after }: Difference) =>
    unreturned.has(path) || mayHide(type, path, before, after) || (before === undefined && isHidden?.(path))
  return {
    ...planned,
    ...laid,
    write,
    /** What the row says of what only the service sets, where the record has something else. */
    setOtherwise: change ? setOtherwise(type, row.serviceOwned ?? [], record) : [],
    /** What the record lacks of the row, as far as the service shows it. */
    shownChanges: laid.lacking.filter((each) => !isUnseen(each)),
  }
}

const fileIsOlder = 'somebody changed it after the record in the file was read (updatedAt): read it again'

/** assumed: a sheet with so many days of a week has all that were worked. */
const daysOfWork = 5

const hasSomeDays = ({ days = [] }: FileRow) => days.length > 0 && days.length < daysOfWork

const noLines: LineMatch = { after: [], both: [], added: [], missing: [] }

/**
 * Holds back a row whose record has other lines, because the lines are what is paid. `some days`: the hours of
 * its days would replace those of all days, or may be those of others.
 */
function heldForLines(
  { job, type, row, entry }: PlannedRow,
  match: LineMatch,
  are: 'the week' | 'some days' = 'the week',
): Ruling {
  const { lines } = type
  if (!lines) return {}
  const isUpdate = job.service.change !== undefined
  const hasMissingLines = isUpdate && (match.missing.length > 0 || are === 'some days')
  const lacksLines = hasMissingLines && are === 'the week'
  const what = lines.path === 'rates' ? 'hours' : lines.path
  const message = [
    match === noLines
      ? `the service has as many ${what} for it, which may be of other days`
      : `the service has other ${what} for it: ${describeMatch(lines, match, job.source)}`,
    are === 'some days' &&
      `. The sheet has only ${plural(row.days?.length ?? 0, 'day')} of it: give it every day that was worked, or say with --update --missing-lines=remove that it has them all`,
    lacksLines &&
      !job.rules.isPreviewed &&
      '. --missing-lines=keep or --missing-lines=remove says what becomes of what the sheet lacks',
  ].filter(Boolean)
  const { path, column } = placeInFile(job.source, `${lines.path}[0].${lines.amount}`)
  const way = !isUpdate ? '--update' : lacksLines ? '--missing-lines=keep' : undefined
  const finding = { ...aboutEntry(job, entry, 'held', message.join('')), path, column, way }
  return held([finding], { hasMissingLines })
}

/** What the guards of a change say: the row is wrong, held back, or sent. */
async function askGuards(pair: RowAndRecord): Promise<Ruling> {
  const { job, knowing, type, input, tally, row, entry, before, write, after, requested, lines } = pair
  const { service } = job
  const { approvedPlan } = job.rules
  const guarded = await runGuards(
    { ...write, wanted: after, changes: requested, row: row.record },
    'wanted',
    {
      ...askedOfGuards(job),
      writer: 'import update',
      mayChangeBank: service.change?.changesBank === true,
      findAtRisk: async (write) => (await service.change?.findAtRisk(write)) ?? [],
      findAlike: async () => knowing.people.findAlike(row.record, entry),
      findWork: async () => knowing.work.findWork(row.row),
      whyUnplanned: () =>
        approvedPlan &&
        whyNotPlanned(approvedPlan, entry.key, 'change', tally.fieldsOf({ requested, lines })),
    },
  )
  const findings = inColumnsOf(job, row, guarded)
  const of = (meant: RowFinding['severity']) => findings.filter(({ severity }) => severity === meant)
  const [faults, reasons, notes] = [of('wrong'), of('held'), of('note')]
  if (faults.length > 0) return { findings: faults }
  const { body } = write.seen
  const person = labelOf(type, body) ?? ''
  const [unasked, others] = [reasons.filter(isOfBank), reasons.filter((each) => !isOfBank(each))]
  if (others.length > 0) return { ...held(others, { person }), findings: notes }
  const wasSent = before?.state === 'unclear'
  return {
    findings: [...notes, ...doubtsOfChange(pair, of('doubt'))],
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
  const circumstances = { ...askedOfGuards(job), writer: 'import update', isAsSeen } as const
  return firstThatHolds(
    inColumnsOf(job, row, await runGuards(write, 'read again', circumstances, write.seen)),
  )
}

const firstThatHolds = (findings: readonly RowFinding[]) =>
  findings.find(({ severity }) => severity === 'held' || severity === 'wrong')

/**
 * What guards found about a row, in the columns of the file. Several reasons of one guard have one message, which names
 * every column: an error shows a line for each.
 */
function inColumnsOf(job: ImportJob, row: FileRow, guardFindings: readonly GuardFinding[]): RowFinding[] {
  return findingsOfGuards(job, guardFindings, (reasons) => {
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
  { job, row, entry, requested, shownChanges, wasSetBefore }: RowAndRecord,
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
  if (!wasSetBefore) return doubts
  const changedSince = inColumn(job.source, {
    path: shownChanges[0]?.path ?? '',
    message: `an earlier run of this import set it, and ${keyInWords(entry.reference)} was changed on the service since`,
    cause: 'changed on the service since an earlier run of this import set it',
  })
  return [inRow(row, 'doubt', changedSince), ...doubts]
}

/** Settles a row whose record is as the row says: nothing is to be sent, whoever set the record so. */
function asTheRecord(before: PlannedRow['before']): Partial<ImportEntry> {
  // The request of a run that was killed arrived.
  const isEarlier = before?.isSame === true && before.state === 'unclear'
  return { state: isEarlier ? 'done' : 'equal', isEarlier, requests: before?.requests ?? 0 }
}

/** Turns the entry of a row into one that changes its record, where records may be changed. */
function setChange({ input, job, entry }: PlannedRow, more: Partial<ImportEntry> = {}): void {
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
    const record = await readWholeRecord(client, target)
    const write = beginChange(target, record, { typed: reference, key: kind.key })
    const findings = await runGuards(write, 'read', {
      ...askedOfGuards(job),
      writer: 'import update',
      findListed: 'proved by key',
    })
    const why = firstThatHolds(inColumnsOf(job, row, findings))
    return why ? { why } : write
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
    const message = `the list shows ${keyInWords(reference)} as ${id}, but the service has no such record`
    return { why: aboutEntry(job, entry, 'held', message) }
  }
}
