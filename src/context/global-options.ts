import type { Format } from '../render/output.ts'

/** The options that every command understands. */
export interface GlobalOptions {
  readonly profile?: string
  readonly output?: Format
  readonly json?: boolean
  readonly quiet?: boolean
  readonly debug?: boolean
  readonly color?: boolean
  readonly input?: boolean
  readonly yes?: boolean
  readonly timeout?: number
  readonly reveal?: boolean
  readonly columns?: readonly string[]
  readonly query?: string
  readonly raw?: boolean
  readonly excel?: boolean
  readonly pager?: boolean
  /** The file to write to instead of standard output. */
  readonly out?: string
}
