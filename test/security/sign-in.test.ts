import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addressOn } from '../commands/auth/browser/address-on.ts'
import { firstAnswers, stopForm } from '../commands/drafts/draft-fixture.ts'
import { body, file } from '../commands/targets.ts'
import { atTerminal, freshHome, payroll } from '../payroll.ts'
import { answerJson, type Received, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'
import { shown } from './canaries.ts'

const clientSecret = 'CANARY/secret+"0000'
const code = 'CANARY/code+0000'
const codeInAddress = `code=${encodeURIComponent(code)}`

type Answer = (request: Received, response: ServerResponse) => void

/** Everything that a request holds, said back in an error. */
function quote({ headers, body, url }: Received): string {
  const form = [...new URLSearchParams(body).values()].join(' ')
  return `${headers.authorization} ${form} ${body} ${url}`
}

/** A service that is signed in to, with tokens of its own for each exchange; what it answers can be changed. */
async function consented() {
  const home = freshHome()
  const tokens: string[] = []
  let answerToken: Answer = (_, response) => {
    const [access, refresh] = ['access', 'refresh'].map((kind) => `CANARY/${kind}+${tokens.length}-0000`)
    tokens.push(access ?? '', refresh ?? '')
    answerJson(response, 200, { access_token: access, refresh_token: refresh, expires_in: 3600 })
  }
  let answer: Answer = ({ method, url }, response) =>
    url.startsWith('/svc/oauth/grant-token-url')
      ? answerJson(response, 200, { url: 'https://login.example.com/authorize' })
      : method === 'GET'
        ? answerJson(response, 200, { data: [], totalDocs: 0 })
        : answerJson(response, 201, {})
  const { baseUrl, received } = await service((request, response) =>
    (request.url.startsWith('/svc/oauth/token') ? answerToken : answer)(request, response),
  )
  const settings = join(home, 'config.json')
  await payroll(['profiles', 'set', 'development', '--base-url', baseUrl], { home })
  const [BROWSER, EDITOR, PAGER] = ['browser', 'editor', 'pager'].map((name) => recorder(home, name))
  const env = { PAYROLL_CLIENT_SECRET: clientSecret, BROWSER, EDITOR, PAGER } as Record<string, string>
  const words = ['auth', 'login', '--browser', '--profile', 'development', '--client-id', 'app', '--debug']
  const terminal = atTerminal(words, { home, env })
  const url = await addressOn(terminal.screen)
  const { searchParams } = new URL(url)
  const state = searchParams.get('state') ?? 'none'
  const back = `${searchParams.get('redirect_uri')}?${codeInAddress}&state=${state}`
  const page = await fetch(back)
  const html = (await page.text()) + JSON.stringify([...page.headers])
  expect((await terminal.ended).code).toBe(0)
  const verifier = new URLSearchParams(received.at(-1)?.body).get('code_verifier') ?? 'none'
  const numbered = () => Object.fromEntries(tokens.map((token, at) => [`token ${at}`, token]))
  const secrets = () => ({ clientSecret, code, verifier, state, ...numbered() })
  /** Makes the stored token one that is over. */
  const expire = () => {
    const all = JSON.parse(readFileSync(settings, 'utf8'))
    all.tokens.development.expiresAt = 1
    writeFileSync(settings, JSON.stringify(all))
  }
  return {
    ...{ home, url, html, state, secrets, expire, received, screen: terminal.screen, settings },
    run: (argv: readonly string[], input = '') => payroll([...argv, '--debug'], { home, env, input }),
    onToken: (other: Answer) => {
      answerToken = other
    },
    onOther: (other: Answer) => {
      answer = other
    },
  }
}

/** A program that writes down with what words and in what environment it was started. */
function recorder(home: string, name: string): string {
  const path = join(home, `${name}.sh`)
  writeFileSync(path, `#!/bin/sh\n{ echo "$0 $@"; env; } >> '${join(home, `${name}.seen`)}'\n`)
  chmodSync(path, 0o700)
  return path
}

/** Every file below a folder, with what it holds and its mode. */
function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return { path, text: readFileSync(path, 'latin1'), mode: statSync(path).mode & 0o777 }
    })
}

describe('the secrets of a sign-in', () => {
  test('are neither on the screen nor in the page, but for the state in the address of the browser', async () => {
    const { screen, url, html, secrets } = await consented()
    expect(shown(screen().replaceAll(url, ''), secrets())).toEqual([])
    const { state: _, ...others } = secrets()
    expect(shown(url, others)).toEqual([])
    expect(shown(html, secrets())).toEqual([])
  })

  test('are in no words and no environment of the programs that are started', async () => {
    const { home, run, secrets, onOther } = await consented()
    const { record } = wholeFor(['candidates'], { id: 'c-1', ...body('examples/candidate-uk.json') })
    onOther(({ url }, response) =>
      answerJson(response, 200, url.includes('page=') ? { data: [], totalDocs: 0 } : { data: record }),
    )
    await run(['candidates', 'update', 'c-1', '--edit', '--yes'])
    const seen = filesIn(home).filter(({ path }) => path.endsWith('.seen'))
    expect(seen.map(({ path }) => path.split('/').at(-1)).sort()).toEqual(['browser.seen', 'editor.seen'])
    const { state: _, ...hidden } = secrets()
    for (const { path, text } of seen) expect([path, shown(text, hidden)]).toEqual([path, []])
  })

  test('are in no file but the settings, which are for their owner alone', async () => {
    const { home, settings, run, secrets, expire, onOther } = await consented()
    onOther((request, response) =>
      request.method === 'GET'
        ? answerJson(response, 200, { data: [], totalDocs: 0 })
        : answerJson(response, 422, { message: quote(request) }),
    )
    const starters = file(home, 'starters.csv', readFileSync('examples/starters.csv'))
    expire()
    await run(['candidates', 'import', starters, '--yes'])
    await stopForm(['candidates', 'create', '--incomplete', '--ireland'], { home }, firstAnswers)
    const files = filesIn(home)
    const names = files.map(({ path }) => path.slice(home.length)).join(' ')
    for (const name of ['imports/', 'drafts/', 'rejects', 'config.json']) expect(names).toContain(name)
    for (const { path, text, mode } of files) {
      const { state: _, ...hidden } = secrets()
      const found = shown(text, path.endsWith('.seen') ? hidden : secrets())
      if (path !== settings) expect([path, found]).toEqual([path, []])
      else expect([mode, found]).toEqual([0o600, ['clientSecret', 'token 2', 'token 3']])
    }
  })

  test.each([400, 401, 404, 500])(
    'are on neither stream where the service answers %i and quotes all that it was sent',
    async (status) => {
      const { run, secrets, expire, onToken, onOther } = await consented()
      const refuse: Answer = (request, response) => {
        const message = quote(request)
        answerJson(response, status, { error: 'invalid_request', error_description: message, message })
      }
      const commands = [
        ['vat-codes', 'list'],
        ['payment-rates', 'create', '--set', 'code=NIGHT', '--yes'],
        ['candidates', 'get', 'c-1', '--json'],
        ['auth', 'status', '--json'],
        ['doctor', '--json'],
        ['api', 'GET', '/svc/candidates'],
      ]
      onOther(refuse)
      let quoted = 0
      for (const isTokenRefused of [false, true]) {
        if (isTokenRefused) onToken(refuse)
        for (const words of commands) {
          expire()
          const { out, err } = await run(words)
          expect([words, shown(out + err, secrets())]).toEqual([words, []])
          if ((out + err).includes('[key]')) quoted += 1
        }
      }
      expect(quoted).toBeGreaterThan(0)
    },
  )

  test('are not on standard error where a code is exchanged by hand, whatever becomes of it', async () => {
    const { run, secrets, onToken } = await consented()
    for (const status of [200, 400, 401, 500]) {
      onToken((request, response) => {
        const error = { error: 'invalid_grant', error_description: quote(request) }
        answerJson(response, status, { access_token: 7, ...error })
      })
      const { out, err } = await run(['auth', 'token', '--client-id', 'app', '--json'], code)
      const { code: _, ...others } = secrets()
      expect([status, shown(err, secrets()), shown(out, others)]).toEqual([status, [], []])
    }
  })

  test('are not on standard error where an address that was brought back is exchanged or refused', async () => {
    const { run, secrets, state } = await consented()
    for (const address of [
      `http://127.0.0.1:1/callback?${codeInAddress}&state=${state}`,
      `http://127.0.0.1:1/callback?${codeInAddress}&state=of-another`,
      `http://[${code}`,
      `${code} ${code}`,
    ]) {
      const { err } = await run(['auth', 'token'], address)
      expect([address, shown(err, secrets())]).toEqual([address, []])
    }
  })
})
