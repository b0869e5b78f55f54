import type { Json } from '../../../json/path.ts'
import type { ChosenField } from './chosen-field.ts'
import { isMissing, textOf } from './compare-values.ts'
import type { Condition } from './condition.ts'

/** A field with more values than these has no codes, but names or texts. */
const mostValues = 8

/**
 * Collects the values that a field of codes has in a list, for a person whose `--where status=activ` finds nothing. Not
 * of a sensitive field.
 */
export function watchValues(conditions: readonly Condition[]) {
  const codes = conditions.filter(
    ({ field, equals }) => equals !== undefined && field.kind === 'text' && field.isPublic,
  )
  const seen = new Map<ChosenField, Set<string>>(codes.map(({ field }) => [field, new Set()]))
  return {
    look(items: readonly Json[]): void {
      for (const [field, values] of seen) {
        for (const item of items) {
          const value = field.read(item)
          if (!isMissing(value) && !Array.isArray(value)) values.add(textOf(value))
        }
        if (values.size > mostValues) seen.delete(field)
      }
    },
    /** "No item has the status activ. In this list it is ACTIVE or LEFT." */
    remarks(): string[] {
      return codes.flatMap(({ field, equals = '' }) => {
        const values = [...(seen.get(field) ?? [])].sort()
        const hasIt = values.some((value) => value.toLowerCase() === equals.toLowerCase())
        if (values.length === 0 || hasIt) return []
        return [`No item has the ${field.name} ${equals}. In this list it is ${values.join(' or ')}.`]
      })
    },
  }
}
