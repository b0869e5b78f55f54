import { isIdentifier } from '../api/route-path.ts'
import { readWholeRecord } from '../api/whole-record.ts'
import { Failure, onFailure, usage } from '../errors.ts'
import { type Json, type JsonObject, parsePath, valueAt } from '../files/json/path.ts'
import { userName } from '../files/local/private-directory.ts'
import type { SheetRow } from '../files/table/row.ts'
import { keyOf, readKey, readListedKey, textsDiffer, withoutLeadingZeros } from '../model/natural-key.ts'
import { type ComparedPerson, describeLikeness, likenessOf, personReader } from '../model/person-likeness.ts'
import { idOf } from '../model/records/identity.ts'
import { claimOutcomeOf } from './claims.ts'
import { describeDoubt, isUnclear, mostRequests } from './entry.ts'
import type { ImportJob } from './job.ts'
import { keyInWords } from './key-in-words.ts'
import {
  changeLine,
  createLine,
  type LoggedCreation,
  type LoggedState,
  type LogState,
  leftRowLine,
  listedCountLine,
  readLog,
  readOtherLogs,
} from './read-log.ts'
import { loggedOutcomes } from './results.ts'
import { changesOf } from './row-change.ts'
import type { RowOutcome } from './row-fates.ts'
import { matchOf, scan } from './scan.ts'
import { type Claim, describeClaim, type SharedJournal } from './shared-journal/claim.ts'
import { shownIdentity } from './similar-records.ts'
import { openLog } from './write-log.ts'

/** A person's word about a row whose outcome is unknown. */
export interface Verdict {
  /** `created`: the record is on the service. `send-again`: it is not. `leave`: do nothing about the row. */
  readonly type: 'created' | 'send-again' | 'leave'
  /** The id or the reference of the record that was created. */
  readonly given?: string | undefined
}

/** A row of an import, as its journal knows it. */
export interface JournalledRow {
  /** Its number in the file; 0 if it is no longer there. */
  readonly number: number
  /** Its key, as a person reads it. */
  readonly reference: string
  readonly outcome: RowOutcome
  readonly row: SheetRow | undefined
  readonly created: LoggedCreation | undefined
  /** The change that the row makes, from the journal; only where the outcome of that change is unknown. */
  readonly change: LoggedState | undefined
}

/** All rows of the file with their outcomes, then the unclear rows that only the journal still has. */
export async function* journalledRows(
  { source, service }: ImportJob,
  before: LogState,
): AsyncGenerator<JournalledRow> {
  const outcomes = loggedOutcomes(before)
  const seen = new Set<string>()
  for await (const row of source.rows()) {
    const reference = readKey(row.record, service.kind.key.request)
    const { outcome } = outcomes(reference)
    if (reference === undefined) continue
    seen.add(keyOf(reference))
    yield journalledRow(reference, outcome, row)
  }
  for (const [key, { reference, creation, left }] of before.rows) {
    if (seen.has(key) || !creation || !isUnclear(creation)) continue
    yield journalledRow(reference, left ? 'left' : 'unknown', undefined)
  }

  function journalledRow(reference: string, outcome: RowOutcome, row: SheetRow | undefined): JournalledRow {
    const { creation, change } = before.rows.get(keyOf(reference)) ?? {}
    return {
      number: row?.row ?? 0,
      reference,
      outcome,
      row,
      created: creation,
      change: change?.state === 'unclear' ? change : undefined,
    }
  }
}

/** Whether a person may say what became of it. */
export const needsVerdict = ({ outcome }: Pick<JournalledRow, 'outcome'>): boolean =>
  outcome === 'unknown' || outcome === 'left'

/** Describes a row in doubt in a sentence. */
export const describeOpenRow = ({ created, change, number: row }: JournalledRow): string =>
  change
    ? 'its change was sent, and the record does not show that it was applied'
    : describeDoubt({ row, state: 'unclear', tries: [], ...created })

/** A row as the service has it, before the verdict is noted. */
interface CheckedVerdict {
  readonly id: string | undefined
  /** Why a person should look twice: a sentence each. */
  readonly doubts: readonly string[]
  /** The fields in which the record differs from the row. */
  readonly differing: readonly string[]
}

/** Checks a verdict against the service. Throws exit 5 or 6 where the service disagrees. */
export async function checkVerdict(
  job: ImportJob,
  target: JournalledRow,
  { type, given }: Verdict,
): Promise<CheckedVerdict> {
  if (type === 'leave' || target.change) return { id: undefined, doubts: [], differing: [] }
  return given === undefined ? checkMissing(job, target) : checkCreated(job, target, given)
}

/** Throws exit 6 where the service has the record of a row that is to be sent again, or certainly the same person. */
async function checkMissing(job: ImportJob, { reference, row }: JournalledRow): Promise<CheckedVerdict> {
  const { kind, type } = job.service
  const reader = personReader(kind, type)
  const own = keyOf(reference)
  const mine = row && kind.identityFields.length > 0 ? reader.sent(row.record) : undefined
  const alike = new Map<string, ComparedPerson>()
  const list = await scan(job, {
    mustAgree: true,
    onItem(key, item) {
      const theirs = mine && key !== own ? reader.listed(item) : undefined
      if (mine && theirs && likenessOf(mine, theirs)) alike.set(`${idOf(item) ?? ''} ${key}`, theirs)
    },
  })
  const { count, ids } = matchOf(list, own)
  if (count > 0) {
    const which = ids.length > 0 ? ` (${ids.join(', ')})` : ''
    const times = count === 1 ? '' : ` ${count} times`
    throw notNoted(
      'refused',
      `${keyInWords(reference)} is on the service${times}${which}, so it is not sent again.`,
      count === 1
        ? 'If it is the person of this row, say so with --created and that id.'
        : 'Delete what is too much at the service, or leave the row with --leave.',
    )
  }
  const doubts = [...alike.values()].flatMap((theirs) => {
    const likeness = mine && likenessOf(mine, theirs)
    if (!likeness) return []
    const { message } = describeLikeness(likeness, mine, theirs, reader.number?.label)
    if (likeness.isSure) throw notNoted('refused', `${keyInWords(reference)} is not sent again: ${message}.`)
    return [message]
  })
  return { id: undefined, doubts, differing: [] }
}

/** Throws exit 5 or 6 where the record that is meant is not there once, or is that of another row or person. */
async function checkCreated(
  job: ImportJob,
  { reference, row }: JournalledRow,
  given: string,
): Promise<CheckedVerdict> {
  const { client, kind, change, type, get } = job.service
  const meant = new Map<string, JsonObject>()
  const list = await scan(job, {
    onItem(key, item) {
      const id = idOf(item) ?? ''
      if (id === given || key === keyOf(given)) meant.set(`${id} ${key}`, item as JsonObject)
    },
  })
  const { count, ids } = matchOf(list, keyOf(reference))
  if (count > 1 || meant.size > 1)
    throw notNoted(
      'refused',
      `The service has ${keyInWords(reference)} ${Math.max(count, meant.size)} times (${ids.join(', ')}).`,
      'Delete what is too much there first, or leave the row with --leave.',
    )
  const [listed] = meant.values()
  const id = (listed && idOf(listed)) ?? (isIdentifier(given) ? given : undefined)
  // The list may be slow, or not show the record.
  const whole =
    id !== undefined && change && get
      ? await readWholeRecord(client, { get, type, parameters: { id } }).catch(
          onFailure((failure) => {
            if (failure.details.status === 404 || listed) return undefined
            throw failure
          }),
        )
      : undefined
  if (!listed && !whole)
    throw notNoted('not-found', `No record of the service has the id or the reference ${given}.`)
  const theirs = listed ? readListedKey(listed, kind.key) : readKey(whole?.body, kind.key.request)
  if (theirs !== undefined && withoutLeadingZeros(keyOf(theirs)) !== withoutLeadingZeros(keyOf(reference)))
    throw notNoted('refused', `${given} is ${keyInWords(theirs)}, and the row is ${keyInWords(reference)}.`)
  const identityIn = (record: Json) =>
    kind.identityFields.map(([path]) => valueAt(record, parsePath(path) ?? []))
  const shown = listed ? shownIdentity(kind, listed) : identityIn(whole?.body)
  const others = identityIn(row?.record).flatMap((value, at) =>
    textsDiffer(value, shown[at]) ? [`${shown[at]}, not ${value}`] : [],
  )
  if (others.length > 1)
    throw notNoted('refused', `${given} is another person than the row: ${others.join('; ')}.`)
  const differing =
    row && whole ? changesOf(type, kind.key.request, whole.body, row).asked.map(({ path }) => path) : []
  return { id, doubts: others.map((each) => `the record says ${each}`), differing }
}

/** The failure for a verdict that is not noted, because the service or another run says otherwise. */
const notNoted = (code: 'refused' | 'not-found' | 'locked', message: string, hint?: string): Failure =>
  new Failure(code, message, { outcome: 'not-sent', hint, retryable: code === 'locked' || undefined })

/**
 * Notes what a person says of a row: in the shared journal, in those of other files, and last in that of
 * this file, so that a killed command can be given again. Call it under the locks of an import. Returns who
 * noted it, and when. `id`: of the record that was created.
 */
export async function noteVerdict(
  job: ImportJob,
  { path, before }: { readonly path: string; readonly before: LogState },
  { reference, created, change }: JournalledRow,
  { type, id }: { readonly type: Verdict['type']; readonly id: string | undefined },
): Promise<{ readonly by: string; readonly at: number }> {
  const noted = { by: userName(), at: job.now() }
  const person = { via: 'person', by: noted.by }
  const lines: JsonObject[] = []
  if (type === 'leave') lines.push(leftRowLine(reference, noted.by))
  else if (change)
    lines.push({
      ...changeLine({ reference, hash: change.hash }, { state: 'ready', requests: 0 }),
      ...person,
    })
  else {
    if (!created) throw new TypeError(`the journal has no row for ${reference}`)
    const key = keyOf(reference)
    const state = type === 'created' ? 'done' : 'ready'
    // Allows one more request, never a further one: if the first arrives after all, the list shows it.
    const standingOf = ({ requests }: LoggedCreation) =>
      ({ state, requests: state === 'ready' ? mostRequests - 1 : requests }) as const
    const lineOf = (written: string, own: LoggedCreation): JsonObject => ({
      ...createLine({ reference: written, hash: own.hash }, standingOf(own), { id }),
      ...person,
    })
    if (job.shared) await noteClaim(job.shared, reference, claimOutcomeOf({ ...standingOf(created), id }))
    for (const other of (await readOtherLogs(job, path, new Set([key]))).logs) {
      const { creation: own, reference: written = reference } = other.rows.get(key) ?? {}
      const account = other.header?.account
      const isOurs = account === undefined || account === job.place.account
      if (!own || !isOurs || !(isUnclear(own) || (state === 'ready' && own.state === 'done'))) continue
      const whole = await readLog(other.path)
      if (whole) await append(job, whole, [lineOf(written, own)])
    }
    const { listed, reference: written = reference } = before.rows.get(key) ?? {}
    lines.push(lineOf(written, created))
    if (state === 'done' && listed !== undefined && listed.count !== 1)
      lines.push(listedCountLine(written, { count: 1, id }))
  }
  await append(job, before, lines)
  return noted
}

async function append(job: ImportJob, log: LogState, lines: readonly JsonObject[]): Promise<void> {
  if (!log.header) throw usage(`The journal ${log.path} has no first line.`)
  const open = await openLog(log.path, log.header, log, job.now)
  try {
    for (const line of lines) await open.append(line)
  } finally {
    await open.close()
  }
}

/**
 * Takes over the claim of a dead run. Throws exit 11 where another run has the row, and exit 6 where another
 * run created its record.
 */
async function noteClaim(
  shared: SharedJournal,
  reference: string,
  outcome: ReturnType<typeof claimOutcomeOf>,
): Promise<void> {
  const claim = (await shared.read([keyOf(reference)])).get(keyOf(reference))
  if (!claim || claim.state === outcome.state || claim.state === 'refused') return
  const says = (of: Claim) => `${describeClaim(of, keyInWords(reference))}.`
  if (claim.state === 'created')
    throw notNoted(
      'refused',
      says(claim),
      'If it was deleted on purpose, the owner of the shared journal sets it free.',
    )
  if (!claim.alive && (await shared.takeOver(claim, outcome))) return
  // Where the claim of a dead run could not be taken over, a living one was faster.
  throw notNoted('locked', says({ ...claim, alive: true }), 'Wait until that run has ended.')
}
