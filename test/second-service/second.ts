import type { Shape } from './shapes.ts'
import type { Holdings } from './store.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly ifMatch: string | undefined
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  /** What is sent instead of the body as JSON. */
  readonly text?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** The service in one shape, while it runs. */
export interface Second {
  readonly shape: Shape
  readonly held: Holdings
  /** What stood in it before the command, and what a colleague did since. */
  readonly before: Holdings
  /** Whether reads go wrong in this shape too, or only writes. */
  readonly readsGoWrong: boolean
  readonly versions: Map<string, number>
  /** Of each new record, the lists that were asked for before it was made. */
  readonly born: Map<string, number>
  readonly requests: Request[]
  readonly replies: Reply[]
  lists: number
  /** How many records went from the beginning of their lists to the end. */
  moved: number
  made: number
}
