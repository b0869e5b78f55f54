// @module-tag tables

import { describe, expect, test } from 'vitest'
import { allOperations } from '../../src/model/operations/operations.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { payroll, type Run } from '../payroll.ts'
import type { Received } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'
import { application } from './auth/connected.ts'

/** How a person calls each operation, and what is piped into it. */
const commands: Readonly<Record<string, readonly [words: string, input?: string]>> = {
  'candidates.create': ['candidates create --incomplete', '{"generalSetting":{"forename":"Test"}}'],
  'candidates.list': ['candidates list --uk'],
  'candidates.get': ['candidates get {id}'],
  'candidates.update': ['candidates update {id} --set generalSetting.city=Leeds'],
  'candidates.createIreland': ['candidates create --incomplete --ireland --set forename=Test'],
  'candidates.listIreland': ['candidates list --ireland'],
  'candidates.getIreland': ['candidates get {id} --ireland'],
  'candidates.updateIreland': ['candidates update {id} --ireland --set generalSetting.city=Cork'],
  'paymentRates.create': ['payment-rates create', '{"code":"TEST","hoursPerUnit":1}'],
  'paymentRates.list': ['payment-rates list'],
  'paymentRates.get': ['payment-rates get {id}'],
  'paymentRates.update': ['payment-rates update {id} --set description=Test'],
  'vatCodes.list': ['vat-codes list'],
  'timesheets.create': ['timesheets create', '{"subcontractorRef":"TEST","rates":[]}'],
  'timesheets.list': ['timesheets list'],
  'timesheets.get': ['timesheets get {id}'],
  'timesheets.update': ['timesheets update {id} --set assignmentRef=TEST'],
  'payslips.list': ['payslips list --limit 5'],
  'payslips.listLegacy': ['payslips list --legacy --limit 5'],
  'documents.create': ['documents create --employee {employee}', '{"name":"a.txt","content":"QQ=="}'],
  'documents.list': ['documents list --employee {employee}'],
  'documents.get': ['documents get {id} --employee {employee}'],
  'documents.update': ['documents update {id} --employee {employee} --set description=Test'],
  'documents.delete': ['documents delete {id} --employee {employee} --yes'],
  'auth.connectUrl': [`auth connect-url ${application.join(' ')}`],
  // A code that nobody was given: the operation is called, and refused.
  'auth.token': ['auth token --client-id none', 'no-such-code'],
  'oauth.clientInfo': ['auth client --client-id none'],
}

/** The list in which the record of a command is found: `{id}` is the first of it. */
const listOf = (words: string) =>
  words.replace(/ (get|update|delete) \{id\}/, ' list').replace(/ --(set .*|yes)$/, '')

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
      const [typed = '', input] = commands[operation.id] ?? []
      const words = typed.replace('{employee}', employee)
      const id = words.includes('{id}') ? (await say(listOf(words))).json()[0].id : ''
      const run = await say(words.replace('{id}', id), input)
      // What is read again after an update is not the update.
      const last = received.findLast(({ method }) => method === operation.method)
      runs.set(operation.id, { run, last })
      const path = operation.path.replace('{id}', id).replace('{employeeId}', employee)
      const called = [operation.id, last?.method, last?.url.split('?')[0]]
      expect(called).toEqual([operation.id, operation.method, path])
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
