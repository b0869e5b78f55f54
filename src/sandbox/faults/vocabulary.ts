import { bodyFaults } from './bodies.ts'
import { connectionFaults } from './connections.ts'
import type { Fault } from './fault.ts'
import { listFaults } from './lists.ts'
import { recordFaults } from './records.ts'
import { redirectFaults } from './redirects.ts'
import { statusFaults } from './statuses.ts'

/** Every fault there is, each by one name. */
export const faults: readonly Fault[] = [
  ...connectionFaults,
  ...statusFaults,
  ...redirectFaults,
  ...bodyFaults,
  ...recordFaults,
  ...listFaults,
]

export const faultNames: readonly string[] = faults.map(({ name }) => name)
