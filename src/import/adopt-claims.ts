import { Failure } from '../errors.ts'
import { keyInWords } from '../model/natural-key.ts'
import { utcMinute } from '../text/duration.ts'
import { agree, plural } from '../text/words.ts'
import { changeState, hold, type ImportEntry, isUnclear, mostRequestsOfRow, type Standing } from './entry.ts'
import { aboutEntry } from './findings.ts'
import type { ImportJob } from './job.ts'
import type { JournalledCreation, JournalState } from './read-journal.ts'
import { type Claim, type ClaimOutcome, describeClaim } from './shared-journal/claim.ts'
import type { SharedJournal } from './shared-journal/shared-journal.ts'

/** The state that the shared journal should have for a row of this journal. */
export function claimOutcomeOf({
  state,
  requests,
  id,
}: Standing & { readonly id?: string | undefined }): ClaimOutcome {
  switch (state) {
    case 'done':
      return { state: 'created', attempt: requests, id }
    case 'refused':
      return { state: 'refused', attempt: 0 }
    case 'ready':
      return { state: 'refused', attempt: requests }
    case 'conflict':
    case 'duplicate':
      // The row is never sent again, on any computer.
      return { state: 'doubt', attempt: mostRequestsOfRow }
    default:
      return { state: 'doubt', attempt: requests }
  }
}

/** Notes in a row what another run that claimed it did. Returns whether this run may still send it. */
export function applyClaim(job: ImportJob, claim: Claim, entry: ImportEntry): boolean {
  entry.elsewhere = undefined
  switch (claim.state) {
    case 'created':
      leaveToCreator(job, claim, entry)
      return false
    case 'refused':
      entry.requests = Math.max(entry.requests, claim.attempt)
      return true
    default:
      entry.elsewhere = claim
      return false
  }
}

/** Whether a row is compared with its record: it would change it, or has hours that may differ. */
const compares = ({ service: { change, type } }: ImportJob) =>
  change !== undefined || type.lines !== undefined

/**
 * Leaves a row whose record another run created. From now on the list must show the record once, like any
 * that was there before. Where the two are to be compared, the row is held back: nothing has done it.
 */
export function leaveToCreator(job: ImportJob, claim: Claim, entry: ImportEntry): void {
  const says = describeClaim({ ...claim, state: 'created' }, 'it')
  entry.existing = 1
  entry.createdBy = says
  if (compares(job)) {
    if (job.service.change) entry.writes = 'change'
    hold(entry, [
      aboutEntry(
        job,
        entry,
        'held',
        `${says}, and it was not compared with the row: run the same command again`,
      ),
    ])
  } else if (entry.state !== 'ready') changeState(entry, 'ready')
}

/** Leaves rows to the runs that have them, and says so. Changes nothing in the shared journal. */
export async function leaveToOthers(
  claims: Pick<SharedJournal, 'read'>,
  entries: ReadonlyMap<string, ImportEntry>,
  job: ImportJob,
  before: JournalState | undefined,
) {
  const claimed = await claims.read([...entries.keys()])
  return [...entries].flatMap(([key, entry]) => {
    const claim = claimed.get(key)
    const isOpen = entry.state === 'ready' && entry.existing === 0
    if (!claim || !isOpen || claim.state === 'refused' || before?.owners.has(claim.owner)) return []
    const { alive, state } = claim
    if (alive || state === 'created') applyClaim(job, claim, entry)
    // The reason of a row that is held back says it.
    if (state === 'created' && compares(job)) return []
    const message = describeClaim(claim, keyInWords(entry.reference))
    return [aboutEntry(job, entry, 'note', message, describeClaim(claim, 'it'))]
  })
}

const lostTries = [{}, {}] as const

/** How long the database may take to notice that an earlier run of ours was killed. */
const takeoverTimeoutMs = 5000

/**
 * Compares the plan with the shared journal, writes what earlier runs could not, and takes over the rows of
 * dead runs. Returns those that are to be looked up now (`unclear`), and how long to wait before.
 */
export async function adoptClaims(
  shared: SharedJournal,
  entries: ReadonlyMap<string, ImportEntry>,
  before: JournalState | undefined,
  job: ImportJob,
) {
  const rows = before?.rows ?? new Map<string, never>()
  const owners = before?.owners ?? new Set<string>()
  const keys = [...new Set([...entries.keys(), ...rows.keys()])]
  const unclear = new Set<string>()
  let settleMs = 0
  for (const [key, claim] of await readClaims(shared, keys, owners, job)) {
    const [entry, creation] = [entries.get(key), rows.get(key)?.creation]
    if (entry?.left) continue
    if (!isHeld(claim) || claim.alive) {
      if (entry?.state === 'ready' && entry.existing === 0) applyClaim(job, claim, entry)
      continue
    }
    const isOwn = owners.has(claim.owner)
    // The journal on this computer knows the outcome of our own earlier runs, and of every row that was created.
    const known = isOwn || creation?.state === 'done' ? ownOutcome(creation, claim) : undefined
    // A row whose record the list shows has nothing to find out.
    const isThere = entry !== undefined && entry.existing > 0 && !isUnclear(entry)
    const outcome = known ?? (isThere ? ({ state: 'created', attempt: claim.attempt } as const) : undefined)
    if (await shared.takeOver(claim, outcome ?? { state: 'doubt', attempt: claim.attempt })) {
      if (outcome) continue
      // A row that is held back stays so.
      if (entry && (entry.state === 'ready' || isUnclear(entry))) {
        makeUnclear(entry, claim)
        unclear.add(key)
      }
      // An earlier run of this import has ended, and its requests with it. Another computer may only be asleep.
      if (!isOwn) settleMs = Math.max(settleMs, claim.settleMs)
      continue
    }
    // Another run was faster.
    const now = (await shared.read([key])).get(key)
    if (now && entry?.state === 'ready') applyClaim(job, now, entry)
  }
  return { unclear, settleMs }
}

/** Whether a run is at the row, or ended without saying what became of it. */
const isHeld = ({ state }: Claim): boolean => state === 'sending' || state === 'doubt'

function makeUnclear(entry: ImportEntry, claim: Claim): void {
  const { attempt } = claim
  entry.elsewhere = undefined
  if (entry.requests === 0) entry.sentBy = claim
  entry.requests = Math.min(Math.max(entry.requests, attempt, 1), mostRequestsOfRow)
  if (entry.tries.length < attempt) entry.tries = lostTries.slice(0, attempt)
  if (entry.state === 'ready') changeState(entry, 'unclear')
}

export const betweenLooksMs = 250

/** Reads the claims, once the database knows which earlier runs of this import are gone. */
async function readClaims(
  shared: SharedJournal,
  keys: readonly string[],
  owners: ReadonlySet<string>,
  { sending: { clock } }: ImportJob,
): Promise<Map<string, Claim>> {
  for (let waited = 0; ; waited += betweenLooksMs) {
    const claims = await shared.read(keys)
    const isOver = ![...claims.values()].some(({ owner, alive }) => alive && owners.has(owner))
    if (isOver || waited >= takeoverTimeoutMs) return claims
    await clock.sleep(betweenLooksMs)
  }
}

/** The outcome of a claim according to the journal on this computer; undefined if the row may be on the service. */
function ownOutcome(row: JournalledCreation | undefined, claim: Claim) {
  if (row?.state === 'done' || row?.state === 'refused') return claimOutcomeOf(row)
  if (row && isUnclear(row)) return undefined
  // A row is written down here before it is sent. So this one was claimed and not sent, or found missing and not sent again.
  if (claim.state === 'sending')
    return claimOutcomeOf({ state: 'ready', requests: row?.requests ?? claim.attempt - 1 })
  return row && row.requests >= claim.attempt ? claimOutcomeOf(row) : undefined
}

/** The failure of a run that has only rows of other runs left (exit 11). */
export function othersAtWork(claims: readonly Claim[]): Failure {
  const names = [...new Set(claims.map(({ by }) => by))]
  const since = Math.min(...claims.map(({ at }) => at))
  const [who, have] = [names.join(' and '), agree(names.length, 'has')]
  const message = `${who} ${have} been working on ${plural(claims.length, 'row')} since ${utcMinute(since)}.`
  return new Failure('locked', message, { retryable: true, hint: 'Wait until that run has ended.' })
}
