import { countries } from '../contract/countries/countries.ts'
import { type Operation, resourceName } from '../contract/operations/operation.ts'
import { candidatesByCountry } from '../contract/operations/operations.ts'
import type { Parameters } from '../route-path.ts'

/** What to type next, where that depends on how the service was chosen. The api is handed it. */
export interface Hints {
  /** For a path that may be wrong; undefined where it cannot be. */
  readonly route: (operation: Operation) => string | undefined
  /** For a key that the service refused. */
  readonly refusedKey: string
  /** For a key that may not do this. */
  readonly forbidden: string
}

/** Where the records of a person are asked for. */
export const personHint = 'Check --employee. To look for a person: payroll candidates find <text>'

/** Where a person typed the path. */
export const rawPathHint = 'To see the paths that payroll knows: payroll routes list'

/** Where a record is asked for by its id: what its commands are called, and where else it may be. */
export function recordHint({ id }: Operation, { employeeId = '<id>' }: Parameters = {}): string {
  const [group = ''] = id.split('.')
  const own = countries.find((each) =>
    Object.values(candidatesByCountry[each.id]).some((operation) => operation.id === id),
  )
  if (own) {
    const others = countries.filter((each) => each !== own).map(({ flag }) => flag)
    const elsewhere = `Is the person in another country? Add ${others.join(' or ')}.`
    return `${elsewhere} To look for a person: payroll candidates find <text>`
  }
  if (group === 'documents')
    return `Check --employee. To see the ids: payroll documents list --employee ${employeeId}`
  return `To see the ids: payroll ${resourceName(group)} list`
}
