import type { Context } from '../../../context/context.ts'
import { recordSentBy } from '../../../model/operations/operation.ts'
import type { RecordTarget } from '../../../write/record-write.ts'
import type { Options } from '../../cli/options.ts'
import { pathParameters, type UpdateVerb } from '../../cli/resource-verbs.ts'
import { chooseOperation } from '../../cli/target.ts'
import { lookUpCommand, typedCommand, updateCommand, type Write, withOptions } from '../command-line.ts'

/** One update: of which record, and how it is read and sent. */
export interface UpdatePlan extends Write, RecordTarget {
  readonly context: Context
}

/** The update that the options choose. Throws a usage failure for what does not fit together. */
export function planUpdate(
  context: Context,
  verb: Pick<UpdateVerb, 'operation' | 'get'>,
  id: string,
  options: Options,
): UpdatePlan {
  const operation = chooseOperation(verb.operation, options)
  const parameters = pathParameters(verb.operation, options, id)
  const write = { target: verb.operation, operation, parameters }
  return {
    ...write,
    context,
    id,
    get: chooseOperation(verb.get, options),
    type: recordSentBy(operation),
    allowedMissing: options.allowMissing,
    updateCommand: (...more) => updateCommand(context, write, ...more),
    repeatCommand: (...more) => typedCommand(context, withOptions(context.host.argv, more)),
    lookUpCommand: (...more) => lookUpCommand(context, write, ...more),
  }
}
