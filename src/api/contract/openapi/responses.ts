import type { JsonObject } from '../../../json/path.ts'
import type { Operation } from '../operations/operation.ts'
import { type Names, referenceTo } from './components.ts'

/** The Responses Object of an operation: success, the errors that the document shows, and any other answer. */
export function responsesOf(
  operation: Operation,
  operations: readonly Operation[],
  names: Names,
): JsonObject {
  const { known, status, errors = {} } = operation
  const shown = Object.entries(errors).map(([code, description]) => [
    code,
    { description, content: json({ $ref: '#/components/schemas/Error' }) },
  ])
  const schema = answerOf(operation, operations, names)
  const success = {
    description:
      (schema ? 'Done.' : 'Done; there is no body.') +
      (status === undefined ? ' The status is assumed; it is not shown.' : ''),
    ...((known !== 'documented' || status === undefined) && { 'x-assumed': true }),
    ...(schema && { content: json(schema) }),
  }
  return {
    [status ?? assumedStatus(operation)]: success,
    ...Object.fromEntries(shown),
    default: { $ref: '#/components/responses/Error' },
  }
}

/** assumed: 201 for a create, "201 Created for the create operations shown"; 204 for an operation without an answer. */
function assumedStatus({ id, response }: Operation): number {
  if (response.kind === 'nothing') return 204
  return /\.create/.test(id) ? 201 : 200
}

function answerOf(
  operation: Operation,
  operations: readonly Operation[],
  names: Names,
): JsonObject | undefined {
  const { response } = operation
  if (response.kind === 'nothing') return undefined
  const record = response.type ? referenceTo(names, response.type) : { type: 'object' }
  if (response.kind === 'page') return pageOf(record)
  // The document does not show what the OAuth operations answer, not even an envelope.
  return response.type ? envelopeOf(operation, operations).reduceRight(envelope, record) : record
}

/**
 * The names that lead to the record.
 * assumed: if no envelope is shown, it is that of the same resource, or else only `data`.
 */
function envelopeOf({ id }: Operation, operations: readonly Operation[]): readonly string[] {
  const [resource] = id.split('.')
  const shown = operations.flatMap((other) =>
    other.response.kind === 'one' && other.response.envelope
      ? [{ id: other.id, under: other.response.envelope }]
      : [],
  )
  const own = shown.find((other) => other.id === id)
  return (own ?? shown.find((other) => other.id.split('.')[0] === resource))?.under ?? ['data']
}

/** "Success responses carry `success: true` in the envelope", each level of it: `{ data: …, success }`. */
function envelope(inside: JsonObject, name: string): JsonObject {
  return {
    type: 'object',
    required: [name, 'success'],
    properties: { [name]: inside, success: { type: 'boolean', examples: [true] } },
  }
}

/** "`{ data: array, totalDocs: integer }`". */
function pageOf(item: JsonObject): JsonObject {
  return {
    type: 'object',
    required: ['data', 'totalDocs'],
    properties: {
      data: { type: 'array', items: item },
      totalDocs: {
        type: 'integer',
        minimum: 0,
        description: 'Total number of items available across all pages.',
        examples: [1],
      },
    },
  }
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}
