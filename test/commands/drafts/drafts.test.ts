import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sandboxKey } from '../../../src/sandbox/create-sandbox.ts'
import { asTyped, atTerminal, freshHome, keys, payroll } from '../../payroll.ts'
import { answerForm } from '../../prompts/form-driver.ts'
import { answerJson, service } from '../../service.ts'
import { loopback, production } from '../targets.ts'
import { answering, completeForm, draftsIn, firstAnswers, stopForm } from './draft-fixture.ts'

const create = ['candidates', 'create', '--incomplete', '--ireland']
const list = ['candidates', 'drafts', 'list']

/** The draft of a form that was given up after three answers. */
async function startDraft(home = freshHome()) {
  await stopForm(create, { home }, firstAnswers)
  const [{ id, ...draft }] = draftsIn(home)
  return { home, id: id as string, draft }
}

const sendForm = (setting: { readonly home: string; readonly env?: Record<string, string> }) =>
  completeForm(atTerminal(create, setting), { ...firstAnswers, 'What next?': 'Send' })

/** Resumes a draft that has these answers too, and sends it. */
async function resumeWith(more: readonly (readonly unknown[])[], ...options: readonly string[]) {
  const { home, id, draft } = await startDraft()
  const answers = [...draft.answers, ...more]
  writeFileSync(join(home, 'drafts', `${id}.json`), JSON.stringify({ ...draft, answers }))
  const terminal = atTerminal(asTyped`candidates drafts resume ${id} ${options}`, { home })
  return { id, ...(await completeForm(terminal, { 'What next?': 'Send' })) }
}

describe('a form that is given up', () => {
  test('keeps its answers, for its owner alone, and says how to go on', async () => {
    const home = freshHome()
    const { code, signal, err } = await stopForm(create, { home }, firstAnswers)
    expect({ code, signal }).toEqual({ code: 130, signal: 'SIGINT' })
    const [draft, ...others] = draftsIn(home)
    expect(others).toEqual([])
    expect(err.replaceAll('\n', ' ')).toContain(
      `Stopped. Nothing was sent. Your answers are saved. To continue: payroll candidates drafts resume ${draft.id} `,
    )
    expect(draft).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      format: 1,
      operation: 'candidates.createIreland',
      parameters: {},
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

  test('keeps nothing where nothing was answered', async () => {
    const home = freshHome()
    const { err } = await stopForm(create, { home }, {})
    expect(draftsIn(home)).toEqual([])
    expect(err).not.toContain('drafts resume')
  })

  test('keeps nothing once every answer was taken back', async () => {
    const home = freshHome()
    const replies = { Forename: ['Aoife', '-'], 'What next?': 'Edit', 'Which part?': 'Person' }
    const terminal = atTerminal(create, { home })
    const reply = answering(replies)
    let births = 0
    await answerForm(terminal, (asked) =>
      asked.text.startsWith('Date of birth') && ++births > 1 ? undefined : reply(asked),
    )
    await terminal.type('', keys.ctrlC)
    await terminal.ended
    expect(draftsIn(home)).toEqual([])
  })

  test('keeps no key, and knows for whom it was begun', async () => {
    const { home, baseUrl } = await production()
    await startDraft(home)
    const [draft] = draftsIn(home)
    expect(draft).toMatchObject({ profile: 'production', origin: baseUrl })
    expect(JSON.stringify(draft)).not.toContain(sandboxKey)
  })

  test('keeps its answers when the person stops at the menu, and says so', async () => {
    const home = freshHome()
    const { code, err } = await completeForm(atTerminal(create, { home }), {
      ...firstAnswers,
      'What next?': 'Stop',
    })
    expect(code).toBe(2)
    expect(err.replaceAll('\n', ' ')).toContain(
      `Your answers are saved. To continue: payroll candidates drafts resume ${draftsIn(home)[0].id}`,
    )
  })

  test('goes on where the disk does not take the answers, and says so once', async () => {
    const home = freshHome()
    writeFileSync(join(home, 'drafts'), '')
    const { code, err } = await sendForm({ home })
    expect(code).toBe(0)
    expect(err.match(/cannot be saved as a draft/g)).toHaveLength(1)
  })
})

describe('the next form of the same kind', () => {
  test('offers the draft by name and count, resumes it, and deletes it once it is created', async () => {
    const { home } = await startDraft()
    const terminal = atTerminal(create, { home })
    const { code, err } = await completeForm(terminal, { 'Resume it': 'Resume', 'What next?': 'Send' })
    expect(code).toBe(0)
    expect(terminal.screen()).toMatch(
      /There is a draft of \d{1,2} \w{3,4} \d{4}, \d\d:\d\d: Aoife Example, 3 answers\.\n\? Resume it\?/,
    )
    expect(err).toContain('Created Aoife Example')
    expect(draftsIn(home)).toEqual([])
    const listed = await payroll(['--profile', 'sandbox', 'candidates', 'list', '--ireland'], { home })
    expect(listed.json()).toEqual([expect.objectContaining({ agencyRef: 'A-17', surname: 'Example' })])
  })

  test('adds to the draft that it resumed, and makes no second one', async () => {
    const { home, id, draft: before } = await startDraft()
    const old = { ...before, changed: '2026-01-01T00:00:00.000Z', tool: '0.0.1' }
    writeFileSync(join(home, 'drafts', `${id}.json`), JSON.stringify(old))
    await stopForm(create, { home }, { 'Resume it': 'Resume', 'City or town': 'Cork' }, 'What next?')
    const [after, ...others] = draftsIn(home)
    expect(others).toEqual([])
    expect(after.id).toBe(id)
    expect(after.tool).toBe('0.0.0-test')
    expect(after.changed > before.changed).toBe(true)
    expect(after.answers).toEqual([...before.answers, ['generalSetting.city', 'Cork']])
  })

  test('starts anew and keeps the draft, or deletes it', async () => {
    const { home } = await startDraft()
    const anew = { 'Resume it': 'Start', Forename: 'Bríd', 'What next?': 'Send' }
    expect((await completeForm(atTerminal(create, { home }), anew)).code).toBe(0)
    expect(draftsIn(home)).toHaveLength(1)
    const { err } = await stopForm(create, { home }, { 'Resume it': 'Delete' })
    expect(err).toMatch(/Deleted the draft of .*: Aoife Example, 3 answers\./)
    expect(draftsIn(home)).toEqual([])
  })

  test('offers several, the one changed last first', async () => {
    const home = freshHome()
    for (const forename of ['Ann', 'Bea', 'Cal']) {
      await stopForm(create, { home }, { 'Resume it': 'Start', 'There are': 'None', Forename: forename })
    }
    const terminal = atTerminal(create, { home })
    const { code } = await completeForm(terminal, { 'Resume it': 'Resume', 'What next?': 'Send' })
    expect(code).toBe(0)
    expect(terminal.screen()).toMatch(
      /There are 3 drafts\. Resume one\?\n❯ .*: Cal, 1 answer\n {2}.*: Bea, 1 answer\n {2}.*: Ann, 1 answer\n {2}None/,
    )
    expect(draftsIn(home).map(({ answers }) => answers[0][1])).toEqual(expect.arrayContaining(['Ann', 'Bea']))
    expect(draftsIn(home)).toHaveLength(2)
  })

  test.each([
    ['of the other country', ['candidates', 'create', '--incomplete'], {}],
    ['of another resource', ['payment-rates', 'create'], {}],
  ])('offers no draft %s', async (_, argv, env) => {
    const { home } = await startDraft()
    const terminal = atTerminal(argv, { home, env })
    await terminal.type('? ', keys.ctrlC)
    await terminal.ended
    expect(terminal.screen()).not.toContain('There is a draft')
  })

  test('offers no draft that was begun for another profile, or another address', async () => {
    const { home } = await production()
    const elsewhere = await loopback()
    await stopForm(create, { home }, firstAnswers)
    await payroll(['profiles', 'set', 'development', '--base-url', elsewhere.baseUrl], { home })
    await payroll(['auth', 'login', '--profile', 'development'], { home, input: `${sandboxKey}\n` })
    const other = atTerminal([...create, '--profile', 'development'], { home })
    await other.type('? Agency reference', keys.ctrlC)
    await other.ended
    await payroll(['profiles', 'set', 'production', '--base-url', elsewhere.baseUrl], { home })
    await payroll(['auth', 'login', '--profile', 'production'], { home, input: `${sandboxKey}\n` })
    const moved = atTerminal(create, { home })
    await moved.type('? Agency reference', keys.ctrlC)
    await moved.ended
    const id = draftsIn(home)[0].id
    const resumed = await atTerminal(['candidates', 'drafts', 'resume', id], { home }).ended
    expect(resumed.code).toBe(2)
    expect(resumed.err).toContain('is for production (')
    // auth login tried the key there, twice.
    expect(elsewhere.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  test('offers no draft of another profile at the same address', async () => {
    const { home, baseUrl } = await production()
    await startDraft(home)
    await payroll(['profiles', 'set', 'acme', '--base-url', baseUrl], { home })
    await payroll(['auth', 'login', '--profile', 'acme'], { home, input: `${sandboxKey}\n` })
    const other = atTerminal([...create, '--profile', 'acme'], { home })
    await other.type('? Agency reference', keys.ctrlC)
    await other.ended
    expect(other.screen()).not.toContain('Resume it?')
  })

  test('offers a document that was begun for one person to that person alone', async () => {
    const home = freshHome()
    const document = (employee: string) => ['documents', 'create', '--employee', employee]
    // An earlier version kept drafts of documents; now the file is asked for, and nothing is kept.
    const old = {
      format: 1,
      operation: 'documents.create',
      parameters: { employeeId: 'e1' },
      profile: 'sandbox',
    }
    const written = { origin: null, changed: '2026-01-01T00:00:00.000Z', tool: '0.0.1', before: {} }
    mkdirSync(join(home, 'drafts'), { mode: 0o700 })
    const text = JSON.stringify({ ...old, ...written, answers: [['name', 'passport.pdf']] })
    writeFileSync(join(home, 'drafts', '0badcafe.json'), text, { mode: 0o600 })
    const other = await stopForm(document('e2'), { home }, {}, 'File')
    expect(other.err).not.toContain('Resume it?')
    expect(draftsIn(home)).toHaveLength(1)
    const { err, json } = await completeForm(
      atTerminal([...['documents', 'drafts', 'resume', draftsIn(home)[0].id], '--dry-run', '--json'], {
        home,
      }),
      { 'What next?': 'Send' },
    )
    expect(err).not.toContain('Error')
    expect(json().url).toContain('/svc/employees/e1/documents')
  })

  test('does not offer a draft that another terminal has open, and keeps its own', async () => {
    const home = freshHome()
    const first = atTerminal(create, { home })
    await answerForm(first, answering(firstAnswers, 'Date of birth'))
    await stopForm(create, { home }, { Forename: 'Bríd' })
    expect(draftsIn(home)).toHaveLength(2)
    const open = draftsIn(home).find(({ answers }) => answers.length === 3)
    const resumed = await atTerminal(['candidates', 'drafts', 'resume', open.id], { home }).ended
    const deleted = await payroll(['candidates', 'drafts', 'delete', open.id], { home })
    expect([resumed.code, deleted.code]).toEqual([11, 11])
    await first.type('', keys.ctrlC)
    await first.ended
    expect(draftsIn(home)).toHaveLength(2)
  })
})

/** A service whose lists are empty, and that answers a write as it is told. */
const nowhere = (write: Parameters<typeof service>[0]) =>
  service((request, response) =>
    request.method === 'GET'
      ? answerJson(response, 200, { data: [], totalDocs: 0 })
      : write(request, response),
  )

describe('a form that is sent', () => {
  test.each([
    ['refused', 422, 6, { message: 'no such tax code' }],
    ['not allowed', 403, 4, {}],
  ])('keeps its draft when it is %s, without a doubt, and says so', async (_, status, code, body) => {
    const home = freshHome()
    const { env } = await nowhere((_request, response) => answerJson(response, status, body))
    const ended = await sendForm({ home, env })
    expect(ended.code).toBe(code)
    const [draft] = draftsIn(home)
    expect(draft.sent).toBeUndefined()
    expect(ended.err.replaceAll('\n', ' ')).toContain(
      `Your answers are saved. To continue: payroll candidates drafts resume ${draft.id}`,
    )
  })

  test('keeps its draft when nothing could be sent', async () => {
    const home = freshHome()
    const env = { PAYROLL_BASE_URL: 'http://127.0.0.1:9', PAYROLL_API_KEY: 'CANARYkey0000' }
    const ended = await completeForm(atTerminal(create, { home, env }), {
      ...firstAnswers,
      'What next?': 'Send',
      'Send it?': 'Send it',
    })
    expect(ended.code).toBe(7)
    expect(ended.err).toContain('drafts resume')
    expect(draftsIn(home)[0].sent).toBeUndefined()
  })

  test('keeps its draft and the doubt when nobody knows what became of it', async () => {
    const home = freshHome()
    const { env, received } = await service((request, response) => {
      if (request.method === 'POST') response.destroy()
      else answerJson(response, 200, { data: [], totalDocs: 0 })
    })
    const ended = await sendForm({ home, env })
    expect(ended.code).toBe(8)
    const look = 'payroll candidates get A-17 --reference --ireland'
    expect(ended.err.replaceAll('\n', ' ')).toContain(`checked whether the record exists: ${look}`)
    const [draft] = draftsIn(home)
    expect(draft.sent).toMatch(/Z$/)

    const again = atTerminal(create, { home, env })
    await answerForm(again, answering({ 'Resume it': 'Resume' }, 'What next?'))
    await again.type('', keys.ctrlC)
    await again.ended
    expect(again.screen()).toMatch(/Aoife Example, 3 answers, sent, outcome unknown\.\n\? Resume it\?/)
    expect(again.screen()).toMatch(/this record was sent on .* and may exist already\./)
    expect(again.screen()).toContain(look)
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(draftsIn(home)[0].sent).toBe(draft.sent)
  })

  test('writes down that it is being sent before it is', async () => {
    const home = freshHome()
    let noted: unknown
    const { env } = await nowhere((_request, response) => {
      noted = draftsIn(home)[0]?.sent
      answerJson(response, 201, { success: true, data: { success: true, candidate: { id: 'c1' } } })
    })
    await sendForm({ home, env })
    expect(noted).toMatch(/Z$/)
    expect(draftsIn(home)).toEqual([])
  })

  test('keeps an earlier doubt when a second try is refused', async () => {
    const home = freshHome()
    let posts = 0
    const { env } = await nowhere((_request, response) => {
      if (++posts === 1) response.destroy()
      else answerJson(response, 422, {})
    })
    await sendForm({ home, env })
    const [{ sent }] = draftsIn(home)
    const replies = { 'Resume it': 'Resume', 'What next?': 'Send', 'This record was sent before': 'y' }
    expect((await completeForm(atTerminal(create, { home, env }), replies)).code).toBe(6)
    expect(draftsIn(home)[0].sent).toBe(sent)
  })

  test('is sent once more only when the person says so again', async () => {
    const home = freshHome()
    const { env, received } = await nowhere((_request, response) => response.destroy())
    await sendForm({ home, env })
    const posts = () => received.filter(({ method }) => method === 'POST').length
    const replies = { 'Resume it': 'Resume', 'What next?': 'Send' }
    const declined = await completeForm(atTerminal(create, { home, env }), replies)
    expect([declined.code, posts()]).toEqual([2, 1])
    expect(declined.err).toContain('Not sent again.')
    expect(declined.err).toContain('drafts resume')
    const again = await completeForm(atTerminal([...create, '--yes'], { home, env }), replies)
    expect([again.code, posts()]).toEqual([8, 2])
  })
})

describe('drafts list', () => {
  test('names each draft by nothing that is sensitive', async () => {
    const home = freshHome()
    await stopForm(
      create,
      { home },
      { ...firstAnswers, 'Date of birth': '4/11/1991', 'PPS number': '1234567FA' },
      'What',
    )
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
    expect(table.out).toMatch(/^ID +kind +name +profile +changed +answers\n/)
    for (const { out } of [listed, table]) expect(out).not.toMatch(/1991|1234567/)
    expect((await payroll(['payment-rates', 'drafts', 'list'], { home })).json()).toEqual([])
  })

  test('names a file that is damaged or of another version, leaves it, and lists the others', async () => {
    const { home, id } = await startDraft()
    const files = {
      aaaaaaaa: '{"format": 1, "operation": "candidates.createIreland"',
      bbbbbbbb: '{"format": 2, "tool": "9.9.9"}',
      cccccccc: '{"format": 1, "operation": 3}',
      dddddddd: '[]',
    }
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(home, 'drafts', `${name}.json`), text)
    mkdirSync(join(home, 'drafts', 'eeeeeeee.json'))
    const listed = await payroll(list, { home })
    expect(listed.code).toBe(0)
    expect(listed.json().map((draft: { id: string }) => draft.id)).toEqual([id])
    expect(listed.err).toMatch(/aaaaaaaa\.json cannot be read: it is not JSON.*\. It was not changed\./)
    expect(listed.err).toContain(
      'bbbbbbbb.json cannot be read: a newer payroll wrote it (9.9.9), in format 2, and this one knows format 1.',
    )
    expect(listed.err).toContain('cccccccc.json cannot be read: a part of it is missing.')
    expect(listed.err).toContain('dddddddd.json cannot be read: it is not a draft.')
    expect(listed.err).toContain('eeeeeeee.json cannot be read: it is not a draft.')

    const form = atTerminal(create, { home })
    await form.type('? Resume it?', keys.ctrlC)
    await form.ended
    expect(form.screen()).toContain('aaaaaaaa.json cannot be read')
    const resumed = await atTerminal(['candidates', 'drafts', 'resume', 'aaaaaaaa'], { home }).ended
    expect(resumed.code).toBe(2)
    expect(resumed.err).toContain('aaaaaaaa.json cannot be read')
    expect((await payroll(['candidates', 'drafts', 'delete', 'aaaaaaaa'], { home })).code).toBe(0)
    expect((await payroll(list, { home })).err).not.toContain('aaaaaaaa')
  })

  test('clears away what a killed run left half written, once it is nobody’s any more', async () => {
    const { home, id } = await startDraft()
    const [old, fresh] = ['old', 'fresh'].map((name) => join(home, 'drafts', `.payroll-${name}.part`))
    for (const path of [old, fresh]) writeFileSync(path as string, 'half')
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
    utimesSync(old as string, twoHoursAgo, twoHoursAgo)
    expect((await payroll(list, { home })).json()).toHaveLength(1)
    expect(readdirSync(join(home, 'drafts')).sort()).toEqual(['.payroll-fresh.part', `${id}.json`])
  })

  test('names a folder that is open to others', async () => {
    const { home } = await startDraft()
    chmodSync(join(home, 'drafts'), 0o755)
    const { err } = await payroll(list, { home })
    expect(err).toContain('drafts is open to other users (mode 0755). Close it: chmod 700')
    expect(statSync(join(home, 'drafts')).mode & 0o777).toBe(0o755)
  })
})

describe('drafts resume and drafts delete', () => {
  test('resume goes on with the draft of either country', async () => {
    const { home, id } = await startDraft()
    const terminal = atTerminal(['candidates', 'drafts', 'resume', id], { home })
    const { code, err } = await completeForm(terminal, { 'What next?': 'Send' })
    expect(code).toBe(0)
    expect(err).toContain('Created Aoife Example')
    expect(draftsIn(home)).toEqual([])
  })

  test('resume leaves out, by name, what this version does not ask for', async () => {
    const more = [
      ['generalSetting.shoeSize', '42'],
      ['generalSetting.country', 'IE'],
    ]
    const { code, err, json } = await resumeWith(more, '--dry-run', '--json')
    expect(code).toBe(0)
    expect(err).toContain(
      'left out of the draft, because an Irish candidate has no such field: generalSetting.shoeSize.',
    )
    expect(json().body.generalSetting).toMatchObject({ surname: 'Example', country: 'IE' })
    expect(json().body.generalSetting).not.toHaveProperty('shoeSize')
  })

  test('a value of a draft that cannot be sent is named, and the draft stays', async () => {
    const { id, code, err } = await resumeWith([['generalSetting.hours', 'many']])
    expect(code).toBe(3)
    expect(err).toContain('generalSetting.hours: expected a number')
    expect(err).toContain(`drafts resume ${id}`)
  })

  test.each(['resume', 'delete'])(
    '%s knows no draft of another resource, none that is gone, and no path',
    async (verb) => {
      const { home, id } = await startDraft()
      for (const argv of [
        ['payment-rates', 'drafts', verb, id],
        ['candidates', 'drafts', verb, '00000000'],
        ['candidates', 'drafts', verb, '../config'],
      ]) {
        const { code, err } = await payroll(argv, { home })
        expect([code, err]).toEqual([2, expect.stringContaining('There is no draft ')])
      }
      expect(draftsIn(home)).toHaveLength(1)
    },
  )

  test('resume leaves empty what was emptied', async () => {
    const more = [['generalSetting.title'], ['generalSetting.department', null]]
    const { code, json } = await resumeWith(more, '--dry-run', '--json')
    expect(code).toBe(0)
    expect(json().body.generalSetting).not.toHaveProperty('title')
    expect(json().body.generalSetting.department).toBeNull()
  })

  test('delete reaches no other file', async () => {
    const { home } = await startDraft((await production()).home)
    for (const id of ['../config', '..%2Fconfig', '../config.json', ' ']) {
      expect((await payroll(['candidates', 'drafts', 'delete', id], { home })).code).toBe(2)
      expect((await atTerminal(['candidates', 'drafts', 'resume', id], { home }).ended).code).toBe(2)
    }
    expect((await payroll(['profiles', 'list'], { home })).json()).toContainEqual(
      expect.objectContaining({ name: 'production', default: true }),
    )
  })

  test('resume asks, and so needs a terminal', async () => {
    const { home } = await startDraft()
    const { code, err } = await payroll(['candidates', 'drafts', 'resume', draftsIn(home)[0].id], { home })
    expect([code, err]).toEqual([2, expect.stringContaining('Resuming a draft asks questions')])
  })

  test('delete deletes one, and auth logout and profiles remove leave them', async () => {
    const { home } = await startDraft((await production()).home)
    await payroll(['auth', 'logout', '--profile', 'production'], { home })
    await payroll(['profiles', 'remove', 'production'], { home })
    const [{ id }] = draftsIn(home)
    const deleted = await payroll(['candidates', 'drafts', 'delete', id], { home })
    expect(deleted.json()).toEqual({ deleted: true, id })
    expect(draftsIn(home)).toEqual([])
  })
})
