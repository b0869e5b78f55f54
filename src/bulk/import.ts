import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Journal, openJournal } from './journal/journal.ts'
import type { Replay } from './journal/replay.ts'
import { keyOf } from './key.ts'
import { type Discrepancy, lastLook } from './last-look.ts'
import { createLedger, type Entry, type Ledger, type Stop } from './ledger.ts'
import { createPace } from './pace.ts'
import { type FilePlan, isReady, noteBaseline, planFile, type Remark } from './plan.ts'
import type { RowSource } from './reading/source.ts'
import { numberedRejects } from './rejects.ts'
import { type Result, summarise } from './report.ts'
import { scan } from './scan.ts'
import { type Sender, sendAll, type Task, tasksOf } from './send.ts'
import type { Service } from './service.ts'
import { inDoubt, settle } from './settle.ts'
import type { State } from './states.ts'

/** What happens during an import, for whoever listens. */
export type ImportEvent =
  | { readonly type: 'moved'; readonly entry: Entry; readonly from: State }
  /** The service wants to be left alone for so long. */
  | { readonly type: 'rest'; readonly ms: number }
  /** Rows in doubt are given this long before they are looked for. */
  | { readonly type: 'settling'; readonly rows: number; readonly ms: number }
  | { readonly type: 'looking' }
