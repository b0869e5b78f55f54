import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'
import { answerForm } from '../../prompts/form-driver.ts'
import { answerJson, service } from '../../service.ts'
import { file, loopback, production } from '../targets.ts'
import { answering, completeForm, draftsIn, firstAnswers, saved, stopForm } from './draft-fixture.ts'

const create = ['candidates', 'create', '--incomplete', '--ireland']
const drafts = ['candidates', 'drafts']
const list = [...drafts, 'list']
const flat = (text: string) => text.replaceAll('\n', ' ')

/** The draft of a form that was given up after three answers. */
async function startDraft(home = freshHome()) {
  await stopForm(create, { home }, firstAnswers)
  const [{ id, ...draft }] = draftsIn(home)
  return { home, id: id as string, draft }
}

/** Fills in the form, and sends it. */
const sendForm = (home: string, env?: Record<string, string>, more: Record<string, string> = {}) =>
  completeForm(atTerminal(create, { home, ...(env && { env }) }), {
    ...firstAnswers,
    'What next?': 'Send',
    ...more,
  })

/** Takes up the draft in the next form, and sends it. */
const resumeForm = (home: string, env: Record<string, string> = {}, more: Record<string, string> = {}) =>
  completeForm(atTerminal(create, { home, env }), {
    'Resume a draft': 'Resume',
    'What next?': 'Send',
    ...more,
  })

/** Resumes a draft that has these answers too, and sends it. */
async function resumeWith(more: readonly (readonly unknown[])[], ...options: readonly string[]) {
  const { home, id, draft } = await startDraft()
  const answers = [...draft.answers, ...more]
  writeFileSync(join(home, 'drafts', `${id}.json`), JSON.stringify({ ...draft, answers }))
  const replies = { 'Resume a draft': 'Resume', 'What next?': 'Send' }
  return completeForm(atTerminal([...create, ...options], { home }), replies)
}

describe('a form that is given up', () => {
  test('keeps its answers, for its owner alone, and says how to go on', async () => {
    const home = freshHome()
    const { code, signal, err } = await stopForm(create, { home }, firstAnswers)
    expect({ code, signal }).toEqual({ code: 130, signal: 'SIGINT' })
    expect(flat(err)).toContain(`Stopped. Nothing was sent. ${saved}`)
    const [draft, ...others] = draftsIn(home)
    expect(others).toEqual([])
    expect(draft).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      format: 1,
      operation: 'candidates.createIreland',
      profile: 'sandbox',
      origin: null,
      changed: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      tool: '0.0.0-test',
      before: {},
      answers: [
        ['generalSetting.agencyRef', 'A-17'],
        ['generalSetting.forename', 'Aoife'],
        ['generalSetting.surname', 'Example'],
      ],
    })
    expect(statSync(join(home, 'drafts')).mode & 0o777).toBe(0o700)
    expect(statSync(join(home, 'drafts', `${draft.id}.json`)).mode & 0o777).toBe(0o600)
  })

  test('keeps nothing once every answer was taken back', async () => {
    const home = freshHome()
    const terminal = atTerminal(create, { home })
    const reply = answering({ Forename: ['Aoife', '-'], 'What next?': 'Edit', 'Which part?': 'Person' })
    let births = 0
    await answerForm(terminal, (asked) =>
      asked.text.startsWith('Date of birth') && ++births > 1 ? undefined : reply(asked),
    )
    await terminal.type('', keys.ctrlC)
    await terminal.ended
    expect(draftsIn(home)).toEqual([])
  })

  test('goes on where the disk does not take the answers, and says so once', async () => {
    const home = freshHome()
    file(home, 'drafts', '')
    const { code, err } = await sendForm(home)
    expect([code, err.match(/cannot be saved as a draft/g)?.length]).toEqual([0, 1])
  })
})

describe('the next form of the same kind', () => {
  test('offers the draft by name and count, resumes it, and deletes it once it is created', async () => {
    const { home } = await startDraft()
    const terminal = atTerminal(create, { home })
    const done = await completeForm(terminal, { 'Resume a draft': 'Resume', 'What next?': 'Send' })
    expect(done).toMatchObject(endedWith(0, 'Created Aoife Example'))
    expect(terminal.screen()).toMatch(
      /\? Resume a draft\?\n❯ Resume \d{1,2} \w{3,4} \d{4}, \d\d:\d\d: Aoife Example, 3 answers\n/,
    )
    expect(draftsIn(home)).toEqual([])
    const listed = await payroll(['--profile', 'sandbox', 'candidates', 'list', '--ireland'], { home })
    expect(listed.json()).toMatchObject([{ agencyRef: 'A-17', surname: 'Example' }])
  })

  test('goes on behind the last answer, and asks for nothing that was passed over before it', async () => {
    const home = freshHome()
    await stopForm(create, { home }, { Surname: 'Example', 'City or town': 'Cork' }, 'County')
    const terminal = atTerminal(create, { home })
    await terminal.type('Resume a draft?', `Resume${keys.enter}`)
    await terminal.type('? County', keys.ctrlC)
    await terminal.ended
    expect(terminal.screen()).not.toContain('? Date of birth')
  })

  test('has the answers of an item in whose midst the form was left, and goes on at its list', async () => {
    const home = freshHome()
    const first = { 'Rates (0 there)': 'add', 'Rate 1: Payment rate': 'STD', 'Rate 1: Pay rate': '21.50' }
    await stopForm(['timesheets', 'create'], { home }, { Person: 'UK-0001', ...first }, 'Rate 1: Hours')
    expect(draftsIn(home)[0].answers.at(-1)).toEqual(['rates', [{ rateId: 'STD', rate: '21.50' }]])
    const terminal = atTerminal(['timesheets', 'create'], { home })
    await terminal.type('Resume a draft?', `Resume${keys.enter}`)
    await terminal.type('? Rates (1 there)', keys.ctrlC)
    await terminal.ended
  })

  test('adds to the draft that it resumed, and makes no second one', async () => {
    const { home, id, draft: before } = await startDraft()
    const old = { ...before, changed: '2026-01-01T00:00:00.000Z', tool: '0.0.1' }
    writeFileSync(join(home, 'drafts', `${id}.json`), JSON.stringify(old))
    await stopForm(create, { home }, { 'Resume a draft': 'Resume', 'City or town': 'Cork' }, 'What next?')
    const answers = [...before.answers, ['generalSetting.city', 'Cork']]
    expect(draftsIn(home)).toEqual([{ ...before, id, changed: expect.any(String), answers }])
    expect(draftsIn(home)[0].changed > before.changed).toBe(true)
  })

  test('starts anew and keeps the draft', async () => {
    const { home } = await startDraft()
    const anew = { 'Resume a draft': 'Start', Forename: 'Bríd', 'What next?': 'Send' }
    expect((await completeForm(atTerminal(create, { home }), anew)).code).toBe(0)
    expect(draftsIn(home)).toHaveLength(1)
  })

  test('offers several, the one changed last first', async () => {
    const home = freshHome()
    for (const forename of ['Ann', 'Bea', 'Cal'])
      await stopForm(create, { home }, { 'Resume a draft': 'Start', Forename: forename })
    const terminal = atTerminal(create, { home })
    const { code } = await completeForm(terminal, { 'Resume a draft': 'Resume', 'What next?': 'Send' })
    expect(code).toBe(0)
    expect(terminal.screen()).toMatch(
      /Resume a draft\?\n❯ Resume .*: Cal, 1 answer\n {2}Resume .*: Bea, 1 answer\n {2}Resume .*: Ann, 1 answer\n {2}Start/,
    )
    expect(
      draftsIn(home)
        .map(({ answers }) => answers[0][1])
        .sort(),
    ).toEqual(['Ann', 'Bea'])
  })

  test.each([
    ['of the other country', ['candidates', 'create', '--incomplete'], 'Agency reference'],
    ['of another resource', ['payment-rates', 'create'], 'Description'],
  ])('offers no draft %s', async (_, argv, question) => {
    const { home } = await startDraft()
    expect((await stopForm(argv, { home }, {}, question)).err).not.toContain('Resume a draft')
  })

  test('offers no draft that was begun for another profile, or another address, and keeps no key in one', async () => {
    const { home, baseUrl, run } = await production()
    const elsewhere = await loopback()
    const signIn = async (name: string, address: string) => {
      await run(['profiles', 'set', name, '--base-url', address])
      await run(['auth', 'login', '--profile', name], { input: `${sandboxKey}\n` })
    }
    const { draft } = await startDraft(home)
    expect(draft).toMatchObject({ profile: 'production', origin: baseUrl })
    expect(JSON.stringify(draft)).not.toContain(sandboxKey)
    await signIn('acme', baseUrl)
    await signIn('development', elsewhere.baseUrl)
    for (const name of ['acme', 'development', 'production']) {
      if (name === 'production') await signIn(name, elsewhere.baseUrl)
      const other = await stopForm([...create, '--profile', name], { home }, {}, 'Agency reference')
      expect([name, other.err]).toEqual([name, expect.not.stringContaining('Resume a draft?')])
    }
    // auth login tried the key there, twice.
    expect(elsewhere.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  test('does not offer a draft that another terminal has open, and keeps its own', async () => {
    const home = freshHome()
    const first = atTerminal(create, { home })
    await answerForm(first, answering(firstAnswers, 'Date of birth'))
    await stopForm(create, { home }, { Forename: 'Bríd' })
    expect(draftsIn(home)).toHaveLength(2)
    const { id } = draftsIn(home).find(({ answers }) => answers.length === 3)
    const deleted = await payroll([...drafts, 'delete', id], { home })
    expect(deleted.code).toBe(11)
    await first.type('', keys.ctrlC)
    await first.ended
    expect(draftsIn(home)).toHaveLength(2)
  })
})

describe('a form that is sent', () => {
  /** A service whose lists are empty, and that answers a write as it is told. */
  async function writing(write: Parameters<typeof service>[0]) {
    const { env, received } = await service((request, response) =>
      request.method === 'GET'
        ? answerJson(response, 200, { data: [], totalDocs: 0 })
        : write(request, response),
    )
    return { env, home: freshHome(), posts: () => received.filter(({ method }) => method === 'POST').length }
  }

  test.each([
    ['is refused', 422, 6],
    ['is not allowed', 403, 4],
    ['cannot be sent', 0, 7],
  ])('keeps its draft when it %s, without a doubt, and says so', async (_, status, code) => {
    const { env, home } = await writing((_request, response) => answerJson(response, status, {}))
    if (status === 0) env.PAYROLL_BASE_URL = 'http://127.0.0.1:9'
    const ended = await sendForm(home, env, { 'Send it?': 'Send it' })
    expect([ended.code, flat(ended.err)]).toEqual([code, expect.stringContaining(saved)])
    expect(draftsIn(home)[0].sent).toBeUndefined()
  })

  test('keeps its draft and the doubt when nobody knows what became of it', async () => {
    const { env, home, posts } = await writing((_request, response) => response.destroy())
    const ended = await sendForm(home, env)
    const look = 'payroll candidates get A-17 --reference --ireland'
    const says = `checked whether the record exists: ${look}`
    expect([ended.code, flat(ended.err)]).toEqual([8, expect.stringContaining(says)])
    const [{ sent }] = draftsIn(home)
    expect(sent).toMatch(/Z$/)

    const again = atTerminal(create, { home, env })
    await answerForm(again, answering({ 'Resume a draft': 'Resume' }, 'What next?'))
    await again.type('', keys.ctrlC)
    await again.ended
    expect(again.screen()).toMatch(/Resume .*: Aoife Example, 3 answers, sent, outcome unknown\n/)
    expect(again.screen()).toMatch(/this record was sent on .* and may exist already\./)
    expect(again.screen()).toContain(look)
    expect([posts(), draftsIn(home)[0].sent]).toEqual([1, sent])
  })

  test('writes down that it is being sent before it is', async () => {
    let noted: unknown
    const { env, home } = await writing((_request, response) => {
      noted = draftsIn(home)[0]?.sent
      answerJson(response, 201, { success: true, data: { success: true, candidate: { id: 'c1' } } })
    })
    await sendForm(home, env)
    expect(noted).toMatch(/Z$/)
    expect(draftsIn(home)).toEqual([])
  })

  test('keeps an earlier doubt when a second try is refused', async () => {
    const { env, home, posts } = await writing((_request, response) => {
      if (posts() === 1) response.destroy()
      else answerJson(response, 422, {})
    })
    await sendForm(home, env)
    const [{ sent }] = draftsIn(home)
    const refused = await resumeForm(home, env, { 'This record was sent before': 'y' })
    expect([refused.code, draftsIn(home)[0].sent]).toEqual([6, sent])
  })

  test('is sent once more only when the person says so again', async () => {
    const { env, home, posts } = await writing((_request, response) => response.destroy())
    await sendForm(home, env)
    const declined = await resumeForm(home, env)
    expect(declined).toMatchObject(endedWith(2, 'Stopped.'))
    expect([declined.err, posts()]).toEqual([
      expect.stringContaining('To continue: payroll candidates create --ireland'),
      1,
    ])
    const replies = { 'Resume a draft': 'Resume', 'What next?': 'Send' }
    const again = await completeForm(atTerminal([...create, '--yes'], { home, env }), replies)
    expect([again.code, posts()]).toEqual([8, 2])
  })
})

describe('drafts list', () => {
  test('names each draft by nothing that is sensitive', async () => {
    const home = freshHome()
    const sensitive = { 'Date of birth': '4/11/1991', 'PPS number': '1234567FA' }
    await stopForm(create, { home }, { ...firstAnswers, ...sensitive }, 'What')
    const listed = await payroll(list, { home })
    expect(listed.code).toBe(0)
    expect(listed.json()).toEqual([
      {
        id: draftsIn(home)[0].id,
        kind: 'Irish candidate',
        name: 'Aoife Example',
        profile: 'sandbox',
        origin: null,
        changed: expect.any(String),
        sent: null,
        answers: 5,
      },
    ])
    const table = await payroll([...list, '-o', 'table'], { home })
    expect(table.out).toMatch(/^ID +Kind +Name +Profile +Changed +Answers\n/)
    for (const { out } of [listed, table]) expect(out).not.toMatch(/1991|1234567/)
    expect((await payroll(['payment-rates', 'drafts', 'list'], { home })).json()).toEqual([])
  })

  test('names a file that is damaged or of another version, leaves it, and lists the others', async () => {
    const { home, id } = await startDraft()
    const damaged = [
      ['aaaaaaaa', '{"format": 1, "operation": "candidates.createIreland"'],
      ['cccccccc', '{"format": 1, "operation": 3}'],
      ['dddddddd', '[]'],
    ] as const
    for (const [name, text] of damaged) file(home, `drafts/${name}.json`, text)
    file(home, 'drafts/bbbbbbbb.json', '{"format": 2, "tool": "9.9.9"}')
    mkdirSync(join(home, 'drafts', 'eeeeeeee.json'))
    const listed = await payroll(list, { home })
    expect([listed.code, listed.json()]).toMatchObject([0, [{ id }]])
    for (const [name] of damaged)
      expect(listed.err).toContain(`${name}.json cannot be read: it is not a draft. It was not changed.`)
    expect(listed.err).toContain('eeeeeeee.json cannot be read (EISDIR)')
    expect(listed.err).toContain('bbbbbbbb.json was written by a newer payroll: it has format 2')

    const form = await stopForm(create, { home }, {}, 'Resume a draft')
    expect(form.err).toContain('aaaaaaaa.json cannot be read')
    expect((await payroll([...drafts, 'delete', 'aaaaaaaa'], { home })).code).toBe(0)
    expect((await payroll(list, { home })).err).not.toContain('aaaaaaaa')
  })
})

describe('a draft that was kept', () => {
  test('is empty where it was emptied', async () => {
    const more = [
      ['generalSetting.country', 'IE'],
      ['generalSetting.title'],
      ['generalSetting.department', null],
    ]
    const done = await resumeWith(more, '--dry-run', '--json')
    const { generalSetting } = done.json().body
    expect(generalSetting).toMatchObject({ surname: 'Example', country: 'IE', department: null })
    expect(generalSetting).not.toHaveProperty('title')
  })

  test('a value of a draft that cannot be sent is named, and the draft stays', async () => {
    const ended = await resumeWith([['generalSetting.hours', 'many']])
    expect(ended).toMatchObject(endedWith(3, 'generalSetting.hours: expected a number'))
    expect(flat(ended.err)).toContain(saved)
  })
})

describe('drafts delete', () => {
  test('finds no draft of other nouns, no lost one, no path', async () => {
    const { home, run } = await production()
    const { id } = await startDraft(home)
    const paths = ['../config', '..%2Fconfig', '../config.json']
    for (const argv of [
      ['payment-rates', 'drafts', 'delete', id],
      ...['00000000', ...paths].map((each) => [...drafts, 'delete', each]),
    ])
      expect(await run(argv)).toMatchObject(endedWith(2, 'There is no draft '))
    expect(draftsIn(home)).toHaveLength(1)
    const profiles = (await run(['profiles', 'list'])).json()
    expect(profiles).toContainEqual(expect.objectContaining({ name: 'production', default: true }))
  })

  test('deletes one, and auth logout and profiles remove leave them', async () => {
    const { home, run } = await production()
    const { id } = await startDraft(home)
    await run(['auth', 'logout', '--profile', 'production'])
    await run(['profiles', 'remove', 'production'])
    expect((await run([...drafts, 'delete', id])).json()).toEqual({ deleted: true, id })
    expect(draftsIn(home)).toEqual([])
  })
})
