import { sections } from '../api/contract/fields/field.ts'
import { leafFields } from '../api/contract/fields/field-tree.ts'
import { mapRecord } from '../api/contract/mapping/map-record.ts'
import type { Creation } from '../cli/create-request.ts'
import { pathParameters } from '../cli/resource-verbs.ts'
import { chooseOperation, type Target } from '../cli/target.ts'
import type { Context } from '../context/context.ts'
import { Failure, usage } from '../errors.ts'
import { plural } from '../formats/words.ts'
import { type JsonObject, valueAt, withValueAt } from '../json/path.ts'
import { lookupCommand } from './command-line.ts'
import { asNewRecord, givenRecord } from './input.ts'
import { withReference } from './with-reference.ts'

/**
 * The body that `--from` starts from: a JSON file, or of the record with that id what another one can
 * have too. Throws a Failure: exit 2 beside `--file`, exit 3 for a file that holds no JSON, and as a read does.
 */
export async function copyFrom(
  context: Context,
  creation: Creation,
  list: Target | undefined,
): Promise<JsonObject> {
  const { from = '', file } = creation.options
  if (file !== undefined) throw usage('--from and --file cannot be combined.')
  if (!isFileName(from)) return copyOf(context, creation, from, list)
  // What it holds is checked with --set on top, or before the form opens.
  return asNewRecord(context, creation.type, await givenRecord(context, { file: from })) as JsonObject
}

/** No identifier of the service has a slash, and hardly one a dot. */
const isFileName = (text: string) => /[./\\]/.test(text)

async function copyOf(
  context: Context,
  creation: Creation,
  typed: string,
  list: Target | undefined,
): Promise<JsonObject> {
  const { verb, type, options } = creation
  const { copies } = verb
  if (!copies) throw usage('Nothing can be copied by its id here: --from takes only a JSON file.')
  const client = await context.client()
  const about = {
    target: copies.operation,
    list,
    id: typed,
    options,
    anyCountry: false,
    writes: false,
    option: '--from',
  }
  const { id, parameters, record } = await withReference(context, about, async (known, chosen) => {
    const parameters = pathParameters(verb.operation, chosen, known)
    const record = await client.record(chooseOperation(copies.operation, chosen), { parameters })
    return { id: known, parameters, record: record ?? {} }
  })
  const { body: whole, misfits } = mapRecord(type, record)
  if (misfits.length > 0) {
    const original = { target: verb.operation, operation: creation.operation, parameters }
    const look = await lookupCommand(context, original, '--json')
    throw new Failure('invalid-response', `The record ${id} came back in a form that cannot be copied.`, {
      outcome: 'not-sent',
      issues: misfits,
      hint: `To see what it returned: ${look}`,
    })
  }
  const taken = leafFields(type.fields).filter(({ path, field }) => {
    const inSection = !copies.sections || (field.section && copies.sections.includes(field.section))
    return inSection && !copies.without.includes(path) && isThere(valueAt(whole, path.split('.')))
  })
  const titles = new Set(taken.map(({ field }) => field.section).filter((section) => section !== undefined))
  const from = [...titles].map((section) => sections[section]).join('; ')
  context.note(
    `Copied from ${id}: ${plural(taken.length, 'field')}${from && ` (${from})`}. What belongs only to that record was left out.`,
  )
  return taken.reduce<JsonObject>((body, { path }) => {
    const segments = path.split('.')
    return withValueAt(body, segments, valueAt(whole, segments)) as JsonObject
  }, {})
}

const isThere = (value: unknown) => value !== undefined && value !== null && value !== ''
