import { describe, expect, test } from 'vitest'
import { payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { acmeAt } from './acme.ts'

/** The spellings of a service of its own, with the id of what each list has. */
const lists: Readonly<Record<string, string | undefined>> = {
  '/svc/candidate': '7',
  '/svc/candidates/ireland': '8',
  '/svc/payment-rates': '9',
  '/svc/timesheets': undefined,
  '/svc/payslips': undefined,
  '/svc/employees/7/documents': undefined,
}

const start = () =>
  service(({ url }, response) => {
    const [path = ''] = url.split('?')
    const [, list = '', id] = /^(.*)\/(\d)$/.exec(path) ?? []
    if (id !== undefined && lists[list] === id) return answerJson(response, 200, { data: { id } })
    if (!(path in lists)) return answerJson(response, 404, {})
    const own = lists[path]
    answerJson(response, 200, { data: own ? [{ id: own }] : [], totalDocs: own ? 1 : 0 })
  })

const check = (env: Record<string, string>, ...words: string[]) =>
  payroll(['routes', 'check', ...words], { env })
const rowIn = (rows: any[], operation: string) => rows.find((each) => each.operation === operation)

const found = {
  'candidates.list': 'GET /svc/candidate',
  'candidates.get': 'GET /svc/candidate/{id}',
  'paymentRates.list': 'GET /svc/payment-rates',
  'paymentRates.get': 'GET /svc/payment-rates/{id}',
  'timesheets.list': 'GET /svc/timesheets',
  'payslips.list': 'GET /svc/payslips',
}

describe('routes check', () => {
  test('asks reads only, the path in force once, and says what answered', async () => {
    const { env, received } = await start()
    const { code, json } = await check(env)
    expect(code).toBe(2)
    expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['GET']))
    const urls = received.map(({ url }) => url)
    expect(urls).toHaveLength(new Set(urls).size)
    for (const [operation, row] of [
      ['candidates.listIreland', { answer: 'yes', found: null }],
      ['candidates.getIreland', { answer: 'yes', found: null }],
      ['candidates.list', { answer: 'no', because: '404', found: '/svc/candidate' }],
      ['documents.list', { answer: 'yes' }],
      ['timesheets.get', { answer: 'not asked', because: 'its list gave no id to ask for' }],
      ['vatCodes.list', { answer: 'no', found: null }],
      // Two lists of payslips are not told apart by one path.
      ['payslips.listLegacy', { answer: 'no', found: null }],
    ] as const)
      expect(rowIn(json(), operation)).toMatchObject({ operation, ...row })
    expect(rowIn(json(), 'candidates.create')).toBeUndefined()
  })

  test('stores what it found with --save alone, and the next command goes there', async () => {
    const { baseUrl, received } = await start()
    const { run, exported } = acmeAt(baseUrl)
    const { err: unsaved } = await run('routes check')
    expect(unsaved).toContain('6 paths answered elsewhere.')
    expect(unsaved).toContain('To store what was found: payroll routes check --save')
    expect((await exported()).routes).toEqual({})
    const { err } = await run('routes check --save')
    expect(err).toContain('Stored 6 paths in the profile acme.')
    expect(err).toMatch(/No path was found for .*\bvatCodes\.list\b/)
    expect((await exported()).routes).toEqual(found)
    received.length = 0
    expect((await run('payslips list')).code).toBe(0)
    expect(received[0]?.url).toMatch(/^\/svc\/payslips\?/)
  })

  test('cannot store for an address of the environment, and prints what to put into a file', async () => {
    const { env, received } = await start()
    const saved = await check(env, '--save')
    const says = 'Routes can be corrected only in a stored profile, and environment is not a stored one.'
    expect([saved.code, saved.err, received]).toEqual([2, expect.stringContaining(says), []])
    const { err } = await check(env)
    const [, file = ''] = /name a file in PAYROLL_ROUTES that contains (.*)\n/.exec(err) ?? []
    expect(JSON.parse(file)).toEqual({ routes: found })
  })

  test('keeps what a correction says besides the path, and ends with 10 where a list has other names', async () => {
    const { baseUrl } = await service(({ url }, response) => {
      if (url.startsWith('/svc/payslips?')) return answerJson(response, 200, { rows: [], count: 0 })
      answerJson(response, url.startsWith('/svc/payslip?') ? 404 : 400, {})
    })
    const { run, set, stored } = acmeAt(baseUrl)
    await set('payslips.list', 'GET /svc/payslips')
    const unnamed = await run('routes check')
    expect(rowIn(unnamed.json(), 'payslips.list')).toMatchObject({ because: 'the answer is not a list' })
    expect([unnamed.code, unnamed.err]).toEqual([
      10,
      expect.stringContaining('set payslips.list "GET /svc/payslips" --parameter items=…'),
    ])
    const named = ['--parameter', 'items=rows', '--parameter', 'totalDocs=count']
    await set('payslips.list', 'GET /svc/payslip', ...named)
    expect((await run('routes check --save')).code).toBe(0)
    const names = { items: 'rows', totalDocs: 'count' }
    expect(stored()['payslips.list']).toEqual({ method: 'GET', path: '/svc/payslips', names })
    expect((await run('payslips list')).json()).toEqual([])
  })

  test('exits 0 where every path answers, and sends each request once', async () => {
    const { env, received } = await service(({ url }, response) => {
      const one = /\/(\d+)(\?|$)/.exec(url)?.[1]
      answerJson(response, 200, one ? { data: { id: one } } : { data: [{ id: '1' }], totalDocs: 1 })
    })
    const { code, err, json } = await check(env)
    expect([code, err, received.length]).toEqual([0, '', json().length])
  })

  test('does not take a web page, or an error in a proper path, for the right path', async () => {
    const { env } = await service(({ url }, response) => {
      if (url.startsWith('/svc/vat-codes')) return response.writeHead(200).end('<html>Sign in</html>')
      answerJson(response, url.startsWith('/svc/vat-code') ? 404 : 400, {})
    })
    const row = rowIn((await check(env)).json(), 'vatCodes.list')
    expect(row).toMatchObject({ answer: 'no', found: null })
  })

  test('does not take the web page of a firewall for a path that the key may not read', async () => {
    const { env } = await service((_, response) => response.writeHead(403).end('<html>Blocked</html>'))
    const { code, err, json } = await check(env)
    expect(rowIn(json(), 'vatCodes.list')).toMatchObject({ answer: 'unclear', because: '403' })
    expect([code, err]).toEqual([4, expect.stringContaining('Ask your IT department')])
  })

  test('asks a service that fails once, and says so', async () => {
    const { env, received } = await answering(503, {})
    const { code, err, json } = await check(env)
    expect(new Set(received.map(({ url }) => url)).size).toBe(received.length)
    expect(json()[0]).toEqual(expect.objectContaining({ answer: 'unclear', because: '503', found: null }))
    expect([code, err]).toEqual([7, expect.stringContaining('The service answered 503.')])
  })

  test('ends at once where the key is refused, or nothing listens', async () => {
    const { env, received } = await answering(401, {})
    expect([(await check(env)).code, received.length]).toEqual([4, 1])
    expect((await check({ ...env, PAYROLL_BASE_URL: 'http://127.0.0.1:9' })).code).toBe(7)
  })

  test('finds nothing wrong with the sandbox', async () => {
    expect((await check({}, '--profile', 'sandbox')).code).toBe(0)
    expect((await check({}, '--save', '--profile', 'sandbox')).code).toBe(2)
  })
})
