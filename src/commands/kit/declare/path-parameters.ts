import type { Parameters } from '../../../api/route-path.ts'
import { usage } from '../../../errors.ts'
import type { OptionName, Options } from './options.ts'
import { operationsOf, type Target } from './target.ts'

/** Options that fill an identifier of a path other than the record's own: `{employeeId}` by --employee. */
export function parameterOptions(target: Target): readonly OptionName[] {
  return operationsOf(target).some(({ path }) => path.includes('{employeeId}')) ? ['employee'] : []
}

/** What fills the braces of an operation's path. Throws a usage failure when an option for it is missing. */
export function pathParameters(target: Target, { employee }: Options, id?: string): Parameters {
  if (parameterOptions(target).length > 0 && employee === undefined) {
    throw usage('Whose documents? Name the person with --employee <id>.')
  }
  return { ...(id !== undefined && { id }), ...(employee !== undefined && { employeeId: employee }) }
}
