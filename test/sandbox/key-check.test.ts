import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../src/sandbox/create-sandbox.ts'
import { freshSandbox, read } from './fresh-sandbox.ts'

describe('the key check', () => {
  test.each([
    undefined,
    '',
    'wrong',
    `${sandboxKey}x`,
    sandboxKey.slice(0, -1),
    `Bearer ${sandboxKey}`,
    'SANDBOX-KEY',
  ])('answers 401 to the Authorization header %j', async (key) => {
    const { app } = await freshSandbox()
    const headers: Record<string, string> = key === undefined ? {} : { authorization: key }
    const { status, json } = await read(await app.request('/svc/candidates', { headers }))
    expect(status).toBe(401)
    expect(json).toStrictEqual({
      success: false,
      error: { code: 'UNAUTHORIZED', message: expect.any(String) },
    })
  })

  test('asks for the key before it says whether a path exists', async () => {
    const { app, call } = await freshSandbox()
    expect((await app.request('/svc/nothing')).status).toBe(401)
    expect(await call('GET', '/svc/nothing')).toMatchObject({
      status: 404,
      json: { success: false, error: { code: 'NOT_FOUND' } },
    })
    expect((await call('DELETE', '/svc/payment-rate')).status).toBe(404)
  })
})
