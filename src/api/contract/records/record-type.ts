import type { Fields } from '../fields/field.ts'

/** The path of a field in a request and in an answer. */
export interface FieldPaths {
  readonly request: string
  /** In an answer, or in an item of a list. */
  readonly item: string
}

/** A kind of record as it is sent, or as it is answered. */
export interface RecordType {
  /** For messages: "an Irish candidate". */
  readonly displayName: string
  readonly fields: Fields
  /** The default columns of a table: field paths. */
  readonly columns?: readonly string[]
  /** Whether the document shows these fields. Assumed fields are only displayed; nothing depends on them. */
  readonly documented: boolean
  /** The reference that the sender chooses to recognise the record; for a document its name. */
  readonly reference?: FieldPaths
}
