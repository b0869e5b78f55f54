import { describe, expect, test } from 'vitest'
import { asTyped, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'
import { wholeFor } from '../../whole-record.ts'
import { loopback } from '../targets.ts'

const [uk, ireland] = ['/svc/candidates', '/svc/candidates/ireland']

async function staffed(...people: readonly (readonly [path: string | undefined, agencyRef: string])[]) {
  const at = await loopback()
  for (const [path = '', agencyRef] of people)
    await at.call('POST', path, { generalSetting: { agencyRef, forename: 'Ann', surname: 'Sample' } })
  const idOf = async (reference: string) =>
    (await at.run(['candidates', 'find', reference])).json()[0].id as string
  return { ...at, idOf }
}

describe('a record is known by', () => {
  test('its reference, in whatever capitals, and is named on standard error', async () => {
    const { run, idOf } = await staffed([uk, 'UK-1'], [uk, 'UK-2'])
    const got = await run(['candidates', 'get', 'uk-1'])
    expect([got.code, got.json().agencyRef]).toEqual([0, 'UK-1'])
    expect(got.err).toContain(`uk-1 is Ann Sample, a UK candidate (${await idOf('UK-1')}).`)
  })

  test('the beginning of its id, from six characters on', async () => {
    const { run, idOf } = await staffed([uk, 'UK-1'], [uk, 'UK-2'])
    const id = await idOf('UK-1')
    expect((await run(['candidates', 'get', id.slice(0, 6)])).json().id).toBe(id)
    expect((await run(['candidates', 'get', id.slice(0, 5)])).code).toBe(5)
  })

  test('its id alone, which reads no list', async () => {
    const { run, idOf, requests } = await staffed([uk, 'UK-1'])
    const id = await idOf('UK-1')
    requests.length = 0
    expect((await run(['candidates', 'get', id])).err).not.toContain('candidate (')
    expect(requests.map(({ url }) => url)).toEqual([`${uk}/${id}`])
  })

  test('its reference in the list of the other country, to read it', async () => {
    const { run } = await staffed([uk, 'UK-1'], [ireland, 'IE-1'])
    const got = await run(['candidates', 'get', 'IE-1'])
    expect([got.code, got.json().agencyRef]).toEqual([0, 'IE-1'])
    expect(got.err).toContain('an Irish candidate')
    expect((await run(['candidates', 'get', 'IE-1', '--uk'])).code).toBe(5)
  })

  test.each(['_', '-', '--', '_-'])(
    'its reference %j, which has no letter and no digit',
    async (reference) => {
      const { run, requests } = await staffed([uk, reference])
      requests.length = 0
      const got = await run(['candidates', 'get', '--uk', '--', reference])
      expect([got.code, got.json().agencyRef]).toEqual([0, reference])
      expect(requests[0]?.url).toMatch(/\?page=1/)
    },
  )

  test('the code of a rate', async () => {
    const { run, call } = await loopback()
    await call('POST', '/svc/payment-rate', { code: 'NIGHT', description: 'Night shift' })
    const got = await run(['payment-rates', 'get', 'night'])
    expect([got.code, got.json().code]).toEqual([0, 'NIGHT'])
  })
})

/** References that no path can have in it, and that a shell or a parser could take for something else. */
const awkward = [
  'EMP 12',
  'AC/001',
  'A#1',
  'É-1',
  "O'Brien",
  '-17',
  '$(touch x)',
  '50%',
  'a.b',
  'A"B',
  'a\\b',
  'id:7',
  '--uk',
  'R'.repeat(200),
]

describe('a person whose reference is', () => {
  test.each(awkward)('%j is created by it, and known by it to every command', async (reference) => {
    const { run, writes } = await staffed()
    const named = ['forename=Ann', 'surname=Sample', 'hours=39'].flatMap((field) => ['--set', field])
    const made = await run(asTyped`candidates create --incomplete --set agencyRef=${reference} ${named}`)
    expect(made.code).toBe(0)
    for (const command of ['get', 'get --reference', 'find', 'update --set city=Leeds']) {
      const [verb = '', ...options] = command.split(' ')
      const { code, json } = await run(['candidates', verb, ...options, '--json', '--', reference])
      expect([command, code, [json()].flat()[0].agencyRef]).toEqual([command, 0, reference])
    }
    // An option has no other way to say what is meant by a text that begins with id:.
    const text = reference.startsWith('id:') ? `reference:${reference}` : reference
    const add = ['documents', 'create', '--employee', text, '--set', 'name=a.pdf', '--set', 'content=YQ==']
    expect((await run(add)).code).toBe(0)
    const documents = (await run(['documents', 'list', `--employee=${text}`])).json()
    expect(documents.map(({ name }: any) => name)).toEqual(['a.pdf'])
    const copy = ['candidates', 'create', '--incomplete', `--from=${text}`, '--dry-run', '--json']
    expect((await run(copy)).json().body.generalSetting).toMatchObject({ hours: 39 })
    expect((await run(['timesheets', 'create', '--set', `subcontractorRef=${reference}`])).code).toBe(0)
    expect((await run(['timesheets', 'get', '--json', '--', reference])).json().subcontractorRef).toBe(
      reference,
    )
    expect(writes().map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST', 'POST'])
  })

  test.each(['A\nB', 'A-17\r\n', 'A\u2028B'])(
    '%j, with a line break, is not created and not changed to: exit 3, and nothing is sent',
    async (reference) => {
      const { run, writes } = await staffed([uk, 'UK-1'])
      const before = writes().length
      for (const verb of [
        ['create', '--incomplete'],
        ['update', 'UK-1'],
      ]) {
        const tried = await run(['candidates', ...verb, '--set', `agencyRef=${reference}`, '--json'])
        expect(tried.code).toBe(3)
        expect(tried.error().issues).toEqual([
          { path: 'generalSetting.agencyRef', message: 'a line break in it: a reference is one line' },
        ])
      }
      expect(writes()).toHaveLength(before)
    },
  )
})

describe('of 250 people on a service that says of each request what it was,', () => {
  const people = Array.from({ length: 250 }, (_, at) => ({
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    agencyRef: `REF-${at}`,
    forename: 'Ann',
    surname: 'Sample',
    pensionSetting: {},
    bank: {},
    setting: {},
  }))
  const id = people[150]?.id ?? ''
  const pages = ['GET ?page=1', 'GET ?page=2', 'GET ?page=3', 'GET ?page=1']
  const update = ['update', '--uk', '--set', 'city=Leeds']

  test.each([
    [['get', '--uk'], 'REF-150', [...pages, `GET /${id}`]],
    [['get', '--uk'], id, [`GET /${id}`]],
    [update, 'REF-150', [...pages, `GET /${id}`, `GET /${id}`, `PUT /${id}`]],
    [update, id, [`GET /${id}`, `GET /${id}`, `PUT /${id}`]],
  ])(
    'candidates %j of %s reads no page of the list twice, but for the check of the first',
    async (words, name, asked) => {
      let { record } = wholeFor(['candidates'], people[150])
      const { env, received } = await service(({ method, url, body }, response) => {
        if (method === 'PUT') record = { ...record, ...JSON.parse(body).generalSetting }
        const page = Number(/page=(\d+)/.exec(url)?.[1])
        if (!page) return answerJson(response, 200, { data: record })
        answerJson(response, 200, { data: people.slice(100 * page - 100, 100 * page), totalDocs: 250 })
      })
      const run = await payroll(['candidates', ...words, name, '--json'], { env })
      expect([run.code, run.json().agencyRef]).toEqual([0, 'REF-150'])
      const short = received.map(({ method, url }) => `${method} ${url.slice(uk.length).replace(/&.*/, '')}`)
      // The pages behind the first are asked for together.
      expect(short.toSorted()).toEqual(asked.toSorted())
    },
  )
})

describe('a record that cannot be told', () => {
  test('a record that cannot be told from another of its reference is exit 6 with both', async () => {
    const { run, writes } = await staffed([uk, 'SAME'], [ireland, 'SAME'])
    for (const verb of [['get'], ['update', '--set', 'city=Leeds']]) {
      const tried = await run(['candidates', verb[0] ?? '', 'SAME', ...verb.slice(1), '--json'])
      expect(tried.code).toBe(6)
      expect(tried.error()).toMatchObject({ code: 'refused', outcome: 'not-sent' })
      expect(tried.error().issues).toEqual([
        { path: expect.any(String), message: 'SAME, Ann Sample, a UK candidate' },
        { path: expect.any(String), message: 'SAME, Ann Sample, an Irish candidate' },
      ])
    }
    expect(writes()).toEqual([])
  })

  test('anywhere is the exit 5 of its id', async () => {
    const { run } = await staffed([uk, 'UK-1'])
    const tried = await run(['candidates', 'get', 'UK-9', '--json'])
    expect([tried.code, tried.error().status]).toEqual([5, 404])
  })

  test.each<[string, string[], number, string]>([
    ['reference of a person', ['candidates', 'get', 'UK-12'], 5, 'UK-1, Ann Sample, a UK candidate ('],
    [
      'id of a timesheet',
      ['timesheets', 'update', 't2', '--set', 'taxYear=2026/27'],
      5,
      'UK-1, a timesheet (t1)',
    ],
    [
      'beginning of it',
      ['timesheets', 'update', 'doc', '--set', 'taxYear=2026/27'],
      5,
      'UK-1, a timesheet (doc-17)',
    ],
    [
      'id of a document',
      ['documents', 'delete', 'd2', '--employee', 'id:c1', '--yes'],
      5,
      'a.pdf, a document (d1)',
    ],
    [
      'name of a document',
      ['documents', 'delete', 'b.pdf', '--employee', 'UK-1', '--yes'],
      5,
      'a.pdf, a document (d1)',
    ],
  ])(
    'a record that cannot be told by a mistyped %s names the nearest: %j',
    async (_, argv, code, nearest) => {
      const lists: Readonly<Record<string, readonly object[]>> = {
        [uk]: [{ id: 'c1', agencyRef: 'UK-1', forename: 'Ann', surname: 'Sample' }],
        '/svc/time-sheets': [
          { id: 't1', subcontractorRef: 'UK-1' },
          { id: 'doc-17', subcontractorRef: 'UK-1' },
        ],
        '/svc/employees/c1/documents': [{ id: 'd1', name: 'a.pdf' }],
      }
      const { env } = await service(({ method, url }, response) => {
        const [path = ''] = url.split('?')
        const data = method === 'GET' ? lists[path] : undefined
        answerJson(response, data ? 200 : 404, data ? { data, totalDocs: data.length } : {})
      })
      const run = await payroll([...argv, '--json'], { env })
      expect([run.code, run.error().status]).toEqual([code, 404])
      expect(run.error().hint).toContain(`The nearest: ${nearest}`)
      expect(run.error().hint).not.toMatch(/assumption|ROUTES/)
      expect(run.error().message).toContain(`with the id ${argv[2]} (404)`)
    },
  )

  test('a create below a record that cannot be told is exit 5 with the nearest, and nothing is sent; a UUID and id: read no list', async () => {
    const { run, requests, writes } = await staffed([uk, 'UK-1'])
    const add = (employee: string) =>
      run(['documents', 'create', '--employee', employee, '--set', 'name=a.pdf', '--json'])
    const tried = await add('UK-2')
    expect([tried.code, writes()]).toEqual([5, []])
    expect(tried.error()).toMatchObject({ code: 'not-found', outcome: 'not-sent' })
    expect(tried.error().hint).toContain('The nearest: UK-1, Ann Sample')
    expect(tried.error().hint).toContain('--employee id:UK-2')
    requests.length = 0
    for (const id of ['4f1c2a3b-0000-4000-8000-000000000001', 'id:nobody']) await add(id)
    expect(requests.slice(0, 2).map(({ method }) => method)).not.toEqual(['GET', 'GET'])
    expect(writes().length).toBeGreaterThan(0)
  })

  test('a record that cannot be told where the list has no answer is exit 7 of a read, and the id is not tried as well', async () => {
    const { env, received } = await service((_, response) => response.destroy())
    const run = await payroll(['payment-rates', 'get', 'r1', '--json'], { env })
    expect([run.code, run.error().outcome]).toEqual([7, null])
    expect(received.filter(({ url }) => !url.includes('page='))).toEqual([])
  })

  test.each(['', '.', '..'])(
    'a record that cannot be told because %j is no name is exit 3, and nothing is sent',
    async (id) => {
      const { run, requests } = await staffed([uk, 'UK-1'])
      for (const words of [
        ['get', id],
        ['update', id, '--set', 'city=Leeds'],
      ])
        expect((await run(['candidates', ...words])).code).toBe(3)
      expect(requests).toEqual([])
    },
  )

  test.each(['get', 'update'])(
    'a record that cannot be told because a list breaks off is exit 10 of %s, and nothing is changed',
    async (verb) => {
      const { env, received } = await service(({ url }, response) => {
        if (!url.includes('page=')) return answerJson(response, 404, { message: 'none' })
        const isFirst = url.includes('page=1&')
        return answerJson(response, 200, {
          data: isFirst ? [{ id: 'c-1', agencyRef: 'UK-1' }] : [],
          totalDocs: 2,
        })
      })
      const words = verb === 'get' ? [] : ['--set', 'city=Leeds']
      const tried = await payroll(['candidates', verb, 'UK-1', ...words], { env })
      expect([tried.code, tried.out]).toEqual([10, ''])
      expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )
})

describe('a change', () => {
  test('a change of a record by its reference is sent to its id', async () => {
    const { run, idOf, writes } = await staffed([uk, 'UK-1'])
    const id = await idOf('UK-1')
    const changed = await run(['candidates', 'update', 'UK-1', '--set', 'city=Leeds'])
    expect([changed.code, changed.json().city]).toEqual([0, 'Leeds'])
    expect(writes().map(({ method, url }) => [method, url])).toEqual([['PUT', `${uk}/${id}`]])
  })

  test('a change of a record of the other country is refused, with what to type', async () => {
    const { run, writes } = await staffed([ireland, 'IE-1'])
    for (const words of [
      ['update', 'IE-1', '--set', 'city=Cork'],
      ['create', '--incomplete', '--from', 'IE-1', '--set', 'city=Cork'],
    ]) {
      const tried = await run(['candidates', ...words])
      expect([tried.code, tried.out]).toEqual([2, ''])
      expect(tried.err).toContain('IE-1 is Ann Sample, an Irish candidate')
      expect(tried.err).toContain('add --ireland')
    }
    expect(writes()).toEqual([])
    expect((await run(['candidates', 'update', 'IE-1', '--ireland', '--set', 'city=Cork'])).code).toBe(0)
  })

  test('a copy starts from a record by its reference', async () => {
    const { run, call } = await loopback()
    await call('POST', uk, { generalSetting: { agencyRef: 'UK-1', rateHour: 21.5 } })
    const made = await run(['candidates', 'create', '--incomplete', '--from', 'UK-1', '--dry-run', '--json'])
    expect(made.json().body.generalSetting).toMatchObject({ rateHour: 21.5 })
  })

  test('a change that deletes a document takes its name, once', async () => {
    const { run, call, idOf, requests, writes } = await staffed([uk, 'UK-1'])
    const employee = ['--employee', await idOf('UK-1')]
    for (const name of ['passport.pdf', 'visa.pdf'])
      await call('POST', `/svc/employees/${employee[1]}/documents`, { name, content: 'YQ==' })
    requests.length = 0
    const gone = await run(['documents', 'delete', 'passport.pdf', ...employee, '--yes'])
    expect(gone.code).toBe(0)
    expect(gone.err).toContain('passport.pdf is passport.pdf, a document')
    expect(writes()).toHaveLength(1)
    const names = (await run(['documents', 'list', ...employee])).json().map((each: any) => each.name)
    expect(names).toEqual(['visa.pdf'])
    expect((await run(['documents', 'delete', 'nothing', ...employee, '--yes'])).code).toBe(5)
  })
})
