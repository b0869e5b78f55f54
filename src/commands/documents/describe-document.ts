import type { Parameters } from '../../api/route-path.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { countries } from '../../model/countries/countries.ts'
import { candidate } from '../../model/countries/uk/candidate.ts'
import { describeRecord } from '../../model/mapping/record-name.ts'
import type { Operation } from '../../model/operations/operation.ts'
import { candidatesByCountry, operations } from '../../model/operations/operations.ts'
import { idText } from '../../model/records/identity.ts'
import type { Options } from '../cli/options.ts'
import { pathParameters } from '../cli/resource-verbs.ts'

const { documents } = operations

/**
 * `passport.pdf of Aoife Ní Shampla (IE-1042, Ireland)`; undefined where it cannot be read. Throws exit 5
 * where it does not exist.
 */
export async function describeDocument(
  context: Context,
  id: string,
  options: Options,
): Promise<string | undefined> {
  const parameters = pathParameters(documents.delete, options, id)
  const document = await readIfShown(context, documents.get, parameters, ['not-found', 'invalid-response'])
  if (!document) return undefined
  const called = idText(document.name)
  if (called !== undefined) context.writes.names.set(id, called)
  const name = called ?? `the document ${id}`
  return `${name} of ${await describePerson(context, options)}`
}

/**
 * The end of the question before an upload: `upload passport.pdf for Aoife Ní Shampla (IE-1042, Ireland)`.
 */
export async function describeUpload(context: Context, body: JsonObject, options: Options): Promise<string> {
  const name = idText(body.name) ?? 'a document'
  return `upload ${name} for ${await describePerson(context, options)}`
}

/** `Aoife Ní Shampla (IE-1042, Ireland)`; only the id of a person whom the service does not show. */
async function describePerson(context: Context, { employee = '' }: Options): Promise<string> {
  for (const { id, place } of countries) {
    const { get } = candidatesByCountry[id]
    const person = await readIfShown(context, get, { id: employee }, ['invalid-response'])
    if (person) return describeRecord(candidate, person, employee, place)
  }
  return `the person with the id ${employee}`
}

/**
 * Reads a record; undefined when it cannot be read, so that the question names less. Throws failures whose
 * code is `fatal`.
 */
async function readIfShown(
  context: Context,
  operation: Operation,
  parameters: Parameters,
  fatal: readonly Failure['code'][],
): Promise<JsonObject | undefined> {
  const client = await context.client()
  try {
    return (await client.call(operation, { parameters })).record
  } catch (error) {
    if (error instanceof Failure && !fatal.includes(error.code)) return undefined
    throw error
  }
}
