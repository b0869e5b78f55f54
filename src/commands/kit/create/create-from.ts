import { existsSync } from 'node:fs'
import { readWholeRecord } from '../../../api/whole-record.ts'
import type { Context } from '../../../context/context.ts'
import { Failure, usage } from '../../../errors.ts'
import { hasNoValue, type JsonObject, valueAt, withValueAt } from '../../../files/json/path.ts'
import { leafFields } from '../../../model/fields/field-tree.ts'
import { plural } from '../../../text/words.ts'
import type { Creation } from '../../cli/create-request.ts'
import { pathParameters } from '../../cli/resource-verbs.ts'
import { chooseOperation } from '../../cli/target.ts'
import { lookUpCommand } from '../command-line.ts'
import type { FoundRecord } from '../find/named-record.ts'
import { withRecord } from '../find/with-record.ts'
import { asNewRecord, givenRecord } from '../input.ts'

/** The record to start from: a JSON file, or what may be shared with another record. Throws exit 3 for no JSON. */
export async function copyFrom(context: Context, creation: Creation): Promise<JsonObject> {
  const { from = '' } = creation.options
  // A file's values are checked later, together with --set or before the form opens.
  if (isFile(from))
    return asNewRecord(context, creation.type, await givenRecord(context, { file: from })) as JsonObject
  return copyOf(context, creation, from)
}

/** Texts that are surely a file: a path that starts as no reference does, or a name that ends in `.json`. */
const surelyFile = /^(?:\.{0,2}[/\\]|[a-z]:[/\\])|\.json$/i

/** Whether a text names a file. A reference may be AC/001, too; `reference:AC/001` never names a file. */
function isFile(text: string): boolean {
  if (/^(?:id|reference):/.test(text)) return false
  return surelyFile.test(text) || (/[./\\]/.test(text) && existsSync(text))
}

async function copyOf(context: Context, creation: Creation, word: string): Promise<JsonObject> {
  const { verb, type, options } = creation
  const { copies, list } = verb
  if (!copies) throw usage('--from copies nothing here.')
  const client = await context.client()
  const target = copies.operation
  const named = { target, list, typed: word, options, writes: true, option: '--from' }
  const read = async ({ id, options: chosen }: FoundRecord) => {
    const parameters = pathParameters(chosen, id)
    const whole = await readWholeRecord(client, { get: chooseOperation(target, chosen), type, parameters })
    return { ...whole, id, parameters }
  }
  const { id, parameters, body, misfits } = await withRecord(context, named, read)
  if (misfits.length > 0) {
    const command = await lookUpCommand(context, { operation: creation.operation, parameters }, '--json')
    throw new Failure('invalid-response', `The record ${id} came back in a form that cannot be copied.`, {
      outcome: 'not-sent',
      issues: misfits,
      hint: `To see what it returned: ${command}`,
    })
  }
  const copied = leafFields(type.fields).filter(({ path, field }) => {
    const inSection = !copies.sections || (field.section && copies.sections.includes(field.section))
    return inSection && !copies.without.includes(path) && !hasNoValue(valueAt(body, path))
  })
  context.note(
    `Copied from ${id}: ${plural(copied.length, 'field')}. What belongs only to that record was left out.`,
  )
  return copied.reduce<JsonObject>((copy, { path }) => {
    const segments = path.split('.')
    return withValueAt(copy, segments, valueAt(body, segments)) as JsonObject
  }, {})
}
