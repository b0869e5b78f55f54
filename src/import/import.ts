import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { usage } from '../errors.ts'
import type { ImportService } from './import-service.ts'
import type { Place } from './journal/journal-file.ts'
import { sortJournals, takeOver } from './journal/other-journals.ts'
import { findOwnJournal, idsIn, type JournalPaths, serviceOf } from './journal/own-journal.ts'
import { type OtherJournal, readOthers } from './journal/read-others.ts'
import type { Replay } from './journal/replay.ts'
import type { RowSource } from './reading/open-source.ts'
import { type Scan, scan } from './resolve/scan.ts'
import { isDay } from './rows/iso-day.ts'
import { keyOf, nameIn, partsOf } from './rows/natural-key.ts'
import { type FilePlan, isReady, noteBaseline, planFile, type Remark } from './rows/plan.ts'

/** One import: what is read, where it goes, and what is remembered of it. */
export interface Import {
  readonly source: RowSource
  readonly service: ImportService
  readonly place: Place
  readonly profile: string
  /** Where the journal is, or will be. */
  readonly journals: JournalPaths
  /** How long a row in doubt may still arrive, in milliseconds. */
  readonly settleMs: number
  /** Requests under way at once, at most. */
  readonly concurrency: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly clock: () => number
  /** Aborts when no further row is to be sent. */
  readonly signal: AbortSignal
}

/** What would happen, and all that is known before a byte is sent. */
export interface Plan {
  readonly file: FilePlan
  readonly salt: string
  readonly journal: string
  readonly before: Replay | undefined
  /** The list as it was; undefined when the file cannot be imported anyway. */
  readonly baseline: Scan | undefined
  /** The other journals of this service. */
  readonly others: readonly OtherJournal[]
  readonly warnings: readonly Remark[]
  /** How many rows are still to be sent. */
  readonly ready: number
}

type Known = Pick<Plan, 'file' | 'salt' | 'journal' | 'before'>

/**
 * Reads the whole file, what the journals remember and what the service has. Sends nothing. Throws a Failure for a
 * journal that is damaged or of another service, and for a service whose list does not show the key.
 */
export async function plan(work: Import): Promise<Plan> {
  const { service, journals, place, settleMs, signal } = work
  const own = await findOwnJournal(journals, place)
  if (own.certain) assertBound(work, own.path, own.before)
  const known = await readKnown(work, own.path, own.before)
  if (known.file.invalid.length > 0) {
    return { ...known, baseline: undefined, others: [], warnings: known.file.warnings, ready: 0 }
  }
  // A line that was cut off may have been an intent: what it announced is given the time to arrive.
  if (own.before?.torn) await pause(settleMs, undefined, { signal }).catch(() => {})
  const baseline = await scan(service)
  assertShowsKey(service, known.file, baseline)
  const isOurs = own.certain || (own.before && serviceOf(idsIn(own.before), baseline) === 'same')
  const used = isOurs ? known : await readKnown(work, journals.ofAccount, undefined)
  const { others, warnings } = await lookElsewhere(work, used, baseline)
  const { entries } = used.file
  const remarks = noteBaseline(entries, baseline, service.kind)
  const ready = [...entries.values()].filter(isReady).length
  return { ...used, baseline, others, warnings: [...used.file.warnings, ...warnings, ...remarks], ready }
}

async function readKnown(work: Import, journal: string, before: Replay | undefined): Promise<Known> {
  const salt = before?.header?.salt ?? randomBytes(16).toString('hex')
  const file = await planFile(work.source, work.service.kind, salt, before?.rows ?? new Map())
  return { file, salt, journal, before }
}

/** Takes into account what other files have left in doubt at this service. */
async function lookElsewhere(
  { place, journals, source, service }: Import,
  { file: { entries, doubtful }, journal }: Known,
  baseline: Scan,
): Promise<Pick<Plan, 'others' | 'warnings'>> {
  const warnings: Remark[] = []
  const others = await readOthers(
    { folder: journals.folder, place, except: journal },
    new Set(entries.keys()),
    (path) =>
      warnings.push({
        row: 0,
        path,
        message: 'this journal cannot be read, so the rows that it left in doubt are not known',
      }),
  )
  const sorted = sortJournals(others, place.account, baseline)
  const taken = takeOver(entries, sorted, baseline)
  if (taken.size > 0) {
    for await (const row of source.rows()) {
      const key = keyOf(nameIn(row.record, service.kind.key.request) ?? '')
      if (taken.has(key)) doubtful.set(key, row)
    }
  }
  return { others: sorted.same, warnings }
}

function assertBound({ place, profile }: Import, journal: string, before: Replay | undefined): void {
  const header = before?.header
  if (!header) return
  const { origin, operation } = place
  if (header.origin === origin && header.profile === profile && header.operation === operation) return
  throw usage(
    `This file was imported into ${header.origin} with the profile ${header.profile}, not into ${origin} with ${profile}. Nothing was sent.`,
    `Use that profile; or, if that import is finished, delete ${journal}.`,
  )
}

/** A row whose answer is lost is looked for by its key: the list must have it, in a form that can be compared. */
function assertShowsKey(service: ImportService, { entries }: FilePlan, { hasPlace, dayless }: Scan): void {
  const { key } = service.kind
  if (!hasPlace) throw cannotBeLookedUp(service, `does not show ${key.item.join(', ')}`)
  const [first] = entries.values()
  const at = partsOf(first?.name ?? '').findIndex((part, index) => isDay(part) && dayless[index])
  if (at >= 0) throw cannotBeLookedUp(service, `shows ${key.item[at]} in a form that is not a date`)
}

function cannotBeLookedUp({ list }: ImportService, why: string) {
  return usage(
    `This service cannot be imported into safely: its list (${list.path}) ${why}. Nothing was sent.`,
    'A row whose answer is lost could not be found again, and might be created twice. Create them one by one.',
  )
}
