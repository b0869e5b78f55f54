import type { Issue } from '../../../../errors.ts'
import type { Parts } from '../../standards/cross-checks/parts.ts'
import { nationalInsuranceChecks } from './national-insurance-checks.ts'
import { starterChecks } from './starter-checks.ts'

/** Checks that the NI category and the tax code suit the person. */
export function ukChecks(parts: Parts, today: string): Issue[] {
  return [...nationalInsuranceChecks(parts, today), ...starterChecks(parts)]
}
