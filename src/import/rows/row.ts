import type { Issue } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'

/** One record of a file, as it was read. */
export interface Row {
  /** The line that a person sees in the file; the header of a CSV is row 1. */
  readonly row: number
  /** What stood in the file: the cells of a line, or the object. */
  readonly original: readonly string[] | JsonObject
  /** The body that would be sent. */
  readonly record: JsonObject
  /** What rules it out. A row with any is not sent, and neither is its file. */
  readonly issues: readonly Issue[]
  readonly warnings: readonly Issue[]
}
