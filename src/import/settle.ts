import { asFailure, Failure, onFailure } from '../errors.ts'
import type { Json } from '../files/json/path.ts'
import { keyInWords, keyOf, readListedKey, withoutLeadingZeros } from '../model/natural-key.ts'
import { type Identity, identityReader, isOfRecord, isSamePerson } from '../model/values/person-likeness.ts'
import { formatDuration } from '../text/duration.ts'
import { groupBy } from '../text/group-by.ts'
import { nameSome } from '../text/words.ts'
import { applyClaim, betweenLooksMs, leaveToCreator, othersAtWork } from './adopt-claims.ts'
import { type CountMismatch, type ImportEntry, isUnclear, stateAfterSearch } from './entry.ts'
import { aboutEntry } from './findings.ts'
import type { Plan } from './plan.ts'
import { readCreatedKeys } from './read-journal.ts'
import { mayReadAfter, move, type Run, type Stop } from './running.ts'
import { type ListMatch, matchOf, type Scan, scan } from './scan.ts'

const mostScans = 4

/**
 * Finds out whether unclear rows were created. One complete list that shows a row proves it. A row counts as
 * missing only if two equal, complete, reliable lists lack it, read `settleMs` after the last unclear answer,
 * because its request may still arrive. A row with two POSTs always waits that long.
 */
export async function lookForRows(run: Run, entries: readonly ImportEntry[]): Promise<void> {
  const { signal } = run.job.sending
  const first = await searchList(run, entries)
  const open: ImportEntry[] = []
  for (const entry of entries) {
    const match = matchOf(first?.list, entry.key)
    if (entry.requests === 1 && match.count === 1) await decide(run, entry, match)
    else open.push(entry)
  }
  if (open.length === 0 || signal.aborted) return
  await waitForLate(run, leftToSettle(run))
  if (signal.aborted) return
  const { last, isStable } = await searchUntilEqual(run, open)
  const list = isStable ? last?.list : undefined
  const isMissing = ({ key }: ImportEntry) => matchOf(last?.list, key).count === 0
  const against =
    list && open.some(isMissing)
      ? await whyUnreliable(run, list)
      : 'the list kept changing while it was read, so it is not reliable'
  const againstDenied = list && open.some(refusalIn) ? await whyUnreliable(run, list, true) : undefined
  for (const entry of open) {
    const like = last?.similar.get(entry.key)
    const why =
      (list && refusalIn(entry) ? againstDenied : against) ??
      (like && `the service has a record of the same name under another reference (${like})`)
    if (isMissing(entry) && why !== undefined)
      await move(run, entry, 'unresolved', { issues: [aboutEntry(run.job, entry, 'held', why)] })
    else await decide(run, entry, matchOf(last?.list, entry.key))
  }
}

/**
 * Why a row that a complete list lacks may exist all the same, by what this run and earlier ones saw, on any
 * computer; undefined if it does not. `isDenied`: the service refused the row.
 */
async function whyUnreliable(run: Run, list: Scan, isDenied = false): Promise<string | undefined> {
  const { plan, job, shownAfterMs } = run
  if (!Number.isFinite(shownAfterMs) && !isDenied)
    return 'the list has not shown any new row yet, so a row that it lacks may be there all the same'
  if (shownAfterMs > job.sending.settleMs)
    return `the list takes longer to show a new row (${Math.ceil(shownAfterMs / 1000)} s) than --settle waits for it`
  const missing = new Set<string>()
  for await (const key of acknowledgedKeys(run)) if (matchOf(list, key).count === 0) missing.add(key)
  if (missing.size === 0) return undefined
  const names = [...missing].map((key) => keyInWords(plan.entries.get(key)?.reference ?? key))
  return `the list also lacks ${missing.size === 1 ? 'a row' : `${missing.size} rows`} that the service acknowledged (${nameSome(names, 3)})`
}

/** The keys of all rows that the service acknowledged. */
async function* acknowledgedKeys({ plan, job }: Run): AsyncGenerator<string> {
  const { entries, before, others } = plan
  for (const [key, { writes, state, left }] of entries)
    if (writes === 'create' && state === 'done' && !left) yield key
  for (const [key, { creation, left }] of before?.rows ?? []) {
    const isSettled = entries.get(key)?.writes === 'create'
    if (creation?.state === 'done' && !isSettled && !left) yield key
  }
  for (const { path } of others) yield* readCreatedKeys(path)
  if (job.sending.shared) yield* job.sending.shared.createdKeys()
}

/** Reads the list until two in a row are equal, four times at most. */
async function searchUntilEqual(run: Run, entries: readonly ImportEntry[]) {
  let last: Awaited<ReturnType<typeof searchList>>
  for (let scans = 0; scans < mostScans && !run.job.sending.signal.aborted; scans++) {
    const before = last
    last = await searchList(run, entries)
    if (last && last.list.fingerprint === before?.list.fingerprint) return { last, isStable: true }
  }
  return { last, isStable: false }
}

/**
 * Reads one complete list; undefined if that fails. `similar`: by the key of a row, that of a record that may be the row
 * under another reference.
 */
async function searchList(run: Run, entries: readonly ImportEntry[]) {
  const { kind } = run.job.service
  const reader = identityReader(kind)
  const rows = entries.flatMap(({ key, sent }) => (sent ? { key, person: reader.sent(sent.record) } : []))
  const byName = groupBy(rows, ({ person }) => fullName(person))
  const similar = new Map<string, string>()
  const keeps = new Set(entries.flatMap(({ key }) => [key, withoutLeadingZeros(key)]))
  const onItem = (known: string | undefined, item: Json) => {
    if (byName.size === 0 || (known !== undefined && run.plan.entries.has(known))) return
    const theirs = reader.listed(item)
    for (const { key, person } of byName.get(fullName(theirs) ?? '') ?? [])
      if (isSamePerson(person, theirs)) similar.set(key, readListedKey(item, kind.key) ?? 'no key is shown')
  }
  const list = await scan(run.job, { keeps, onItem }).catch(onFailure(() => undefined))
  return list && { list, similar }
}

/** The name by which somebody is found whose key the service shortened; undefined where a part of it is missing. */
const fullName = ({ forename, surname }: Identity) =>
  forename === undefined || surname === undefined ? undefined : keyOf(`${forename}\n${surname}`)

/** Moves a row as the list shows. A missing row that was edited in the file is sent again as it is now. */
async function decide(run: Run, entry: ImportEntry, { count, ids, item }: ListMatch): Promise<void> {
  const { kind, create, knowledge } = run.job.service
  const { sent } = entry
  const refusal = count === 0 ? refusalIn(entry) : undefined
  if (refusal && sent) {
    const message = refusal.serviceMessage ?? `the service answered ${refusal.http}`
    const issues = [{ row: entry.row, path: '', severity: 'held', message }] as const
    return move(run, entry, 'refused', { via: 'list', http: refusal.http, issues })
  }
  // A row that was edited since is not the one that was sent.
  const row = entry.editedHash === undefined ? sent : undefined
  const to = stateAfterSearch(entry, { count, same: !row || isOfRecord(kind, row.record, item) })
  const id = count === 1 ? ids[0] : undefined
  if (to === 'done' && entry.sentBy) {
    // It has the values of the other run, which may have had another file.
    await run.job.sending.shared?.writeOutcome(entry.key, { state: 'created', attempt: entry.requests, id })
    leaveToCreator(run.job, entry.sentBy, entry)
    return
  }
  await move(run, entry, to, { via: 'list', id })
  if (row && to === 'done') knowledge.noteCreated(create, row.record, id)
  if (to === 'ready' && entry.editedHash !== undefined) await move(run, entry, 'ready', { renewed: true })
}

/**
 * The last answer to an unclear row, where it was a refusal that the service may have given after storing the
 * record. It counts once the list shows no record.
 */
function refusalIn({ tries, state }: ImportEntry) {
  const last = tries.at(-1)
  return state === 'unclear' && last?.isDenied ? last : undefined
}

/** The rows whose creation is unknown. Rows that a person left are settled. */
export const unclearRows = ({ entries }: Plan): ImportEntry[] =>
  [...entries.values()].filter((entry) => entry.writes === 'create' && isUnclear(entry) && !entry.left)

/** How long the last request without a clear answer may still be on its way, in milliseconds. */
export const leftToSettle = ({ unclearSince, settleMs, job }: Run): number =>
  unclearSince + settleMs - job.sending.clock.monotonicNow()

/** Waits so many milliseconds for requests that may still arrive; `signal` ends it. */
export async function waitForLate({ job, onDoing }: Run, ms: number): Promise<void> {
  const { clock, signal } = job.sending
  if (ms <= 0) return
  onDoing(waitingText(ms))
  await clock.sleep(ms, signal)
}

/** `waiting 2 seconds for late requests to be applied` */
export const waitingText = (ms: number) => `waiting ${formatDuration(ms)} for late requests to be applied`

export const lookingForRows = 'looking for these rows on the service'

/**
 * Waits for rows that other runs are working on. `tryAgain` does what they leave, and may stop the import; it is called
 * until none is left, or nothing has changed for as long as a request may take.
 */
export async function whileOthersWork(
  run: Run,
  entries: readonly ImportEntry[],
  tryAgain: (open: readonly ImportEntry[]) => Promise<Stop | undefined>,
): Promise<Stop | undefined> {
  const { clock, settleMs, signal } = run.job.sending
  let newsAt = clock.monotonicNow()
  let open = entries.filter(({ elsewhere }) => elsewhere)
  while (open.length > 0) {
    run.onDoing('waiting for other computers that are working on some of these rows')
    const stop = await tryAgain(open)
    if (stop) return stop
    if (signal.aborted) return { why: 'interrupted' }
    const before = new Set(open)
    open = entries.filter(({ elsewhere }) => elsewhere)
    if (open.length < before.size || open.some((entry) => !before.has(entry))) newsAt = clock.monotonicNow()
    if (open.length > 0 && clock.monotonicNow() - newsAt >= Math.max(settleMs, usualListLagMs))
      return { why: 'others', failure: othersAtWork(open.flatMap(({ elsewhere }) => elsewhere ?? [])) }
    await clock.sleep(betweenLooksMs, signal)
  }
  return undefined
}

function mismatchesIn({ entries }: Plan, list: Scan): ReadonlyMap<ImportEntry, CountMismatch> {
  const mismatches = new Map<ImportEntry, CountMismatch>()
  for (const entry of entries.values()) {
    const expected = expectedOf(entry)
    const { count, ids } = matchOf(list, entry.key)
    if (expected !== undefined && count !== expected) mismatches.set(entry, { expected, count, ids })
  }
  return mismatches
}

/** How many records there should be; undefined for a row that is reported as unknown anyway. */
function expectedOf({ writes, state, existing, requests, elsewhere, left }: ImportEntry): number | undefined {
  // Another run, or a person, may create it at any moment.
  if (elsewhere || left || (state === 'held' && existing + requests === 0)) return undefined
  if (writes === 'change' || state === 'ready' || state === 'held') return existing
  if (state === 'done') return 1
  return state === 'refused' ? 0 : undefined
}

/** How long a list may take to show a new record. */
const usualListLagMs = 2000

/**
 * Compares every row with the list at the end: only this shows a record that was dropped, or came twice.
 * Returns that list, or why it could not be read.
 */
export async function verifyRows(
  run: Run,
  stop: Stop | undefined,
): Promise<{ readonly list?: Scan; readonly unverified?: Failure }> {
  const { plan, hasMoved } = run
  if (!mayReadAfter(stop)) return {}
  const isNewer = hasMoved || [...plan.entries.values()].some(({ createdBy }) => createdBy !== undefined)
  const list = isNewer || !plan.baseline ? await readLastList(run).catch(asFailure) : plan.baseline
  if (list instanceof Failure) return { unverified: list }
  for (const [entry, mismatch] of mismatchesIn(plan, list)) entry.mismatch = mismatch
  return { list }
}

/**
 * Reads the list, and again where it may only be slow. Rows that other runs claimed or created first are left to them.
 */
async function readLastList({ job, plan, onDoing }: Run): Promise<Scan> {
  onDoing('comparing with the service')
  const list = await scan(job)
  if (mismatchesIn(plan, list).size === 0) return list
  await job.sending.clock.sleep(Math.min(job.sending.settleMs, usualListLagMs))
  const last = await scan(job)
  const open = [...mismatchesIn(plan, last)].flatMap(([entry, { expected }]) =>
    entry.writes === 'create' && entry.state === 'ready' && expected === 0 ? [entry] : [],
  )
  const claims = open.length > 0 ? await job.sending.shared?.read(open.map(({ key }) => key)) : undefined
  for (const entry of open) {
    const claim = claims?.get(entry.key)
    if (claim && claim.owner !== job.sending.shared?.owner && claim.state !== 'refused')
      applyClaim(job, claim, entry)
  }
  return last
}
