import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandboxKey } from '../../../../src/sandbox/create-sandbox.ts'
import { serveSandbox } from '../../../../src/sandbox/serve.ts'
import { asTyped, atTerminal, freshHome, keys, payroll } from '../../../payroll.ts'
import { planAnyFaults } from '../../../sandbox/faults/further-faults.ts'
import { makeSandbox } from '../../../start-sandbox.ts'
import { consent } from '../connected.ts'
import { addressOn } from './address-on.ts'

/**
 * A sign-in at a sandbox that goes wrong as it is told, and what became of it. `timeout`: the seconds that the browser and the
 * token request may take; two are enough for a busy machine to come from one to the other.
 */
async function goingWrong(fault: readonly string[], timeout = 40) {
  const { app, close } = await makeSandbox()
  const server = await serveSandbox({ app, port: 0, faults: planAnyFaults(fault) })
  onTestFinished(async () => {
    await server.close()
    close()
  })
  const home = freshHome()
  const login = asTyped`auth login --profile development --base-url ${server.baseUrl}`
  await payroll(login, { home, input: sandboxKey })
  const words = asTyped`auth login --browser --client-id payroll-cli --debug --timeout ${String(timeout)}`
  const terminal = atTerminal(words, { home, env: { BROWSER: 'none' } })
  /** The text of the screen on one line. */
  const shown = () => terminal.screen().replace(/\s+/g, ' ')
  return {
    terminal,
    shown,
    tokenRequests: () => shown().match(/> POST \/svc\/oauth\/token/g)?.length ?? 0,
    tokens: () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).tokens,
  }
}

describe('a sign-in whose answer has the state of another', () => {
  test.each([
    ['by the browser', 'No answer came from the browser within 2 seconds. Nothing was stored.'],
    [
      'pasted',
      'This address does not belong to the sign-in that you started (its state parameter is different): it may come from another person.',
    ],
  ])('is refused, %s: exit 4, nothing sent, nothing stored', async (way, says) => {
    const { terminal, shown, tokenRequests, tokens } = await goingWrong([], 2)
    const address = new URL(await consent(await addressOn(terminal.screen)))
    address.searchParams.set('state', 'of-another-sign-in')
    const back = address.href
    if (way === 'pasted') await terminal.type('', `${back}${keys.enter}`)
    else expect((await fetch(back)).status).toBe(404)
    expect((await terminal.ended).code).toBe(4)
    expect(shown()).toContain(says)
    expect([tokenRequests(), tokens()]).toEqual([0, undefined])
  })
})

const lost = 'The code may be used up.'
test.each([
  ['no-body', `The service answered 200 without a body. ${lost}`],
  ['stall-before-headers', `The service did not answer in time. ${lost}`],
  ['reset-after-commit', `The connection was lost before the whole answer arrived. ${lost}`],
  ['status=503', `The service answered 503: The sandbox was told to fail. ${lost}`],
  ['status=401', 'The service refused the client application or the key (401)'],
  ['html', 'The answer is a web page'],
  ['redirect=307', 'The service answered 307, a redirect to http://localhost'],
])(
  'a sign-in whose token request goes wrong because of %s is asked for once, and stores nothing: exit 4',
  async (fault, says) => {
    const timeout = says.includes('in time') ? 2 : undefined
    const { terminal, shown, tokenRequests, tokens } = await goingWrong([`${fault}@auth.token`], timeout)
    await fetch(await consent(await addressOn(terminal.screen)))
    expect((await terminal.ended).code).toBe(4)
    expect(shown()).toContain(`The code was not exchanged. ${says}`)
    expect(shown()).toContain('Nothing was stored.')
    expect(shown()).toContain('payroll auth login --browser --profile development --client-id payroll-cli')
    expect([tokenRequests(), tokens()]).toEqual([1, undefined])
  },
)

test.each([
  ['no-body', 10],
  ['status=503', 7],
])('a sign-in does not begin where auth.connectUrl answers with %s: exit %i', async (fault, code) => {
  const { terminal, tokens } = await goingWrong([`${fault}@auth.connectUrl`])
  expect([(await terminal.ended).code, tokens()]).toEqual([code, undefined])
})
