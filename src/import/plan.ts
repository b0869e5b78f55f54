import { randomBytes } from 'node:crypto'
import { asFailure, Failure, usage } from '../errors.ts'
import type { Json } from '../files/json/path.ts'
import { splitDays, withoutLeadingZeros } from '../model/natural-key.ts'
import { isDay } from '../text/day.ts'
import { leaveToOthers } from './adopt-claims.ts'
import type { PlannedChanges } from './change-tally.ts'
import { checkPeople } from './check-people.ts'
import {
  checkAccounts,
  checkExisting,
  checkIds,
  checkNewRows,
  checkWork,
  type FileCheck,
  guardNewRows,
  keyOfRow,
  type PlanAids,
  type PlanInput,
} from './checks.ts'
import {
  changeState,
  hasArrived,
  hold,
  type ImportEntry,
  isReady,
  isToChange,
  isUnclear,
  mostRequestsOfRow,
} from './entry.ts'
import { dropWrong, type FileRows, readFileRows } from './file-rows.ts'
import { type Collector, collectFindings, type Findings, keyAsShown, tallyFindings } from './findings.ts'
import type { ImportJob, ImportService } from './job.ts'
import { checkChanges, holdUnasked, isOfBank } from './plan-changes.ts'
import {
  compareService,
  findOwnJournal,
  type JournalledCreation,
  type JournalState,
  readOtherJournals,
} from './read-journal.ts'
import { countFates, type FateCounts, fateOf } from './row-fates.ts'
import { matchOf, type Scan, scan, scanOnce, whileListStays } from './scan.ts'

/** All that an import would do, worked out before it sends anything. */
export interface Plan extends Findings, FileRows {
  readonly salt: string
  readonly journal: string
  readonly before: JournalState | undefined
  /** The service's list before the import; undefined if it was not read. */
  readonly baseline: Scan | undefined
  /** Why the rows were not compared with the service, where they were not. */
  readonly notCompared?: string | undefined
  readonly others: readonly JournalState[]
  readonly changes: PlannedChanges
}

/** All checks of an import, in the order of their messages. */
function checksOf(job: ImportJob, aids: PlanAids) {
  const people = checkPeople(job)
  const work = checkWork(job)
  const changes = checkChanges(job, { people, work }, aids)
  const checks: readonly FileCheck[] = [
    checkNewRows(job),
    changes,
    checkIds(job),
    work,
    checkExisting(job),
    guardNewRows(job, { people, work }),
    people,
    checkAccounts(job),
    changes.notChanged,
  ]
  return { checks, changes }
}

/**
 * Plans an import: reads the whole file, the journals and the service's list, and gives each entry what they say of
 * it; what a check holds back is held from here on. Sends and claims nothing. Where a row may be sent, the list is read
 * twice, because a person who moves between its pages would look missing and be created again. Throws if a journal
 * cannot be used.
 */
export async function planImport(job: ImportJob, aids: PlanAids): Promise<Plan> {
  const planned = whileListStays(job, async () => {
    const plan = await planOnce(job, aids)
    return (await job.service.learnWords()) ? planOnce(job, aids) : plan
  })
  const plan = await planned.catch((error: unknown) => {
    throw unreadList(error)
  })
  if (!job.rules.isPreviewed) holdUnasked(plan.entries.values())
  return plan
}

async function planOnce(job: ImportJob, aids: PlanAids): Promise<Plan> {
  const { claims } = aids
  const { service, rules } = job
  const journal = await findJournal(job)
  const { checks, changes } = checksOf(job, aids)
  const collected = collectFindings(job.rules.strict)
  const file = await readFileRows(job, journal, checks, collected)
  const { entries } = file
  const end = (more: Partial<Plan>): Plan => ({
    ...file,
    ...journal,
    baseline: undefined,
    others: [],
    changes: changes.planned(),
    ...collected.end(entries.values()),
    ...more,
  })
  const isAllWrong = entries.size === 0 && collected.wrongRows.size > 0
  if (file.isCutShort || isAllWrong) return end({})
  // The journal's last line was cut off and may have announced a request. Wait until that must have arrived.
  if (journal.before?.torn) await job.sending.clock.sleep(job.sending.settleMs, job.sending.signal)
  const onItem = (key: string | undefined, item: Json) => {
    for (const check of checks) check.onItem?.(key, item, entries)
  }
  const mayBeSent = rules.readyOnly || !stopsAll(collected) || service.change !== undefined
  const list = mayBeSent ? await scanOnce(job, { onItem }) : await scan(job, { onItem }).catch(asFailure)
  if (list instanceof Failure) {
    // The file is wrong, whatever the service has.
    await runChecks(job, { entries, list: undefined, ...journal }, { checks, file, collected })
    const { message } = asFailure(unreadList(list))
    return end({ notCompared: `The rows were not compared with the service. ${message}` })
  }
  assertShowsKey(service, entries, list)
  countExisting(entries, list)
  const input = { entries, list, ...journal }
  const otherImports = await readOtherImports(job, input, collected)
  const claimed = claims ? await leaveToOthers(claims, entries, job, journal.before) : []
  for (const each of claimed) collected.add(each)
  await runChecks(job, input, { checks, file, collected })
  const isListed = ({ key }: ImportEntry) => matchOf(list, key).count > 0
  if (mayBeSent)
    await list.assertStill([...entries.values()].some((entry) => !isListed(entry) || isToChange(entry)))
  return end({ baseline: list, others: otherImports })
}

/**
 * Finds the journal and the salt of its fingerprints. Where another API key began the journal, the list tells
 * whether it is of the same service.
 */
async function findJournal(job: ImportJob) {
  const { journals } = job
  const { place, profile } = journals
  const own = await findOwnJournal(journals)
  const theirs = own.before?.header?.profile
  if (own.certain && theirs !== undefined && theirs !== profile)
    throw usage(
      `This file was imported into ${place.origin} with the profile ${theirs}, not with ${profile}.`,
      `Use that profile; or, if that import is finished, delete ${own.path}.`,
    )
  const isOurs = own.certain || !own.before || compareService(own.before, await scanOnce(job)) === 'same'
  const [journal, before] = isOurs ? [own.path, own.before] : [journals.forApiKey, undefined]
  return { journal, before, salt: before?.header?.salt ?? randomBytes(16).toString('hex') }
}

async function runChecks(
  job: ImportJob,
  input: PlanInput,
  { checks, file, collected }: { checks: readonly FileCheck[]; file: FileRows; collected: Collector },
): Promise<void> {
  const { entries } = file
  const asking: {
    wants: (entry: ImportEntry) => boolean
    onRowAgain: NonNullable<FileCheck['onRowAgain']>
  }[] = []
  for (const { asksAgain, onRowAgain } of checks) {
    const wants = await asksAgain?.(input)
    if (wants && onRowAgain) asking.push({ wants, onRowAgain })
  }
  const isToLookFor = (entry: ImportEntry) => isUnclear(entry) && !entry.left && entry.row > 0
  const entriesToRead = new Map<number, ImportEntry>()
  for (const entry of entries.values()) {
    const isLacking = isToLookFor(entry) && !entry.sent
    if (isLacking || asking.some(({ wants }) => wants(entry))) entriesToRead.set(entry.row, entry)
  }
  if (entriesToRead.size > 0) {
    for await (const row of job.source.rows((number) => entriesToRead.has(number))) {
      const entry = entriesToRead.get(row.row)
      if (entry?.key !== keyOfRow(job, row)) continue
      if (isToLookFor(entry)) entry.sent = row
      for (const { wants, onRowAgain } of asking) if (wants(entry)) await onRowAgain(row, entry)
    }
  }
  const byRow = new Map([...entries.values()].map((entry) => [entry.row, entry]))
  for (const check of checks) {
    for (const finding of await check.findings(input)) {
      const entry = byRow.get(finding.row)
      if (finding.severity !== 'held') collected.add(finding)
      else if (entry) hold(entry, [finding])
    }
  }
  dropWrong(job.service.kind, entries, collected)
}

/**
 * Notes which rows the service has already. Throws a usage failure for
 * two such as `0003` and `3` where it shows numbers.
 */
function countExisting(entries: ReadonlyMap<string, ImportEntry>, baseline: Scan): void {
  const numbers = new Map<string, ImportEntry>()
  for (const [key, entry] of entries) {
    const { count } = matchOf(baseline, key)
    if (count === 0) continue
    const number = withoutLeadingZeros(key)
    const other = baseline.numbers.size > 0 ? numbers.get(number) : undefined
    if (other)
      throw usage(
        `The list shows it as a number, so ${other.reference} in row ${other.row} and ${entry.reference} in row ${entry.row} cannot be told apart.`,
        'Give one of them another reference, or create it by itself.',
      )
    numbers.set(number, entry)
    // For any other state an earlier run of this import made the record.
    if (entry.state === 'ready') entry.existing = count
  }
}

/** Whether a row is wrong that nobody left out: one holds back all rows. */
const stopsAll = ({ wrongRows }: Pick<Plan, 'wrongRows'>) =>
  [...wrongRows.values()].some((issues) => !issues.some(({ isLeftOut }) => isLeftOut))

/** Whether any row may be sent. One row that is wrong holds back all of them, unless only the sound ones are wanted. */
export function canBeSent(
  plan: Pick<Plan, 'wrongRows' | 'isCutShort' | 'entries'>,
  { rules }: Pick<ImportJob, 'rules'>,
): boolean {
  const { wrongRows, isCutShort, entries } = plan
  return wrongRows.size === 0 || ((rules.readyOnly || !stopsAll(plan)) && !isCutShort && entries.size > 0)
}

/** What would become of a row. A change that an earlier run sent without a clear answer is still to be made. */
export function plannedFate(entry: ImportEntry) {
  if (isToChange(entry)) return 'change'
  return hasArrived(entry) ? 'createdEarlier' : fateOf(entry)
}

/** Counts the rows of the file by what would become of them. */
export const countsOf = ({ entries, wrongRows }: Plan): FateCounts =>
  countFates(entries.values(), { invalid: wrongRows.size, fate: plannedFate })

/** Whether a row is held back for its bank details alone. */
export const isHeldForBank = ({ state, issues }: ImportEntry) =>
  state === 'held' && issues.length > 0 && issues.every(isOfBank)

/** Why rows are held back. */
export function heldFindings(entries: Iterable<ImportEntry>) {
  const tally = tallyFindings()
  for (const { row, reference, state, issues } of entries) {
    if (state !== 'held') continue
    for (const issue of issues.slice(0, 1)) tally.add({ ...issue, row, ...keyAsShown(reference) })
  }
  return tally.end()
}

/** How many of the records that would be sent are doubtful, and how many rows they are. */
export function doubtfulIn({ entries, doubtfulRows }: Plan): {
  readonly rows: number
  readonly records: number
} {
  const doubtful = [...entries.values()].filter(
    (each) => (isReady(each) || isToChange(each)) && doubtfulRows.has(each.row),
  )
  return {
    rows: doubtful.reduce((sum, { rows }) => sum + (rows?.length ?? 1), 0),
    records: doubtful.length,
  }
}

/** Marks the rows that imports of other files left unclear at this service. Returns the journals of those that are certainly about it. */
async function readOtherImports(
  job: ImportJob,
  { entries, list, journal }: PlanInput & { readonly list: Scan; readonly journal: string },
  collected: Collector,
): Promise<readonly JournalState[]> {
  const { journals, unreadable } = await readOtherJournals(job.journals, journal, new Set(entries.keys()))
  const message =
    'this journal of an earlier import cannot be read, so payroll does not know which of its rows may be on the service already'
  for (const path of unreadable) collected.add({ row: 0, path, severity: 'note', message })
  return journals.filter((other) => {
    const theirs = other.header?.account
    // The journal has the same API key, or, because keys are renewed, an id that the list has too.
    const service =
      theirs === undefined || theirs === job.journals.place.account ? 'same' : compareService(other, list)
    if (service === 'other') return false
    for (const [key, { creation }] of other.rows) {
      const entry = entries.get(key)
      if (entry && creation) adoptRow(entry, creation, matchOf(list, key).count > 0)
    }
    return service === 'same'
  })
}

/** Makes a row unclear where another import left it so, or created its record and the list does not show it. */
function adoptRow(entry: ImportEntry, row: JournalledCreation, isShown: boolean): void {
  if (entry.state === 'done') return
  const wasSent = row.state === 'done' || isUnclear(row) || (row.state === 'ready' && row.requests > 0)
  if (!wasSent) return
  // The record was created and the list shows it, so nothing is in doubt.
  if (row.state === 'done' && isShown && entry.state === 'ready' && entry.requests === 0) return
  if (entry.tries.length < row.tries.length) entry.tries = row.tries
  // For a ready row two lists have already shown that its record is missing, so it may be sent again.
  if (entry.state === 'ready' && row.state !== 'ready')
    changeState(entry, 'unclear', { requests: Math.min(entry.requests + row.requests, mostRequestsOfRow) })
  else entry.requests = Math.max(entry.requests, row.requests)
}

/**
 * The failure of a list that could not be read: without the list nothing may be sent. Where its own failure
 * has no advice, the list may be changing.
 */
function unreadList(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid-response') return error
  const { hint, status } = error.details
  const isNoList = status !== undefined && hint !== undefined
  return error.with({
    message: `${error.message} An import has to know who is there already.`,
    outcome: 'not-sent',
    ...(isNoList ? {} : mayChange),
  })
}

const mayChange = {
  retryable: true,
  hint: 'It may be changing right now: run the same command again. If it keeps happening, ask those who run the service.',
}

/**
 * Throws a usage failure where the list does not show the key, or shows it in a form that cannot be compared.
 * Rows with lost answers are looked up by it.
 */
function assertShowsKey(
  service: ImportService,
  entries: ReadonlyMap<string, ImportEntry>,
  { showsKey, neverDay }: Scan,
): void {
  const { key, days } = service.kind
  if (!showsKey) throw cannotBeLookedUp(service, `does not show ${key.item.join(', ')}`)
  const [first] = entries.values()
  const ofRow = first && splitDays(first.reference, service.kind)
  const at = days?.find(
    (index, place) => isDay((place === 0 ? ofRow?.first : ofRow?.last) ?? '') && neverDay[index],
  )
  if (at !== undefined) throw cannotBeLookedUp(service, `shows ${key.item[at]} in a form that is not a date`)
}

function cannotBeLookedUp({ client, list }: ImportService, why: string) {
  return usage(
    `payroll cannot import into this service safely: its list (/${client.prepare(list).path}) ${why}.`,
    'A row whose answer is lost could not be found again, and might be created twice. Create them one by one.',
  )
}
