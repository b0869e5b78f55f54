import type { Entry } from './rows/ledger.ts'
import type { State } from './rows/row-state.ts'

/** Progress of an import. */
export type ImportEvent =
  | { readonly type: 'moved'; readonly entry: Entry; readonly from: State }
  /** The service asks to wait. */
  | { readonly type: 'resting'; readonly ms: number }
  /** It looks for the rows in doubt. */
  | { readonly type: 'checking'; readonly rows: number }
  /** It waits this long for requests that may still arrive. */
  | { readonly type: 'settling'; readonly ms: number }
  /** It waits for the runs on other computers that are at these rows. */
  | { readonly type: 'others'; readonly rows: number }
  /** It reads the list a last time. */
  | { readonly type: 'verifying' }
