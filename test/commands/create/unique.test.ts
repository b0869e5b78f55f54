import { describe, expect, test } from 'vitest'
import { countries } from '../../../src/model/countries/countries.ts'
import { atTerminal, endedWith, freshHome, keys, payroll } from '../../payroll.ts'
import { answering, answerJson, type Received, service } from '../../service.ts'
import { completeForm, draftsIn } from '../drafts/draft-fixture.ts'
import { loopback } from '../targets.ts'

const aoife = { agencyRef: 'IE-1042', forename: 'Aoife', surname: 'Ní Shampla' }
const named = ['--set', 'forename=Bríd', '--set', 'surname=Shampla']
const withRef = (ref: string) => [...named, '--set', `agencyRef=${ref}`]
const create = ['candidates', 'create', '--ireland']
const noPeople = { data: [], totalDocs: 0 }
const created = { success: true, data: { success: true, candidate: { id: 'c-1' } } }
const postsIn = (received: readonly Received[]) => received.filter(({ method }) => method === 'POST').length

/** A service that has Aoife in Ireland. */
async function withAoife() {
  const at = await loopback()
  const { json } = await at.call('POST', '/svc/candidates/ireland', { generalSetting: aoife })
  const id: string = json.data.candidate.id
  return { ...at, id, who: `Aoife Ní Shampla already (an Irish candidate, ${id}).` }
}

describe('a change of a reference by candidates update', () => {
  test.each([
    ['--set', ['--set', 'agencyRef=ie-1042']],
    ['a dry run', ['--set', 'agencyRef=IE-1042', '--dry-run']],
  ])('to that of another person by candidates update with %s is exit 6', async (_, change) => {
    const { run, call, writes, id } = await withAoife()
    await call('POST', '/svc/candidates/ireland', { generalSetting: { ...aoife, agencyRef: 'IE-7' } })
    const tried = await run(['candidates', 'update', 'IE-7', '--ireland', '--yes', '--json', ...change])
    expect([tried.code, tried.out, writes()]).toEqual([6, '', []])
    expect(tried.error().message).toMatch(new RegExp(`^ie-1042 is Aoife Ní Shampla already .*${id}`, 'i'))
  })

  test('to that of another person by the form of candidates update is asked about before it is sent', async () => {
    const { home, env, call, who, writes } = await withAoife()
    await call('POST', '/svc/candidates/ireland', { generalSetting: { ...aoife, agencyRef: 'IE-7' } })
    const terminal = atTerminal(['candidates', 'update', 'IE-7', '--ireland'], { home, env, columns: 200 })
    const { code } = await completeForm(terminal, {
      'What next?': ['Edit', 'Send'],
      'Which part?': 'Agency reference',
      'Agency reference': 'IE-1042',
      'Change it anyway?': 'n',
    })
    expect(terminal.screen()).toContain(`IE-1042 is ${who}`)
    expect([code, writes()]).toEqual([2, []])
  })

  test('to one that nobody has is sent by candidates update', async () => {
    const { run, writes } = await withAoife()
    const words = 'candidates update IE-1042 --ireland --yes --json --set agencyRef=IE-9'
    expect([(await run(words.split(' '))).code, writes().length]).toEqual([0, 1])
  })
})

describe('create --unique', () => {
  test.each([
    ['as it is', ['--ireland'], 'IE-1042'],
    ['in another case and with spaces around it', ['--ireland'], ' ie-1042 '],
    ['in the other country', ['--uk'], 'IE-1042'],
    ['in a dry run', ['--ireland', '--dry-run'], 'IE-1042'],
  ])('finds a reference that is taken, %s: exit 6, who has it, nothing sent', async (_, more, ref) => {
    const { run, writes, id, who } = await withAoife()
    const made = await run(['candidates', 'create', '--unique', '--json', ...more, ...withRef(ref)])
    expect([made.code, made.out, writes()]).toEqual([6, '', []])
    expect(made.error()).toMatchObject({
      code: 'refused',
      outcome: 'not-sent',
      message: `${ref.trim()} is ${who} Nothing was sent.`,
      issues: [{ path: 'generalSetting.agencyRef', message: 'another record has this reference' }],
      hint: `To see it: payroll candidates get ${id} --ireland`,
    })
  })

  test('creates a person whose reference is free, and a second run does not', async () => {
    const { run, writes } = await withAoife()
    const words = [...create, '--unique', ...withRef('IE-104')]
    expect([(await run(words)).code, (await run(words)).code, writes().length]).toEqual([0, 6, 1])
  })

  test('is looked for once in a script, and at a terminal also before anything is asked', async () => {
    const { env, received } = await service(({ method }, response) =>
      method === 'POST' ? answerJson(response, 201, created) : answerJson(response, 200, noPeople),
    )
    const words = [...create, '--unique', '--yes', ...withRef('IE-104')]
    expect((await payroll(words, { env })).code).toBe(0)
    expect(received.splice(0).map(({ method }) => method)).toEqual([...countries.map(() => 'GET'), 'POST'])
    expect((await atTerminal(words, { env }).ended).code).toBe(0)
    const twice = [...countries, ...countries]
    expect(received.map(({ method }) => method)).toEqual([...twice.map(() => 'GET'), 'POST'])
  })

  test('sends nothing where the list shows no references', async () => {
    const { env, received } = await answering(200, { data: [{ id: '1', agency_ref: 'A-1' }], totalDocs: 1 })
    const made = await payroll(['candidates', 'create', '--unique', ...withRef('A-1')], { env })
    const says =
      'payroll could not find out whether A-1 exists already. The list does not show agencyRef. Nothing was sent.'
    expect(made).toMatchObject(endedWith(10, says))
    expect(postsIn(received)).toBe(0)
  })

  test.each([[null], ['']])(
    'is the first one where nobody of the list has a reference yet: %j',
    async (agencyRef) => {
      const { env } = await service(({ method }, response) =>
        method === 'POST'
          ? answerJson(response, 201, created)
          : answerJson(response, 200, { data: [{ id: '1', agencyRef }], totalDocs: 1 }),
      )
      const made = await payroll([...create, '--unique', '--yes', ...withRef('IE-104')], { env })
      expect(made, made.err).toMatchObject({ code: 0 })
    },
  )

  test.each([[[]], [['--set', 'agencyRef= ']]])('--unique without a reference %j is exit 3', async (more) => {
    const { run, requests } = await withAoife()
    const made = await run(['candidates', 'create', '--unique', '--json', ...named, ...more])
    expect([made.code, requests]).toEqual([3, []])
    expect(made.error()).toMatchObject({
      message: 'The record has no reference that --unique could look for. Nothing was sent.',
      issues: [{ path: 'generalSetting.agencyRef', message: '--unique needs it' }],
    })
  })

  test.each([
    ['its own', 'breaks off', 7, 0, 503, {}],
    ['its own', 'is closed to the key', 4, 0, 403, {}],
    ['its own', 'is shorter than its total', 10, 0, 200, { data: [], totalDocs: 1 }],
    ['its own', 'is not there', 10, 0, 404, {}],
    ['the other', 'breaks off', 7, 0, 503, {}],
    ['the other', 'is not there', 0, 1, 404, {}],
    ['the other', 'is closed to the key', 0, 1, 403, {}],
  ])('--unique where the list of %s country %s is exit %i', async (which, _, code, posts, status, body) => {
    const { env, received } = await service(({ url, method }, response) => {
      if (method === 'POST') return response.writeHead(201).end()
      if (url.startsWith('/svc/candidates/ireland')) answerJson(response, status, body)
      else answerJson(response, 200, noPeople)
    })
    const country = which === 'its own' ? '--ireland' : '--uk'
    const made = await payroll(['candidates', 'create', country, '--unique', ...withRef('A-1')], { env })
    expect([made.code, postsIn(received)]).toEqual([code, posts])
    const isUnknown = /payroll could not find out whether A-1 exists already\. .* Nothing was sent\./.test(
      made.err,
    )
    expect(isUnknown).toBe(posts === 0)
    const isSaid = made.err.includes(
      'the people of one country were looked at: the key may not read the others (403)',
    )
    expect(isSaid).toBe(posts === 1 && status === 403)
  })

  test('takes a reference that the service made a number of for the same', async () => {
    const { env } = await answering(200, { data: [{ id: 'c1', agencyRef: 3 }], totalDocs: 1 })
    const made = await payroll(['candidates', 'create', '--unique', ...withRef('0003')], { env })
    expect(made).toMatchObject(endedWith(6, '0003 is a UK candidate already (c1)'))
  })

  test('is for payment rates too, and by their code', async () => {
    const { run, writes } = await loopback()
    const rate = (code: string) => ['payment-rates', 'create', '--unique', '--set', `code=${code}`]
    expect((await run([...rate('NIGHT'), '--set', 'description=Night shift'])).code).toBe(0)
    const says = 'night is Night shift already (a payment rate, '
    expect(await run(rate('night'))).toMatchObject(endedWith(6, says))
    expect(writes()).toHaveLength(1)
  })

  test.each(['timesheets', 'documents'])('is not for %s, which have no own reference', async (noun) => {
    const made = await payroll([noun, 'create', '--unique', '--set', 'name=x'])
    expect(made).toMatchObject(endedWith(2, "Unknown option '--unique'"))
  })
})

describe('candidates create with --set at a terminal', () => {
  test.each([
    ['Enter', [], '', 2, 0],
    ['Enter, with --yes', ['--yes'], '', 2, 0],
    ['y', [], 'y', 0, 1],
  ])('names who has the reference already, and asks: %s', async (_, more, key, code, count) => {
    const { home, env, who, writes } = await withAoife()
    const terminal = atTerminal([...create, ...withRef('IE-1042'), ...more], { home, env })
    await terminal.type('Create it anyway?', `${key}${keys.enter}`)
    expect([(await terminal.ended).code, writes().length]).toEqual([code, count])
    expect(terminal.screen().replace(/\s+/g, ' ')).toContain(`IE-1042 is ${who}`)
  })

  test('asks nothing where the reference is free, nor in a script, where --unique looks', async () => {
    const { run, home, env, writes } = await withAoife()
    expect((await atTerminal([...create, ...withRef('IE-9')], { home, env }).ended).code).toBe(0)
    expect((await run([...create, ...withRef('IE-1042')])).code).toBe(0)
    expect(writes()).toHaveLength(2)
  })
})

describe('a form whose reference another record has', () => {
  const brid = { 'Agency reference': 'IE-1042', Forename: 'Bríd', Surname: 'Shampla', 'What next?': 'Send' }

  /** Fills in a form of an Irish candidate beside Aoife. Gives its end, and what was sent. */
  async function fillIn(replies: Record<string, string | string[]>, ...more: readonly string[]) {
    const at = await withAoife()
    const terminal = atTerminal([...create, ...more], at)
    const { code, err } = await completeForm(terminal, { ...brid, ...replies })
    const sent = at.writes().map(({ body }) => JSON.parse(body).generalSetting)
    return { ...at, code, err, sent, screen: terminal.screen() }
  }

  test.each<[string, string, Record<string, string[]>, number, object[]]>([
    [
      'takes another one',
      'Change',
      { 'Agency reference': ['IE-1042', 'IE-1043'], 'What next?': ['Send', 'Send'] },
      0,
      [{ agencyRef: 'IE-1043', forename: 'Bríd' }],
    ],
    ['sends it anyway when the person says so', 'Send it', {}, 0, [{ agencyRef: 'IE-1042' }]],
    ['stops when the person says so', 'Stop', {}, 2, []],
    ['goes back to the record when the person says so', 'Back', { 'What next?': ['Send', 'Stop'] }, 0, []],
  ])('says whose it is, and %s', async (_, choice, replies, code, sent) => {
    const done = await fillIn({ 'Send it?': choice, ...replies })
    expect([done.code, done.sent]).toMatchObject([code, sent])
    expect(done.sent).toHaveLength(sent.length)
    expect(done.screen).toContain(`! IE-1042 is ${done.who}`)
    if (code === 2)
      expect([done.err, draftsIn(done.home).length]).toEqual([expect.stringContaining('To continue: '), 1])
    if (choice === 'Stop') expect(done.err).toContain('Stopped. Nothing was sent.')
  })

  test('cannot be sent anyway with --unique', async () => {
    const { screen } = await fillIn({ 'Send it?': 'Stop' }, '--unique')
    expect(screen).toContain('Change the reference')
    expect(screen).not.toContain('Send it anyway')
  })

  test.each([
    ['fails', 503, {}],
    ['is cut short', 200, { data: [], totalDocs: 1 }],
  ])('a form says that the reference could not be looked up where a list %s', async (_, status, body) => {
    const { env, received } = await service(({ method }, response) => {
      if (method === 'GET') answerJson(response, status, body)
      else answerJson(response, 201, { success: true, data: { success: true, candidate: { id: 'c1' } } })
    })
    const stopped = atTerminal(create, { env })
    expect((await completeForm(stopped, { ...brid, 'Send it?': 'Stop' })).code).toBe(2)
    expect(stopped.screen()).toMatch(/! [Pp]ayroll could not find out whether IE-1042 exists already/)
    expect(postsIn(received)).toBe(0)
    expect((await completeForm(atTerminal(create, { env }), { ...brid, 'Send it?': 'Send it' })).code).toBe(0)
    expect(postsIn(received)).toBe(1)
  })
})

test('a form reads nothing behind its question once a list could not be read', async () => {
  const { env, received } = await service((_, response) => answerJson(response, 503, {}))
  const fields = { 'Agency reference': 'IE-1042', Forename: 'Bríd', Surname: 'Shampla' }
  const terminal = atTerminal(create, { env })
  await completeForm(terminal, { ...fields, 'What next?': 'Send', 'Send it?': 'Stop' })
  expect(new Set(received.map(({ url }) => url.split('?')[0])).size).toBe(1)
  expect(terminal.screen()).not.toMatch(/Send it\? .*trying again/)
})

describe('a list that does not show yet what this computer has just created', () => {
  const another = [...create, ...withRef('IE-77'), '--yes', '--json']
  const lagging = async (answers: number) => {
    const at = await service(({ method }, response) => {
      if (method === 'POST' && answers === 0) return response.destroy()
      if (method === 'POST') return answerJson(response, answers, created)
      return answerJson(response, 200, noPeople)
    })
    const home = freshHome()
    return {
      ...at,
      home,
      run: (...words: string[]) => payroll([...another, ...words], { home, env: at.env }),
    }
  }

  test.each([
    ['was created', 201, 0],
    ['may have been created', 0, 8],
  ])('is exit 6 with --unique, and nothing is sent: it %s', async (became, answers, code) => {
    const { run, received } = await lagging(answers)
    expect(await run('--unique')).toMatchObject({ code })
    expect(await run('--unique')).toMatchObject(endedWith(6, `IE-77 ${became} from this computer at `))
    expect(postsIn(received)).toBe(1)
  })

  test('is exit 6 for one of two runs at one moment', async () => {
    const { run, received } = await lagging(201)
    const both = await Promise.all([run('--unique'), run('--unique')])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 6])
    expect(postsIn(received)).toBe(1)
  })

  test('is exit 6 for one of two runs at one moment in the sandbox too, whose history is not asked', async () => {
    const home = freshHome()
    const run = () => payroll([...another, '--unique', '--profile', 'sandbox'], { home })
    const both = await Promise.all([run(), run()])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 6])
    const list = await payroll(['candidates', 'list', '--ireland', '--profile', 'sandbox', '--json'], {
      home,
    })
    expect(list.json()).toHaveLength(1)
  })

  test('is asked about at a terminal', async () => {
    const { run, received, home, env } = await lagging(201)
    await run()
    const again = atTerminal([...create, ...withRef('IE-77')], { home, env, columns: 200 })
    await again.type('Create it anyway?', `n${keys.enter}`)
    expect((await again.ended).code).toBe(2)
    expect(postsIn(received)).toBe(1)
  })
})
