import type { Context } from '../../../context/context.ts'
import { Failure } from '../../../errors.ts'
import type { JsonObject } from '../../../files/json/path.ts'
import { stringifyJson } from '../../../files/json/stringify.ts'
import { writeFileAtomic } from '../../../files/local/atomic-file.ts'
import { flag, text, type ValuesOf } from '../../../model/fields/field.ts'
import { nounOf } from '../../cli/target.ts'
import { commandLine, targetFlags, type Write } from '../command-line.ts'

/** The answer of a form that was not sent: its draft, null if nothing was answered, or its file. */
export const notSentFields = {
  sent: flag('Sent'),
  draft: text('Id of the draft', { nullable: true, optional: true }),
  file: text('Path of the file', { optional: true }),
}

export type NotSent = ValuesOf<typeof notSentFields>

/** Writes a private file that did not exist, and says which command sends it. `words`: `create`; `update` and the id. */
export async function saveToFile(
  context: Context,
  { target, operation, parameters, words }: Write & { readonly words: readonly string[] },
  body: JsonObject,
  path: string,
): Promise<void> {
  try {
    await writeFileAtomic(path, `${stringifyJson(body, 2)}\n`, false)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // The hint names --force, which does not exist here: a saved record is never overwritten.
    const { hint, ...details } = error.details
    throw new Failure(error.code, error.message, { ...details, outcome: 'not-sent' })
  }
  const flags = await targetFlags(context, target, operation, parameters)
  const command = await commandLine(context, nounOf(operation), ...words, ...flags, '--file', path)
  context.note(`Nothing was sent. To send it: ${command}`)
  const saved: NotSent = { sent: false, file: path }
  await context.output.record(saved)
}
