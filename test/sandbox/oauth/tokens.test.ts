import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { resetDatabase } from '../../../src/sandbox/database/database.ts'
import { freshSandbox } from '../fresh-sandbox.ts'
import { asked, askToken, decide, exchange, refresh, statusWith, tokens, verifier } from './flow.ts'

const invalidGrant = { status: 400, json: { error: 'invalid_grant' } }

describe('the exchange of a code', () => {
  test('answers a bearer token and a refresh token', async () => {
    const sandbox = await freshSandbox()
    const { told } = await decide(sandbox, 'allow')
    const { status, json } = await askToken(sandbox, exchange(told.code))
    expect(status).toBe(200)
    const token = expect.stringMatching(/^[\w-]{43}$/)
    const kind = { token_type: 'Bearer', expires_in: 3600 }
    expect(json).toStrictEqual({ access_token: token, ...kind, refresh_token: token })
    expect(json.access_token).not.toBe(json.refresh_token)
  })

  test.each([
    ['another verifier', { code_verifier: `${verifier.slice(0, -1)}j` }],
    ['the challenge as the verifier', { code_verifier: asked.code_challenge }],
    ['a verifier that is too short', { code_verifier: 'short' }],
    ['another port', { redirect_uri: 'http://127.0.0.1:50124/callback' }],
    ['another address', { redirect_uri: 'http://127.0.0.1/callback' }],
    ['a code that nobody was given', { code: 'x'.repeat(43) }],
  ])('is refused with %s, and the code stays good', async (_what, changed) => {
    const sandbox = await freshSandbox()
    const { told } = await decide(sandbox, 'allow')
    const { status, json, text } = await askToken(sandbox, { ...exchange(told.code), ...changed })
    expect({ status, json }).toMatchObject(invalidGrant)
    for (const value of Object.values(changed)) expect(text).not.toContain(value)
    expect((await askToken(sandbox, exchange(told.code))).status).toBe(200)
  })

  test('is good for a minute and no longer', async () => {
    const sandbox = await freshSandbox()
    const early = await decide(sandbox, 'allow')
    // The exchange reads the clock one second later.
    sandbox.pass(58)
    expect((await askToken(sandbox, exchange(early.told.code))).status).toBe(200)
    const late = await decide(sandbox, 'allow')
    sandbox.pass(59)
    expect(await askToken(sandbox, exchange(late.told.code))).toMatchObject(invalidGrant)
  })

  test.each([
    ['unsupported_grant_type', { grant_type: 'password' }],
    ['unsupported_grant_type', { grant_type: 'client_credentials' }],
    ['invalid_request', { grant_type: undefined }],
    ['invalid_request', { client_id: undefined }],
    ['invalid_client', { client_id: 'unknown' }],
    ['invalid_request', { code: undefined }],
    ['invalid_request', { code: ['x'] }],
    ['invalid_request', { code_verifier: undefined }],
    ['invalid_request', { code_verifier: '' }],
    ['invalid_request', { redirect_uri: undefined }],
    ['invalid_request', { grant_type: 'refresh_token', refresh_token: 7 }],
  ])('answers %s for %j', async (error, changed) => {
    const sandbox = await freshSandbox()
    const { told } = await decide(sandbox, 'allow')
    const { status, json } = await askToken(sandbox, { ...exchange(told.code), ...changed })
    expect(status).toBe(400)
    expect(json).toStrictEqual({ error, error_description: expect.any(String) })
  })
})

describe('a refresh', () => {
  test('is refused a second time, as the exchange of a code is', async () => {
    const sandbox = await freshSandbox()
    const { code, refresh_token } = await tokens(sandbox)
    expect(await askToken(sandbox, exchange(code))).toMatchObject(invalidGrant)
    expect((await askToken(sandbox, refresh(refresh_token))).status).toBe(200)
    expect(await askToken(sandbox, refresh(refresh_token))).toMatchObject(invalidGrant)
  })

  test('is refused after thirty days', async () => {
    const sandbox = await freshSandbox()
    const { refresh_token } = await tokens(sandbox)
    sandbox.pass(30 * 24 * 60 * 60)
    expect(await askToken(sandbox, refresh(refresh_token))).toMatchObject(invalidGrant)
  })

  test('takes no access token and no code', async () => {
    const sandbox = await freshSandbox()
    const { access_token, code } = await tokens(sandbox)
    for (const secret of [access_token, code, sandboxKey]) {
      expect(await askToken(sandbox, refresh(secret))).toMatchObject(invalidGrant)
    }
  })
})

describe('an access token', () => {
  test('is refused an hour later, when it is changed, and with anything else around it', async () => {
    const sandbox = await freshSandbox()
    const { access_token } = await tokens(sandbox)
    const wrong = [`Basic ${access_token}`, `Bearer${access_token}`, `${access_token}x`, 'Bearer ', 'Bearer']
    for (const header of wrong) expect([header, await statusWith(sandbox, header)]).toEqual([header, 401])
    sandbox.pass(3600)
    expect(await statusWith(sandbox, access_token)).toBe(401)
  })

  test('is no refresh token and no code', async () => {
    const sandbox = await freshSandbox()
    const { told } = await decide(sandbox, 'allow')
    expect(await statusWith(sandbox, `Bearer ${told.code}`)).toBe(401)
    const { refresh_token } = (await askToken(sandbox, exchange(told.code))).json
    expect(await statusWith(sandbox, refresh_token)).toBe(401)
  })

  test('is forgotten when the sandbox is reset', async () => {
    const sandbox = await freshSandbox()
    const { access_token } = await tokens(sandbox)
    resetDatabase(sandbox.database)
    expect(await statusWith(sandbox, access_token)).toBe(401)
  })

  test('is nowhere in the file, nor is a code or a refresh token', async () => {
    const sandbox = await freshSandbox()
    const { code, access_token, refresh_token } = await tokens(sandbox)
    const files = await Promise.all(['', '-wal'].map((end) => readFile(sandbox.file + end, 'latin1')))
    const kept = files.join('')
    expect(kept).toContain('oauth_tokens')
    expect(kept).toContain(asked.code_challenge)
    for (const secret of [code, access_token, refresh_token]) expect(kept).not.toContain(secret)
  })
})
