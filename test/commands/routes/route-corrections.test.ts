import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atTerminal, freshHome, keys, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'

const page = { data: [{ id: '1' }], totalDocs: 1 }

/** A service that knows payslips at another path than the one that is assumed. */
const elsewhere = () =>
  service(({ url }, response) =>
    url.startsWith('/svc/payslips') ? answerJson(response, 200, page) : answerJson(response, 404, {}),
  )

/** A home with a stored profile `acme`, without the read on which auth login tries a key. */
async function profileFor(baseUrl: string): Promise<string> {
  const home = freshHome()
  await payroll(['profiles', 'set', 'acme', '--base-url', baseUrl], { home })
  const file = join(home, 'config.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const keys = { acme: { origin: new URL(baseUrl).origin, key: 'CANARYkey0000' } }
  writeFileSync(file, JSON.stringify({ ...settings, keys }))
  return home
}

describe('a guessed route that is wrong', () => {
  test('is called an assumption, with the line that corrects it', async () => {
    const { baseUrl } = await elsewhere()
    const run = await payroll(['payslips', 'list'], { home: await profileFor(baseUrl) })
    expect(run.code).toBe(6)
    expect(run.err).toContain(
      'This path is an assumption. To try the usual spellings: payroll routes check. To give the right one: payroll routes set payslips.list "GET /svc/…"',
    )
  })

  test.each([404, 405])('is doubted where a write answers %i', async (status) => {
    const { env } = await service((_, response) => answerJson(response, status, {}))
    const argv = ['timesheets', 'create', '--set', 'startDate=2026-04-20']
    expect((await payroll(argv, { env })).err).toContain('This path is an assumption.')
  })

  test('is corrected by a file where no profile is stored', async () => {
    const { env } = await elsewhere()
    const { err } = await payroll(['payslips', 'list'], { env })
    expect(err).toContain('name a file in PAYROLL_ROUTES: {"routes":{"payslips.list":"GET /svc/…"}}')
    expect(err).not.toContain('routes set')
  })

  test('is called a correction where it is one', async () => {
    const { baseUrl } = await elsewhere()
    const home = await profileFor(baseUrl)
    await payroll(['routes', 'set', 'payslips.list', 'GET /svc/pay-slips'], { home })
    const { err } = await payroll(['payslips', 'list'], { home })
    expect(err).toContain('This path is your correction. To undo it: payroll routes reset payslips.list')
  })

  test('is not mentioned on success', async () => {
    const { env } = await answering(200, page)
    const run = await payroll(['payslips', 'list'], { env })
    expect([run.code, run.err]).toEqual([0, ''])
  })
})

describe('a record that is not there', () => {
  const get = ['candidates', 'get', '4f1c']
  const nothing = () => answering(404, {})

  test.each([
    [
      get,
      'The service has no UK candidate with the id 4f1c (404).\nIs the person in another country? Add --ireland. To look',
    ],
    [
      [...get, '--ireland'],
      'no Irish candidate with the id 4f1c (404).\nIs the person in another country? Add --uk.',
    ],
    [get, 'To look for a person: payroll candidates find <text>'],
    [
      ['timesheets', 'get', '4f1c'],
      'no timesheet with the id 4f1c (404).\nTo see the ids: payroll timesheets list',
    ],
    [['payment-rates', 'get', '4f1c'], 'To see the ids: payroll payment-rates list'],
    [
      ['documents', 'get', '4f1c', '--employee', 'x'],
      'no document with the id 4f1c (404).\nCheck --employee.',
    ],
    [
      ['documents', 'delete', '4f1c', '--employee', 'x', '--yes'],
      'no document with the id 4f1c (404). Nothing was applied.\nCheck --employee. To see the ids: payroll documents list --employee x',
    ],
    [
      ['candidates', 'update', '4f1c', '--set', 'generalSetting.city=Leeds'],
      'no UK candidate with the id 4f1c (404)',
    ],
  ])('says which kind, and where else to look, and doubts no path: %j', async (argv, says) => {
    const { env } = await nothing()
    for (const choice of [env, { PAYROLL_PROFILE: 'sandbox' }]) {
      const run = await payroll(argv, { env: choice })
      expect(run.code).toBe(5)
      if (choice === env) expect(run.err).toContain(says)
      expect(run.err).not.toContain('assumption')
    }
  })
})

describe('a route that is corrected', () => {
  test('goes over the wire as corrected, here and where the correction is imported', async () => {
    const { baseUrl, received } = await elsewhere()
    const here = await profileFor(baseUrl)
    await payroll(['routes', 'set', 'payslips.list', 'GET /svc/payslips'], { home: here })
    const exported = await payroll(['routes', 'export'], { home: here })
    const there = await profileFor(baseUrl)
    const imported = await payroll(['routes', 'import', '--yes'], { home: there, input: exported.out })
    expect(imported.code).toBe(0)
    for (const home of [here, there]) {
      const run = await payroll(['payslips', 'list'], { home })
      expect([run.code, run.json(), run.err]).toEqual([0, [{ id: '1' }], ''])
    }
    expect(received.map(({ url }) => url.split('?')[0])).toEqual(['/svc/payslips', '/svc/payslips'])
  })

  test('is as before after reset', async () => {
    const { baseUrl, received } = await elsewhere()
    const home = await profileFor(baseUrl)
    await payroll(['routes', 'set', 'payslips.list', 'GET /svc/payslips'], { home })
    await payroll(['routes', 'reset', 'payslips.list'], { home })
    await payroll(['payslips', 'list'], { home })
    expect(received.at(-1)?.url).toMatch(/^\/svc\/v2\/payslips/)
  })

  test('takes the prefix of the profile', async () => {
    const { baseUrl, received } = await elsewhere()
    const home = await profileFor(baseUrl)
    await payroll(['profiles', 'set', 'acme', '--prefix', 'backoffice'], { home })
    await payroll(['vat-codes', 'list'], { home })
    expect(received.at(-1)?.url).toMatch(/^\/backoffice\/vat-code\?/)
  })
})

/** The settings of a profile `acme`, as somebody may have edited them. */
function edited(home: string, change: (acme: Record<string, any>) => void): void {
  const path = join(home, 'config.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  change(settings.profiles.acme)
  writeFileSync(path, JSON.stringify(settings))
}

const routesIn = async (home: string) => (await payroll(['routes', 'export'], { home })).json().routes

describe('routes set', () => {
  test.each([
    ['payslips.list', 'payslips'],
    ['payslips.list', 'FETCH /svc/payslips'],
    ['payslips.list', 'GET /svc/../payslips'],
    ['payslips.list', 'GET /svc/%2e%2e/payslips'],
    ['payslips.list', 'GET /svc/payslips/{id}'],
    ['payslips.list', 'GET https://evil.example.com/svc'],
    ['payslips.lost', 'GET /svc/payslips'],
  ])('refuses %s %s', async (operation, route) => {
    const home = await profileFor('http://127.0.0.1:9')
    const run = await payroll(['routes', 'set', operation, route], { home })
    expect(run.code).toBe(2)
    expect(await routesIn(home)).toEqual({})
  })

  test.each([
    ['candidates.get', 'DELETE /svc/candidates/{id}', 'candidates.get reads, so its method stays GET'],
    ['candidates.get', 'PUT /svc/candidates/{id}', 'candidates.get reads, so its method stays GET'],
    ['payslips.list', 'PATCH /svc/payslips', 'payslips.list reads, so its method stays GET'],
    ['candidates.create', 'GET /svc/candidates', 'candidates.create cannot be GET'],
    ['candidates.update', 'DELETE /svc/candidates/{id}', 'candidates.update cannot be DELETE'],
    ['documents.delete', 'GET /svc/employees/{employeeId}/files/{id}', 'documents.delete cannot be GET'],
    ['auth.token', 'GET /svc/oauth/token', 'auth.token cannot be GET'],
  ])('keeps the nature of an operation, --yes or not: %s is never %s', async (operation, route, says) => {
    const home = await profileFor('http://127.0.0.1:9')
    for (const yes of [[], ['--yes']]) {
      const run = await payroll(['routes', 'set', operation, route, ...yes], { home })
      expect([run.code, run.err]).toEqual([2, expect.stringContaining(says)])
    }
    expect(await routesIn(home)).toEqual({})
  })

  test.each([
    ['documents.delete', 'DELETE /svc/employees/{employeeId}', '{id}'],
    ['documents.delete', 'DELETE /svc/documents/{id}', '{employeeId}'],
    ['candidates.get', 'GET /svc/candidates', '{id}'],
    ['candidates.get', 'GET /svc/candidates/{id}/{id}', '{id}'],
  ])('keeps every identifier of an operation in its path, once: %s %s', async (operation, route, lost) => {
    const home = await profileFor('http://127.0.0.1:9')
    const run = await payroll(['routes', 'set', operation, route, '--yes'], { home })
    expect([run.code, run.err]).toEqual([2, expect.stringContaining(`${lost} must appear once in the path`)])
    expect(await routesIn(home)).toEqual({})
  })

  test.each([
    ['candidates.update', 'PATCH /svc/people/{id}'],
    ['candidates.create', 'PUT /svc/people'],
    ['documents.delete', 'POST /svc/employees/{employeeId}/documents/{id}/remove'],
  ])('takes a write by another method of writing: %s %s', async (operation, route) => {
    const home = await profileFor('http://127.0.0.1:9')
    expect((await payroll(['routes', 'set', operation, route], { home })).code).toBe(0)
    expect(await routesIn(home)).toEqual({ [operation]: route })
  })
})

describe('a read by POST', () => {
  const search = ['routes', 'set', 'payslips.list', 'POST /svc/payslips/search']
  const confirmed = { 'payslips.list': { method: 'POST', path: '/svc/payslips/search', read: true } }

  test('is refused where nobody can say that it only reads: exit 2', async () => {
    const home = await profileFor('http://127.0.0.1:9')
    const run = await payroll([...search, '--json'], { home })
    expect(run.code).toBe(2)
    expect(run.error()).toMatchObject({
      message: 'payslips.list only reads data, and a POST may change something. Nothing was changed.',
      hint: 'If that is right, add --yes.',
    })
    expect(await routesIn(home)).toEqual({})
  })

  test.each([
    ['y', 0, confirmed],
    ['n', 2, {}],
    ['', 2, {}],
  ])('is asked about at a terminal, where %j is exit %i', async (typed, code, kept) => {
    const home = await profileFor('http://127.0.0.1:9')
    const terminal = atTerminal(search, { home })
    const question = 'Does POST /svc/payslips/search also only read, and change nothing?'
    await terminal.type(question, typed + keys.enter)
    expect((await terminal.ended).code).toBe(code)
    expect(await routesIn(home)).toEqual(kept)
  })

  test('is sent once it is confirmed, also on a protected profile, and fails as a read does', async () => {
    let status = 200
    const { baseUrl, received } = await service((_, response) => answerJson(response, status, page))
    const home = await profileFor(baseUrl)
    await payroll(['profiles', 'set', 'acme', '--protected'], { home })
    expect((await payroll([...search, '--yes'], { home })).code).toBe(0)
    const run = await payroll(['payslips', 'list'], { home })
    expect([run.code, run.json(), run.err]).toEqual([0, [{ id: '1' }], ''])
    status = 500
    const failed = await payroll(['payslips', 'list'], { home })
    expect([failed.code, failed.err]).toEqual([7, expect.stringContaining('The service answered 500.')])
    const calls = received.map(({ method, url, body }) => [method, url.split('?')[0], body])
    // A POST is not sent again, whatever it is said to do.
    expect(calls).toEqual(Array(2).fill(['POST', '/svc/payslips/search', '']))
  })
})

describe('a correction that was stored in another way', () => {
  test.each([
    ['a read made a deletion', { 'candidates.get': 'DELETE /svc/candidates/{id}' }],
    ['a read made a POST that nobody confirmed', { 'candidates.get': 'POST /svc/candidates/{id}' }],
    ['a deletion "confirmed"', { 'candidates.get': { method: 'DELETE', path: '/svc/x/{id}', read: true } }],
    [
      'a write "confirmed" as a read',
      { 'candidates.update': { method: 'POST', path: '/svc/x/{id}', read: true } },
    ],
    ['an identifier lost', { 'candidates.get': 'GET /svc/candidates' }],
    ['no such operation', { 'candidates.fire': 'POST /svc/candidates' }],
    ['no route', { 'candidates.get': 7 }],
  ])('sends nothing and is named, exit 2: %s', async (_, stored) => {
    const { baseUrl, received } = await elsewhere()
    const home = await profileFor(baseUrl)
    edited(home, (acme) => Object.assign(acme, { routes: stored }))
    const [id = ''] = Object.keys(stored)
    for (const argv of [
      ['candidates', 'get', 'abc'],
      ['candidates', 'update', 'abc', '--set', 'generalSetting.city=York', '--dry-run'],
      ['candidates', 'update', 'abc', '--set', 'generalSetting.city=York', '--yes'],
      ['vat-codes', 'list'],
      ['routes', 'list'],
    ]) {
      const run = await payroll([...argv, '--json'], { home })
      expect([argv, run.code]).toEqual([argv, 2])
      expect(run.error()).toMatchObject({ message: expect.stringContaining(`${id}: `) })
      expect(run.error().hint).toBe(`payroll routes reset ${id}`)
    }
    expect(received).toEqual([])
    expect((await payroll(['routes', 'reset', id], { home })).code).toBe(0)
    expect((await payroll(['routes', 'list'], { home })).code).toBe(0)
  })
})

describe('routes import', () => {
  const importing = async (home: string, given: unknown, ...words: string[]) =>
    payroll(['routes', 'import', ...words], { home, input: JSON.stringify(given) })

  test('names what is wrong, each with the path of its entry, and changes nothing', async () => {
    const home = await profileFor('http://127.0.0.1:9')
    const routes = {
      'payslips.list': 'GET /svc/ok',
      'vatCodes.list': 'nonsense',
      'candidates.get': 'DELETE /svc/candidates/{id}',
      'candidates.fire': 'POST /svc/fire',
    }
    const run = await importing(home, { prefix: 'a/b', routes }, '--json', '--yes')
    expect(run.code).toBe(3)
    expect(run.error().issues).toEqual([
      { path: 'routes.vatCodes.list', message: 'expected a method and a path, as GET /svc/vat-code' },
      { path: 'routes.candidates.get', message: 'candidates.get reads, so its method stays GET' },
      { path: 'routes.candidates.fire', message: 'there is no such operation' },
      { path: 'prefix', message: 'expected one path segment, such as svc' },
    ])
    expect(await routesIn(home)).toEqual({})
  })

  const given = {
    prefix: 'backoffice',
    routes: {
      'payslips.list': 'GET /svc/payslips',
      'candidates.list': { method: 'POST', path: '/svc/candidates/search', read: true },
      'vatCodes.list': 'GET /svc/vat-code',
    },
  }
  const shown = [
    'prefix: svc → backoffice',
    'candidates.list: GET /svc/candidates → POST /svc/candidates/search (a read)',
    'payslips.list: GET /svc/v2/payslips → GET /svc/payslips',
  ]

  test('shows what changes and, where nobody can be asked, changes nothing without --yes', async () => {
    const home = await profileFor('http://127.0.0.1:9')
    const refused = await importing(home, given)
    expect(refused.code).toBe(2)
    for (const line of shown) expect(refused.err).toContain(line)
    expect(refused.err).not.toContain('vatCodes')
    expect(refused.err).toContain('This makes 3 changes to the profile acme. Nothing was changed.')
    expect((await payroll(['routes', 'export'], { home })).json()).toEqual({ prefix: 'svc', routes: {} })
    const taken = await importing(home, given, '--yes')
    expect([taken.code, taken.err]).toEqual([
      0,
      [...shown, 'Made 3 changes to the profile acme.', ''].join('\n'),
    ])
    expect((await payroll(['routes', 'export'], { home })).json()).toEqual(given)
  })

  test('asks at a terminal, under what changes', async () => {
    const home = await profileFor('http://127.0.0.1:9')
    const path = join(home, 'routes.json')
    writeFileSync(path, JSON.stringify({ routes: { 'payslips.list': 'GET /svc/payslips' } }))
    const terminal = atTerminal(['routes', 'import', '--file', path], { home })
    await terminal.type('Make 1 change to the profile acme?', `y${keys.enter}`)
    expect((await terminal.ended).code).toBe(0)
    expect(terminal.screen()).toContain(shown[2])
    expect(terminal.screen()).toContain('Made 1 change to the profile acme.')
  })

  test('has nothing to ask where all of it is there already', async () => {
    const home = await profileFor('http://127.0.0.1:9')
    await importing(home, given, '--yes')
    const again = await importing(home, given)
    expect([again.code, again.err]).toEqual([
      0,
      'The profile acme has all of these corrections already. Nothing was changed.\n',
    ])
  })
})
