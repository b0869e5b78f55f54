import type { Json } from '../../../json/path.ts'
import { isMissing, textOf } from './compare-values.ts'
import type { Condition } from './condition.ts'

/** A field with more values than these has no codes, but names or texts. */
const mostValues = 8

/**
 * Collects the values that a field has in a list, for a person whose `--where status=activ` finds nothing. Not of a
 * sensitive field.
 */
export function watchValues(conditions: readonly Condition[]) {
  const watched = conditions
    .filter(({ field, equals }) => equals !== undefined && field.kind === 'text' && field.isPublic)
    .map(({ field, equals = '' }) => ({ field, equals, values: new Set<string>(), isThere: false }))
  return {
    look(items: readonly Json[]): void {
      for (const watch of watched) {
        for (const item of items) {
          const value = watch.field.read(item)
          if (isMissing(value) || Array.isArray(value)) continue
          const text = textOf(value)
          if (watch.values.size <= mostValues) watch.values.add(text)
          if (text.toLowerCase() === watch.equals.toLowerCase()) watch.isThere = true
        }
      }
    },
    /** "No item has the status activ. In this list it is ACTIVE or LEFT." */
    remarks(): string[] {
      return watched.flatMap(({ field: { name }, equals, values, isThere }) => {
        if (values.size === 0 || isThere) return []
        const help =
          values.size > mostValues
            ? 'With ~ in the place of = it finds a part of it.'
            : `In this list it is ${[...values].sort().join(' or ')}.`
        return [`No item has the ${name} ${equals}. ${help}`]
      })
    },
  }
}
