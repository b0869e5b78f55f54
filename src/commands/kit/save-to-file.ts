import type { Parameters } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { stringifyJson } from '../../files/json/stringify.ts'
import { writeFileAtomic } from '../../files/local/atomic-file.ts'
import { flag, text, type ValuesOf } from '../../model/fields/field.ts'
import type { Operation } from '../../model/operations/operation.ts'
import { nounOf, type Target } from '../cli/target.ts'
import { commandLine, targetFlags } from './command-line.ts'

interface SavedCommand {
  readonly target: Target
  readonly operation: Operation
  readonly parameters: Parameters
  /** `create`; `update` and the identifier. */
  readonly verb: readonly string[]
}

/** The answer of a form that was not sent: the id of its draft, null where nothing was answered; or the file. */
export const notSentFields = {
  sent: flag('Sent'),
  draft: text('Id of the draft', { nullable: true, optional: true }),
  file: text('Path of the file', { optional: true }),
}

export type NotSent = ValuesOf<typeof notSentFields>

/**
 * Writes a private file, and says which command sends it. Throws a usage failure where it exists
 * already.
 */
export async function saveToFile(
  context: Context,
  { target, operation, parameters, verb }: SavedCommand,
  body: JsonObject,
  path: string,
): Promise<void> {
  try {
    await writeFileAtomic(path, `${stringifyJson(body, 2)}\n`, false)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // There is no --force here: a saved record is never overwritten.
    const { hint, ...details } = error.details
    throw new Failure(error.code, error.message, { ...details, outcome: 'not-sent' })
  }
  const words = [
    nounOf(operation),
    ...verb,
    ...(await targetFlags(context, target, operation, parameters)),
    '--file',
    path,
  ]
  context.note(`Nothing was sent. To send it: ${await commandLine(context, ...words)}`)
  const saved: NotSent = { sent: false, file: path }
  await context.output.record(saved)
}
