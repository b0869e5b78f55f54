import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../../src/sandbox/sandbox-key.ts'
import { atTerminal, freshHome, keys, payroll } from '../../../payroll.ts'
import { faulty } from '../../../sandbox/faults/faulty-sandbox.ts'
import { tokens } from '../../../sandbox/oauth/flow.ts'
import { consent } from '../connected.ts'
import { addressOn } from './address-on.ts'

/** A stored profile of a sandbox that goes wrong as it is told, and how to sign in to it. */
async function goingWrong(...faults: string[]) {
  const sandbox = await faulty(...faults)
  const home = freshHome()
  const path = join(home, 'config.json')
  const { baseUrl } = sandbox
  await payroll(['auth', 'login', '--profile', 'development', '--base-url', baseUrl], { home, input: sandboxKey })
  const settings = () => JSON.parse(readFileSync(path, 'utf8'))
  const begin = (...words: string[]) =>
    atTerminal(['auth', 'login', '--browser', '--client-id', 'payroll-cli', '--debug', ...words], {
      home,
      env: { BROWSER: 'none' },
    })
  /** A token of a consent, which is over. */
  const signedIn = async () => {
    const { access_token: access, refresh_token: refresh } = await tokens(sandbox)
    const acme = { origin: baseUrl, access, refresh, clientId: 'payroll-cli', expiresAt: 1 }
    writeFileSync(path, JSON.stringify({ ...settings(), tokens: { development: acme } }), { mode: 0o600 })
  }
  const run = (...argv: string[]) => payroll(argv, { home })
  return { ...sandbox, begin, run, settings, signedIn }
}

/** The text of a screen on one line. */
const flat = (text: string) => text.replace(/\s+/g, ' ')
const tokenRequests = (text: string) => text.match(/> POST \/svc\/oauth\/token/g)?.length ?? 0

describe('a sign-in at a sandbox whose consent page answers with a wrong state', () => {
  test.each(['by the browser', 'pasted'])('is refused, %s: exit 4, nothing sent, nothing stored', async (way) => {
    const { begin, settings } = await goingWrong('wrong-state')
    const terminal = begin()
    const back = await consent(await addressOn(terminal.screen))
    expect(new URL(back).searchParams.get('state')).toBe('of-another-sign-in')
    if (way === 'pasted') await terminal.type('', `${back}${keys.enter}`)
    else expect((await fetch(back)).status).toBe(400)
    expect((await terminal.ended).code).toBe(4)
    expect(flat(terminal.screen())).toContain('XX')
    expect(tokenRequests(terminal.screen())).toBe(0)
    expect(settings().tokens).toBeUndefined()
  })
})

describe('a sign-in whose token request goes wrong', () => {
  test.each([
    ['slow', 'XX', 4],
    ['stall-before-headers', 'XX', 4],
    ['stall-before-commit', 'XX', 4],
    ['reset-after-commit', 'XX', 4],
    ['close-before-commit', 'XX', 4],
    ['status=503', 'XX', 4],
    ['status=401', 'XX', 4],
    ['no-body', 'XX', 4],
    ['html', 'XX', 4],
    ['bad-json', 'XX', 4],
    ['redirect=307', 'XX', 4],
  ])('because of %s is asked for once and stores nothing', async (fault, says, code) => {
    const { begin, settings } = await goingWrong(`${fault}@auth.token`)
    const terminal = begin('--timeout', '2')
    await fetch(await consent(await addressOn(terminal.screen)))
    const ended = await terminal.ended
    console.log(fault, ended.code, flat(terminal.screen()).slice(-600))
    expect(tokenRequests(terminal.screen())).toBe(1)
    expect(settings().tokens).toBeUndefined()
  })
})

describe('a refresh at a sandbox that goes wrong', () => {
  test.each(['reset-after-commit', 'close-after-commit', 'stall-before-headers', 'slow', 'no-body', 'status=500-after-commit', 'status=503'])('by %s', async (fault) => {
    const { run, signedIn, settings } = await goingWrong(`${fault}=first:1@auth.token`)
    await signedIn()
    const lost = await run('vat-codes', 'list', '--debug', '--timeout', '2')
    console.log(fault, lost.code, lost.err)
    const again = await run('vat-codes', 'list', '--debug')
    console.log(fault, again.code, again.err)
    expect(tokenRequests(lost.err)).toBe(1)
    expect(settings().tokens.development.refreshing).toBeDefined()
  })
})
