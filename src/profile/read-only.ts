import { type Failure, usage } from '../errors.ts'

/** What says that nothing may be written: the profile, or the environment. */
export type ReadOnly =
  | { readonly by: 'PAYROLL_READ_ONLY' }
  /** The profile of this name, which has the same address if it is not the one in use. */
  | { readonly by: 'profile'; readonly name: string }

/** Why a write is not sent. Exit 2; nothing was sent. */
export function readOnlyFailure(profile: string, readOnly: ReadOnly): Failure {
  if (readOnly.by === 'PAYROLL_READ_ONLY') {
    return usage(
      'PAYROLL_READ_ONLY is set, so nothing may be changed. Nothing was sent.',
      'To allow writes, unset it.',
    )
  }
  const { name } = readOnly
  const which = name === profile ? `The profile ${name}` : `This is the address of ${name}, which`
  return usage(
    `${which} is read-only. Nothing was sent.`,
    `To allow writes: payroll profiles set ${name} --writable`,
  )
}
