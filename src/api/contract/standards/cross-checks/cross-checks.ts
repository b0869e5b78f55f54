import type { Issue } from '../../../../errors.ts'
import { bankChecks } from './bank-checks.ts'
import { dateChecks } from './date-checks.ts'
import { irelandChecks } from './ireland-checks.ts'
import { nationalInsuranceChecks } from './national-insurance-checks.ts'
import { partsOf } from './parts.ts'
import { starterChecks } from './starter-checks.ts'

/**
 * Warns about fields of a UK or an Irish candidate that do not fit together. Each check uses the fields that it finds,
 * so all of them run for both variants. `today` is YYYY-MM-DD.
 */
export function crossChecks(body: Record<string, unknown>, today: string): Issue[] {
  const parts = partsOf(body)
  return [
    ...dateChecks(parts),
    ...bankChecks(parts),
    ...nationalInsuranceChecks(parts, today),
    ...starterChecks(parts),
    ...irelandChecks(parts, today),
  ]
}
