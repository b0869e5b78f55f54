import { describe, expect, test } from 'vitest'
import { otherCountries } from '../../src/model/countries/countries.ts'
import type { Operation } from '../../src/model/records/operation.ts'
import { allOperations, operations } from '../../src/model/resources/operations.ts'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { seed } from '../../src/sandbox/seed.ts'
import { freshSandbox, read } from './fresh-sandbox.ts'

/** A seeded sandbox, and the path of an operation that leads to something in it: one is created where the seed has none. */
async function seededSandbox() {
  const { database, now, ...sandbox } = await freshSandbox()
  seed(database, { now })
  const { candidates, paymentRates, timesheets, documents } = database.tables
  const employee = candidates.all('uk')[0]?.id ?? ''
  const ids: Record<string, string | undefined> = {
    candidates: employee,
    ...Object.fromEntries(otherCountries.map(({ id }) => [id, candidates.all(id)[0]?.id])),
    'payment-rate': paymentRates.all('')[0]?.id,
    'time-sheets': timesheets.all('')[0]?.id,
    documents: documents.all(employee)[0]?.id,
  }
  const pathOf = async ({ path, id }: Operation) => {
    const collection = path.split('/').at(-2) ?? ''
    if (path.endsWith('/{id}') && ids[collection] === undefined)
      ids[collection] = (await sandbox.call('POST', path.replace('/{id}', ''), {})).json.data?.id
    const query = id === operations.oauth.clientInfo.id ? '?client_id=payroll-cli' : ''
    return path.replace('{employeeId}', employee).replace('{id}', ids[collection] ?? 'none') + query
  }
  return { ...sandbox, pathOf }
}

describe('the routes', () => {
  test('are the paths and methods of the contract', async () => {
    const { app } = await freshSandbox()
    const own = app.routes
      .filter(({ path }) => path.startsWith('/svc'))
      .map(({ method, path }) => `${method} ${path}`)
    const expected = allOperations.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`)
    expect(own.sort()).toEqual(expected.sort())
  })

  test('refuse each operation without the key, and answer it with the key', async () => {
    const { app, call, pathOf } = await seededSandbox()
    for (const operation of allOperations) {
      const { id, method } = operation
      const path = await pathOf(operation)
      const refused = await app.request(path, { method })
      const { status, json } = await call(method, path, /^P/.test(method) ? {} : undefined)
      // A token is not granted for an empty body; nothing else is required.
      const isGood = operation === operations.auth.token ? json.error === 'invalid_request' : status < 300
      expect([id, refused.status, isGood]).toEqual([id, 401, true])
    }
  })

  test.each([
    ...[
      undefined,
      '',
      'wrong',
      `${sandboxKey}x`,
      sandboxKey.slice(0, -1),
      `Bearer ${sandboxKey}`,
      'SANDBOX-KEY',
    ],
  ])('answer 401 to the Authorization header %j', async (key) => {
    const { app } = await freshSandbox()
    const headers: Record<string, string> = key === undefined ? {} : { authorization: key }
    const { status, json } = await read(await app.request('/svc/candidates', { headers }))
    const error = { code: 'UNAUTHORIZED', message: expect.any(String) }
    expect([status, json]).toStrictEqual([401, { success: false, error }])
  })

  test('ask for the key before they say whether a path exists', async () => {
    const { app, call } = await freshSandbox()
    expect((await app.request('/svc/nothing')).status).toBe(401)
    const missing = { status: 404, json: { success: false, error: { code: 'NOT_FOUND' } } }
    expect(await call('GET', '/svc/nothing')).toMatchObject(missing)
    expect((await call('DELETE', '/svc/payment-rate')).status).toBe(404)
  })

  test('answer 500 without a word of the cause when the sandbox itself fails', async () => {
    const { call, database } = await freshSandbox()
    database.close()
    const { status, json } = await call('POST', '/svc/candidates', { generalSetting: { surname: 'Sample' } })
    const error = { code: 'SERVER_ERROR', message: 'The sandbox failed' }
    expect([status, json]).toStrictEqual([500, { success: false, error }])
  })
})
