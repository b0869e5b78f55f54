import type { JsonObject } from '../../json/path.ts'

/** What a complete list showed of a row: the last word on its id, and on whether it is there once. */
export interface Found {
  /** How many records the service has with this key. */
  readonly count: number
  /** The service's id, if there is one record and the list shows it. */
  readonly id?: string
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
}

/** It as a line of a journal. `name`: the key of the row, as a person reads it. */
export function foundLine(name: string, { count, id }: Omit<Found, 'at'>): JsonObject {
  return { run: 'found', of: name, count, ...(id !== undefined && { id }) }
}

/** Reads such a line; undefined for any other line. */
export function readFound({
  run,
  of,
  count,
  id,
  at,
}: JsonObject): (Found & { readonly name: string }) | undefined {
  if (run !== 'found' || typeof of !== 'string' || typeof count !== 'number') return undefined
  return { name: of, count, at: typeof at === 'number' ? at : 0, ...(typeof id === 'string' && { id }) }
}
