import type { JsonObject } from '../../../json/path.ts'
import type { Fields } from '../fields/field.ts'
import { limits } from '../operations/limits.ts'
import type { Operation } from '../operations/operation.ts'
import type { RecordType } from '../records/record-type.ts'
import { recordSchema } from './json-schema.ts'

/** Schema names by record type. */
export type Names = ReadonlyMap<RecordType, string>

/**
 * Names the records of these operations: `UKCandidate`, and `UKCandidateAnswer` if the answer has other fields.
 */
export function namesOf(operations: readonly Operation[]): Names {
  const names = new Map<RecordType, string>()
  for (const { requestRecord } of operations)
    if (requestRecord) names.set(requestRecord, nameOf(requestRecord))
  const sent = new Set(names.values())
  for (const { response } of operations) {
    const type = response.kind === 'nothing' ? undefined : response.type
    if (type && !names.has(type)) names.set(type, nameOf(type) + (sent.has(nameOf(type)) ? 'Answer' : ''))
  }
  return names
}

/** A pointer to the schema of a record. */
export function referenceTo(names: Names, type: RecordType): JsonObject {
  return { $ref: `#/components/schemas/${names.get(type)}` }
}

/** The schemas, parameters and responses that the operations share. */
export function componentsOf(operations: readonly Operation[], names: Names): JsonObject {
  const places = new Map<Fields, string>(
    [...names].map(([{ fields }, name]) => [fields, `#/components/schemas/${name}`]),
  )
  const sent = new Set(operations.map(({ requestRecord }) => requestRecord))
  const schemas = [...names].map(([type, name]) => [
    name,
    recordSchema(type, sent.has(type) ? 'sent' : 'answered', places),
  ])
  return {
    schemas: { ...Object.fromEntries(schemas), Error: error },
    parameters: { page, size },
    responses: { Error: failed },
    securitySchemes: { apiKey },
  }
}

/** "a UK candidate" is `UKCandidate`. */
function nameOf({ displayName }: RecordType): string {
  const words = displayName.split(/[^A-Za-z0-9]+/).slice(1)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const page: JsonObject = {
  name: 'page',
  in: 'query',
  description: 'Page number to fetch.',
  schema: { type: 'integer', minimum: 1, default: limits.defaultPage },
}

const size: JsonObject = {
  name: 'size',
  in: 'query',
  description: 'Items per page.',
  schema: { type: 'integer', minimum: 1, maximum: limits.maximumSize, default: limits.defaultSize },
}

const error: JsonObject = {
  description: 'The form of an error, its codes included, is assumed; none is shown.',
  'x-assumed': true,
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    error: {
      anyOf: [
        {
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' }, details: {} },
        },
        { type: 'string' },
      ],
    },
  },
}

const failed: JsonObject = {
  description: 'Any other answer: the operation failed. Its statuses are not shown.',
  'x-assumed': true,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** "Requests carry the header `Authorization` with an API key value". */
const apiKey: JsonObject = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'The key itself, without a scheme in front of it.',
}
