import { describe, expect, test } from 'vitest'
import { atTerminal } from '../../payroll.ts'
import { completeForm } from '../drafts/draft-fixture.ts'
import { loopback } from '../targets.ts'

describe('candidates create', () => {
  const create = ['candidates', 'create']
  const needed = ['generalSetting.forename', 'generalSetting.surname']

  test.each([
    ['nothing', '{}', needed],
    ['no name', '{"generalSetting":{"agencyRef":"A-1"}}', needed],
    ['blank names', '{"generalSetting":{"forename":" ","surname":"\u200B\u00A0"}}', needed],
    ['no surname', '{"generalSetting":{"forename":"Aoife"}}', ['generalSetting.surname']],
    ['a null for a section', '{"generalSetting":{"surname":"Shampla"}}', ['generalSetting.forename']],
  ])('a candidate of which is given %s is exit 3, and nothing is sent', async (_, input, paths) => {
    const { run, requests } = await loopback()
    const made = await run([...create, '--json'], { input })
    expect([made.code, made.out, requests]).toEqual([3, '', []])
    expect(made.error()).toMatchObject({
      code: 'input',
      outcome: 'not-sent',
      message: 'The record is incomplete. Nothing was sent.',
      hint: 'To send it without, add --incomplete.',
      issues: paths.map((path) => ({ path })),
    })
  })

  test('is not called incomplete where a name is only misspelt', async () => {
    const { run } = await loopback()
    const made = await run([...create, '--json'], { input: '{"generalSetting":{"fornename":"Aoife"}}' })
    const message = expect.stringContaining('did you mean generalSetting.forename?')
    expect(made.error().issues).toEqual([{ path: 'generalSetting.fornename', message }])
  })
})

describe('candidates update', () => {
  const person = { agencyRef: 'A-1', forename: 'Aoife', surname: 'Shampla' }

  async function withPerson(generalSetting: object) {
    const at = await loopback()
    await at.call('POST', '/svc/candidates', { generalSetting })
    return { ...at, update: ['candidates', 'update', 'A-1', '--uk'] }
  }

  test.each([
    ['--unset', 'surname'],
    ['--set', 'surname= '],
  ])('an update that takes the name away (%s %s) is exit 3, and nothing is sent', async (...change) => {
    const { run, update, writes } = await withPerson(person)
    const words = [...update, '--yes', '--json', ...change]
    const made = await run(words)
    const issues = [{ path: 'generalSetting.surname', message: 'a UK candidate needs it' }]
    expect([made.code, made.error().issues, writes()]).toEqual([3, issues, []])
    expect((await run([...words, '--incomplete'])).code).toBe(0)
  })

  test('an update of a person who had no name before is not refused for that', async () => {
    const { run, update } = await withPerson({ agencyRef: 'A-1' })
    expect((await run([...update, '--yes', '--set', 'city=Leeds'])).code).toBe(0)
  })

  test('an update that empties the name in its form asks about it', async () => {
    const { env, home, writes, update } = await withPerson(person)
    const { code } = await completeForm(atTerminal(update, { home, env }), {
      'What next?': ['Edit', 'Send', 'Stop'],
      'Which part?': 'Surname',
      Surname: '-',
      'Send it?': 'Back',
    })
    expect([code, writes()]).toEqual([2, []])
  })
})

describe('a form of a person without a name', () => {
  const create = ['candidates', 'create', '--ireland']
  const said = '! This is an Irish candidate without a '

  test('asks for it when it is to be sent', async () => {
    const { env, home, writes } = await loopback()
    const terminal = atTerminal(create, { home, env })
    const { code } = await completeForm(terminal, {
      'Agency reference': 'IE-1',
      Forename: ['', 'Bríd'],
      Surname: ['', 'Shampla'],
      'What next?': ['Send', 'Send'],
      'Send it?': 'Fill',
    })
    expect(terminal.screen()).toContain(`${said}forename and a surname.`)
    const sent = writes().map(({ body }) => JSON.parse(body).generalSetting)
    expect([code, sent]).toEqual([0, [{ agencyRef: 'IE-1', forename: 'Bríd', surname: 'Shampla' }]])
  })

  test.each([
    ['is asked about, and sent without when the person says so', [], { 'Send it?': 'Send' }],
    ['is not asked about with --incomplete', ['--incomplete'], {}],
  ])('%s', async (_, more, answer) => {
    const { env, home, writes } = await loopback()
    const terminal = atTerminal([...create, ...more], { home, env })
    const replies = { 'Agency reference': 'IE-1', Forename: 'Bríd', 'What next?': 'Send', ...answer }
    expect([(await completeForm(terminal, replies)).code, writes().length]).toEqual([0, 1])
    expect(terminal.screen().includes(`${said}surname.`)).toBe(more.length === 0)
  })
})
