import type { Context } from '../../../context/context.ts'
import { recordSentBy } from '../../../model/records/operation.ts'
import type { ChangeWriter, RecordTarget } from '../../../write/record-write.ts'
import type { Options } from '../../cli/options.ts'
import { pathParameters, type UpdateRules } from '../../cli/resource-verbs.ts'
import { chooseOperation, nounOf } from '../../cli/target.ts'
import { commandLine, lookUpCommand, placeFlags, typedCommand, withOptions } from '../command-line.ts'

/** A command that changes one record, or one record of many, and what it has said already. Its `Change` has the record. */
export interface WriteSession<W extends ChangeWriter = 'update' | 'undo'> {
  readonly context: Context
  readonly writer: W
  readonly verb: UpdateRules
  readonly options: Options
  /** Topics that were already warned of, so that a run of many records warns once. */
  readonly said: Set<string>
  readonly beforeAsking?: (() => void) | undefined
}

/** The record of this id, as the options choose it. Throws a usage failure for what does not fit together. */
export function recordTarget(
  { context, verb, options }: Pick<WriteSession, 'context' | 'verb' | 'options'>,
  id: string,
): RecordTarget {
  const operation = chooseOperation(verb.operation, options)
  const parameters = pathParameters(options, id)
  const place = { operation, parameters }
  return {
    operation,
    parameters,
    id,
    get: chooseOperation(verb.get, options),
    list: verb.list && chooseOperation(verb.list, options),
    type: recordSentBy(operation),
    allowedMissing: options.allowMissing,
    updateCommand: async (...more) =>
      commandLine(context, nounOf(operation), 'update', id, ...(await placeFlags(context, place)), ...more),
    repeatCommand: (...more) => typedCommand(context, withOptions(context.host.argv, more)),
    lookUpCommand: (...more) => lookUpCommand(context, place, ...more),
  }
}
