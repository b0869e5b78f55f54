import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
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
  expect((await fetch(url)).status).toBe(200)
  const headers = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' }
  const body = new URLSearchParams({ decision })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual', headers })
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
