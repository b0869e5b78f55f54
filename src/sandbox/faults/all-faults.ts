import { bodyFaults } from './body-faults.ts'
import { connectionFaults } from './connection-faults.ts'
import { consentFaults } from './consent-faults.ts'
import type { Fault } from './fault.ts'
import { listFaults } from './list-faults.ts'
import { recordFaults } from './record-faults.ts'
import { redirectFaults, statusFaults } from './status-faults.ts'

/** Every fault; names are unique. */
export const faults: readonly Fault[] = [
  ...connectionFaults,
  ...statusFaults,
  ...redirectFaults,
  ...bodyFaults,
  ...recordFaults,
  ...listFaults,
  ...consentFaults,
]

export const faultNames: readonly string[] = faults.map(({ name }) => name)
