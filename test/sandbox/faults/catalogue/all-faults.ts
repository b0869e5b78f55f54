import { allOperations } from '../../../../src/model/operations/operations.ts'
import type { Fault } from '../../../../src/sandbox/faults/fault.ts'
import { type FaultPlan, planFaults } from '../../../../src/sandbox/faults/plan-faults.ts'
import { usualFaults } from '../../../../src/sandbox/faults/usual-faults.ts'
import { bodyFaults } from './body-faults.ts'
import { connectionFaults } from './connection-faults.ts'
import { consent, consentFaults } from './consent-faults.ts'
import { listFaults } from './list-faults.ts'
import { recordFaults } from './record-faults.ts'
import { redirectFaults, statusFaults } from './status-faults.ts'

/** What a service can do wrong: what `sandbox serve` offers, and what only we want to know; names are unique. */
export const faults: readonly Fault[] = [
  ...usualFaults,
  ...connectionFaults,
  ...statusFaults,
  ...redirectFaults,
  ...bodyFaults,
  ...recordFaults,
  ...listFaults,
  ...consentFaults,
]

export const faultNames: readonly string[] = faults.map(({ name }) => name)

/** A plan of any of them; `@consent` is the consent page of a sign-in. */
export const planAnyFaults = (
  specs: readonly string[],
  now: () => number,
  sleep?: FaultPlan['sleep'],
): FaultPlan => planFaults(specs, { now, sleep, faults, operations: [...allOperations, consent] })
