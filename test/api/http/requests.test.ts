import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { attempt, calls, emptyPage, rate } from '../http-cases.ts'

/** A service with a list of so many. */
const listing = (totalDocs: number, onRequest: (socket: unknown) => void = () => {}) =>
  service(({ url }, response) => {
    onRequest(response.socket)
    const page = Number(new URL(url, 'http://a.example').searchParams.get('page'))
    const length = Math.max(0, Math.min(100, totalDocs - (page - 1) * 100))
    answerJson(response, 200, {
      data: Array.from({ length }, (_, at) => ({ id: `v${page}-${at}` })),
      totalDocs,
    })
  })

/** A profile of its own for this address. */
async function profileFor(baseUrl: string, ...options: string[]) {
  const setting = { home: freshHome(), env: { PAYROLL_API_KEY: 'CANARYkey0000' } }
  const run = (...words: string[]) => payroll(['--profile', 'development', '--json', ...words], setting)
  const made = await run('profiles', 'set', 'development', '--base-url', baseUrl, ...options)
  expect(made.code).toBe(0)
  return run
}

describe('a request', () => {
  test('carries the bare key, and no word before it', async () => {
    for (const name of ['one', 'post', 'put', 'delete'] as const) {
      const { received } = await attempt(name, [200, { data: rate }])
      expect(received.map(({ headers }) => headers.authorization)).toEqual(['CANARYkey0000'])
    }
  })

  test('asks for JSON, and says that a body is JSON only when there is one', async () => {
    const {
      received: [read],
    } = await attempt('one', [200, { data: rate }])
    expect(read).toMatchObject({ headers: { accept: 'application/json' }, body: '' })
    for (const name of ['content-type', 'content-length']) expect(read?.headers).not.toHaveProperty(name)
    const {
      received: [write],
    } = await attempt('post', [200, { data: rate }])
    const body = '{"code":"NIGHT"}'
    const length = { 'content-length': String(body.length) }
    const headers = { accept: 'application/json', 'content-type': 'application/json', ...length }
    expect(write).toMatchObject({ headers, body })
  })

  test('counts the length of its body in bytes', async () => {
    const { env, received } = await answering(200, { data: rate })
    await payroll(['payment-rates', 'create', '--set', 'description=Sármhaith €'], { env })
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ description: 'Sármhaith €' })
  })

  test('goes below the path of the base address, with one slash between', async () => {
    for (const path of ['/gateway/payroll', '/gateway/payroll/', '/gateway/payroll//']) {
      const { baseUrl, env, received } = await answering(200, emptyPage)
      const at = { env: { ...env, PAYROLL_BASE_URL: baseUrl + path } }
      expect((await payroll(['candidates', 'list', '--ireland'], at)).code).toBe(0)
      expect(received[0]?.url).toBe('/gateway/payroll/svc/candidates/ireland?page=1&size=100')
    }
  })

  test('goes to the address that its dry run names', async () => {
    const { baseUrl, env, received } = await answering(200, { data: rate })
    const setting = { env: { ...env, PAYROLL_BASE_URL: `${baseUrl}/gateway//` } }
    for (const name of ['post', 'createIreland'] as const) {
      const { url } = (await payroll(['--json', ...calls[name].argv, '--dry-run'], setting)).json()
      await payroll(calls[name].argv, setting)
      expect(`${baseUrl}${received.at(-1)?.url}`).toBe(url)
    }
  })

  test('takes the prefix of the profile in place of svc, and of nothing else', async () => {
    const { baseUrl, received } = await answering(200, emptyPage)
    const run = await profileFor(baseUrl, '--prefix', 'backoffice')
    expect((await run('payslips', 'list')).code).toBe(0)
    await run('routes', 'set', 'vatCodes.list', 'GET /v2/svc/vat')
    expect((await run('vat-codes', 'list')).code).toBe(0)
    expect(received.map(({ url }) => url)).toEqual([
      '/backoffice/v2/payslips?page=1&size=100',
      '/v2/svc/vat?page=1&size=100',
    ])
  })

  test('takes the route that the user gave, and says in an error which one it was', async () => {
    const { baseUrl, received } = await service((_, response) => response.writeHead(500).end())
    const run = await profileFor(baseUrl)
    expect((await run('routes', 'set', 'payslips.list', 'GET /svc/payslips/all')).code).toBe(0)
    const listed = await run('payslips', 'list')
    expect(received[0]?.url).toBe('/svc/payslips/all?page=1&size=100')
    expect(listed.error()).toMatchObject({ method: 'GET', path: '/svc/payslips/all', status: 500 })
  })

  test('shares its connection with others, of which there are never more than four', async () => {
    const connections = new Set<unknown>()
    const { env, received } = await listing(500, (socket) => connections.add(socket))
    expect((await payroll(calls.list.argv, { env })).json()).toHaveLength(500)
    // Whether anything follows a full page, and whether the list is still the same, is asked at the end.
    const pages = received.map(({ url }) => Number(/page=(\d+)/.exec(url)?.[1]))
    expect(pages).toEqual([1, 2, 3, 4, 5, 6, 1])
    expect(connections.size).toBeLessThanOrEqual(4)
  })

  test.each([
    [['--debug'], {}, true],
    [[], { PAYROLL_DEBUG: '1' }, true],
    [[], { PAYROLL_DEBUG: '0' }, false],
    [[], { PAYROLL_DEBUG: '' }, false],
  ])(
    'is described with its page, status and time, and no query: %j %j: %j',
    async (words, more, isDescribed) => {
      const { env } = await listing(107)
      const { code, err } = await payroll([...calls.list.argv, ...words], { env: { ...env, ...more } })
      expect(code).toBe(0)
      const described = [1, 2].flatMap((page) => [
        `> GET /svc/vat-code page ${page}`,
        `< 200 GET /svc/vat-code page ${page} in … ms`,
      ])
      const lines = err.replace(/\d+ ms/g, '… ms').split('\n')
      if (isDescribed) expect(lines).toEqual(expect.arrayContaining(described))
      else expect(err).toBe('')
    },
  )
})
