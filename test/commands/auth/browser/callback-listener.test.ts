import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listenForCallback } from '../../../../src/commands/auth/callback.ts'

async function listening() {
  const listener = await listenForCallback({ port: 0, path: '/callback' }, 'b')
  onTestFinished(listener.close)
  return listener
}

/** The status and the page of one request, with any Host. */
function ask(url: string, { method = 'GET', headers = {} } = {}) {
  return new Promise<{ status?: number | undefined; headers: object; page: string }>((resolve, reject) => {
    const asked = request(url, { method, headers }, async (response) => {
      const page = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode, headers: response.headers, page })
    })
    asked.on('error', reject).end()
  })
}

describe('the listener for the answer of the browser', () => {
  test('takes one answer, and no second one', async () => {
    const { redirectUri, answered } = await listening()
    const [first, second] = [`${redirectUri}?code=a&state=b`, `${redirectUri}?code=c&state=b`]
    expect((await ask(first)).status).toBe(200)
    expect((await answered).href).toBe(first)
    expect((await ask(second)).status).toBe(404)
    expect((await answered).href).toBe(first)
  })

  test.each([
    ['another path', '/favicon.ico?code=a', {}],
    ['another method', '/callback?code=a&state=b', { method: 'POST' }],
    ['a name that leads here', '/callback?code=a&state=b', { headers: { host: 'evil.example.com' } }],
    ['no parameter of an answer', '/callback?x=1', {}],
  ])('goes on waiting after a request with %s', async (_, path, options) => {
    const { redirectUri, answered } = await listening()
    const { origin } = new URL(redirectUri)
    expect((await ask(origin + path, options)).status).toBe(404)
    expect((await ask(`${redirectUri}?error=access_denied&state=b`)).status).toBe(200)
    expect((await answered).href).toContain('access_denied')
  })

  test.each(['state=a', 'code=a', 'error=access_denied', 'state=a&state=b'])(
    'goes on waiting after an answer to another sign-in: %s',
    async (query) => {
      const { redirectUri, answered } = await listening()
      const page = expect.stringContaining('It goes on waiting')
      expect(await ask(`${redirectUri}?${query}`)).toMatchObject({ status: 404, page })
      expect((await ask(`${redirectUri}?code=c&state=b`)).status).toBe(200)
      expect((await answered).href).toContain('code=c')
    },
  )

  test('repeats nothing of a request in its page, which nothing may frame, keep or run a script in', async () => {
    const { redirectUri } = await listening()
    const { page, headers } = await ask(`${redirectUri}?code=CANARY&state=%3Cscript%3E&error=%3Cb%3E`)
    expect(page).not.toMatch(/CANARY|<script|<b>/)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('listens on 127.0.0.1 alone, and no more once it is closed', async () => {
    const { redirectUri, close } = await listening()
    expect(new URL(redirectUri).hostname).toBe('127.0.0.1')
    await close()
    await expect(ask(redirectUri)).rejects.toThrow('ECONNREFUSED')
  })
})
