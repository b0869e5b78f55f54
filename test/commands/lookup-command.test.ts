import { describe, expect, test } from 'vitest'
import type { StopSignal } from '../../src/errors.ts'
import { atTerminal, freshHome, keys, payroll } from '../payroll.ts'
import { answerForm } from '../prompts/form-driver.ts'
import { answerJson, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'
import { answering, completeForm, firstAnswers } from './drafts/draft-fixture.ts'
import { file } from './targets.ts'

const { record } = wholeFor(['payment-rates'], { id: 'r-1', code: 'DAY', description: 'Day shift' })

/** A service that is read from, and does with a write what the test says. */
async function writable(onWrite: (reset: () => void) => void) {
  return service((request, response) => {
    if (request.method !== 'GET') onWrite(() => response.destroy())
    else answerJson(response, 200, request.url.includes('/r-1') ? record : { data: [], totalDocs: 0 })
  })
}

/** The hint of a run whose connection breaks while it writes. */
async function hintAfterReset(words: string): Promise<string> {
  const { env } = await writable((reset) => reset())
  const run = await payroll([...words.split(' '), '--json', '--quiet'], { env })
  expect(run.code).toBe(8)
  return run.error().hint
}

/** The hint of a run that is stopped by Ctrl-C, pressed `times`, while it writes. */
async function hintAfterInterruption(words: string, { times = 1 } = {}): Promise<string> {
  let send: (signal: StopSignal) => void = () => {}
  const { env } = await writable(() => {
    for (let count = 0; count < times; count++) send('SIGINT')
  })
  const onStart = (sender: typeof send) => {
    send = sender
  }
  const run = await payroll([...words.split(' '), '--json', '--quiet'], { env, onStart })
  expect(run.error()).toMatchObject({ code: 'interrupted', outcome: 'unknown' })
  return run.error().hint
}

describe('a write whose outcome is unknown names one command that shows it, when the connection breaks and on Ctrl-C', () => {
  test.each([
    [
      'candidates create --incomplete --ireland --set generalSetting.agencyRef=A-17',
      'candidates get A-17 --reference --ireland',
    ],
    ['candidates create --incomplete --set generalSetting.forename=Ann', 'candidates list'],
    ["payment-rates create --set code=O'Brien$(x)", "payment-rates get 'O'\\''Brien$(x)' --reference"],
    ['payment-rates update r-1 --set code=A', 'payment-rates get r-1'],
    ['documents delete d-1 --employee e-1 --yes', 'documents get d-1 --employee e-1'],
  ])('%s: payroll %s', async (words, command) => {
    const [reset, stopped] = [await hintAfterReset(words), await hintAfterInterruption(words)]
    expect(stopped).toBe(`Check the record before you run it again: payroll ${command}`)
    expect(reset.endsWith(`: payroll ${command}`), reset).toBe(true)
  })

  test('a draft that was sent names it too, when it is taken up again', async () => {
    const home = freshHome()
    const create = ['candidates', 'create', '--incomplete', '--ireland']
    const { env } = await writable((reset) => reset())
    const command = 'payroll candidates get A-17 --reference --ireland'
    const replies = { ...firstAnswers, 'What next?': 'Send' }
    const { err } = await completeForm(atTerminal(create, { home, env }), replies)
    const before = 'before you have checked whether the record exists'
    expect(err.replaceAll('\n', ' ')).toContain(`${before}: ${command}`)
    const again = atTerminal(create, { home, env })
    await answerForm(again, answering({ 'Resume a draft': 'Resume' }, 'What next?'))
    await again.type('', keys.ctrlC)
    await again.ended
    expect(again.screen().replaceAll('\n', ' ')).toContain(`Check before you send it again: ${command}`)
  })

  test('an import names itself on Ctrl-C, because it looks for what was under way, and the list afterwards', async () => {
    const starter = '{"generalSetting":{"agencyRef":"A-17","forename":"Ann"}}\n'
    const words = () =>
      `candidates import ${file(freshHome(), 'a.ndjson', starter)} --ireland --incomplete --settle 0`
    expect(await hintAfterInterruption(words(), { times: 2 })).toMatch(
      /^Run the same command again: it looks for the rows .* payroll candidates import \S+ --ireland /,
    )
    expect(await hintAfterReset(words())).toContain('Look for it first: payroll candidates list --ireland.')
  })
})
