import { describe, expect, test } from 'vitest'
import { type CountryId, countries } from '../../../src/model/countries/countries.ts'
import { allOperations } from '../../../src/model/resources/operations.ts'
import { wordList } from '../../../src/text/words.ts'
import { endedWith, freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { file } from '../targets.ts'
import { acmeAt } from './acme.ts'

const page = { data: [{ id: '1' }], totalDocs: 1 }

const flagsBesides = (own: CountryId) =>
  wordList(
    countries.flatMap(({ id, flag }) => (id === own ? [] : flag)),
    'or',
  )

/** A service that knows payslips at another path than the one that is assumed. */
const elsewhere = () =>
  service(({ url }, response) =>
    url.startsWith('/svc/payslips') ? answerJson(response, 200, page) : answerJson(response, 404, {}),
  )

/** A service that changes people by PATCH. `idName`: what it calls an id. */
const workers = (
  idName = 'id',
  fileId = idName,
  page = (data: object[]): object => ({ data, totalDocs: data.length }),
) => {
  const person = { [idName]: '7', agencyRef: 'W-7', forename: 'Ann', surname: 'Sample', city: 'York' }
  return service(({ method, url, body }, response) => {
    const [path = ''] = url.split('?')
    if (path === '/hr/workers') return answerJson(response, 200, page([person]))
    if (path === '/hr/workers/7/files')
      return answerJson(response, 200, page([{ [fileId]: '9', name: 'p45.pdf' }]))
    if (path === '/hr/ie') return answerJson(response, 200, page([]))
    if (path !== '/hr/workers/7') return answerJson(response, 404, {})
    if (method === 'PUT') return answerJson(response, 405, {})
    if (method === 'PATCH') Object.assign(person, JSON.parse(body).generalSetting)
    answerJson(response, 200, { data: person })
  })
}

describe('routes list', () => {
  test('has every operation, each with its method, its path and how well it is known', async () => {
    const { code, err, json } = await payroll(['routes', 'list'])
    const rows: any[] = json()
    expect([code, err, rows.length]).toEqual([0, '', allOperations.length])
    expect(new Set(rows.map(({ operation }) => operation)).size).toBe(allOperations.length)
    const known = (how: string) => rows.filter((row) => row.known === how)
    expect(known('documented').map(({ operation, method, path }) => [operation, method, path])).toEqual([
      ['candidates.create', 'POST', '/svc/candidates'],
      ['candidates.createIreland', 'POST', '/svc/candidates/ireland'],
      ['paymentRates.create', 'POST', '/svc/payment-rate'],
    ])
    for (const { known, assumes, method, path } of rows) {
      expect(assumes.length > 0).toBe(known !== 'documented')
      expect(method).toMatch(/^(GET|POST|PUT|DELETE)$/)
      expect(path).toMatch(/^\/svc(\/[\w-]+|\/\{\w+\})+$/)
      if (known === 'name') expect(assumes).toEqual(expect.arrayContaining(['method', 'path']))
    }
  })

  test('is a table with a line for each operation and a head, for a person', async () => {
    const { out } = await payroll(['routes', 'list', '-o', 'table'])
    const [head, ...rows] = out.trimEnd().split('\n')
    expect([head, rows.length]).toEqual([
      expect.stringMatching(/^operation +method +path +known/),
      allOperations.length,
    ])
  })
})

describe('a guessed route that is wrong', () => {
  test('is called an assumption, with the line that corrects it; and a correction is called one', async () => {
    const { run, set } = acmeAt((await elsewhere()).baseUrl)
    expect(await run('payslips list')).toMatchObject(
      endedWith(
        6,
        'This path is an assumption. To try the usual spellings: payroll routes check. To give the right one: payroll routes set payslips.list "GET /svc/…"',
      ),
    )
    await set('payslips.list', 'GET /svc/pay-slips')
    const corrected =
      'This path is your correction. To give another, or another method: payroll routes set payslips.list "GET /svc/pay-slips". To undo it: payroll routes reset payslips.list'
    expect((await run('payslips list')).err).toContain(corrected)
  })

  test('is doubted, and not the record that was just read, where only the path of the change is wrong', async () => {
    const { run, set } = acmeAt((await workers()).baseUrl, { emptyFields: 'left-out' })
    await set('candidates.list', 'GET /hr/workers')
    await set('candidates.get', 'GET /hr/workers/{id}')
    const says =
      'The service has no UK candidate with the id 7, or does not know /svc/candidates/7 (404). Nothing was applied.\nThis path is an assumption. To give the right one: payroll routes set candidates.update "PUT /svc/…".'
    const update = 'candidates update W-7 --set city=Leeds --yes --allow-missing bank --allow-missing payroll'
    expect(await run(update)).toMatchObject(endedWith(5, says))
    await set('candidates.update', 'PUT /hr/workers/{id}')
    const other =
      'To give another, or another method: payroll routes set candidates.update "PUT /hr/workers/{id}".'
    expect(await run(update)).toMatchObject(endedWith(6, other))
    await set('candidates.update', 'PATCH /hr/workers/{id}')
    expect((await run(update)).code).toBe(0)
  })

  test('is not doubted where the base address ends in the prefix that every path begins with', async () => {
    const { env, baseUrl } = await answering(404, {})
    const begins = 'The base address ends in /svc, with which every path begins anyway. To leave it out: '
    const { run } = acmeAt(`${baseUrl}/svc`)
    for (const words of ['candidates list', 'payment-rates create --set code=N'])
      expect((await run(words)).err).toContain(`${begins}payroll profiles set acme --base-url ${baseUrl}\n`)
    const given = { ...env, PAYROLL_BASE_URL: `${baseUrl}/svc` }
    const { err } = await payroll(['candidates', 'list'], { env: given })
    expect(err).toContain(`${begins}set PAYROLL_BASE_URL to ${baseUrl}\n`)
  })

  test.each([404, 405])('is doubted where a write answers %i', async (status) => {
    const { env } = await answering(status, {})
    const argv = ['timesheets', 'create', '--set', 'startDate=2026-04-20']
    expect((await payroll(argv, { env })).err).toContain('This path is an assumption.')
  })

  test('is corrected by a file where no profile is stored', async () => {
    const { env } = await elsewhere()
    const { err } = await payroll(['payslips', 'list'], { env })
    expect(err).toContain('name a file in PAYROLL_ROUTES: {"routes":{"payslips.list":"GET /svc/…"}}')
    expect(err).not.toContain('routes set')
  })

  test('is not mentioned on success', async () => {
    const { env } = await answering(200, page)
    expect(await payroll(['payslips', 'list'], { env })).toMatchObject({ code: 0, err: '' })
  })
})

test.each([
  [
    'candidates get 4f1c',
    `The service has no UK candidate with the id 4f1c (404).\nIs the person in another country? Add ${flagsBesides('uk')}. To look for a person: payroll candidates find 4f1c`,
  ],
  [
    'candidates get 4f1c --ireland',
    `no Irish candidate with the id 4f1c (404).\nIs the person in another country? Add ${flagsBesides('ireland')}.`,
  ],
  ['timesheets get 4f1c', 'no timesheet with the id 4f1c (404).\nTo see the ids: payroll timesheets list'],
  ['payment-rates get 4f1c', 'To see the ids: payroll payment-rates list'],
  ['documents get 4f1c --employee x', 'no document with the id 4f1c (404).\nCheck --employee.'],
  [
    'documents delete 4f1c --employee x --yes',
    'no record with the id 4f1c (404). Nothing was applied.\nCheck --employee. To see the ids: payroll documents list --employee x',
  ],
  ['candidates update 4f1c --set generalSetting.city=Leeds', 'no UK candidate with the id 4f1c (404)'],
])('%s of what is not there is exit 5, says where else to look, and doubts no path', async (words, says) => {
  const { env, received } = await answering(404, {})
  const { code, err } = await payroll(words.split(' '), { env })
  expect([code, err]).toEqual([5, expect.stringContaining(says)])
  expect(received.filter(({ method }) => method === 'PUT')).toEqual([])
  const inSandbox = await payroll(words.split(' '), { env: { PAYROLL_PROFILE: 'sandbox' } })
  expect(inSandbox.code).toBe(5)
  expect(err + inSandbox.err).not.toContain('assumption')
})

describe('a route that is corrected', () => {
  test('goes over the wire as corrected, here and at a colleague who has its file, and as before after reset', async () => {
    const { env, baseUrl, received } = await elsewhere()
    const { set, run } = acmeAt(baseUrl)
    await set('payslips.list', 'GET /svc/payslips')
    const PAYROLL_ROUTES = file(freshHome(), 'routes.json', (await run('routes export')).out)
    const there = await payroll(['payslips', 'list'], { env: { ...env, PAYROLL_ROUTES } })
    for (const { code, json, err } of [await run('payslips list'), there])
      expect([code, json(), err]).toEqual([0, [{ id: '1' }], ''])
    await run('routes reset payslips.list')
    await run('payslips list')
    const paths = ['/svc/payslips', '/svc/payslips', '/svc/v2/payslips']
    expect(received.map(({ url }) => url.split('?')[0])).toEqual(paths)
  })

  test('takes the prefix of the profile', async () => {
    const { baseUrl, received } = await elsewhere()
    await acmeAt(baseUrl, { prefix: 'backoffice' }).run('vat-codes list')
    expect(received.at(-1)?.url).toMatch(/^\/backoffice\/vat-code\?/)
  })
})

describe('routes set', () => {
  const noRoute = 'expected a method and a path, as GET /svc/v2/payslips'
  const noPath = 'expected a path of plain segments, as /svc/payslips/{id}'
  const ofRead = (operation: string) => `${operation} reads, so its method stays GET`
  test.each([
    ['payslips.list', 'payslips', noRoute],
    ['payslips.list', 'FETCH /svc/payslips', noRoute],
    ['payslips.list', 'GET /svc/../payslips', noPath],
    ['payslips.list', 'GET /svc/%2e%2e/payslips', noPath],
    ['payslips.list', 'GET /svc/payslips/{id}', 'payslips.list has no {id}'],
    ['payslips.list', 'GET https://evil.example.com/svc', noPath],
    ['payslips.lost', 'GET /svc/payslips', 'There is no operation payslips.lost.'],
    ['candidates.get', 'DELETE /svc/candidates/{id}', ofRead('candidates.get')],
    ['candidates.get', 'PUT /svc/candidates/{id}', ofRead('candidates.get')],
    ['payslips.list', 'PATCH /svc/payslips', ofRead('payslips.list')],
    ['candidates.create', 'GET /svc/candidates', 'candidates.create cannot be GET'],
    ['candidates.update', 'DELETE /svc/candidates/{id}', 'candidates.update cannot be DELETE'],
    ['documents.delete', 'GET /svc/employees/{employeeId}/files/{id}', 'documents.delete cannot be GET'],
    ['auth.token', 'GET /svc/oauth/token', 'auth.token cannot be GET'],
    ['documents.delete', 'DELETE /svc/employees/{employeeId}', '{id} must appear once in the path'],
    ['documents.delete', 'DELETE /svc/documents/{id}', '{employeeId} must appear once in the path'],
    ['candidates.get', 'GET /svc/candidates', '{id} must appear once in the path'],
    ['candidates.get', 'GET /svc/candidates/{id}/{id}', '{id} must appear once in the path'],
  ])(
    'keeps the nature and every identifier of an operation, --yes or not: %s is never %s',
    async (operation, route, says) => {
      const { set, stored } = acmeAt()
      for (const yes of [[], ['--yes']]) {
        const { code, err } = await set(operation, route, ...yes)
        expect([code, err, stored()]).toEqual([2, expect.stringContaining(says), undefined])
        expect(err).toContain('. Nothing was changed.\n')
      }
    },
  )

  test.each([
    ['candidates.update', 'PATCH /svc/people/{id}'],
    ['candidates.create', 'PUT /svc/people'],
    ['documents.delete', 'POST /svc/employees/{employeeId}/documents/{id}/remove'],
  ])('takes a write by another method of writing: %s %s', async (operation, route) => {
    const { set, exported } = acmeAt()
    expect((await set(operation, route)).code).toBe(0)
    expect((await exported()).routes).toEqual({ [operation]: route })
  })
})

test.each([
  ['routes reset payslips.lost', 'There is no operation payslips.lost.'],
  ...['set payslips.list GET-/svc/payslips', 'reset', 'reset payslips.list'].map((words) => [
    `routes ${words} --profile sandbox`,
    'Routes can be corrected only in a stored profile, and sandbox is not a stored one.',
  ]),
])('%s is exit 2, and says that nothing was changed', async (words, says) => {
  const { run, stored } = acmeAt()
  const { code, err } = await run(words, '{"routes":{"payslips.list":"GET /svc/payslips"}}')
  expect([code, err, stored()]).toEqual([
    2,
    expect.stringContaining(`${says} Nothing was changed.`),
    undefined,
  ])
})

describe('a correction that was stored in another way', () => {
  const path = '/svc/x/{id}'
  test.each([
    ['a read made a deletion', { 'candidates.get': 'DELETE /svc/candidates/{id}' }],
    ['a read made a POST', { 'candidates.get': 'POST /svc/candidates/{id}' }],
    ['a POST that is said to read', { 'candidates.get': { method: 'POST', path, read: true } }],
    ['an identifier lost', { 'candidates.get': 'GET /svc/candidates' }],
    ['no such operation', { 'candidates.fire': 'POST /svc/candidates' }],
    ['no route', { 'candidates.get': 7 }],
  ])('sends nothing and is named, exit 2: %s', async (_, routes) => {
    const { baseUrl, received } = await elsewhere()
    const { run } = acmeAt(baseUrl, { routes })
    const [id = ''] = Object.keys(routes)
    for (const words of [
      'candidates get abc',
      'candidates update abc --set generalSetting.city=York --dry-run',
      'candidates update abc --set generalSetting.city=York --yes',
      'vat-codes list',
      'routes list',
    ]) {
      const { code, error } = await run(`${words} --json`)
      expect([words, code, error().message]).toEqual([words, 2, expect.stringContaining(`${id}: `)])
      expect(error().hint).toBe(`payroll routes reset ${id}`)
    }
    expect(received).toEqual([])
    expect((await run(`routes reset ${id}`)).code).toBe(0)
    expect((await run('routes list')).code).toBe(0)
  })
})

describe('a service that has other names', () => {
  test.each([
    ['for the id, by a name of its kind', 'workerId', 'documentId', undefined, []],
    [
      'for the id, the list and its total',
      'staffNo',
      'staffNo',
      (results: object[]) => ({ results, meta: { total: results.length } }),
      ['--parameter', 'items=results', '--parameter', 'totalDocs=meta.total', '--parameter', 'id=staffNo'],
    ],
  ] as const)('%s, is read and changed by the reference', async (_, idName, fileId, page, names) => {
    const { baseUrl, received } = await workers(idName, fileId, page)
    const { run, set } = acmeAt(baseUrl, { emptyFields: 'left-out' })
    await set('candidates.list', 'GET /hr/workers', ...names)
    await set('candidates.listIreland', 'GET /hr/ie', ...names)
    await set('candidates.get', 'GET /hr/workers/{id}')
    await set('candidates.update', 'PATCH /hr/workers/{id}')
    await set('documents.list', 'GET /hr/workers/{employeeId}/files', ...names)
    const documents = await run('documents list --employee W-7')
    expect(documents.json()).toEqual([{ [fileId]: '9', name: 'p45.pdf', id: '9' }])
    expect(
      (
        await run('candidates update W-7 --set city=Leeds --yes --allow-missing bank --allow-missing payroll')
      ).json(),
    ).toMatchObject({
      city: 'Leeds',
    })
    expect((await run('candidates list --columns id,city -o csv')).out).toBe('id,city\n7,Leeds\n')
    expect(received.filter(({ url }) => url.includes('W-7'))).toEqual([])
  })

  test('for two ids of a person guesses neither: one may be the id of somebody else', async () => {
    const people = [1, 2].map((id) => ({ employeeId: id + 1, candidateId: id, agencyRef: `W-${id}` }))
    const { env, received } = await service(({ url }, response) => {
      if (/candidates\?/.test(url)) return answerJson(response, 200, { data: people, totalDocs: 2 })
      answerJson(response, 200, { data: url.includes('?') ? [] : people[1], totalDocs: 0 })
    })
    const { run, set } = acmeAt(env.PAYROLL_BASE_URL)
    for (const words of ['candidates get W-1', 'documents list --employee W-1'])
      expect((await run(words)).err).toContain('has W-1 without an id')
    expect(received.map(({ url }) => url)).not.toContainEqual(expect.stringMatching(/\/2\b/))
    await set('candidates.list', 'GET /svc/candidates', '--parameter', 'id=candidateId')
    expect((await run('documents list --employee W-1')).code).toBe(0)
    expect(received.at(-1)?.url).toContain('/svc/employees/1/documents')
  })

  test('may ask for a page by the name that the list has in an answer', async () => {
    const { env, received } = await service((_, response) =>
      answerJson(response, 200, { items: [{ id: '1' }], totalDocs: 1 }),
    )
    const { run, set } = acmeAt(env.PAYROLL_BASE_URL)
    await set('candidates.list', 'GET /svc/candidates', '--parameter', 'size=items')
    expect((await run('candidates list')).json()).toEqual([{ id: '1' }])
    expect(received.map(({ url }) => url)).toEqual(['/svc/candidates?page=1&items=100'])
    const twice = ['--parameter', 'size=n', '--parameter', 'page=n']
    expect((await set('candidates.list', 'GET /svc/candidates', ...twice)).code).toBe(2)
  })

  test('for the id or the reference is told what the list does not show', async () => {
    const { baseUrl } = await workers('staffNo')
    const { run, set } = acmeAt(baseUrl)
    await set('candidates.list', 'GET /hr/workers')
    await set('candidates.listIreland', 'GET /hr/ie')
    await set('documents.list', 'GET /hr/workers/{employeeId}/files')
    const says =
      'has W-7 without an id. If the service calls that otherwise: payroll routes set candidates.list'
    expect((await run('documents list --employee W-7')).err).toContain(says)
    const update = await run('candidates update W-7 --set city=Leeds --yes')
    expect(update).toMatchObject(endedWith(5, says))
    const { env } = await service(({ url }, response) =>
      answerJson(response, url.includes('page=') ? 200 : 404, {
        data: [{ id: '1', ref: 'A-1' }],
        totalDocs: 1,
      }),
    )
    const blind = await payroll(['candidates', 'update', 'A-1', '--set', 'city=Leeds', '--yes'], { env })
    expect(blind).toMatchObject(
      endedWith(5, 'The list shows no references, so a record is found there by its id alone.'),
    )
  })

  test('for the parts of a list is told how they are given', async () => {
    const { baseUrl } = await workers('id', 'id', (rows) => ({ rows, count: rows.length }))
    const { run, set } = acmeAt(baseUrl)
    await set('candidates.list', 'GET /hr/workers')
    const says =
      'To see what the service answers: payroll api GET /hr/workers. If it has other names for items and totalDocs: payroll routes set candidates.list "GET /hr/workers" --parameter items=… --parameter totalDocs=…'
    expect(await run('candidates list')).toMatchObject(endedWith(10, says))
    expect((await run('doctor')).out).toContain('payroll routes set candidates.list')
  })

  test('for page and size is told so where each page is the first', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => ({ id: String(at) }))
    const { env } = await answering(200, { data: rows, totalDocs: 60 })
    const says =
      'If it has other names for page and size, name a file in PAYROLL_ROUTES: {"routes":{"payslips.list":'
    expect(await payroll(['payslips', 'list'], { env })).toMatchObject(endedWith(10, says))
  })
})

describe('the names of the parameters of a token request', () => {
  const names = ['--parameter', 'code=authCode', '--parameter', 'client_id=appId']
  const token = ['auth.token', 'POST /svc/tokens', ...names] as const
  async function place() {
    const { baseUrl, received } = await answering(200, {
      access_token: 'CANARYaccess-1',
      url: 'https://login.example.com/',
    })
    return { received, ...acmeAt(baseUrl) }
  }

  test('are data: other names, in a form unless JSON is said to be in its place', async () => {
    const sent = { grant_type: 'authorization_code', authCode: 'the-code', appId: 'app' }
    for (const [more, type, fieldsOf] of [
      [
        [],
        'application/x-www-form-urlencoded',
        (body: string) => Object.fromEntries(new URLSearchParams(body)),
      ],
      [['--body-as', 'json'], 'application/json', JSON.parse],
    ] as const) {
      const { run, set, received } = await place()
      expect(await set(...token, ...more)).toMatchObject(endedWith(0, 'code as authCode'))
      expect((await run('auth token --client-id app', 'the-code')).code).toBe(0)
      const [{ url, headers, body }] = received as [(typeof received)[number]]
      expect([url, headers['content-type'], fieldsOf(body)]).toEqual(['/svc/tokens', type, sent])
    }
  })

  test('are data for the address of the consent page too', async () => {
    const { run, set, received } = await place()
    await set('auth.connectUrl', 'GET /svc/connect', '--parameter', 'client_id=appId')
    await run('auth connect-url --client-id app')
    expect(received[0]?.url).toBe('/svc/connect?appId=app')
  })

  test.each([
    ['auth.token', 'POST /svc/t', '--parameter nothing=x', 'has no such parameter'],
    ['auth.token', 'POST /svc/t', '--parameter code', 'expected --parameter'],
    ['auth.token', 'POST /svc/t', '--parameter code=client_id', 'the same name'],
    ['auth.token', 'POST /svc/t', '--parameter code=__proto__', 'letters, digits'],
    ['auth.token', 'GET /svc/t', '--parameter code=x', 'cannot be GET'],
    ['auth.connectUrl', 'GET /svc/t', '--body-as json', 'has no body'],
    ['vatCodes.list', 'GET /svc/t', '--parameter page=size', 'the same name'],
    ['oauth.clientInfo', 'GET /svc/t', '--parameter page=p', 'no such parameter'],
  ])('are refused as %s %s %s: exit 2', async (operation, route, options, says) => {
    const { set, stored } = await place()
    const { code, err } = await set(operation, route, ...options.split(' '))
    expect([code, err, stored()]).toEqual([2, expect.stringContaining(says), undefined])
  })
})
