import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/sandbox/database.ts'
import { sandboxKey } from '../../src/sandbox/key.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/serve.ts'
import { freshHome, payroll } from '../payroll.ts'

const application = ['--client-id', 'payroll-cli', '--redirect-uri', 'http://127.0.0.1:8123/callback']

/** A stored profile of a sandbox on 127.0.0.1, as a person has one. */
async function connected() {
  const home = freshHome()
  const database = await openDatabase(join(home, 'service.db'))
  const app = createSandbox({ database, key: sandboxKey, now: () => Date.now() })
  const served = await serveSandbox({ app, port: 0 })
  onTestFinished(served.close)
  await payroll(['auth', 'login', '--profile', 'development', '--base-url', served.baseUrl], {
    home,
    input: sandboxKey,
  })
  const run = (words: string[], input = '') => payroll(words, { home, input })
  return { run, home }
}

/** What a person does in a browser: opens the page and says yes. Gives the code that the redirect carries. */
async function consent(url: string): Promise<string> {
  const page = await fetch(url)
  const cookie = page.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const form = new URLSearchParams()
  for (const [, name = '', value = ''] of (await page.text()).matchAll(
    /<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g,
  )) {
    form.set(name, value.replaceAll('&amp;', '&'))
  }
  form.set('decision', 'allow')
  const origin = new URL(url).origin
  const answer = await fetch(url.split('?')[0] ?? '', {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { cookie, origin, 'sec-fetch-site': 'same-origin' },
  })
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

describe('connecting a system', () => {
  test('goes from the address over the consent to a token that the service accepts, and refreshes', async () => {
    const { run } = await connected()
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    const code = await consent(url)
    const token = await run(['auth', 'token'], `${code}\n`)
    expect([token.code, token.json()]).toEqual([0, expect.objectContaining({ token_type: 'Bearer' })])
    const refreshed = await run(
      ['auth', 'token', '--refresh', '--client-id', 'payroll-cli', '--store'],
      token.json().refresh_token,
    )
    expect([refreshed.code, refreshed.json()]).toMatchObject([0, { stored: true, profile: 'development' }])
    expect(refreshed.out).not.toContain(token.json().access_token)
    expect((await run(['auth', 'status'])).json()).toMatchObject({ accepted: true })
  })

  test('uses its verifier once', async () => {
    const { run } = await connected()
    const { url } = (await run(['auth', 'connect-url', ...application])).json()
    const code = await consent(url)
    await run(['auth', 'token'], code)
    const again = await run(['auth', 'token', ...application], code)
    expect(again.code).toBe(6)
  })

  test('makes a new challenge and a new state each time', async () => {
    const { run } = await connected()
    const first = new URL((await run(['auth', 'connect-url', ...application])).json().url).searchParams
    const second = new URL((await run(['auth', 'connect-url', ...application])).json().url).searchParams
    for (const name of ['code_challenge', 'state']) expect(first.get(name)).not.toBe(second.get(name))
    expect(first.get('code_challenge_method')).toBe('S256')
  })
})

describe('auth client', () => {
  test('shows what the consent screen says', async () => {
    const { run } = await connected()
    expect((await run(['auth', 'client', '--client-id', 'payroll-cli'])).json()).toMatchObject({
      clientId: 'payroll-cli',
    })
  })

  test('asks which application', async () => {
    const { run } = await connected()
    expect((await run(['auth', 'client'])).code).toBe(2)
  })
})
