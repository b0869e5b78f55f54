import type { JsonObject } from '../../json/path.ts'

/** The list showed a row that had just been created. */
export interface Sighting {
  /** The key of the row, as a person reads it. */
  readonly name: string
  /** How long after it was created, in milliseconds. */
  readonly afterMs: number
  /** The service's id of the record, if the list shows one. */
  readonly id?: string
}

/** A sighting as a line of a journal. */
export function sightingLine({ name, afterMs, id }: Sighting): JsonObject {
  return { run: 'shown', of: name, afterMs, ...(id !== undefined && { id }) }
}

/** Reads such a line; undefined for any other line. */
export function readSighting({ run, of, afterMs, id }: JsonObject): Sighting | undefined {
  if (run !== 'shown' || typeof of !== 'string' || typeof afterMs !== 'number') return undefined
  return { name: of, afterMs, ...(typeof id === 'string' && { id }) }
}
