// @module-tag process

import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Operation } from '../../src/model/records/operation.ts'
import { operationById } from '../../src/model/resources/operations.ts'
import { everyOperation, operationOf } from '../every-operation.ts'
import { freshHome, payroll } from '../payroll.ts'

/** In a folder of its own: among the packages of the tool it would change which of their versions are bundled. */
const prism = fileURLToPath(
  new URL('../../node_modules/.mock-server/node_modules/.bin/prism', import.meta.url),
)

/** A mock server on a free port of 127.0.0.1 that knows nothing but the document, and what it has heard. Gone after the test. */
async function mockServer(file: string) {
  const child = spawn(process.execPath, [prism, 'mock', '--host', '127.0.0.1', '--port', '0', file])
  onTestFinished(() => void child.kill())
  let said = ''
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk
      const [, address] = /listening on (http:\S+)/.exec(said) ?? []
      if (address) resolve(address)
    })
    child.on('close', () => reject(new Error(`the mock server ended:\n${said}`)))
  })
  const forget = () => {
    said = ''
  }
  /** The operations that it says it was asked for, which may take it a moment. */
  const heard = () => {
    const requests = [...said.matchAll(/\[HTTP SERVER\] (\w+) (\S+) .*Request received/g)]
    return requests.map(([line, method = '', path = '']) => operationOf(method, path) ?? line)
  }
  return { baseUrl, heard, forget }
}

/** interface.md shows nothing of what these answer, so the mock server answers nothing: an answer that cannot be read, or a write that nobody confirmed. */
const answersNothing: Readonly<Record<string, number>> = {
  'auth.connectUrl': 10,
  'auth.token': 8,
  'oauth.clientInfo': 10,
}

/**
 * What the commands hold back, because a mock server cannot know better: an account number `string` is taken for a mask, hours per
 * unit are no number, a record without an id may be another one, and nobody on its list has an id that is one person's alone.
 */
const byHand: Readonly<Record<string, object>> = {
  'candidates.update': { generalSetting: { forename: 'Ann', surname: 'Sample' } },
  'candidates.updateIreland': { generalSetting: { forename: 'Ann', surname: 'Sample' } },
  'paymentRates.update': { code: 'STD', description: 'Better' },
  'timesheets.update': { subcontractorRef: 'OLD-001', startDate: '2026-11-23' },
  'documents.list': {},
  'documents.update': { name: 'p60.txt' },
}

test.skipIf(!existsSync(prism))(
  'a mock server made from the OpenAPI document answers each operation (skipped without prism: npm install --prefix node_modules/.mock-server @stoplight/prism-cli@5.14.2)',
  async () => {
    const file = join(freshHome(), 'openapi.json')
    writeFileSync(file, (await payroll(['schema', 'openapi'])).out)
    const { baseUrl, heard, forget } = await mockServer(file)
    const env = {
      PAYROLL_BASE_URL: baseUrl,
      PAYROLL_API_KEY: 'CANARYkey0000',
      PAYROLL_EMPTY_FIELDS: 'left-out',
    }
    // Every text of its records is "string".
    const person = '00000000-0000-4000-8000-000000000000'
    const ids = { person, uk: 'string', ireland: 'string', rate: 'string', vat: 'string', sheet: 'string' }
    for (const { operation, words, input } of everyOperation({
      ...ids,
      document: 'string',
      text: 'string',
    })) {
      const { method, path } = operationById(operation) as Operation
      const body = byHand[operation]
      const api = ['api', method, path.replace(/\{\w+\}/g, 'string'), '--yes']
      // Somebody on its list has the reference "string" already.
      const same = operation.startsWith('candidates.create') ? ['--same-person'] : []
      const [argv, given] = body
        ? [method === 'GET' ? api : [...api, '--file', '-'], JSON.stringify(body)]
        : [[...words, ...same], input]
      forget()
      const run = await payroll(argv, { env, ...(given !== undefined && { input: given }) })
      expect(run.code, `${operation}: ${run.err}`).toBe(answersNothing[operation] ?? 0)
      await vi.waitFor(() => expect(heard()).toContain(operation), 10_000)
    }
    // A created person whom it answers under another reference is not the one who was sent.
    const create = ['candidates', 'create', '--ireland', '--file', 'examples/candidate-ireland.json', '--yes']
    expect((await payroll(create, { env })).code).toBe(8)
    // It holds each request against the document: one that is not in it is refused.
    const headers = { authorization: 'CANARYkey0000', 'content-type': 'application/json' }
    const body = JSON.stringify({ generalSetting: { DOB: 'yesterday' } })
    const url = `${baseUrl}/svc/candidates`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(422)
    expect((await fetch(`${url}?size=101`, { headers })).status).toBe(422)
    expect((await fetch(url)).status).toBe(401)
  },
)
