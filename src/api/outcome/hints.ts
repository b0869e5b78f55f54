import type { Operation } from '../contract/operations/operation.ts'

/** What to type next, where that depends on how the service was chosen. The api is handed it. */
export interface Hints {
  /** For a path that may be wrong; undefined where it cannot be. */
  readonly route: (operation: Operation) => string | undefined
  /** For a key that the service refused. */
  readonly refusedKey: string
  /** For a key that may not do this. */
  readonly forbidden: string
}

/** Where a record is asked for by its id: what its commands are called, and where else it may be. */
export function recordHint({ id }: Operation): string {
  const [group = '', verb = ''] = id.split('.')
  if (group === 'candidates') {
    const elsewhere = verb.endsWith('Ireland')
      ? 'A UK candidate? Use --uk, not --ireland.'
      : 'An Irish candidate? Add --ireland.'
    return `${elsewhere} To look for a person: payroll candidates find <text>`
  }
  if (group === 'documents') return 'Check --employee. To see the ids: payroll documents list --employee <id>'
  return `To see the ids: payroll ${group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} list`
}
