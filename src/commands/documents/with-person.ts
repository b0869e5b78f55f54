import type { Context } from '../../context/context.ts'
import { operations } from '../../model/operations/operations.ts'
import type { Options } from '../cli/options.ts'
import { candidateTargets } from '../cli/target.ts'
import { withRecord } from '../kit/find/named-record.ts'

/** Runs with the id of the person whom --employee names. `mustBeListed`: a text that no list has is no id. */
export async function withPerson(
  context: Context,
  options: Options,
  { writes = false, mustBeListed = false },
  run: (options: Options) => Promise<void>,
): Promise<void> {
  const { employee: typed } = options
  if (typed === undefined) return run(options)
  // --id and --reference are about the document, not the person. One `get` will do for all countries: only the id is used.
  const person = {
    target: operations.candidates.get,
    list: candidateTargets.list,
    typed,
    options: {},
    writes,
    mustBeListed,
    option: '--employee',
  }
  return withRecord(context, person, ({ id: employee, name }) => {
    if (name !== employee) context.writes.names.set(employee, name)
    return run({ ...options, employee })
  })
}
