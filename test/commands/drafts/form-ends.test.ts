import { describe, expect, test } from 'vitest'
import { atTerminal } from '../../payroll.ts'
import { loopback, production } from '../targets.ts'
import { completeForm, draftsIn, firstAnswers } from './draft-fixture.ts'

const create = ['candidates', 'create', '--incomplete', '--ireland']
const changeCity = { 'Which part?': 'City', 'City or town': 'York' }

/** Fills in a form on loopback: three answers, and these. Gives its end and its screen. */
async function fillIn(
  replies: Record<string, string | readonly string[]>,
  { argv = create, answers = firstAnswers as Record<string, string> } = {},
) {
  const at = await loopback()
  const terminal = atTerminal(argv, at)
  const ended = await completeForm(terminal, { ...answers, ...replies })
  return { ...at, ...ended, err: ended.err.replaceAll('\n', ' '), screen: terminal.screen() }
}

describe('a dry run in a form', () => {
  test('is what --dry-run makes of sending', async () => {
    const argv = [...create, '--json', '--dry-run']
    const { json, requests, home } = await fillIn({ 'What next?': 'Send' }, { argv })
    expect([json().dryRun, requests, draftsIn(home).length]).toEqual([true, [], 1])
  })
})

describe('a form that changes a record', () => {
  /** An Irish candidate on loopback, and its id. */
  async function withRecord() {
    const at = await loopback()
    await at.call('POST', '/svc/candidates/ireland', { generalSetting: { agencyRef: 'A-0', city: 'Cork' } })
    return { ...at, update: ['candidates', 'update', 'A-0', '--ireland'] }
  }

  test('names what the service does not return while there is something to be done about it, and once', async () => {
    const { home, env, update } = await withRecord()
    const terminal = atTerminal(update, { home, env })
    const { code } = await completeForm(terminal, { ...changeCity, 'What next?': ['Edit', 'Send'] })
    const screen = terminal.screen()
    expect([code, screen.match(/the service does not return these fields/g)?.length]).toEqual([0, 1])
    expect(screen.indexOf('the service does not return these')).toBeLessThan(screen.indexOf('What next?'))
  })
})

describe('a form that ends with a draft', () => {
  test('keeps it and says how to go on', async () => {
    const { code, json, err, home } = await fillIn({ 'What next?': 'Stop' }, { argv: [...create, '--json'] })
    const [{ id }] = draftsIn(home)
    expect([code, json()]).toEqual([0, { sent: false, draft: id }])
    expect(err).toContain(
      'Nothing was sent. Saved as a draft. To continue: payroll candidates create --ireland',
    )
  })

  test('names the profile in the command where it was named in this one', async () => {
    const argv = ['--profile', 'sandbox', ...create]
    const { err } = await fillIn({ 'What next?': 'Stop' }, { argv })
    expect(err).toContain('payroll candidates create --ireland --profile sandbox')
  })
})

describe('a form on a protected profile', () => {
  test('names the place, and its Send is the last word: nothing is asked twice', async () => {
    const { home, baseUrl, requests } = await production()
    const terminal = atTerminal(create, { home })
    const { code } = await completeForm(terminal, { ...firstAnswers, 'What next?': 'Send' })
    expect(code).toBe(0)
    expect(terminal.screen()).toContain(`Send it to production (${baseUrl})`)
    const says = `It goes to production (${baseUrl}), which is protected: choosing Send sends it.`
    expect(terminal.screen().replace(/\n +/g, ' ')).toContain(says)
    expect(terminal.screen()).not.toMatch(/Create an Irish candidate on/)
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('is the last word for a change too, and a change leaves no draft', async () => {
    const { home, call, requests } = await production()
    await call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-0', city: 'Leeds' } })
    const terminal = atTerminal(['candidates', 'update', 'A-0'], { home })
    const { code } = await completeForm(terminal, { ...changeCity, 'What next?': ['Edit', 'Send'] })
    expect([code, draftsIn(home)]).toEqual([0, []])
    expect(terminal.screen()).toContain('City or town: Leeds → York')
    expect(terminal.screen()).not.toContain('Update a UK candidate on')
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })
})
