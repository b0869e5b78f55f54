import { type Failure, usage } from '../../errors.ts'

/** The failure for something that a newer payroll stored: it is neither used nor written over. `what`: `The mark 2026-11-02`. */
export function newerFormat(
  what: string,
  theirs: number,
  ours: number,
  hint = 'Update payroll, or set PAYROLL_CONFIG_DIR to another directory.',
): Failure {
  return usage(
    `${what} was written by a newer payroll: it has format ${theirs}, and this one knows format ${ours}. It was left untouched.`,
    hint,
  )
}
