import type { Operation } from '../../../api/contract/operations/operation.ts'
import type { RecordType } from '../../../api/contract/records/record-type.ts'
import type { Context } from '../../../context/context.ts'
import type { Options } from '../declare/options.ts'
import { pathParameters } from '../declare/path-parameters.ts'
import type { UpdateVerb } from '../declare/resource-verbs.ts'
import { chooseOperation } from '../declare/target.ts'
import { lookupCommand, type Write } from '../lookup/lookup-command.ts'

/** One update: of which record, and how it is read and sent. */
export interface UpdatePlan extends Write {
  readonly context: Context
  readonly id: string
  readonly reads: Operation
  /** The record as it is sent. */
  readonly type: RecordType
  /** The command that shows the record, with more options where they are given. */
  readonly look: (...options: readonly string[]) => Promise<string>
}

/** The update that the options choose. Throws a usage failure for what does not fit together. */
export function planUpdate(context: Context, verb: UpdateVerb, id: string, options: Options): UpdatePlan {
  const operation = chooseOperation(verb.operation, options)
  const { requestRecord } = operation
  if (!requestRecord) throw new TypeError(`${operation.id} sends nothing`)
  const parameters = pathParameters(verb.operation, options, id)
  const write = { target: verb.operation, operation, parameters }
  return {
    ...write,
    context,
    id,
    reads: chooseOperation(verb.reads, options),
    type: requestRecord,
    look: (...more) => lookupCommand(context, write, ...more),
  }
}
