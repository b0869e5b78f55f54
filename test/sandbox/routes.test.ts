import { describe, expect, it } from 'vitest'
import { operations } from '../../src/api/contract/operations.ts'
import { freshSandbox } from './fresh-sandbox.ts'

describe('the routes', () => {
  it('are the paths and methods of the contract', async () => {
    const { app } = await freshSandbox()
    const own = app.routes
      .filter(({ path }) => path.startsWith('/svc'))
      .map(({ method, path }) => `${method} ${path}`)
    const { candidates, paymentRates, vatCodes } = operations
    const expected = [candidates, paymentRates, vatCodes].flatMap((verbs) =>
      Object.values(verbs).map(({ method, path }) => `${method} ${path.replace('{id}', ':id')}`),
    )
    expect(own.sort()).toEqual(expected.sort())
  })

  it('answer 500 without a word of the cause when the sandbox itself fails', async () => {
    const { call, database } = await freshSandbox()
    database.close()
    const { status, json } = await call('POST', '/svc/candidates', { generalSetting: { surname: 'Sample' } })
    expect(status).toBe(500)
    expect(json).toStrictEqual({
      success: false,
      error: { code: 'SERVER_ERROR', message: 'The sandbox failed' },
    })
  })
})
