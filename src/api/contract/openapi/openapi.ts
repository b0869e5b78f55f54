import type { JsonObject } from '../../../json/path.ts'
import { sample } from '../fields/sample.ts'
import type { Operation } from '../operations/operation.ts'
import { allOperations } from '../operations/operations.ts'
import { identifiers } from '../operations/route-correction.ts'
import type { RecordType } from '../records/record-type.ts'
import { variants } from '../variants.ts'
import { componentsOf, type Names, namesOf, referenceTo } from './components.ts'
import { responsesOf } from './responses.ts'

const description = `Candidates (${variants.map(({ place }) => place).join(' and ')}), payment rates, timesheets, payslips and documents.

\`x-known\` says how well an operation is known: documented whole, by its method, or by its name alone.
\`x-assumes\` lists what is guessed about it, and \`x-assumed\` marks what is a guess wherever it stands.
No field is required and no value is limited to a set, because neither is shown.`

/** The whole interface as one OpenAPI 3.1 document, with everything assumed marked. */
export function openApi(operations: readonly Operation[] = allOperations): JsonObject {
  const names = namesOf(operations)
  return {
    openapi: '3.1.0',
    info: { title: 'Payroll candidates, payment rates and related resources', version: '1.0.0', description },
    servers: [server],
    // "Every endpoint needs the Authorization header".
    security: [{ apiKey: [] }],
    tags: tagsOf(operations),
    paths: pathsOf(operations, names),
    components: componentsOf(operations, names),
  }
}

/** The addresses of production and development are not shown; the default is this tool's own sandbox. */
const server: JsonObject = {
  url: '{baseUrl}',
  description: 'The address of your service; `payroll sandbox serve` listens on the default.',
  variables: { baseUrl: { default: 'http://127.0.0.1:4010' } },
}

/** The groups of interface.md with their operations. */
function tagsOf(operations: readonly Operation[]): JsonObject[] {
  const groups = new Set(operations.map(({ group }) => group))
  return [...groups].map((name) => {
    const titles = operations.filter(({ group }) => group === name).map(({ title }) => title)
    return { name, description: titles.join('; ') }
  })
}

function pathsOf(operations: readonly Operation[], names: Names): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const method = operation.method.toLowerCase()
    paths[operation.path] = {
      ...paths[operation.path],
      [method]: operationObject(operation, operations, names),
    }
  }
  return paths
}

function operationObject(operation: Operation, operations: readonly Operation[], names: Names): JsonObject {
  const { id, title, group, known, assumes, requestRecord, bodyMembers } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: id,
    summary: title,
    tags: [group],
    'x-known': known,
    ...(assumes && { 'x-assumes': assumes }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestRecord && { requestBody: requestBody(requestRecord, names) }),
    ...(bodyMembers && { requestBody: formBody(bodyMembers) }),
    responses: responsesOf(operation, operations, names),
  }
}

function requestBody(type: RecordType, names: Names): JsonObject {
  const content = { schema: referenceTo(names, type), example: sample(type) }
  return { required: true, content: { 'application/json': content } }
}

/** "Endpoint paths, parameters …: not shown", so none is required. */
function formBody(members: readonly string[]): JsonObject {
  const properties = Object.fromEntries(members.map((name) => [name, { type: 'string' }]))
  const content = { schema: { 'x-assumed': true, type: 'object', properties } }
  return { required: true, content: { 'application/x-www-form-urlencoded': content } }
}

function parametersOf({ path, response, query = [] }: Operation): JsonObject[] {
  const inPath = identifiers(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const paging = response.kind === 'page' ? ['page', 'size'] : []
  const inQuery = query.map((name) => ({
    name,
    in: 'query',
    'x-assumed': true,
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery, ...paging.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}
