// @module-tag tables

import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/model/records/operation.ts'
import { operationById } from '../../src/model/resources/operations.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { everyOperation } from '../every-operation.ts'
import { payroll, type Run } from '../payroll.ts'
import type { Received } from '../service.ts'
import { startSandbox } from '../start-sandbox.ts'

/** The sandbox has no such code, and no such application: the operation is called, and refused. */
const refused = ['auth.token', 'oauth.clientInfo']

describe('every operation of the catalogue', () => {
  const runs = new Map<string, { run: Run; last: Received | undefined }>()

  test('is called by its command with its method and at its path, and answered', async () => {
    const { env, received, home } = await startSandbox({ seeded: true })
    const say = (words: readonly string[], input?: string) =>
      payroll(words, { home, env, ...(input !== undefined && { input }) })
    const firstOf = async (words: string): Promise<string> =>
      (await say([...words.split(' '), '--limit', '1', '--json'])).json()[0].id
    const person = await firstOf('candidates list --uk')
    await say(['documents', 'create', person], '{"name":"kept.txt","content":"QQ=="}')
    const known = {
      ...{ person, uk: person, ireland: await firstOf('candidates list --ireland') },
      ...{ rate: await firstOf('payment-rates list'), vat: await firstOf('vat-codes list') },
      ...{ sheet: await firstOf('timesheets list'), document: await firstOf(`documents list ${person}`) },
    }
    for (const { operation: name, words, input } of everyOperation(known)) {
      const { method, path } = operationById(name) as Operation
      const run = await say(words, input)
      // What is read again after an update is not the update.
      const last = received.findLast((each) => each.method === method)
      runs.set(name, { run, last })
      const id = words.find((word) => Object.values(known).includes(word)) ?? ''
      const at = path.replace('{employeeId}', person).replace('{id}', id)
      expect([name, last?.method, last?.url.split('?')[0]]).toEqual([name, method, at])
      expect(last?.headers.authorization).toBe(sandboxKey)
      if (!refused.includes(name)) expect([name, run.code, run.err]).toEqual([name, 0, run.err])
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
