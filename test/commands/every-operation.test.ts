// @module-tag tables

import { describe, expect, test } from 'vitest'
import { allOperations } from '../../src/api/contract/operations/operations.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { payroll, type Run } from '../payroll.ts'
import type { Received } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

/** How a person calls each operation; `{id}` is the first of the list that the same person would look at. */
const commands: Readonly<Record<string, { argv: string; input?: string; listed?: string }>> = {
  'candidates.create': {
    argv: 'candidates create --incomplete',
    input: '{"generalSetting":{"forename":"Test"}}',
  },
  'candidates.list': { argv: 'candidates list --uk' },
  'candidates.get': { argv: 'candidates get {id}', listed: 'candidates list' },
  'candidates.update': {
    argv: 'candidates update {id} --set generalSetting.city=Leeds',
    listed: 'candidates list',
  },
  'candidates.createIreland': {
    argv: 'candidates create --incomplete --ireland --set generalSetting.forename=Test',
  },
  'candidates.listIreland': { argv: 'candidates list --ireland' },
  'candidates.getIreland': { argv: 'candidates get {id} --ireland', listed: 'candidates list --ireland' },
  'candidates.updateIreland': {
    argv: 'candidates update {id} --ireland --set generalSetting.city=Cork',
    listed: 'candidates list --ireland',
  },
  'paymentRates.create': { argv: 'payment-rates create', input: '{"code":"TEST","hoursPerUnit":1}' },
  'paymentRates.list': { argv: 'payment-rates list' },
  'paymentRates.get': { argv: 'payment-rates get {id}', listed: 'payment-rates list' },
  'paymentRates.update': {
    argv: 'payment-rates update {id} --set description=Test',
    listed: 'payment-rates list',
  },
  'vatCodes.list': { argv: 'vat-codes list' },
  'timesheets.create': { argv: 'timesheets create', input: '{"subcontractorRef":"TEST","rates":[]}' },
  'timesheets.list': { argv: 'timesheets list' },
  'timesheets.get': { argv: 'timesheets get {id}', listed: 'timesheets list' },
  'timesheets.update': { argv: 'timesheets update {id} --set assignmentRef=TEST', listed: 'timesheets list' },
  'payslips.list': { argv: 'payslips list --limit 5' },
  'payslips.listLegacy': { argv: 'payslips list --legacy --limit 5' },
  'documents.create': {
    argv: 'documents create --employee {employee}',
    input: '{"name":"a.txt","content":"QQ=="}',
  },
  'documents.list': { argv: 'documents list --employee {employee}' },
  'documents.get': {
    argv: 'documents get {id} --employee {employee}',
    listed: 'documents list --employee {employee}',
  },
  'documents.update': {
    argv: 'documents update {id} --employee {employee} --set description=Test',
    listed: 'documents list --employee {employee}',
  },
  'documents.delete': {
    argv: 'documents delete {id} --employee {employee} --yes',
    listed: 'documents list --employee {employee}',
  },
  'auth.connectUrl': {
    argv: 'auth connect-url --client-id payroll-cli --redirect-uri http://127.0.0.1:8123/callback',
  },
  // A code that nobody was given: the operation is called, and refused.
  'auth.token': { argv: 'auth token --client-id none', input: 'no-such-code' },
  'oauth.clientInfo': { argv: 'auth client --client-id none' },
}

const refused = ['auth.token', 'oauth.clientInfo']

describe('every operation of the catalogue', () => {
  const runs = new Map<string, { run: Run; last: Received | undefined }>()

  test('has a command', () => {
    expect(Object.keys(commands).sort()).toEqual(allOperations.map(({ id }) => id).sort())
  })

  test('is called by that command with its method and at its path, and answered', async () => {
    const { env, received, home } = await startSandbox({ seeded: true })
    const say = (words: string, input?: string) =>
      payroll(words.split(' '), { home, env, ...(input && { input }) })
    const employee = (await say('candidates list --limit 1')).json()[0].id
    await say(`documents create --employee ${employee}`, '{"name":"kept.txt","content":"QQ=="}')
    for (const operation of allOperations) {
      const { argv = '', input, listed } = commands[operation.id] ?? {}
      const filled = (words: string) => words.replace('{employee}', employee)
      const id = listed && (await say(filled(listed))).json()[0].id
      const run = await say(filled(argv).replace('{id}', id), input)
      // What is read again after an update is not the update.
      const last = received.findLast(({ method }) => method === operation.method)
      runs.set(operation.id, { run, last })
      const path = operation.path.replace('{id}', id).replace('{employeeId}', employee)
      expect([operation.id, last?.method, last?.url.split('?')[0]]).toEqual([
        operation.id,
        operation.method,
        path,
      ])
      expect(last?.headers.authorization).toBe(sandboxKey)
      if (!refused.includes(operation.id))
        expect([operation.id, run.code, run.err]).toEqual([operation.id, 0, run.err])
    }
    expect(runs.size).toBe(27)
  })

  test('is in the OpenAPI document with each name of its query and the kind of its body', async () => {
    const document = (await payroll(['schema', 'openapi'])).json()
    const described = Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))
    for (const [id, { last }] of runs) {
      const { parameters = [], requestBody } = described.find(({ operationId }) => operationId === id)
      const named = parameters.map(({ $ref, name }: any) => $ref?.split('/').at(-1) ?? name)
      const { searchParams } = new URL(last?.url ?? '', 'http://127.0.0.1')
      for (const name of searchParams.keys())
        expect([id, named]).toEqual([id, expect.arrayContaining([name])])
      const type = last?.body === '' ? [] : [last?.headers['content-type']]
      expect([id, Object.keys(requestBody?.content ?? {})]).toEqual([id, type])
      const form = requestBody?.content['application/x-www-form-urlencoded']?.schema.properties
      if (!form) continue
      const sent = [...new URLSearchParams(last?.body).keys()]
      expect(Object.keys(form)).toEqual(expect.arrayContaining(sent))
    }
    const kinds = described.flatMap(({ requestBody }) => Object.keys(requestBody?.content ?? {}))
    expect(kinds.filter((kind) => kind !== 'application/json')).toEqual(['application/x-www-form-urlencoded'])
  })
})
