import { randomBytes } from 'node:crypto'
import type { AssertStill } from '../api/pages.ts'
import { Failure, usage } from '../errors.ts'
import type { Json } from '../files/json/path.ts'
import { isDay } from '../model/fields/field.ts'
import { asNumbers, keyOf, type RecordKind, splitKey } from '../model/natural-key.ts'
import { canonicalOrigin } from '../origin.ts'
import { checkPeople } from './check-people.ts'
import {
  checkAccounts,
  checkApproved,
  checkDays,
  checkExisting,
  checkIds,
  checkNewRows,
  checkNumbers,
  type FileCheck,
  type KnownOfFile,
  keyOfRow,
} from './checks.ts'
import { explainByOtherRun, leaveToOtherRun } from './claims.ts'
import { type Entry, hold, isDoubtful, isReady, isToChange } from './entry.ts'
import { dropWrong, type FileRows, readFile } from './file-rows.ts'
import {
  type Collector,
  collectFindings,
  type Findings,
  type RemarkGroup,
  type RowFinding,
  tallyRemarks,
} from './findings.ts'
import type { ImportJob, ImportService } from './job.ts'
import { type ChangePlan, checkChanges, holdUnasked, noChanges } from './plan-changes.ts'
import { findOwnLog, type LoggedCreation, type LogState, readOtherLogs, serviceOf } from './read-log.ts'
import { type Counts, countEntries, fateOf } from './row-fates.ts'
import { betweenReadingsMs, isWorthReading, matchOf, mostReadings, type Scan, scan } from './scan.ts'
import { type Claim, type ClaimReader, timeInUtc } from './shared-journal/claim.ts'

/** The plan of an import, worked out before it sends anything. */
export interface Plan extends Findings, Omit<FileRows, 'groups'> {
  readonly salt: string
  readonly journal: string
  readonly before: LogState | undefined
  /** The list before the import; undefined when it was not read. */
  readonly baseline: Scan | undefined
  /** Why the rows were not compared with the service, where they were not. */
  readonly notCompared?: string | undefined
  readonly others: readonly LogState[]
  readonly changes: ChangePlan
}

/** The checks of an import, in the order in which they speak. */
function checksOf(job: ImportJob) {
  const changes = checkChanges(job)
  const checks: readonly FileCheck[] = [
    checkNewRows(job),
    changes,
    checkIds(job),
    checkExisting(job),
    checkPeople(job),
    checkNumbers(job),
    checkAccounts(job),
    checkDays(job),
    ...(job.planned ? [checkApproved(job, job.planned)] : []),
  ]
  return { checks, changes }
}

/**
 * Reads the whole file, the journals and the service's list; sends and claims nothing. The list is read
 * twice where somebody may be missing: who moves between pages would be created again. Throws if a journal
 * cannot be used.
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
      if (!job.isPreviewed) holdUnasked(plan.entries.values())
      return plan
    } catch (error) {
      if (!isWorthReading(error) || reading === mostReadings) throw await explainList(claims, error)
      await job.clock.sleep(betweenReadingsMs)
    }
  }
}

/** Whether what the list does not show would matter. */
function mayCreateOrChange({ entries, baseline }: Plan): boolean {
  if (!baseline) return false
  const isThere = ({ name }: Entry) => matchOf(baseline, keyOf(name)).count > 0
  return ![...entries.values()].every((entry) => isThere(entry) && !isToChange(entry))
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
  const { service, settleMs, clock, signal, readyOnly } = job
  const log = await findLog(job, claims)
  const { checks, changes } = checksOf(job)
  const collected = collectFindings()
  const file = await readFile(job, log, checks, collected)
  const { entries } = file
  const end = (more: Partial<Plan>): Plan => ({
    ...file,
    ...log,
    baseline: undefined,
    others: [],
    changes: noChanges,
    ...collected.end(),
    ...more,
  })
  const isAllWrong = entries.size === 0 && collected.wrongRows.size > 0
  if (file.isCutShort || isAllWrong) return end({})
  // The line that was cut off may have announced a request: wait until it must have reached the service.
  if (log.before?.torn) await clock.sleep(settleMs, signal)
  const onItem = (key: string | undefined, item: Json) => {
    for (const check of checks) check.onItem?.(key, item, entries)
  }
  const mayBeSent = collected.wrongRows.size === 0 || readyOnly || service.change !== undefined
  const baseline = await scan(job, { onItem, onWhole }).catch(async (error: unknown) => {
    const failure = await explainList(claims, error)
    // What is wrong with the file is wrong without the service too.
    if (mayBeSent || !(failure instanceof Failure)) throw failure
    return failure
  })
  const list = baseline instanceof Failure ? undefined : baseline
  const ofFile: KnownOfFile = { entries, list, ...log }
  if (!list) {
    await judge(job, ofFile, checks, file, collected)
    return end({
      notCompared: `The rows were not compared with the service. ${(baseline as Failure).message}`,
    })
  }
  assertShowsKey(service, entries, list)
  noteBaseline(entries, list)
  const others = await readOtherImports(job, file, log.journal, list, collected)
  if (claims) await noteClaims(claims, entries, service.kind, log.before, collected)
  await judge(job, ofFile, checks, file, collected)
  return end({ baseline: list, others, changes: changes.planned() })
}

/** The journal, and the salt of its fingerprints. If another key started it, the list shows whether it is of this service. */
async function findLog(job: ImportJob, claims: ClaimReader | undefined) {
  const { journals, place } = job
  const own = await findOwnLog(journals, place)
  if (own.certain) assertSameService(job, own.path, own.before)
  const logOf = (journal: string, before: LogState | undefined) => ({
    journal,
    before,
    salt: before?.header?.salt ?? randomBytes(16).toString('hex'),
  })
  if (own.certain || !own.before) return logOf(own.path, own.before)
  const list = await scan(job).catch(async (error: unknown) => {
    throw await explainList(claims, error)
  })
  return serviceOf(own.before, list) === 'same'
    ? logOf(own.path, own.before)
    : logOf(journals.ofAccount, undefined)
}

function assertSameService(
  { place, profile }: ImportJob,
  journal: string,
  before: LogState | undefined,
): void {
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

/** Asks every check, and takes the rows out that are wrong. */
async function judge(
  job: ImportJob,
  ofFile: KnownOfFile,
  checks: readonly FileCheck[],
  { entries, groups, digests, toLookFor }: FileRows,
  collected: Collector,
): Promise<void> {
  const isDoubted = (entry: Entry) => isDoubtful(entry) && !entry.left && entry.row > 0
  const asking = checks.flatMap((check) => {
    const wants = check.asksAgain?.(ofFile)
    return wants && check.onRowAgain ? [{ wants, look: check.onRowAgain }] : []
  })
  const isWanted = (entry: Entry) =>
    asking.some(({ wants }) => wants(entry)) || (isDoubted(entry) && !toLookFor.has(keyOf(entry.name)))
  const wanted = new Set([...entries.values()].filter(isWanted).map(({ row }) => row))
  if (wanted.size > 0) {
    for await (const row of job.source.rows(digests, (row) => wanted.has(row))) {
      const key = keyOfRow(job, row)
      const entry = entries.get(key)
      if (entry?.row !== row.row) continue
      if (isDoubted(entry)) toLookFor.set(key, row)
      const wanting = asking.filter(({ wants }) => wants(entry))
      for (const { look } of wanting) await look(row, entry)
    }
  }
  const byRow = new Map([...entries.values()].map((entry) => [entry.row, entry]))
  for (const check of checks) for (const finding of await check.findings(ofFile)) take(finding)
  dropWrong(job.service.kind, entries, groups, collected)

  function take({ severity, ...finding }: RowFinding): void {
    const entry = byRow.get(finding.row)
    if (severity !== 'held') collected.add({ ...finding, severity })
    else if (entry) hold(entry, [finding])
  }
}

/** Notes which rows the service already has. Throws a usage failure for two rows that the list shows with the same key. */
function noteBaseline(entries: ReadonlyMap<string, Entry>, baseline: Scan): void {
  const numbers = new Map<string, Entry>()
  for (const [known, entry] of entries) {
    const { count } = matchOf(baseline, known)
    if (count === 0) continue
    if (baseline.numbers.size > 0) refuseSameNumber(numbers, entry, asNumbers(known))
    // The record is from an earlier run of this import, not from elsewhere.
    if (entry.state === 'ready') entry.existing = count
  }
}

/** `0003` and `3` are one number in a list that shows numbers. */
function refuseSameNumber(numbers: Map<string, Entry>, entry: Entry, number: string): void {
  const other = numbers.get(number)
  if (!other) return void numbers.set(number, entry)
  throw usage(
    `The list shows the key as a number, so ${other.name} in row ${other.row} and ${entry.name} in row ${entry.row} cannot be told apart.`,
    'Give one of them another key, or create it by itself.',
  )
}

/** Whether any row may be sent. One row that is wrong holds back all of them, unless only the sound ones are wanted. */
export function canBeSent(
  { wrongRows, isCutShort, entries }: Pick<Plan, 'wrongRows' | 'isCutShort' | 'entries'>,
  readyOnly: boolean,
): boolean {
  return wrongRows.size === 0 || (readyOnly && !isCutShort && entries.size > 0)
}

/** How many rows, or records, of the file would end where. What an update sent without a clear answer is still to change. */
export const countsOf = ({ entries, wrongRows }: Plan, each: 'records' | 'rows' = 'records'): Counts =>
  countEntries(entries.values(), {
    each,
    invalid: wrongRows.size,
    fate(entry) {
      if (isToChange(entry)) return 'change'
      const { state, attempt, existing, createdBy } = entry
      // What seemed lost has arrived.
      const isFound = state === 'ready' && attempt > 1 && existing > 0 && !createdBy
      return isFound ? 'createdEarlier' : fateOf(entry)
    },
  })

/** A row that is held back for its bank details alone. */
export const isHeldForBank = ({ state, issues }: Entry) =>
  state === 'held' && issues.length > 0 && issues.every(({ way }) => way === '--bank')

/** Why these rows are held back, each cause once. */
export function heldGroups(entries: Iterable<Entry>): readonly RemarkGroup[] {
  const tally = tallyRemarks()
  for (const { row, name, state, issues } of entries) {
    if (state !== 'held') continue
    for (const { way: _, ...issue } of issues.slice(0, 1)) tally.add({ ...issue, row, value: name })
  }
  return tally.end().groups
}

/** How many of the rows that would be sent are doubtful. */
export const doubtfulIn = ({ entries, doubtfulRows }: Plan): number =>
  [...entries.values()].filter((each) => (isReady(each) || isToChange(each)) && doubtfulRows.has(each.row))
    .length

/** Marks the rows that imports of other files left in doubt at this service. */
async function readOtherImports(
  { place, journals }: ImportJob,
  { entries }: FileRows,
  journal: string,
  baseline: Scan,
  { add }: Collector,
): Promise<readonly LogState[]> {
  const others = await readOtherLogs(
    { folder: journals.folder, place, except: journal },
    new Set(entries.keys()),
    (path) =>
      add({
        row: 0,
        path,
        severity: 'note',
        message: 'this journal cannot be read, so payroll does not know which rows it left in doubt',
      }),
  )
  const verdicts = others.map((log) => ({ log, service: isOfService(log, place.account, baseline) }))
  for (const { log, service } of verdicts) {
    if (service === 'other') continue
    for (const [key, { creation }] of log.rows) {
      const entry = entries.get(key)
      if (entry && creation) markRow(entry, creation, matchOf(baseline, key).count > 0)
    }
  }
  return verdicts.flatMap(({ log, service }) => (service === 'same' ? [log] : []))
}

/** Whether a journal is about this service: one key, or, as keys are renewed, an id that both know. */
function isOfService(log: LogState, account: string | undefined, list: Scan) {
  const theirs = log.header?.account
  return theirs === undefined || theirs === account ? 'same' : serviceOf(log, list)
}

/** Puts a row in doubt that another import left so, or created without its being listed. */
function markRow(entry: Entry, row: LoggedCreation, isShown: boolean): void {
  if (entry.state === 'done') return
  const wasSent = row.state === 'done' || isDoubtful(row) || (row.state === 'ready' && row.attempt > 1)
  if (!wasSent) return
  // It was created and the list shows it: leave it.
  if (row.state === 'done' && isShown && entry.state === 'ready' && entry.attempt === 1) return
  entry.attempt = Math.max(entry.attempt, row.attempt)
  if (entry.tries.length < row.tries.length) entry.tries = row.tries
  // Two lists already showed that it is not there: it may be sent a second time.
  if (entry.state === 'ready' && row.state !== 'ready') entry.state = 'doubt'
}

/** Leaves rows to the runs that have them, and says so. Changes nothing in the shared journal. */
async function noteClaims(
  claims: Pick<ClaimReader, 'read'>,
  entries: ReadonlyMap<string, Entry>,
  { key: { request } }: RecordKind,
  before: LogState | undefined,
  { add }: Collector,
): Promise<void> {
  const found = await claims.read([...entries.keys()])
  for (const [key, entry] of entries) {
    const claim = found.get(key)
    const isOpen = entry.state === 'ready' && entry.existing === 0
    if (!claim || !isOpen || claim.state === 'refused' || before?.owners.has(claim.owner)) continue
    const says = claimWords(claim, entry)
    add({ row: entry.row, path: request.join(', '), severity: 'note', value: entry.name, ...says })
    if (claim.alive || claim.state === 'created') leaveToOtherRun(claim, entry)
  }
}

function claimWords({ by, at, alive, state }: Claim, { name }: Entry): { message: string; cause: string } {
  if (state === 'created')
    return {
      message: `${by} created ${name} at ${timeInUtc(at)}; it is not sent again`,
      cause: `created by ${by}; not sent again`,
    }
  if (alive)
    return {
      message: `${by} has been working on ${name} since ${timeInUtc(at)}; it is left to that run`,
      cause: `${by} is working on it; left to that run`,
    }
  return {
    message: `${by} claimed ${name} at ${timeInUtc(at)} and ended without saying what became of it; it is looked for before it is sent`,
    cause: `${by} ended without saying what became of it; looked for before it is sent`,
  }
}

/** Without the list nothing may be sent. A short list may be changing; else its own failure says what to do. */
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
function assertShowsKey(
  service: ImportService,
  entries: ReadonlyMap<string, Entry>,
  { hasPlace, neverDay }: Scan,
): void {
  const { key, days } = service.kind
  if (!hasPlace) throw cannotBeLookedUp(service, `does not show ${key.item.join(', ')}`)
  const [first] = entries.values()
  const at = splitKey(first?.name ?? '').findIndex(
    (part, index) => days?.includes(index) && isDay(part) && neverDay[index],
  )
  if (at >= 0) throw cannotBeLookedUp(service, `shows ${key.item[at]} in a form that is not a date`)
}

function cannotBeLookedUp({ list }: ImportService, why: string) {
  return usage(
    `This service cannot be imported into safely: its list (${list.path}) ${why}.`,
    'A row whose answer is lost could not be found again, and might be created twice. Create them one by one.',
  )
}
