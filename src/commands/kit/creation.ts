import type { Operation } from '../../api/contract/operation.ts'
import type { RecordType } from '../../api/contract/record.ts'
import type { Parameters } from '../../api/route.ts'
import type { CreateVerb } from './create.ts'
import type { Options } from './options.ts'
import { parametersOf } from './parameters.ts'
import { operationOf } from './variant.ts'

/** What is to be created, as the options choose it. */
export interface Creation {
  readonly verb: CreateVerb
  readonly options: Options
  readonly operation: Operation
  /** What the operation sends. */
  readonly type: RecordType
  readonly parameters: Parameters
}

export function creationOf(verb: CreateVerb, options: Options): Creation {
  const operation = operationOf(verb.operation, options)
  const { sends: type } = operation
  if (!type) throw new TypeError(`${operation.id} sends nothing`)
  return { verb, options, operation, type, parameters: parametersOf(verb.operation, options) }
}
