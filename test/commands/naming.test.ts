import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, payroll } from '../payroll.ts'
import { answerJson, service } from '../service.ts'
import { wholeFor } from '../whole-record.ts'

/** People whose ids and references can be mistaken for one another. */
const people = [
  { id: 'EMP-101', agencyRef: 'B-7', forename: 'Bob', surname: 'Example' },
  { id: '1001', agencyRef: 'C-3', forename: 'Cora', surname: 'Sample' },
  { id: 'EMP-300', agencyRef: '1001', forename: 'Ann', surname: 'Sample' },
  { id: 'EMP-400', agencyRef: 'AC/001 é', forename: 'Dee', surname: 'Sample' },
].map((person) => wholeFor(['candidates'], { ...person, bank: {}, setting: {} }).record)
const uuid = '7d0f3c1a-9b52-4e6f-8a3d-2c1b0a9f8e7d'
const records: Record<string, readonly Readonly<Record<string, unknown>>[]> = {
  '/svc/candidates': [...people, { ...people[0], id: uuid, agencyRef: 'U-1', forename: 'Rob' }],
  '/svc/payment-rate': [{ id: 'RATE-12', code: 'NIGHT' }],
  '/svc/candidates/ireland': [],
  '/svc/v2/payslips': [],
  '/svc/time-sheets': [{ id: 'SHEET-12', subcontractorRef: 'B-7' }],
  '/svc/employees/EMP-101/documents': [
    { id: 'DOC-101', name: 'visa.pdf' },
    { id: 'DOC-20', name: 'old.pdf' },
    { id: 'DOC-201', name: 'new.pdf' },
  ],
}

const asWords = (typed: string) => typed.split(' ').map((word) => word.replaceAll('_', ' '))

/** A service with these records, which can be read, changed and deleted. */
async function open() {
  const held = structuredClone(records) as Record<string, Record<string, unknown>[]>
  const { env, received } = await service(({ method, url, body }, response) => {
    const [path = ''] = url.split('?')
    const list = held[path]
    if (list && method === 'GET')
      return answerJson(response, 200, { data: list, totalDocs: list.length, success: true })
    if (list) return answerJson(response, 201, { data: { id: 'new-1', ...JSON.parse(body) }, success: true })
    const at = path.lastIndexOf('/')
    const items = held[path.slice(0, at)]
    const one = items?.find(({ id }) => id === path.slice(at + 1))
    if (!items || !one) return answerJson(response, 404, { message: 'none' })
    if (method === 'DELETE') items.splice(items.indexOf(one), 1)
    if (method === 'PUT') Object.assign(one, JSON.parse(body).generalSetting ?? JSON.parse(body))
    answerJson(response, 200, { data: one, success: true })
  })
  const home = freshHome()
  /** A blank within a word is typed as _. */
  const run = (words: string) => payroll([...asWords(words), '--json'], { home, env })
  const terminal = (words: string) => atTerminal(words.split(' '), { home, env })
  const changed = () =>
    received.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`)
  return { run, terminal, changed, received }
}

describe('the beginning of an id', () => {
  test.each([
    ['candidates update EMP-10 --set city=Leeds --yes', 'EMP-101'],
    ['payment-rates update RATE-1 --set description=x', 'RATE-12'],
    ['timesheets update SHEET-1 --set taxYear=x', 'SHEET-12'],
    ['documents update DOC-10 --employee EMP-101 --set name=x', 'DOC-101'],
    ['documents update DOC-101 --employee EMP-10 --set name=x', 'EMP-101'],
    ['documents create --employee EMP-10 --set name=x', 'EMP-101'],
  ])('changes nothing in a script by %s: exit 5, and %s is named', async (words, id) => {
    const { run, changed } = await open()
    const tried = await run(words)
    expect([tried.code, tried.out, changed()]).toEqual([5, '', []])
    expect(tried.error()).toMatchObject({ code: 'not-found', exitCode: 5, outcome: 'not-sent' })
    expect(tried.error().hint).toContain('Type the whole reference, or the whole id')
    expect(tried.error().issues).toMatchObject([{ path: id }])
  })

  test('is said to be one, and whose, where a table shortens such ids', async () => {
    const { run, terminal, changed } = await open()
    const words = `candidates update ${uuid.slice(0, 8)}… --set city=Leeds`
    const tried = await run(`${words} --yes`)
    expect(tried.error()).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining('it is only a name, or the beginning of an id.'),
      issues: [{ path: uuid, message: 'U-1, Rob Example, a UK candidate' }],
    })
    const asking = terminal(words)
    await asking.type('Do you mean one of these?', keys.enter)
    await asking.ended
    expect(asking.screen()).toContain('U-1, Rob Example')
    expect(changed()).toEqual([])
    const chosen = terminal(`${words} --allow-missing bank`)
    await chosen.type('Do you mean one of these?', `${keys.down}${keys.enter}`)
    expect((await chosen.ended).code).toBe(0)
    expect(changed()).toEqual([`PUT /svc/candidates/${uuid}`])
  })

  test('reaches no other record by documents delete: exit 5, and they are named', async () => {
    const { run, changed } = await open()
    const tried = await run('documents delete DOC-10 --employee EMP-101 --yes')
    expect([tried.code, changed()]).toEqual([5, ['DELETE /svc/employees/EMP-101/documents/DOC-10']])
    expect(tried.error()).toMatchObject({ outcome: 'refused', issues: [{ path: 'DOC-101' }] })
  })

  test.each(['candidates get', 'payslips list', 'documents list'])(
    'is none of a number: %s of an old reference, the first digits of somebody’s id, is exit 5',
    async (verb) => {
      const item = { ...people[0], id: '1234567', agencyRef: 'N-1', subcontractorRef: 'N-1' }
      const { env } = await service(({ url }, response) => {
        const isList = /^\/svc\/(candidates(\/ireland)?|v2\/payslips)(\?|$)/.test(url)
        const data = url.includes('ireland') ? [] : [item]
        answerJson(
          response,
          isList ? 200 : 404,
          isList ? { data, totalDocs: data.length } : { message: 'none' },
        )
      })
      const run = await payroll([...verb.split(' '), '123456', '--json'], { env })
      expect([run.code, run.out]).toEqual([5, ''])
    },
  )

  test('does not let a second documents delete reach another document', async () => {
    const { run, changed } = await open()
    const words = 'documents delete --employee EMP-101 --yes DOC-20'
    expect([(await run(words)).code, (await run(words)).code]).toEqual([0, 5])
    const once = 'DELETE /svc/employees/EMP-101/documents/DOC-20'
    expect(changed()).toEqual([once, once])
  })
})

const bob = 'B-7, Bob Example, a UK candidate (EMP-101)'
const cora = 'C-3, Cora Sample, a UK candidate (1001)'

describe('the name of a person, or the beginning of the id', () => {
  test.each([
    ['candidates get cora', cora],
    ['candidates get cora sample', cora],
    ['candidates get Sample,_Cora', cora],
    ['candidates get EMP-10', bob],
    ['candidates get EMP-10…', bob],
    ['documents list --employee bob', bob],
    ['documents list bob example', bob],
    ['documents list EMP-10', bob],
    ['documents get DOC-20 --employee bob', bob],
    ['payslips list bob example', bob],
    ['payslips list EMP-10', bob],
    ['payslips list EMP-10…', bob],
    ['payslips export EMP-10', bob],
  ])('reads by %s, and says on standard error who is meant', async (words, meant) => {
    const { run } = await open()
    const { code, err } = await run(words)
    expect([code, err]).toEqual([0, expect.stringContaining(`is ${meant}.`)])
  })

  test.each([
    'candidates get sample',
    'documents list --employee sample',
    'documents list sample',
    'payslips list sample',
    'documents export sample --out documents',
  ])('is exit 6 of %s, where several people fit, and names them', async (words) => {
    const { run } = await open()
    const { code, out, error } = await run(words)
    expect([code, out]).toEqual([6, ''])
    expect(error().issues.map(({ path }: any) => path)).toEqual(['1001', 'EMP-300', 'EMP-400'])
    expect(error().hint).toContain('id:<id>')
  })

  test.each([
    'candidates get nobody_here',
    'documents list nobody_here',
    'documents list --employee nobody_here',
    'payslips list nobody_here',
    'documents export nobody_here --out documents',
    'candidates update nobody_here --set city=Leeds',
    'candidates create --from nobody/here',
  ])('is exit 5 of %s, where there is none, with the way to look for somebody', async (words) => {
    const { run, changed } = await open()
    const { code, out, error } = await run(words)
    expect([code, out, changed()]).toEqual([5, '', []])
    expect(error().hint).toMatch(/payroll candidates find nobody.here/)
  })

  test.each(['candidates update cora --set city=Leeds --yes', 'candidates create --incomplete --from cora'])(
    'writes nothing in a script by %s: exit 5, and the person is named',
    async (words) => {
      const { run, changed } = await open()
      const { code, out, error } = await run(words)
      expect([code, out, changed()]).toEqual([5, '', []])
      expect(error().message).toContain('it is only a name')
      expect(error().issues).toEqual([{ path: '1001', message: 'C-3, Cora Sample, a UK candidate' }])
    },
  )

  test('writes nothing in a script where several people fit: exit 5, and they are named', async () => {
    const { run, changed } = await open()
    const { code, error } = await run('candidates update sample --set city=Leeds --yes')
    expect([code, changed()]).toEqual([5, []])
    expect(error().issues.map(({ path }: any) => path)).toEqual(['1001', 'EMP-300', 'EMP-400'])
  })

  test.each([
    ['cora', 0, 'C-3'],
    ['EMP-10', 0, 'B-7'],
    [uuid, 6, undefined],
  ])(
    'reads by %s where the service calls each text invalid that is none of its ids',
    async (name, ends, reference) => {
      const { env, received } = await service(({ url }, response) => {
        if (url.includes('page='))
          return answerJson(response, 200, {
            data: url.includes('ireland') ? [] : people,
            totalDocs: url.includes('ireland') ? 0 : 4,
          })
        const one = people.find(({ id }) => url === `/svc/candidates/${id}`)
        answerJson(response, one ? 200 : 400, one ? { data: one } : { message: 'invalid id' })
      })
      const { code, out } = await payroll(['candidates', 'get', name, '--json'], { env })
      expect([code, out && JSON.parse(out).agencyRef]).toEqual([ends, reference ?? ''])
      // No list is read for what can only be an id.
      if (name === uuid) expect(received.length).toBe(1)
    },
  )

  test('is no id, of which a service may answer an empty list of documents', async () => {
    const { env } = await service(({ url }, response) => {
      const [path = ''] = url.split('?')
      const data = records[path] ?? []
      answerJson(response, 200, { data, totalDocs: data.length })
    })
    const { code, json } = await payroll(['documents', 'list', '--employee', 'bob', '--json'], { env })
    expect([code, json().length]).toEqual([0, 3])
  })
})

test.each([
  ['candidates update EMP-10 --set city=Leeds --yes', bob, ['PUT /svc/candidates/EMP-101']],
  ['candidates update cora --set city=Leeds --yes', cora, ['PUT /svc/candidates/1001']],
])('%s asks at a terminal, by name, and Enter means no', async (words, meant, puts) => {
  const { terminal, changed } = await open()
  for (const [key, code] of [
    ['', 2],
    [keys.down, 0],
  ] as const) {
    const asking = terminal(words)
    await asking.type('Do you mean one of these?', `${key}${keys.enter}`)
    expect(asking.screen()).toContain(meant)
    expect((await asking.ended).code).toBe(code)
    expect(changed()).toEqual(key === '' ? [] : puts)
  }
})

test.each(['candidates get sample', 'payslips list sample'])(
  '%s asks at a terminal which of several is meant',
  async (words) => {
    const { terminal } = await open()
    const asking = terminal(words)
    await asking.type('sample can mean 3 records. Which do you mean?', `${keys.down}${keys.enter}`)
    expect((await asking.ended).code).toBe(0)
    expect(asking.screen()).toContain(`sample is ${cora}`)
  },
)

describe('a text that is the reference of one person and the id of another', () => {
  test.each([
    ['candidates get 1001', 'id:<id>, or reference:<reference>'],
    ['candidates update 1001 --set city=Leeds', 'id:<id>, or reference:<reference>'],
    ['payslips list 1001', 'id:<id>, or reference:<reference>'],
    ['documents list 1001', 'reference:<reference>'],
    ['documents create --employee 1001 --set name=x', '--employee reference:'],
    ['documents list --employee 1001', '--employee id:'],
    ['documents delete DOC-101 --employee 1001 --yes', '--employee reference:'],
    ['candidates create --incomplete --from 1001', '--from reference:'],
  ])('is exit 6 of %s, names both, and says how to mean each', async (words, way) => {
    const { run, changed } = await open()
    const { code, out, error } = await run(words)
    expect([code, out, changed()]).toEqual([6, '', []])
    expect(error()).toMatchObject({ code: 'refused', outcome: 'not-sent' })
    expect(error().message).toContain('1001 can mean 2 records.')
    expect(error().issues).toMatchObject([{ path: '1001' }, { path: 'EMP-300' }])
    expect(error().hint).toContain(way)
  })

  test.each([
    ['--id', 'id', '1001'],
    ['--reference', 'reference', 'EMP-300'],
  ])('is told apart by %s in get and update, and by %s: before it everywhere', async (flag, word, id) => {
    const { run, changed, received } = await open()
    expect((await run(`candidates get 1001 ${flag}`)).json().id).toBe(id)
    expect((await run(`candidates update 1001 ${flag} --set city=Leeds`)).code).toBe(0)
    expect(changed()).toEqual([`PUT /svc/candidates/${id}`])
    expect((await run(`candidates get ${word}:1001`)).json().id).toBe(id)
    for (const option of ['--employee ', '']) {
      await run(`documents list ${option}${word}:1001`)
      expect(received.at(-1)?.url).toContain(`/svc/employees/${id}/documents`)
    }
  })

  test('is asked about by candidates update at a terminal, with none of them under Enter', async () => {
    const { terminal, changed } = await open()
    for (const [answer, puts] of [
      [keys.enter, []],
      [`${keys.down}${keys.down}${keys.enter}`, ['PUT /svc/candidates/EMP-300']],
    ] as const) {
      const asking = terminal('candidates update 1001 --set city=Leeds')
      await asking.type('1001 can mean 2 records. Which do you mean?', answer)
      await asking.ended
      expect(changed()).toEqual(puts)
    }
  })
})

describe('the list', () => {
  test.each([
    [`${uuid}`, 0, 2],
    ['EMP-101 --id', 0, 2],
    ['B-7 --uk', 1, 3],
  ])('is read as seldom as candidates update %s needs it', async (name, pages, gets) => {
    const { run, received } = await open()
    expect((await run(`candidates update ${name} --set city=Leeds`)).code).toBe(0)
    const read = received.filter(({ method }) => method === 'GET')
    expect([read.filter(({ url }) => url.includes('page=')).length, read.length]).toEqual([pages, gets])
  })

  test('that cannot be read is exit 7 of candidates update, with --id as the way on, and a warning of get', async () => {
    const { env, received } = await service(({ url }, response) =>
      url.includes('page=')
        ? answerJson(response, 500, {})
        : answerJson(response, 200, { data: { ...people[0] }, success: true }),
    )
    const run = (words: string) => payroll([...words.split(' '), '--json'], { env })
    const tried = await run('candidates update EMP-101 --set city=Leeds')
    expect([tried.code, tried.error().outcome]).toEqual([7, 'not-sent'])
    expect(tried.error().hint).toContain('add --id')
    expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
    const got = await run('candidates get EMP-101')
    expect([got.code, got.json().id]).toEqual([0, 'EMP-101'])
    expect(got.err).toContain('the list could not be read, so EMP-101 is tried as an id.')
  })
})

describe('a reference', () => {
  test.each(['AC/001_é', 'ac/001_É', '_AC/001_é_'])(
    '%j names its person, though it is no part of a path',
    async (reference) => {
      const { run, changed } = await open()
      expect((await run(`candidates get ${reference}`)).json().id).toBe('EMP-400')
      expect((await run(`candidates update ${reference} --set city=Leeds`)).code).toBe(0)
      expect(changed()).toEqual(['PUT /svc/candidates/EMP-400'])
    },
  )

  test('is no id where --reference says so: exit 5; and cannot be one as well: --id beside it is exit 2', async () => {
    const { run, received } = await open()
    expect((await run('candidates get B-7 --id --reference')).code).toBe(2)
    expect(received).toEqual([])
    const { code, error } = await run('candidates get EMP-101 --reference')
    expect([code, error().message]).toEqual([5, 'No record in the lists has the reference EMP-101.'])
  })
})
