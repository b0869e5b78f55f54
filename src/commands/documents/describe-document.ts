import { candidate } from '../../api/contract/countries/uk/candidate/candidate-uk.ts'
import type { Operation } from '../../api/contract/operations/operation.ts'
import { operations } from '../../api/contract/operations/operations.ts'
import { idOf } from '../../api/contract/records/identity.ts'
import type { Context } from '../../context/context.ts'
import { Failure } from '../../errors.ts'
import type { JsonObject } from '../../json/path.ts'
import type { Options } from '../kit/declare/options.ts'
import { pathParameters } from '../kit/declare/path-parameters.ts'
import { describeRecord } from '../kit/lookup/describe-record.ts'

const { documents, candidates } = operations

/**
 * "passport.pdf of Aoife Ní Shampla (IE-1042)"; undefined when the document cannot be read. Throws the Failure
 * (exit 10) of a response that is for another record.
 */
export async function describeDocument(
  context: Context,
  id: string,
  options: Options,
): Promise<string | undefined> {
  const document = await readIfThere(context, documents.get, pathParameters(documents.delete, options, id))
  if (!document) return undefined
  const name = idOf({ id: document.name }) ?? `the document ${id}`
  const employee = options.employee ?? ''
  for (const operation of Object.values(candidates).filter(({ id }) => id.startsWith('candidates.get'))) {
    const person = await readIfThere(context, operation, { id: employee })
    if (person) return `${name} of ${describeRecord(candidate, person, employee)}`
  }
  return name
}

/** A record; undefined when this service does not return it: the question then names the id. */
async function readIfThere(
  context: Context,
  operation: Operation,
  parameters: Readonly<Record<string, string>>,
): Promise<JsonObject | undefined> {
  const client = await context.client()
  return client.record(operation, { parameters }).catch((error: unknown) => {
    if (error instanceof Failure && error.code !== 'invalid-response') return undefined
    throw error
  })
}
