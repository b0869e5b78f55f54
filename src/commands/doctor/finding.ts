import { type Failure, type FailureCode, isTemporary } from '../../errors.ts'

/** `skipped`: there was nothing to look at, or something before it has to be put right first. */
export type Status = 'ok' | 'warning' | 'problem' | 'skipped'

/** The result of a check, in words that show no secret. */
export interface DoctorFinding {
  readonly status: Status
  readonly found: string
  readonly from?: string | undefined
  readonly hint?: string | undefined
  readonly code?: Cause
}

/** The kinds of problem, in the order in which they are put right. */
export const causes = ['usage', 'auth', 'temporary'] as const satisfies readonly FailureCode[]

type Cause = (typeof causes)[number]

export const ok = (found: string, from?: string): DoctorFinding => ({ status: 'ok', found, from })

export const warning = (found: string, hint?: string, from?: string): DoctorFinding => ({
  status: 'warning',
  found,
  from,
  hint,
})

export const skipped = (found: string): DoctorFinding => ({ status: 'skipped', found })

export const ofSandbox = skipped('not needed: the sandbox runs inside this tool')

export const problem = (code: Cause, found: string, hint?: string, from?: string): DoctorFinding => ({
  status: 'problem',
  code,
  found,
  from,
  hint,
})

/** A problem in the words of the failure that a command would end with. */
export function problemOf(failure: Failure, from?: string): DoctorFinding {
  const code = isTemporary(failure.code) ? 'temporary' : failure.code === 'auth' ? 'auth' : 'usage'
  return problem(code, asReason(failure), failure.details.hint, from)
}

/** The message without its full stop. */
export const asReason = ({ message }: Failure): string => message.replace(/\.$/, '')
