import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { lackingFields } from '../api/contract/records/lacking.ts'
import { type Issue, usage } from '../errors.ts'
import type { JsonObject } from '../json/path.ts'
import type { ClaimReader } from '../shared-journal/open-shared-journal.ts'
import { othersBehind } from './claims/await-others.ts'
import { noteClaims } from './claims/note-claims.ts'
import type { ImportJob } from './import-job.ts'
import { markInDoubt, sortJournals } from './journal/other-journals.ts'
import { findOwnJournal, idsIn, serviceOf } from './journal/own-journal.ts'
import { type OtherJournal, readOthers } from './journal/read-others.ts'
import type { Replay } from './journal/replay.ts'
import type { RowSource } from './reading/open-source.ts'
import { otherPersons, watchIdentities } from './resolve/other-person.ts'
import { type Scan, scan } from './resolve/scan.ts'
import { assertShowsKey, unreadList } from './resolve/usable-list.ts'
import { keyOf, nameIn } from './rows/natural-key.ts'
import { type FilePlan, isReady, noteBaseline, planFile } from './rows/plan.ts'
import { type Remark, type Remarks, tallyRemarks } from './rows/remarks.ts'
import { searchNumbers } from './rows/repeated-numbers.ts'
import type { RowIssue } from './rows/row.ts'

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
  /** The rows whose key somebody else has on the service. */
  readonly strangers: readonly Remark[]
  /** How many rows the import would send. */
  readonly ready: number
  /** How many of these are doubtful. */
  readonly doubted: number
}

type FileState = Pick<Plan, 'file' | 'salt' | 'journal' | 'before'>

/**
 * Reads the whole file, the journals and the service's list. Sends and claims nothing. Throws a Failure if the journal is damaged
 * or belongs to another service, or if the service's list does not show the key.
 */
export async function planImport(
  job: ImportJob,
  claims: ClaimReader | undefined = job.shared,
): Promise<Plan> {
  const { service, journals, place, settleMs, signal, readyOnly } = job
  const own = await findOwnJournal(journals, place)
  if (own.certain) assertSameService(job, own.path, own.before)
  const known = await readKnown(job, own.path, own.before)
  if (!canBeSent(known.file, readyOnly)) {
    return {
      ...known,
      baseline: undefined,
      others: [],
      notes: tallyRemarks().end(),
      strangers: [],
      ...readyIn(known.file),
    }
  }
  // The line that was cut off may have announced a request: wait until it must have reached the service.
  if (own.before?.torn) await pause(settleMs, undefined, { signal }).catch(() => {})
  const identities = watchIdentities(job, known.file.entries)
  const baseline = await scan(service, { onItem: identities.onItem }).catch(async (error: unknown) => {
    throw (await othersBehind(claims, error))?.failure ?? unreadList(error)
  })
  assertShowsKey(service, known.file, baseline)
  const isOurs = own.certain || (own.before && serviceOf(idsIn(own.before), baseline) === 'same')
  const used = isOurs ? known : await readKnown(job, journals.ofAccount, undefined)
  const { others, warnings } = await readOtherImports(job, used, baseline)
  const notes = tallyRemarks()
  const there = noteBaseline(used.file.entries, baseline, service.kind)
  const strangers = await otherPersons(job, used.file.entries, identities.shown)
  const named = new Set(strangers.map(({ row }) => row))
  const path = service.kind.key.request.join(', ')
  const claimed = claims ? await noteClaims(claims, used.file, path, used.before) : []
  const existing = there.filter(({ row }) => !named.has(row))
  for (const remark of [...warnings, ...existing, ...claimed]) notes.add(remark)
  return { ...used, baseline, others, notes: notes.end(), strangers, ...readyIn(used.file) }
}

/** Whether any row may be sent. One row that is wrong holds back all of them, unless only the sound ones are wanted. */
export function canBeSent({ heldBack, isCutShort, entries }: FilePlan, readyOnly: boolean): boolean {
  return heldBack.size === 0 || (readyOnly && !isCutShort && entries.size > 0)
}

function readyIn({ entries, doubted }: FilePlan): Pick<Plan, 'ready' | 'doubted'> {
  const ready = [...entries.values()].filter(isReady)
  return { ready: ready.length, doubted: ready.filter(({ row }) => doubted.has(row)).length }
}

async function readKnown(job: ImportJob, journal: string, before: Replay | undefined): Promise<FileState> {
  const salt = before?.header?.salt ?? randomBytes(16).toString('hex')
  const { create, kind } = job.service
  const lacking = (record: JsonObject) =>
    job.incomplete || !create.requestRecord
      ? []
      : lackingFields(create.requestRecord, record).map((issue) => inColumn(job.source, issue))
  const numbers = searchNumbers(create.requestRecord)
  const file = await planFile(job.source, kind, salt, before?.rows ?? new Map(), lacking, numbers)
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
  const taken = markInDoubt(entries, sorted, baseline)
  if (taken.size > 0) {
    for await (const row of source.rows()) {
      const key = keyOf(nameIn(row.record, service.kind.key.request) ?? '')
      if (taken.has(key)) doubtful.set(key, row)
    }
  }
  return { others: sorted.same, warnings }
}

function assertSameService({ place, profile }: ImportJob, journal: string, before: Replay | undefined): void {
  const header = before?.header
  if (!header) return
  const { origin, operation } = place
  if (header.origin === origin && header.profile === profile && header.operation === operation) return
  throw usage(
    `This file was imported into ${header.origin} with the profile ${header.profile}, not into ${origin} with ${profile}. Nothing was sent.`,
    `Use that profile; or, if that import is finished, delete ${journal}.`,
  )
}
