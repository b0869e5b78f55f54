import type { Parameters } from '../../api/route-path.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { type Operation, recordSentBy } from '../../model/records/operation.ts'
import type { RecordType } from '../../model/records/record-type.ts'
import type { Options } from './options.ts'
import { type CreateRules, pathParameters } from './resource-verbs.ts'
import { chooseOperation } from './target.ts'

/** A record to create, as the options choose it. */
export interface Creation {
  readonly verb: CreateRules
  readonly options: Options
  readonly operation: Operation
  /** The record that the operation sends. */
  readonly type: RecordType
  readonly parameters: Parameters
  /** The list that shows such records. */
  readonly list: Operation | undefined
  /** The ids of records under its key that a guard saw before it was sent: none of them is the new one. */
  readonly seenBefore: Set<string>
}

/** A creation with the record that is sent. */
export interface ReadyCreation extends Creation {
  readonly body: JsonObject
}

/** The create that a verb and the options stand for: its operation, and the record that it sends. */
export function creationOf(verb: CreateRules, options: Options): Creation {
  const operation = chooseOperation(verb.operation, options)
  return {
    verb,
    options,
    operation,
    type: recordSentBy(operation),
    list: verb.list && chooseOperation(verb.list, options),
    parameters: pathParameters(options),
    seenBefore: new Set(),
  }
}
