import { allOperations } from '../../../../src/model/operations/operations.ts'
import type { Fault } from '../../../../src/sandbox/faults/fault.ts'
import { type FaultPlan, planFaults } from '../../../../src/sandbox/faults/plan-faults.ts'
import { statusFault, usualFaults } from '../../../../src/sandbox/faults/usual-faults.ts'
import { bodyFaults } from './body-faults.ts'
import { connectionFaults } from './connection-faults.ts'
import { consent, consentFaults } from './consent-faults.ts'
import { listFaults } from './list-faults.ts'
import { recordFaults } from './record-faults.ts'
import { redirectFaults, statusFaults } from './status-faults.ts'

/** Statuses that are answered without carrying out the request; the last six also once it was carried out. */
const refusals = [400, 401, 403, 404, 405, 407, 411, 413, 415, 422, 429, 408, 409, 500, 502, 503, 504]

/** What a service can do wrong: what `sandbox serve` offers, and what only we want to know; names are unique. */
export const faults: readonly Fault[] = [
  ...usualFaults,
  ...[...refusals, ...refusals.slice(-6).map((status) => `${status}-after-commit`)].flatMap(
    (status) => statusFault(`status=${status}`) ?? [],
  ),
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
