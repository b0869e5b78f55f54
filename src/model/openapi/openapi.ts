import { defaults } from '../../defaults.ts'
import type { JsonObject } from '../../files/json/path.ts'
import { capital, wordList } from '../../text/words.ts'
import { countries } from '../countries/countries.ts'
import type { Fields } from '../fields/field.ts'
import { answerType, limits, type Operation } from '../records/operation.ts'
import type { RecordType } from '../records/record-type.ts'
import { allOperations } from '../resources/operations.ts'
import { identifiers } from '../resources/route-correction.ts'
import { sample } from '../standards/sample.ts'
import { recordSchema } from './json-schema.ts'

const description = `Candidates (${wordList(
  countries.map(({ place }) => place),
  'and',
)}), payment rates, timesheets, payslips and documents.

\`x-known\` says how well an operation is known: documented whole, by its method, or by its name alone.
\`x-assumes\` lists what is guessed about it, and \`x-assumed\` marks what is a guess wherever it stands.
No field is required and no value is limited to a set, because neither is shown.`

/** The whole interface as one OpenAPI 3.1 document, with everything assumed marked. */
export function openApi(): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'Payroll candidates, payment rates and related resources', version: '1.0.0', description },
    servers: [server],
    // "Every endpoint needs the Authorization header".
    security: [{ apiKey: [] }],
    tags: tagsOf(),
    paths: openApiPaths(),
    components: componentsOf(),
  }
}

/** The addresses of production and development are not shown; the default is this tool's own sandbox. */
const server: JsonObject = {
  url: '{baseUrl}',
  description: 'The address of your service; `payroll sandbox serve` listens on the default.',
  variables: { baseUrl: { default: `http://127.0.0.1:${defaults.port}` } },
}

function tagsOf(): JsonObject[] {
  const groups = new Set(allOperations.map(({ group }) => group))
  return [...groups].map((name) => {
    const titles = allOperations.filter(({ group }) => group === name).map(({ title }) => title)
    return { name, description: titles.join('; ') }
  })
}

function openApiPaths(): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const operation of allOperations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) }
  }
  return paths
}

function operationObject(operation: Operation): JsonObject {
  const { id, title, group, known, assumes, requestRecord, bodyMembers } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    summary: title,
    description: assumes ? `Assumed, because it is not shown: ${assumes.join('; ')}.` : 'Shown as it is.',
    tags: [group],
    'x-known': known,
    ...(assumes && { 'x-assumes': assumes }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestRecord && { requestBody: requestBody(requestRecord) }),
    ...(bodyMembers && { requestBody: formBody(bodyMembers) }),
    responses: responsesOf(operation),
  }
}

function requestBody(type: RecordType): JsonObject {
  const content = { schema: referenceTo(type), example: sample(type) }
  return { required: true, content: { 'application/json': content } }
}

/** "Endpoint paths, parameters …: not shown", so none is required. */
function formBody(members: readonly string[]): JsonObject {
  const properties = Object.fromEntries(members.map((name) => [name, { type: 'string' }]))
  const content = { schema: { 'x-assumed': true, type: 'object', properties } }
  return { required: true, content: { 'application/x-www-form-urlencoded': content } }
}

function parametersOf({ path, response, query = [] }: Operation): JsonObject[] {
  const schema = { type: 'string' }
  const inPath = identifiers(path).map((name) => ({ name, in: 'path', required: true, schema }))
  const paging = response.kind === 'page' ? ['page', 'size'] : []
  const inQuery = query.map((name) => ({ name, in: 'query', 'x-assumed': true, schema }))
  return [...inPath, ...inQuery, ...paging.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}

function responsesOf(operation: Operation): JsonObject {
  const { known, status, errors = {} } = operation
  const responses = Object.entries(errors).map(([code, description]) => [
    code,
    { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) },
  ])
  const schema = responseSchema(operation)
  const success = {
    description:
      (schema ? 'Done.' : 'Done; there is no body.') +
      (status === undefined ? ' The status is assumed; it is not shown.' : ''),
    ...((known !== 'documented' || status === undefined) && { 'x-assumed': true }),
    ...(schema && { content: jsonContent(schema) }),
  }
  return {
    [status ?? assumedStatus(operation)]: success,
    ...Object.fromEntries(responses),
    default: { $ref: '#/components/responses/Error' },
  }
}

/** assumed: 201 for a create, "201 Created for the create operations shown"; 204 for an operation without an answer. */
function assumedStatus({ id, response }: Operation): number {
  if (response.kind === 'nothing') return 204
  return /\.create/.test(id) ? 201 : 200
}

function responseSchema(operation: Operation): JsonObject | undefined {
  const { response } = operation
  if (response.kind === 'nothing') return undefined
  const record = response.type ? referenceTo(response.type) : { type: 'object' }
  if (response.kind === 'page') return pageOfItems(record)
  // The document does not show what the OAuth operations answer, not even an envelope.
  return response.type ? envelopeOf(operation).reduceRight(envelope, record) : record
}

/** The names that lead to the record. assumed: those of the same resource, or else `data`. */
function envelopeOf({ id }: Operation): readonly string[] {
  const [resource] = id.split('.')
  const enveloped = allOperations.flatMap((other) =>
    other.response.kind === 'one' && other.response.envelope
      ? [{ id: other.id, under: other.response.envelope }]
      : [],
  )
  const sameOperation = enveloped.find((other) => other.id === id)
  return (sameOperation ?? enveloped.find((other) => other.id.split('.')[0] === resource))?.under ?? ['data']
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
function pageOfItems(item: JsonObject): JsonObject {
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

function jsonContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}

/** The names of the schemas: `UKCandidate`, and `UKCandidateAnswer` if the answer has other fields. */
const names: ReadonlyMap<RecordType, string> = nameSchemas()

function nameSchemas(): ReadonlyMap<RecordType, string> {
  const names = new Map<RecordType, string>()
  for (const { requestRecord } of allOperations)
    if (requestRecord) names.set(requestRecord, schemaName(requestRecord))
  const requestNames = new Set(names.values())
  for (const type of allOperations.map(answerType)) {
    if (type && !names.has(type))
      names.set(type, schemaName(type) + (requestNames.has(schemaName(type)) ? 'Answer' : ''))
  }
  return names
}

function referenceTo(type: RecordType): JsonObject {
  return { $ref: `#/components/schemas/${names.get(type)}` }
}

function componentsOf(): JsonObject {
  const places = new Map<Fields, string>(
    [...names].map(([{ fields }, name]) => [fields, `#/components/schemas/${name}`]),
  )
  const answerTypes = new Set(allOperations.map(answerType))
  const schemas = [...names].map(([type, name]) => [
    name,
    recordSchema(type, answerTypes.has(type) ? 'answered' : 'sent', places),
  ])
  return {
    schemas: { ...Object.fromEntries(schemas), Error: error },
    parameters: { page: pageSchema, size },
    responses: { Error: failure },
    securitySchemes: { apiKey },
  }
}

/** `a UK candidate` is `UKCandidate`. */
function schemaName({ displayName }: RecordType): string {
  const words = displayName.split(/[^A-Za-z0-9]+/).slice(1)
  return words.map(capital).join('')
}

const pageSchema: JsonObject = {
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

const failure: JsonObject = {
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
