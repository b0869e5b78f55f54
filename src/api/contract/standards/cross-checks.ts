import type { Issue } from '../../../errors.ts'
import { bankChecks } from './cross-checks/bank.ts'
import { dateChecks } from './cross-checks/dates.ts'
import { irelandChecks } from './cross-checks/ireland.ts'
import { nationalInsuranceChecks } from './cross-checks/national-insurance.ts'
import { partsOf } from './cross-checks/parts.ts'
import { starterChecks } from './cross-checks/starter.ts'

/**
 * What does not fit together in the request body of a UK or an Irish candidate. Each check reads the fields it
 * finds, so that both variants pass through all of them. `today` is YYYY-MM-DD.
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
