// @module-tag process

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { allOperations } from '../../src/model/resources/operations.ts'
import { everyField } from '../every-field.ts'
import { documentText, readDocument } from '../interface/read/interface.ts'
import { freshHome, payroll } from '../payroll.ts'
import { freshSandbox } from '../sandbox/fresh-sandbox.ts'

const shown = readDocument(documentText)

/** The document that the command prints, and the operations in it. */
async function openApi() {
  const run = await payroll(['schema', 'openapi'])
  expect([run.code, run.err]).toEqual([0, ''])
  const document = run.json()
  const operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
  return { document, operations, text: run.out }
}

const redocly = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url))

describe('the OpenAPI document', () => {
  test('has the operations of interface.md, each with what is shown of it', async () => {
    const { operations } = await openApi()
    expect(operations).toHaveLength(allOperations.length)
    for (const { name, group, known, method, path, status } of shown.operations) {
      const operation = operations.find(
        ({ summary, tags: [tag] }) =>
          summary.replace(' the documents ', ' a document ') === name && tag === group,
      )
      expect(operation).toMatchObject({
        'x-known': known,
        ...(method && { method: method.toLowerCase() }),
        ...(path && { path }),
        ...(status && { responses: { [status]: {} } }),
      })
    }
  })

  test('marks every guess: routes, answers and errors', async () => {
    const { document, operations } = await openApi()
    for (const operation of operations) {
      const guessed = operation['x-known'] !== 'documented'
      expect(operation['x-assumes'] !== undefined).toBe(guessed)
      const [success] = Object.entries<any>(operation.responses).find(([status]) => /^2/.test(status)) ?? []
      if (guessed) expect(operation.responses[success ?? '']).toMatchObject({ 'x-assumed': true })
      expect(operation.responses.default).toEqual({ $ref: '#/components/responses/Error' })
    }
    expect(document.components.responses.Error).toMatchObject({ 'x-assumed': true })
    const assumed = Object.entries<any>(document.components.schemas).filter(([, each]) => each['x-assumed'])
    const names = assumed.map(([name]) => name)
    const some = ['UKCandidateAnswer', 'Timesheet', 'Document', 'Payslip', 'Error']
    expect(names).toEqual(expect.arrayContaining(some))
    expect(
      names.filter((name) => /^(UKCandidate|IrishCandidate.*|PaymentRate.*|VATCode)$/.test(name)),
    ).toEqual([])
  })

  test('has an assumed id in each record that is answered and of which no field is shown, and none in a documented request', async () => {
    const { schemas } = (await openApi()).document.components
    for (const name of ['Timesheet', 'Document'])
      expect(schemas[name].properties.id).toMatchObject({ 'x-assumed': true })
    expect(schemas.UKCandidate.properties).not.toHaveProperty('id')
  })

  test('has the errors that are documented, where they are documented', async () => {
    const { operations } = await openApi()
    const errors = operations.flatMap(({ summary: operation, responses }) =>
      Object.entries<any>(responses)
        .filter(([status]) => /^[45]/.test(status))
        .map(([status, { description: name }]) => ({ status: Number(status), name, operation })),
    )
    expect(errors).toEqual(shown.errors)
  })

  test('limits pages as the document does, on the lists and nowhere else', async () => {
    const { document, operations } = await openApi()
    const { page, size } = document.components.parameters
    const { defaultPage, defaultSize, maximumSize } = shown.limits
    expect(page.schema.default).toBe(defaultPage)
    expect(size.schema).toMatchObject({ default: defaultSize, maximum: maximumSize })
    for (const { operationId, parameters } of operations)
      expect([operationId, /parameters\/size/.test(JSON.stringify(parameters ?? []))]).toEqual([
        operationId,
        /\.list/.test(operationId),
      ])
  })

  test('asks for the key in the Authorization header, and names no host but this machine', async () => {
    const { document, text } = await openApi()
    expect(document.security).toEqual([{ apiKey: [] }])
    expect(document.components.securitySchemes.apiKey).toMatchObject({ in: 'header', name: 'Authorization' })
    expect(new Set(text.match(/https?:\/\/[^"/\s]+/g))).toEqual(new Set(['http://127.0.0.1:4010']))
  })

  test.each([
    ['candidates.createIreland', ['data', 'candidate', 'IrishCandidateAnswer']],
    ['candidates.get', ['data', 'candidate', 'UKCandidateAnswer']],
    ['paymentRates.create', ['data', 'PaymentRateAnswer']],
    ['paymentRates.get', ['data', 'PaymentRateAnswer']],
    ['timesheets.get', ['data', 'Timesheet']],
    ['oauth.clientInfo', []],
  ])('puts a record in the envelope shown for its resource, else in data: %s', async (id, path) => {
    const { operations } = await openApi()
    const { responses } = operations.find(({ operationId }) => operationId === id) ?? {}
    const { content } = responses[200] ?? responses[201]
    expect(envelopes(content['application/json'].schema)).toEqual(path)
  })

  test('describes the answers of the sandbox, envelopes and all', async () => {
    const { document } = await openApi()
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'openapi')
    const faults = (path: string, method: string, status: number, body: unknown) => {
      const place = ['paths', path, method, 'responses', `${status}`, 'content', 'application/json', 'schema']
      const pointer = place.map((each) => each.replaceAll('/', '~1')).join('/')
      const valid = ajv.getSchema(`openapi#/${encodeURI(pointer)}`)
      return valid?.(body) === true ? [] : (valid?.errors ?? ['no schema'])
    }
    const { call } = await freshSandbox()
    const candidates = '/svc/candidates/ireland'
    const created = await call('POST', candidates, everyField('ireland'))
    expect(faults(candidates, 'post', created.status, created.json)).toEqual([])
    expect(faults(candidates, 'post', created.status, created.json.data)).not.toEqual([])
    const { id } = created.json.data.candidate
    const got = await call('GET', `${candidates}/${id}`)
    expect(faults(`${candidates}/{id}`, 'get', got.status, got.json)).toEqual([])
    const listed = await call('GET', `${candidates}?page=1&size=1`)
    expect(faults(candidates, 'get', listed.status, listed.json)).toEqual([])
    expect(faults(candidates, 'get', listed.status, { ...listed.json, totalDocs: '1' })).not.toEqual([])
    const refused = await call('POST', candidates, '{')
    expect(faults(candidates, 'post', refused.status, refused.json)).toEqual([])
  })

  test('is clean under a public linter', async () => {
    // Only one operation has documented errors, and nobody has licensed the service.
    const skipped = ['--skip-rule=operation-4xx-response', '--skip-rule=info-license']
    const file = join(freshHome(), 'openapi.json')
    writeFileSync(file, (await openApi()).text)
    const argv = [redocly, 'lint', file, '--format=json', ...skipped]
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', env })
    const { totals, problems } = JSON.parse(stdout || stderr)
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })
})

/** The names that lead to what is not an envelope, and its own; throws where a level does not carry success. */
function envelopes({ $ref, properties }: any): string[] {
  if ($ref) return [$ref.split('/').at(-1)]
  if (!properties) return []
  const { success, ...inside } = properties
  if (success?.type !== 'boolean') throw new Error('an envelope without success')
  return Object.entries(inside).flatMap(([name, schema]) => [name, ...envelopes(schema)])
}
