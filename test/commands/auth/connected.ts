import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, freshHome, payroll } from '../../payroll.ts'
import { loopback } from '../targets.ts'
import { addressOn } from './browser/address-on.ts'

/** The client application that a new sandbox knows. */
export const application = ['--client-id', 'payroll-cli', '--redirect-uri', 'http://127.0.0.1:8123/callback']

/** A stored profile of a sandbox on 127.0.0.1, as a person has one. */
export async function connected() {
  const { baseUrl, requests } = await loopback()
  const home = freshHome()
  const path = join(home, 'config.json')
  const login = asTyped`auth login --profile development --base-url ${baseUrl}`
  await payroll(login, { home, input: sandboxKey })
  const run = (words: readonly string[], input = '') => payroll(words, { home, input })
  const settings = () => JSON.parse(readFileSync(path, 'utf8'))
  const change = (by: (settings: any) => void) => {
    const all = settings()
    by(all)
    writeFileSync(path, JSON.stringify(all))
  }
  return { run, home, baseUrl, requests, settings, change }
}

/** What a person does in a browser: opens the page and decides. Gives the address that the browser is sent to. */
export async function consent(url: string, decision = 'allow'): Promise<string> {
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
  form.set('decision', decision)
  const { origin, pathname } = new URL(url)
  const headers = { cookie, origin, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(origin + pathname, { method: 'POST', body: form, redirect: 'manual', headers })
  return answer.headers.get('location') ?? ''
}

export const codeIn = (address: string) => new URL(address).searchParams.get('code') ?? ''

/** A profile with a key and a token that came from a consent. */
export async function signedIn() {
  const at = await connected()
  const words = asTyped`auth login --browser --profile development --client-id payroll-cli`
  const terminal = atTerminal(words, { home: at.home, env: { BROWSER: 'none' } })
  await fetch(await consent(await addressOn(terminal.screen)))
  return { ...at, done: await terminal.ended }
}
