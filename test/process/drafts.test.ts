import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { draftsIn } from '../commands/drafts/draft-fixture.ts'
import { freshHome, type Terminal } from '../payroll.ts'
import { answerForm, enterBut } from '../prompts/form-driver.ts'
import { answerJson, service } from '../service.ts'
import { run } from './built.ts'
import { inTerminal } from './terminal.ts'

const create = ['candidates', 'create', '--incomplete', '--ireland']

/** A form in a terminal in which three questions are answered and the fourth is open. */
async function stopForm(env: Record<string, string>) {
  const terminal = inTerminal(create, env)
  await terminal.type('? Agency reference', 'A-17\r')
  await terminal.type('? Forename', 'Aoife\r')
  await terminal.type('? Surname', 'Example\r')
  await terminal.until('? Date of birth')
  return terminal
}

describe('the answers of a form', () => {
  test.each(['SIGKILL', 'SIGHUP'])('outlast %s, which names the command that continues', async (signal) => {
    const home = freshHome()
    const terminal = await stopForm({ PAYROLL_CONFIG_DIR: home })
    terminal.kill(signal)
    await terminal.ended
    const answers = { agencyRef: 'A-17', forename: 'Aoife', surname: 'Example' }
    const kept = Object.entries(answers).map(([name, answer]) => [`generalSetting.${name}`, answer])
    expect(draftsIn(home)).toMatchObject([{ answers: kept }])
    expect(readdirSync(join(home, 'drafts'))).toHaveLength(1)
    const said =
      'Stopped. Nothing was sent. Your answers are saved. To continue: payroll candidates create --ireland'
    // A process that is killed says nothing more.
    expect(terminal.screen().replace(/\s+/g, ' ').includes(said)).toBe(signal !== 'SIGKILL')
  })

  test('of a run that was killed are offered at once: its lock went with it', async () => {
    const home = freshHome()
    const killed = await stopForm({ PAYROLL_CONFIG_DIR: home })
    killed.kill('SIGKILL')
    await killed.ended
    const terminal = inTerminal(create, { PAYROLL_CONFIG_DIR: home })
    await terminal.type('Aoife Example, 3 answers', '\r')
    await terminal.until('? Date of birth')
    terminal.kill('SIGKILL')
    await terminal.ended
  })

  test('of two runs at once are two drafts, and neither is offered to the other', async () => {
    const home = freshHome()
    const first = await stopForm({ PAYROLL_CONFIG_DIR: home })
    const second = await stopForm({ PAYROLL_CONFIG_DIR: home })
    expect(second.screen()).not.toContain('Resume a draft')
    for (const terminal of [first, second]) terminal.kill('SIGKILL')
    await Promise.all([first.ended, second.ended])
    expect(draftsIn(home)).toHaveLength(2)
  })

  test('say that they were sent when the run is killed before the answer', async () => {
    const home = freshHome()
    let arrived = () => {}
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { env } = await service((request, response) => {
      if (request.method === 'POST') arrived()
      else answerJson(response, 200, { data: [], totalDocs: 0 })
    })
    const place = { PAYROLL_CONFIG_DIR: home, ...env }
    const stopped = await stopForm(place)
    stopped.kill('SIGKILL')
    await stopped.ended
    const resumed = inTerminal(create, place)
    const replies = enterBut({ 'Resume a draft': 'Resume', 'What next?': 'Send' })
    const conversation = answerForm(resumed as unknown as Terminal, replies)
    await waiting
    resumed.kill('SIGKILL')
    await conversation
    expect(draftsIn(home)).toMatchObject([{ sent: expect.stringMatching(/Z$/) }])
    const listed = await run(['candidates', 'drafts', 'list'], { home, env: place })
    expect(JSON.parse(listed.out)).toMatchObject([{ sent: expect.any(String), name: 'Aoife Example' }])
  })
})
