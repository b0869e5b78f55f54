import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, freshHome, keys, payroll } from '../../../payroll.ts'
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
  await payroll(asTyped`auth login --profile development --base-url ${baseUrl}`, {
    home,
    input: sandboxKey,
  })
  const settings = () => JSON.parse(readFileSync(path, 'utf8'))
  const begin = (...words: string[]) =>
    atTerminal(asTyped`auth login --browser --client-id payroll-cli --debug ${words}`, {
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
  test.each(['by the browser', 'pasted'])(
    'is refused, %s: exit 4, nothing sent, nothing stored',
    async (way) => {
      const { begin, settings } = await goingWrong('wrong-state')
      const terminal = begin('--timeout', '1')
      const back = await consent(await addressOn(terminal.screen))
      expect(new URL(back).searchParams.get('state')).toBe('of-another-sign-in')
      if (way === 'pasted') await terminal.type('', `${back}${keys.enter}`)
      else expect((await fetch(back)).status).toBe(400)
      expect((await terminal.ended).code).toBe(4)
      if (way === 'by the browser')
        expect(flat(terminal.screen())).toContain(
          'No answer came from the browser within 1 second. What came belonged to another sign-in (its state differs), and was refused. Nothing was stored.',
        )
      else
        expect(flat(terminal.screen())).toContain(
          'This address does not belong to the sign-in that you began (its state differs): it may come from another person. Nothing was stored. To begin a new sign-in: payroll auth login --browser --profile development --client-id payroll-cli',
        )
      expect(tokenRequests(terminal.screen())).toBe(0)
      expect(settings().tokens).toBeUndefined()
    },
  )
})

describe('a sign-in whose token request goes wrong', () => {
  test.each([
    ['slow', 4, 'The whole answer did not arrive in time (200). The code may be used up.'],
    ['no-body', 4, 'The service answered 200 without a body. The code may be used up.'],
    ['stall-before-headers', 4, 'The service did not answer in time. The code may be used up.'],
    [
      'reset-after-commit',
      4,
      'The connection was lost before the whole answer arrived. The code may be used up.',
    ],
    ['status=503', 4, 'The service answered 503: The sandbox was told to fail. The code may be used up.'],
    ['status=401', 4, 'The service refused the client application or the key (401)'],
    ['html', 4, 'The answer is a web page'],
    ['redirect=307', 4, 'The service answered 307, a redirect to http://localhost'],
  ])(
    'a sign-in whose token request goes wrong because of %s is asked for once, and stores nothing: exit %i',
    async (fault, code, says) => {
      const { begin, settings } = await goingWrong(`${fault}@auth.token`)
      const terminal = begin('--timeout', '1')
      await fetch(await consent(await addressOn(terminal.screen)))
      expect((await terminal.ended).code).toBe(code)
      const screen = flat(terminal.screen())
      expect(screen).toContain(`The code was not exchanged. ${says}`)
      expect(screen).toContain('Nothing was stored.')
      expect(screen).toContain('payroll auth login --browser --profile development --client-id payroll-cli')
      expect(tokenRequests(screen)).toBe(1)
      expect(settings().tokens).toBeUndefined()
    },
  )

  test('a sign-in whose token request goes wrong because auth.connectUrl answers no address, or not at all, does not begin', async () => {
    for (const [fault, code] of [
      ['no-body', 10],
      ['status=503', 7],
    ] as const) {
      const { begin, settings } = await goingWrong(`${fault}@auth.connectUrl`)
      expect([fault, (await begin().ended).code]).toEqual([fault, code])
      expect(settings().tokens).toBeUndefined()
    }
  })
})

describe('a refresh at a sandbox that goes wrong', () => {
  test.each(['reset-after-commit', 'stall-before-headers', 'slow', 'no-body', 'status=500-after-commit'])(
    'a refresh at a sandbox that goes wrong by %s says to sign in again, and does not send the old token twice',
    async (fault) => {
      const { run, signedIn, settings } = await goingWrong(`${fault}=first:1@auth.token`)
      await signedIn()
      const before = settings().tokens.development
      const requests: number[] = []
      for (let time = 0; time < 2; time++) {
        const lost = await run('vat-codes', 'list', '--debug', '--timeout', '1')
        expect([lost.code, flat(lost.err)]).toEqual([
          4,
          expect.stringContaining(
            'is not sent a second time. Sign in again: payroll auth login --browser --profile development',
          ),
        ])
        requests.push(tokenRequests(lost.err))
      }
      expect(requests).toEqual([1, 0])
      expect(settings().tokens.development).toEqual({ ...before, refreshing: expect.any(Number) })
    },
  )

  test('a refresh at a sandbox that goes wrong by a refresh token that was used before says to sign in again, once', async () => {
    const { run, signedIn, call, settings } = await goingWrong()
    await signedIn()
    const { refresh: refresh_token } = settings().tokens.development
    const stolen = { grant_type: 'refresh_token', refresh_token, client_id: 'payroll-cli' }
    await call('POST', '/svc/oauth/token', stolen)
    const refused = await run('vat-codes', 'list')
    expect([refused.code, flat(refused.err)]).toEqual([
      4,
      expect.stringContaining(
        'was not renewed: the service refused the token request (400): invalid_grant: The refresh token is not valid or has expired. Sign in again: payroll auth login --browser --profile development',
      ),
    ])
  })
})
