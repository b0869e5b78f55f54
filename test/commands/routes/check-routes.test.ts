import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'

/** A service with its own spellings, and one record in each list. */
const paths = [
  '/svc/v1/candidates',
  '/svc/v1/candidates/7',
  '/svc/candidates/ireland',
  '/svc/candidates/ireland/8',
  '/svc/payment-rates',
  '/svc/payment-rates/9',
  '/svc/timesheets',
  '/svc/payslips',
  '/svc/employees/7/documents',
]

const items: Readonly<Record<string, string>> = {
  '/svc/v1/candidates': '7',
  '/svc/candidates/ireland': '8',
  '/svc/payment-rates': '9',
}

const start = () =>
  service(({ url }, response) => {
    const path = url.split('?')[0] ?? ''
    if (!paths.includes(path)) return answerJson(response, 404, {})
    const id = /\/(\d)$/.exec(path)?.[1]
    if (id && path !== '/svc/employees/7/documents') return answerJson(response, 200, { data: { id } })
    const own = items[path]
    answerJson(response, 200, { data: own ? [{ id: own }] : [], totalDocs: own ? 1 : 0 })
  })

/** A home with a stored profile `acme`, without the read on which auth login tries a key. */
async function stored(baseUrl: string): Promise<string> {
  const home = freshHome()
  await payroll(['profiles', 'set', 'acme', '--base-url', baseUrl], { home })
  const file = join(home, 'config.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  const keys = { acme: { origin: new URL(baseUrl).origin, key: 'CANARYkey0000' } }
  writeFileSync(file, JSON.stringify({ ...settings, keys }))
  return home
}

const found = {
  'candidates.list': 'GET /svc/v1/candidates',
  'candidates.get': 'GET /svc/v1/candidates/{id}',
  'paymentRates.list': 'GET /svc/payment-rates',
  'paymentRates.get': 'GET /svc/payment-rates/{id}',
  'timesheets.list': 'GET /svc/timesheets',
  'payslips.list': 'GET /svc/payslips',
}

describe('routes check', () => {
  test('asks reads only, the path in force once, and says what answered', async () => {
    const { env, received } = await start()
    const run = await payroll(['routes', 'check'], { env })
    expect(run.code).toBe(2)
    expect(new Set(received.map(({ method }) => method))).toEqual(new Set(['GET']))
    const urls = received.map(({ url }) => url)
    expect(urls).toHaveLength(new Set(urls).size)
    const rows = run.json()
    const row = (operation: string) => rows.find((each: any) => each.operation === operation)
    expect(row('candidates.listIreland')).toMatchObject({ answer: 'yes', found: null })
    expect(row('candidates.getIreland')).toMatchObject({ answer: 'yes', found: null })
    expect(row('candidates.list')).toMatchObject({
      answer: 'no',
      because: '404',
      found: '/svc/v1/candidates',
    })
    expect(row('documents.list')).toMatchObject({ answer: 'yes' })
    expect(row('timesheets.get')).toMatchObject({
      answer: 'not asked',
      because: 'its list gave no id to ask for',
    })
    expect(row('vatCodes.list')).toMatchObject({ answer: 'no', found: null })
    // Two lists of payslips are not told apart by one path.
    expect(row('payslips.listLegacy')).toMatchObject({ answer: 'no', found: null })
    expect(rows.map((each: any) => each.operation)).not.toContain('candidates.create')
  })

  test('stores with --save what it found, and the next command goes there', async () => {
    const { baseUrl, received } = await start()
    const home = await stored(baseUrl)
    const run = await payroll(['routes', 'check', '--save'], { home })
    expect(run.err).toContain('Stored 6 paths in the profile acme.')
    expect(run.err).toContain('No path was found for vatCodes.list')
    expect((await payroll(['routes', 'export'], { home })).json().routes).toEqual(found)
    received.length = 0
    expect((await payroll(['payslips', 'list'], { home })).code).toBe(0)
    expect(received[0]?.url).toMatch(/^\/svc\/payslips\?/)
  })

  test('changes nothing without --save', async () => {
    const { baseUrl } = await start()
    const home = await stored(baseUrl)
    const { err } = await payroll(['routes', 'check'], { home })
    expect(err).toContain('6 paths answered elsewhere.')
    expect(err).toContain('To store what was found: payroll routes check --save')
    expect((await payroll(['routes', 'export'], { home })).json().routes).toEqual({})
  })

  test('cannot store for an address of the environment, and prints what to put into a file', async () => {
    const { env, received } = await start()
    const saved = await payroll(['routes', 'check', '--save'], { env })
    expect([saved.code, received]).toEqual([2, []])
    expect(saved.err).toContain('There is no stored profile to save paths in')
    const { err } = await payroll(['routes', 'check'], { env })
    const [, file = ''] = /name a file in PAYROLL_ROUTES that contains (.*)\n/.exec(err) ?? []
    expect(JSON.parse(file)).toEqual({ routes: found })
  })

  test('exits 0 where every path answers, and sends each request once', async () => {
    const { env, received } = await service(({ url }, response) => {
      const one = /\/(\d+)(\?|$)/.exec(url)?.[1]
      answerJson(response, 200, one ? { data: { id: one } } : { data: [{ id: '1' }], totalDocs: 1 })
    })
    const run = await payroll(['routes', 'check'], { env })
    expect([run.code, run.err]).toEqual([0, ''])
    expect(received).toHaveLength(run.json().length)
  })

  test('does not take a web page, or an error in a proper path, for the right path', async () => {
    const { env } = await service(({ url }, response) => {
      if (url.startsWith('/svc/vat-codes')) return response.writeHead(200).end('<html>Sign in</html>')
      answerJson(response, url.startsWith('/svc/vat-code') ? 404 : 400, {})
    })
    const run = await payroll(['routes', 'check'], { env })
    const row = run.json().find((each: any) => each.operation === 'vatCodes.list')
    expect(row).toMatchObject({ answer: 'no', found: null })
  })

  test('asks a service that fails once, and says so', async () => {
    const { env, received } = await answering(503, {})
    const run = await payroll(['routes', 'check'], { env })
    expect(new Set(received.map(({ url }) => url)).size).toBe(received.length)
    expect(run.json()[0]).toMatchObject({ answer: 'not asked', because: '503' })
  })

  test('ends at once where the key is refused, or nothing listens', async () => {
    const { env, received } = await answering(401, {})
    const refused = await payroll(['routes', 'check'], { env })
    expect([refused.code, received.length]).toEqual([4, 1])
    const off = { ...env, PAYROLL_BASE_URL: 'http://127.0.0.1:9' }
    expect((await payroll(['routes', 'check'], { env: off })).code).toBe(7)
  })

  test('finds nothing wrong with the sandbox', async () => {
    const run = await payroll(['routes', 'check', '--profile', 'sandbox'])
    expect(run.code).toBe(0)
    const save = await payroll(['routes', 'check', '--save', '--profile', 'sandbox'])
    expect(save.code).toBe(2)
  })
})
