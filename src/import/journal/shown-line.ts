import type { JsonObject } from '../../json/path.ts'

/** That a list was seen to show a row that had just been created. */
export interface Shown {
  /** The key of the row, as a person reads it. */
  readonly name: string
  /** How long after its creation it was there, in milliseconds. */
  readonly afterMs: number
  /** As the service calls the record, where its list says so. */
  readonly id?: string
}

/** As a line of a journal. */
export function shownLine({ name, afterMs, id }: Shown): JsonObject {
  return { run: 'shown', of: name, afterMs, ...(id !== undefined && { id }) }
}

/** What such a line says; undefined for any other line. */
export function shownIn({ run, of, afterMs, id }: JsonObject): Shown | undefined {
  if (run !== 'shown' || typeof of !== 'string' || typeof afterMs !== 'number') return undefined
  return { name: of, afterMs, ...(typeof id === 'string' && { id }) }
}
