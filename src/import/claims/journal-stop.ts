import { Failure } from '../../errors.ts'
import type { Stop } from '../rows/ledger.ts'

/** The end of a run that lost the shared journal. Unlike the statement that failed, the run has sent something. */
export function journalStop({ code, message, details: { outcome: _, ...details } }: Failure): Stop {
  return { why: 'journal', failure: new Failure(code, message, details) }
}
