import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, payroll } from '../../payroll.ts'
import { answerForm } from '../../prompts/form-driver.ts'
import { loopback, production } from '../targets.ts'
import { answering, completeForm, draftsIn, firstAnswers } from './draft-fixture.ts'

const create = ['candidates', 'create', '--incomplete', '--ireland']

describe('a dry run in a form', () => {
  test('shows the request, sends nothing, keeps the draft, and is followed by the menu', async () => {
    const { home, env, requests } = await loopback()
    const terminal = atTerminal(create, { home, env })
    const { code, out, err } = await completeForm(terminal, {
      ...firstAnswers,
      'What next?': ['Dry', 'Stop'],
    })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    const shown = terminal.screen().split('What would be sent\n')[1] ?? ''
    expect(shown).toMatch(/^POST http:\S+\/svc\/candidates\/ireland\n\{\n {2}"generalSetting": \{\n/)
    expect(shown).toContain('    "forename": "Aoife",\n')
    expect(shown).toContain('This was a dry run: nothing was sent.')
    expect(requests).toEqual([])
    expect(err.replaceAll('\n', ' ')).toContain(
      `Your answers are saved. To continue: payroll candidates drafts resume ${draftsIn(home)[0].id}`,
    )
  })

  test('says that sending asks about a missing name first, unless that was meant', async () => {
    const said = 'This is an Irish candidate without a surname. Sending it asks about that first.'
    const replies = { Forename: 'Aoife', 'What next?': ['Dry', 'Stop'] }
    const strict = atTerminal(['candidates', 'create', '--ireland'], await loopback())
    await completeForm(strict, replies)
    expect(strict.screen()).toContain(`! ${said}\n`)
    const meant = atTerminal(create, await loopback())
    await completeForm(meant, replies)
    expect(meant.screen()).toContain('This was a dry run: nothing was sent.')
    expect(meant.screen()).not.toContain(said)
  })

  test('hides with --mask what is sensitive', async () => {
    const { home, env } = await loopback()
    const terminal = atTerminal([...create, '--mask'], { home, env })
    const replies = { ...firstAnswers, 'PPS number': '1234567T', 'What next?': ['Dry', 'Stop'] }
    const { err } = await completeForm(terminal, replies)
    expect(terminal.screen()).toContain('"ppsNumber": "******67T"')
    expect(err).not.toContain('1234567T')
  })

  test('is what --dry-run makes of sending', async () => {
    const { home, env, requests } = await loopback()
    const argv = [...create, '--json', '--dry-run']
    const { json } = await completeForm(atTerminal(argv, { home, env }), {
      ...firstAnswers,
      'What next?': 'Send',
    })
    expect(json().dryRun).toBe(true)
    expect(requests).toEqual([])
    expect(draftsIn(home)).toHaveLength(1)
  })
})

describe('a form that changes a record', () => {
  /** An Irish candidate on loopback, and its id. */
  async function withRecord() {
    const at = await loopback()
    await at.call('POST', '/svc/candidates/ireland', { generalSetting: { agencyRef: 'A-0', city: 'Cork' } })
    const [{ id }] = (await at.run(['candidates', 'list', '--ireland'])).json()
    return { ...at, update: ['candidates', 'update', id, '--ireland'] }
  }
  const change = { 'Which part?': 'City', 'City or town': 'Galway' }

  test('shows the change in a dry run, sends nothing, and is sent afterwards', async () => {
    const { home, env, writes, update } = await withRecord()
    const terminal = atTerminal([...update, '--json'], { home, env })
    let before: unknown
    const reply = answering({ ...change, 'What next?': ['Edit', 'Dry', 'Send'] })
    await answerForm(terminal, (asked) => {
      if (terminal.screen().includes('This was a dry run')) before ??= writes().length
      return reply(asked)
    })
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen()).toContain('"city": "Galway"')
    expect([before, writes().length]).toEqual([0, 1])
  })

  test('names what the service does not return while there is something to be done about it, and once', async () => {
    const { home, env, update } = await withRecord()
    const terminal = atTerminal(update, { home, env })
    const { code } = await completeForm(terminal, { ...change, 'What next?': ['Edit', 'Send'] })
    expect(code).toBe(0)
    const screen = terminal.screen()
    expect(screen.match(/the service does not return these fields/g)).toHaveLength(1)
    expect(screen.indexOf('the service does not return these')).toBeLessThan(screen.indexOf('What next?'))
  })
})

describe('a form that ends with a draft', () => {
  test('keeps it and says how to go on', async () => {
    const home = freshHome()
    const { code, json, err } = await completeForm(atTerminal([...create, '--json'], { home }), {
      ...firstAnswers,
      'What next?': 'Keep',
    })
    const [{ id }] = draftsIn(home)
    expect(code).toBe(0)
    expect(json()).toEqual({ sent: false, draft: id })
    expect(err.replaceAll('\n', ' ')).toContain(
      `Saved as a draft. To continue: payroll candidates drafts resume ${id}`,
    )
  })

  test('names the profile in the command where it was named in this one', async () => {
    const home = freshHome()
    const argv = ['--profile', 'sandbox', ...create]
    const { err } = await completeForm(atTerminal(argv, { home }), { ...firstAnswers, 'What next?': 'Keep' })
    expect(err).toContain(`payroll candidates drafts resume ${draftsIn(home)[0].id} --profile sandbox\n`)
  })
})

describe('a form that ends with a file', () => {
  test('writes the record for its owner alone, and the command that is shown sends it', async () => {
    const { home, env, requests, run } = await loopback()
    const path = join(home, 'Aoife Example.json')
    const { code, json, err } = await completeForm(atTerminal([...create, '--json'], { home, env }), {
      ...firstAnswers,
      'What next?': ['Write', 'Write'],
      File: ['', ` ${path} `],
    })
    expect(code).toBe(0)
    expect(json()).toEqual({ sent: false, file: path })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      generalSetting: { agencyRef: 'A-17', forename: 'Aoife', surname: 'Example' },
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(draftsIn(home)).toEqual([])
    expect(requests).toEqual([])
    expect(err.replaceAll('\n', ' ')).toContain(
      `Nothing was sent. To send it: payroll candidates create --ireland --file "${path}" `,
    )
    expect((await run([...create, '--file', path])).json().agencyRef).toBe('A-17')
  })

  test.each(['a file', 'a folder'])('overwrites nothing: %s stays, and so does the draft', async (what) => {
    const home = freshHome()
    const path = join(home, 'there.json')
    if (what === 'a file') writeFileSync(path, 'mine')
    else mkdirSync(path)
    const ended = await completeForm(atTerminal(create, { home }), {
      ...firstAnswers,
      'What next?': 'Write',
      File: path,
    })
    expect(ended.code).toBe(2)
    expect(ended.err.replaceAll('\n', ' ')).toContain('it was not changed. Nothing was sent.')
    expect(ended.err).not.toContain('--force')
    expect(ended.err).toContain(`drafts resume ${draftsIn(home)[0].id}`)
    if (what === 'a file') expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  test('a form that ends with a file of a change says which update sends it', async () => {
    const { home, env, run, call, writes } = await loopback()
    await call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-0', city: 'Leeds' } })
    const [{ id }] = (await run(['candidates', 'list'])).json()
    const path = join(home, 'change.json')
    const ended = await completeForm(atTerminal(['candidates', 'update', id], { home, env }), {
      'What next?': ['Edit', 'Write'],
      'Which part?': 'City',
      'City or town': 'York',
      File: path,
    })
    expect(ended.code).toBe(0)
    expect(ended.err.replaceAll('\n', ' ')).toContain(
      `To send it: payroll candidates update ${id} --file ${path} `,
    )
    expect(JSON.parse(readFileSync(path, 'utf8')).generalSetting.city).toBe('York')
    expect(writes()).toEqual([])
    expect(existsSync(join(home, 'drafts'))).toBe(false)
  })
})

describe('a form on a protected profile', () => {
  test('names the place, and its Send is the last word: nothing is asked twice', async () => {
    const { home, baseUrl, requests } = await production()
    const terminal = atTerminal(create, { home })
    const { code } = await completeForm(terminal, { ...firstAnswers, 'What next?': 'Send' })
    expect(code).toBe(0)
    expect(terminal.screen()).toContain(`Send it to production (${baseUrl})`)
    expect(terminal.screen().replace(/\n +/g, ' ')).toContain(
      `It goes to production (${baseUrl}), which is protected: choosing Send sends it.`,
    )
    expect(terminal.screen()).not.toMatch(/Create an Irish candidate on/)
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('is the last word for a change too, and a change leaves no draft', async () => {
    const { home, call, requests } = await production()
    await call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-0', city: 'Leeds' } })
    const [{ id }] = (await call('GET', '/svc/candidates')).json.data
    const terminal = atTerminal(['candidates', 'update', id], { home })
    const { code } = await completeForm(terminal, {
      'What next?': ['Edit', 'Send'],
      'Which part?': 'City',
      'City or town': 'York',
    })
    expect(code).toBe(0)
    expect(terminal.screen()).toContain('generalSetting.city: Leeds → York')
    expect(terminal.screen()).not.toContain('Update a UK candidate on')
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect(draftsIn(home)).toEqual([])
  })

  test('still asks before what comes from a file or a pipe', async () => {
    const { home, run } = await production()
    expect((await run([...create, '--set', 'generalSetting.city=Cork'])).code).toBe(2)
    expect((await payroll(['candidates', 'list', '--ireland'], { home })).json()).toEqual([])
  })
})
