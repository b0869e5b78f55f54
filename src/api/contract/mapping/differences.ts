import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, valueAt } from '../../../json/path.ts'

/** A field with different values in two bodies. */
export interface Difference {
  readonly path: string
  readonly before: Json
  readonly after: Json
}

/** The differences between two bodies. Compares objects field by field, everything else as a whole. */
export function differences(before: Json, after: Json, under: readonly string[] = []): Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) =>
      differences(valueAt(before, [name]), valueAt(after, [name]), [...under, name]),
    )
  }
  if (isDeepStrictEqual(before, after)) return []
  if (isObject(after) && before === undefined) return differences({}, after, under)
  return [{ path: under.join('.'), before, after }]
}
