import type { Issue } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'

/** One record of a file. */
export interface Row {
  /** Row number as a person counts; the header of a CSV is row 1. */
  readonly row: number
  /** What the file has: the cells of a line, or the object. */
  readonly original: readonly string[] | JsonObject
  /** The body to send. */
  readonly record: JsonObject
  /** Of a table: the record with its codes as the file has them, which is what an earlier version sent. */
  readonly asWritten?: JsonObject
  /** Errors. If any row has one, nothing of the file is sent. */
  readonly issues: readonly Issue[]
  readonly warnings: readonly Issue[]
  /** Of what stood in the file: the same as long as the file was not changed. */
  readonly digest: string
}
