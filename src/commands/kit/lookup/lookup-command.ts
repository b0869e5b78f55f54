import type { Operation } from '../../../api/contract/operations/operation.ts'
import type { FieldPaths } from '../../../api/contract/records/record-type.ts'
import type { Parameters } from '../../../api/route-path.ts'
import type { Context } from '../../../context/context.ts'
import { type JsonObject, valueAt } from '../../../json/path.ts'
import type { Creation } from '../declare/create-request.ts'
import type { Target } from '../declare/target.ts'
import { commandLine, nounOf, targetFlags } from './command-line.ts'

/** A write, as far as its record can be found by it. */
export interface Write {
  readonly target: Target
  readonly operation: Operation
  /** With the `id` of the record, where it has one. */
  readonly parameters: Parameters
  /** The fields that a new record is found by, the best first, and what is sent of it. */
  readonly keys?: readonly FieldPaths[]
  readonly body?: JsonObject
}

/** A creation, and the record that it sends, as a write to be looked up. */
export function creationWrite({ verb, operation, parameters }: Creation, body: JsonObject): Write {
  const keys = [...(verb.find ? [verb.find.key] : []), ...(verb.keys ?? [])]
  return { target: verb.operation, operation, parameters, keys, body }
}

/**
 * The command that shows whether a write was applied: the record by its id; else the items of the list that have the first
 * of its own references that was given; else the whole list. `more` options go behind it.
 */
export async function lookupCommand(
  context: Context,
  { target, operation, parameters, keys = [], body = {} }: Write,
  ...more: readonly string[]
): Promise<string> {
  const { id } = parameters
  const verb = id === undefined ? ['list'] : ['get', id]
  const query = id === undefined ? queryOf(keys, body) : []
  const flags = await targetFlags(context, target, operation, parameters)
  return commandLine(context, nounOf(operation), ...verb, ...flags, ...query, ...more)
}

/**
 * Call it before a write is sent: if the run ends after that, its message names the command that shows whether the
 * write was applied. Returns that command.
 */
export async function expectWrite(context: Context, write: Write): Promise<string> {
  const command = await lookupCommand(context, write)
  context.writes.expect(command)
  return command
}

function queryOf(keys: readonly FieldPaths[], body: JsonObject): readonly string[] {
  const given = keys
    .map((paths) => ({ paths, value: valueAt(body, paths.request.split('.')) }))
    // What cannot be seen cannot be copied from a screen, and of backslashes JMESPath has several opinions.
    .find(({ value }) => typeof value === 'string' && value !== '' && !/[\p{C}\\]/u.test(value))
  return given ? ['--json', '--query', queryFor(given.paths, String(given.value))] : []
}

/** The items that have a value in a field, whichever of its two names the list uses. */
function queryFor({ item, request }: FieldPaths, value: string): string {
  const paths = item === request ? [item] : [item, request]
  const text = value.replaceAll("'", "\\'")
  return `[?${paths.map((path) => `${path}=='${text}'`).join(' || ')}]`
}
