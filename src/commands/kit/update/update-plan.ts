import type { Context } from '../../../context/context.ts'
import { recordSentBy } from '../../../model/operations/operation.ts'
import type { RecordTarget } from '../../../write/record-write.ts'
import type { Options } from '../../cli/options.ts'
import { pathParameters, type UpdateVerb } from '../../cli/resource-verbs.ts'
import { chooseOperation } from '../../cli/target.ts'
import { lookUpCommand, typedCommand, type Write } from '../command-line.ts'

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
    leftOut: options.allowMissing,
    repeatCommand: (...more) => typedCommand(context, withOptions(context.host.argv, more)),
    lookUpCommand: (...more) => lookUpCommand(context, write, ...more),
  }
}

/** Adds options to a command, before any `--`, because none is read after it. */
function withOptions(words: readonly string[], more: readonly string[]): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  return words.toSpliced(end, 0, ...more)
}
