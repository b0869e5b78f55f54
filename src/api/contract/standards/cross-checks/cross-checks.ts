import type { Issue } from '../../../../errors.ts'
import { irelandChecks } from '../../countries/ireland/ireland-checks.ts'
import { ukChecks } from '../../countries/uk/uk-checks.ts'
import { bankChecks } from './bank-checks.ts'
import { dateChecks } from './date-checks.ts'
import { partsOf } from './parts.ts'

/**
 * Warns about fields of a candidate that do not fit together. Each check uses the fields that it finds,
 * so all of them run for every country. `today` is YYYY-MM-DD.
 */
export function crossChecks(body: Record<string, unknown>, today: string): Issue[] {
  const parts = partsOf(body)
  return [
    ...dateChecks(parts),
    ...bankChecks(parts),
    ...ukChecks(parts, today),
    ...irelandChecks(parts, today),
  ]
}
