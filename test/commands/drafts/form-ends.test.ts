import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys } from '../../payroll.ts'
import { answerForm } from '../../prompts/form-driver.ts'
import { loopback, production } from '../targets.ts'
import { answering, completeForm, draftsIn, firstAnswers } from './draft-fixture.ts'

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
    const { code, json, err, home } = await fillIn({ 'What next?': 'Keep' }, { argv: [...create, '--json'] })
    const [{ id }] = draftsIn(home)
    expect([code, json()]).toEqual([0, { sent: false, draft: id }])
    expect(err).toContain(`Saved as a draft. To continue: payroll candidates drafts resume ${id}`)
  })

  test('names the profile in the command where it was named in this one', async () => {
    const argv = ['--profile', 'sandbox', ...create]
    const { err, home } = await fillIn({ 'What next?': 'Keep' }, { argv })
    expect(err).toContain(`payroll candidates drafts resume ${draftsIn(home)[0].id} --profile sandbox `)
  })
})

describe('a form that ends with a file', () => {
  test('writes the record for its owner alone, and the command that is shown sends it', async () => {
    const path = join(freshHome(), 'Aoife Example.json')
    const replies = { 'What next?': ['Write', 'Write'], File: ['', ` ${path} `] }
    const { code, json, err, ...at } = await fillIn(replies, { argv: [...create, '--json'] })
    expect([code, json()]).toEqual([0, { sent: false, file: path }])
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      generalSetting: { agencyRef: 'A-17', forename: 'Aoife', surname: 'Example' },
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect([draftsIn(at.home), at.writes()]).toEqual([[], []])
    const says = 'Nothing was sent. To send it: payroll candidates create --ireland --file'
    expect(err).toContain(`${says} "${path}" `)
    expect((await at.run([...create, '--file', path])).json().agencyRef).toBe('A-17')
  })

  test.each(['a file', 'a folder'])(
    'overwrites nothing: %s stays, and another name is asked for',
    async (what) => {
      const [at, folder] = [await loopback(), freshHome()]
      const path = join(folder, 'there.json')
      if (what === 'a file') writeFileSync(path, 'mine')
      else mkdirSync(path)
      const terminal = atTerminal(create, at)
      await answerForm(terminal, answering({ ...firstAnswers, 'What next?': 'Write' }, 'File'))
      await terminal.type('', `${path}${keys.enter}`)
      await terminal.type(
        'It is there already, and no file is overwritten.',
        `${folder}/no/a.json${keys.enter}`,
      )
      await terminal.type('There is no such folder.', `${path}.new${keys.enter}`)
      expect((await terminal.ended).code).toBe(0)
      expect(existsSync(`${path}.new`)).toBe(true)
      if (what === 'a file') expect(readFileSync(path, 'utf8')).toBe('mine')
    },
  )

  test('a form that ends with a file of a change says which update sends it', async () => {
    const { home, env, run, call, writes } = await loopback()
    await call('POST', '/svc/candidates', { generalSetting: { agencyRef: 'A-0', city: 'Leeds' } })
    const [{ id }] = (await run(['candidates', 'list'])).json()
    const path = join(home, 'change.json')
    const terminal = atTerminal(['candidates', 'update', id], { home, env })
    const replies = { ...changeCity, 'What next?': ['Edit', 'Write'], File: path }
    const { code, err } = await completeForm(terminal, replies)
    const says = `To send it: payroll candidates update ${id} --file ${path} `
    expect([code, err.replaceAll('\n', ' ')]).toEqual([0, expect.stringContaining(says)])
    expect(JSON.parse(readFileSync(path, 'utf8')).generalSetting.city).toBe('York')
    expect([writes(), existsSync(join(home, 'drafts'))]).toEqual([[], false])
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
