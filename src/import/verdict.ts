import { isIdentifier } from '../api/route-path.ts'
import { readWholeRecord } from '../api/whole-record.ts'
import { Failure, onFailure, usage } from '../errors.ts'
import type { JsonObject } from '../files/json/path.ts'
import { userName } from '../files/local/private-directory.ts'
import { type FileRow, rowNumbers } from '../files/table/row.ts'
import { describeRecord } from '../model/mapping/record-name.ts'
import { keyInWords, keyOf, readKey, readListedKey, withoutLeadingZeros } from '../model/natural-key.ts'
import { idOf } from '../model/records/identity.ts'
import {
  describeLikeness,
  differingParts,
  identityReader,
  likenessOf,
  personReader,
} from '../model/values/person-likeness.ts'
import { claimOutcomeOf } from './adopt-claims.ts'
import { isUnclear, mostRequestsOfRow } from './entry.ts'
import type { ImportJob } from './job.ts'
import {
  changeLine,
  createLine,
  type JournalledCreation,
  type JournalledRow,
  type JournalState,
  leftRowLine,
  listedCountLine,
  readJournal,
  readOtherJournals,
} from './read-journal.ts'
import { journalledOutcomes } from './results.ts'
import type { RowOutcome } from './row-fates.ts'
import { rowLabel } from './running.ts'
import { matchOf, scan } from './scan.ts'
import { type Claim, describeClaim } from './shared-journal/claim.ts'
import type { SharedJournal } from './shared-journal/shared-journal.ts'
import { openJournal } from './write-journal.ts'

/** A person's word about a row whose outcome is unknown. */
export interface Verdict {
  /** `created`: the record is on the service. `send-again`: it is not. `leave`: do nothing about the row. */
  readonly type: 'created' | 'send-again' | 'leave'
  /** The number of the row, `row 5` or its reference. */
  readonly row: string
  /** The id of the record that was created. */
  readonly id?: string | undefined
}

/** A row of an import, as its journal knows it. */
export interface JournalRow extends Pick<JournalledRow, 'creation' | 'change'> {
  /** Its number in the file; 0 if it is no longer there. */
  readonly row: number
  /** The key as a person writes it. */
  readonly reference: string
  readonly outcome: RowOutcome
  readonly inFile?: FileRow
}

/** The rows of an import whose outcome is unknown, also those that only its journal still has; and the row with this number or reference. */
export async function readJournalRows(
  { source, service, typedFile }: ImportJob,
  { rows }: JournalState,
  named = '',
): Promise<{ readonly unknown: readonly JournalRow[]; readonly target: JournalRow | undefined }> {
  const outcomes = journalledOutcomes({ rows })
  const rest = new Map(rows)
  const unknown: JournalRow[] = []
  let [gone, number, byReference]: (JournalRow | undefined)[] = []
  function take(row: Omit<JournalRow, 'creation' | 'change'>): JournalRow {
    const { creation, change } = rows.get(keyOf(row.reference)) ?? {}
    // A change is of interest only while its outcome is unknown.
    const taken = { ...row, creation, change: change?.state === 'unclear' ? change : undefined }
    if (taken.outcome === 'unknown') unknown.push(taken)
    return taken
  }
  const isNamed = (key: string) => keyOf(key) === keyOf(named)
  const rowNamed = named.replace(/^row\s+/i, '')
  for await (const inFile of source.rows()) {
    const reference = readKey(inFile.record, service.kind.key.request)
    const { outcome } = outcomes(reference)
    if (reference === undefined) continue
    rest.delete(keyOf(reference))
    const taken = take({ row: inFile.row, reference, outcome, inFile })
    if (rowNumbers(inFile).map(String).includes(rowNamed)) number ??= taken
    else if (isNamed(reference)) byReference ??= taken
  }
  for (const { reference, creation, left } of rest.values()) {
    if (!creation || !isUnclear(creation)) continue
    const taken = take({ row: 0, reference, outcome: left ? 'left' : 'unknown' })
    if (isNamed(reference)) gone ??= taken
  }
  // A number may be the reference of a row that is no longer in the file: the command that names it is meant for that one.
  if (gone && number?.outcome === 'unknown')
    throw usage(
      `${named} is row ${number.row} of ${typedFile}, and the reference of a row that is no longer in it: both are unknown.`,
      `Put the row with the reference ${named} back, at the end of the file, and name it by its number.`,
    )
  return { unknown, target: gone ?? number ?? byReference }
}

/** Throws a usage failure for a row whose outcome is known, and for a verdict that does not fit the row. */
export function assertOpen(target: JournalRow, type?: Verdict['type']): void {
  const label = rowLabel(target, 'Row')
  if (target.outcome !== 'unknown' && target.outcome !== 'left')
    throw usage(
      `${label}: its outcome is known (${target.outcome}), so there is nothing to resolve.`,
      'Only a row whose outcome is unknown can be resolved.',
    )
  if (type === 'created' && target.change)
    throw usage(
      `${label} changes a record that exists, so it was not created.`,
      'If the record is as the row says, import the file again: it sees that. Else use --send-again or --leave.',
    )
  if (type === 'send-again' && target.row === 0)
    throw usage(
      `${label} is no longer in the file, so it cannot be sent again.`,
      'Put the row back first, or use --created or --leave.',
    )
}

interface CheckedVerdict {
  readonly id?: string | undefined
  /** Why a person should look twice: a sentence each. */
  readonly doubts: readonly string[]
}

/** Checks a verdict against the service. Throws exit 5 or 6 where the service disagrees. */
export async function checkVerdict(
  job: ImportJob,
  target: JournalRow,
  { type, id }: Verdict,
): Promise<CheckedVerdict> {
  if (type === 'leave' || target.change) return { doubts: [] }
  return id === undefined ? checkMissing(job, target) : checkCreated(job, target, id)
}

/** Throws exit 6 where the service has the record of a row that is to be sent again, or certainly the same person. */
async function checkMissing(job: ImportJob, { reference, inFile }: JournalRow): Promise<CheckedVerdict> {
  const { kind, type } = job.service
  const reader = personReader(kind, type)
  const ownKey = keyOf(reference)
  const mine = inFile && kind.identityFields.length > 0 ? reader.sent(inFile.record) : undefined
  /** By whether it is certain: what makes somebody on the service alike. */
  const alike = { sure: new Set<string>(), doubts: new Set<string>() }
  const list = await scan(job, {
    mustAgree: true,
    onItem(key, item) {
      if (!mine || key === ownKey) return
      const theirs = reader.listed(item)
      const likeness = likenessOf(mine, theirs)
      if (!likeness) return
      const { message } = describeLikeness(likeness, mine, theirs, reader.number?.label)
      alike[likeness.isSure ? 'sure' : 'doubts'].add(message)
    },
  })
  const { count, ids } = matchOf(list, ownKey)
  if (count > 0) throw isThere(reference, count, ids)
  const [sure] = alike.sure
  if (sure !== undefined) throw notNoted('refused', `${keyInWords(reference)} is not sent again: ${sure}.`)
  return { doubts: [...alike.doubts] }
}

/** Throws exit 5 or 6 where the record that is meant is not there once, or is that of another row or person. */
async function checkCreated(
  job: ImportJob,
  { reference, inFile }: JournalRow,
  id: string,
): Promise<CheckedVerdict> {
  const { client, kind, type, get } = job.service
  let listed: JsonObject | undefined
  const list = await scan(job, {
    onItem(_key, item) {
      if (idOf(item) === id) listed = item as JsonObject
    },
  })
  const { count, ids } = matchOf(list, keyOf(reference))
  if (count > 1) throw isThere(reference, count, ids)
  // The list may be slow, or not show the record.
  const readIt =
    listed === undefined && get && isIdentifier(id)
      ? readWholeRecord(client, { get, type, parameters: { id } })
      : undefined
  const whole = await readIt?.catch(
    onFailure((failure) => {
      if (failure.details.status === 404) return undefined
      throw failure
    }),
  )
  if (!listed && !whole)
    throw notNoted(
      'not-found',
      `No record of the service has the id "${id}".`,
      '--created takes the id that the service gave the record, and not its reference.',
    )
  const theirs = listed ? readListedKey(listed, kind.key) : readKey(whole?.body, kind.key.request)
  if (theirs !== undefined && withoutLeadingZeros(keyOf(theirs)) !== withoutLeadingZeros(keyOf(reference)))
    throw notNoted(
      'refused',
      `The service has ${id} as ${describeRecord(type, listed ?? whole?.body ?? {}, id)}, and the row is for ${keyInWords(reference)}.`,
    )
  const reader = identityReader(kind)
  const mine = reader.sent(inFile?.record)
  const shown = listed ? reader.listed(listed) : reader.sent(whole?.body)
  const others = differingParts(mine, shown).map((part) => `${shown[part]}, not ${mine[part]}`)
  if (others.length > 1)
    throw notNoted('refused', `${id} is another person than the row: ${others.join('; ')}.`)
  return { id, doubts: others.map((each) => `the record says ${each}`) }
}

function isThere(reference: string, count: number, ids: readonly string[]): Failure {
  const times = count === 1 ? '' : ` ${count} times`
  const which = ids.length > 0 ? ` (${ids.join(', ')})` : ''
  return notNoted(
    'refused',
    `${keyInWords(reference)} is on the service${times}${which}.`,
    count === 1
      ? 'If it is the person of this row, say so with --created and that id.'
      : 'Delete what is too much there first, or leave the row with --leave.',
  )
}

/** The failure for a verdict that is not noted, because the service or another run says otherwise. */
const notNoted = (code: 'refused' | 'not-found' | 'locked', message: string, hint?: string): Failure =>
  new Failure(code, message, { outcome: 'not-sent', hint, retryable: code === 'locked' || undefined })

/**
 * Notes what a person says of a row: in the shared journal, in those of other files, and last in that of this
 * file, so that a killed command can be given again. Call it under the locks of an import. Returns who noted
 * it, and when. `id`: of the record that was created.
 */
export async function noteVerdict(
  job: ImportJob,
  before: JournalState,
  { reference, creation, change }: JournalRow,
  { type, id }: { readonly type: Verdict['type']; readonly id: string | undefined },
): Promise<{ readonly by: string; readonly at: number }> {
  const noted = { by: userName(), at: job.sending.clock.now() }
  const person = { via: 'person', by: noted.by }
  const lines: JsonObject[] = []
  if (type === 'leave') lines.push(leftRowLine(reference, noted.by))
  else if (change)
    lines.push({
      ...changeLine({ reference, hash: change.hash }, { state: 'ready', requests: 0 }),
      ...person,
    })
  else {
    if (!creation) throw new TypeError(`the journal has no row for ${reference}`)
    const key = keyOf(reference)
    const state = type === 'created' ? 'done' : 'ready'
    // Allows one more request, never a further one: if the first arrives after all, the list shows it.
    const standingOf = ({ requests }: JournalledCreation) =>
      ({ state, requests: state === 'ready' ? mostRequestsOfRow - 1 : requests }) as const
    const lineOf = (written: string, own: JournalledCreation): JsonObject => ({
      ...createLine({ reference: written, hash: own.hash }, standingOf(own), { id }),
      ...person,
    })
    if (job.sending.shared)
      await noteClaim(job.sending.shared, reference, claimOutcomeOf({ ...standingOf(creation), id }))
    for (const other of (await readOtherJournals(job.journals, before.path, new Set([key]))).journals) {
      const { creation: own, reference: written = reference } = other.rows.get(key) ?? {}
      const account = other.header?.account
      const isOurs = account === undefined || account === job.journals.place.account
      if (!own || !isOurs || !(isUnclear(own) || (state === 'ready' && own.state === 'done'))) continue
      const whole = await readJournal(other.path)
      if (whole) await append(job, whole, [lineOf(written, own)])
    }
    const { listed, reference: written = reference } = before.rows.get(key) ?? {}
    lines.push(lineOf(written, creation))
    if (state === 'done' && listed !== undefined && listed.count !== 1)
      lines.push(listedCountLine(written, { count: 1, id }))
  }
  await append(job, before, lines)
  return noted
}

async function append(job: ImportJob, journal: JournalState, lines: readonly JsonObject[]): Promise<void> {
  if (!journal.header) throw usage(`The journal ${journal.path} has no first line.`)
  const open = await openJournal(journal.path, journal.header, journal, job.sending.clock.now)
  try {
    for (const line of lines) await open.append(line)
  } finally {
    await open.close()
  }
}

/**
 * Takes over the claim of a dead run. Throws exit 11 where another run
 * has the row, and exit 6 where one created its record.
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
      `If it was deleted on purpose, the owner of the shared journal sets it free: ${shared.freeSql([claim.key])}`,
    )
  if (!claim.alive && (await shared.takeOver(claim, outcome))) return
  // Where the claim of a dead run could not be taken over, a living one was faster.
  throw notNoted('locked', says({ ...claim, alive: true }), 'Wait until that run has ended.')
}
