import { describe, expect, test } from 'vitest'
import { freshSandbox } from '../fresh-sandbox.ts'
import { asked, decide } from './flow.ts'

describe('Get url to connect the system', () => {
  test("answers the consent page on the sandbox's own origin", async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('GET', '/svc/oauth/grant-token-url')
    expect(status).toBe(200)
    expect(json).toStrictEqual({
      data: { url: 'http://localhost/oauth/authorize?response_type=code' },
      success: true,
    })
  })

  test('hands on what the client asks for, and nothing else', async () => {
    const sandbox = await freshSandbox()
    const { response_type, ...query } = asked
    const path = `/svc/oauth/grant-token-url?${new URLSearchParams({ ...query, next: 'https://evil.test' })}`
    const url = new URL((await sandbox.call('GET', path)).json.data.url)
    expect(url.origin + url.pathname).toBe('http://localhost/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual(asked)
    expect((await sandbox.app.request(url.href)).status).toBe(200)
    const told = (await decide(sandbox, 'allow', Object.fromEntries(url.searchParams) as typeof asked)).told
    expect(told.state).toBe(asked.state)
  })
})

describe('Get OAuth client info for the consent screen', () => {
  const path = '/svc/oauth/client-info'

  test('answers the name of a client and where it is answered', async () => {
    const { call } = await freshSandbox()
    const { status, json } = await call('GET', `${path}?client_id=payroll-cli`)
    expect(status).toBe(200)
    expect(json).toStrictEqual({
      data: {
        clientId: 'payroll-cli',
        name: 'Payroll command line',
        redirectUris: ['http://127.0.0.1/callback'],
      },
      success: true,
    })
  })

  test('answers 404 for a client that is not there and 400 without an id', async () => {
    const { call } = await freshSandbox()
    expect((await call('GET', `${path}?client_id=unknown`)).status).toBe(404)
    const { status, json } = await call('GET', path)
    expect([status, json.error.details[0].path]).toEqual([400, 'client_id'])
  })
})
