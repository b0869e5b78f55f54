import type { Fields } from '../fields/field.ts'

/** Where a field stands in a request, and where in an answer. */
export interface FieldPaths {
  readonly request: string
  /** In a record that is answered, or an item of a list. */
  readonly item: string
}

/** A kind of record that goes over the wire, in one direction. */
export interface RecordType {
  /** As a sentence names it: "an Irish candidate". */
  readonly displayName: string
  readonly fields: Fields
  /** The columns a table shows unless others are asked for: field paths. */
  readonly columns?: readonly string[]
  /**
   * Whether the document shows these fields. What is assumed is read and shown, and nothing depends on it.
   */
  readonly documented: boolean
  /** The reference that the sender chooses, by which a record is known again; of a document its name. */
  readonly reference?: FieldPaths
}
