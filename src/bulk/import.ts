import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { usage } from '../errors.ts'
import { type Replay, replay } from './journal/replay.ts'
import { type FilePlan, isReady, noteBaseline, planFile, type Remark } from './plan.ts'
import type { RowSource } from './reading/source.ts'
import { type Scan, scan } from './scan.ts'
import type { Service } from './service.ts'

/** One import: what is read, where it goes, and what is remembered of it. */
export interface Import {
  readonly source: RowSource
  readonly service: Service
  /** Scheme, host and port. */
  readonly origin: string
  readonly profile: string
  /** Where the journal is, or will be. */
  readonly journal: string
  /** How long a row in doubt may still arrive, in milliseconds. */
  readonly settleMs: number
  /** Requests under way at once, at most. */
  readonly concurrency: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that never run backwards. */
  readonly clock: () => number
  /** Aborts when no further row is to be sent. */
  readonly signal: AbortSignal
}

/** What would happen, and all that is known before a byte is sent. */
export interface Plan {
  readonly file: FilePlan
  readonly salt: string
  readonly before: Replay | undefined
  /** The list as it was; undefined when the file cannot be imported anyway. */
  readonly baseline: Scan | undefined
  readonly warnings: readonly Remark[]
  /** How many rows are still to be sent. */
  readonly ready: number
}

/**
 * Reads the whole file, what the journal remembers and what the service has. Sends nothing. Throws a Failure for a
 * journal that is damaged or of another service, and for a service whose list does not show the key.
 */
export async function plan(work: Import): Promise<Plan> {
  const { source, service, journal } = work
  const before = await replay(journal)
  assertBound(work, before)
  const salt = before?.header?.salt ?? randomBytes(16).toString('hex')
  const file = await planFile(source, service.kind, salt, before?.rows ?? new Map())
  // A line that was cut off may have been an intent: what it announced is given the time to arrive.
  if (before?.torn) await pause(work.settleMs, undefined, { signal: work.signal }).catch(() => {})
  const baseline =
    file.invalid.length === 0 ? await scan(service, { has: (key) => file.entries.has(key) }) : undefined
  const remarks = baseline ? noteBaseline(file.entries, baseline, service.kind) : []
  if (baseline && !baseline.hasPlace) throw cannotBeLookedUp(service)
  const ready = [...file.entries.values()].filter(isReady).length
  return { file, salt, before, baseline, warnings: [...file.warnings, ...remarks], ready }
}

function assertBound({ origin, profile, service, journal }: Import, before: Replay | undefined): void {
  const header = before?.header
  if (!header) return
  if (header.origin === origin && header.profile === profile && header.operation === service.create.id) return
  throw usage(
    `This file was imported into ${header.origin} with the profile ${header.profile}, not into ${origin} with ${profile}. Nothing was sent.`,
    `Use that profile; or, if that import is over and done with, remove ${journal}.`,
  )
}

function cannotBeLookedUp({ list, kind }: Service) {
  return usage(
    `This service cannot be imported into safely: its list (${list.path}) does not show ${kind.key.item.join(', ')}. Nothing was sent.`,
    'A row whose answer is lost could not be found again, and might be created twice. Create them one by one.',
  )
}
