import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answering, answerJson, service } from '../../service.ts'
import { attempt, calls, emptyPage, rate } from '../http-cases.ts'

describe('a request', () => {
  test('carries the bare key, and no word before it', async () => {
    for (const name of ['one', 'post', 'put', 'delete'] as const) {
      const { received } = await attempt(name, (response) => answerJson(response, 200, { data: rate }))
      expect(received.map(({ headers }) => headers.authorization)).toEqual(['CANARYkey0000'])
    }
  })

  test('asks for JSON, and says that a body is JSON only when there is one', async () => {
    const read = await attempt('one', (response) => answerJson(response, 200, { data: rate }))
    expect(read.received[0]?.headers).toMatchObject({ accept: 'application/json' })
    expect(read.received[0]?.headers['content-type']).toBeUndefined()
    expect(read.received[0]?.headers['content-length']).toBeUndefined()
    expect(read.received[0]?.body).toBe('')
    const write = await attempt('post', (response) => answerJson(response, 200, { data: rate }))
    expect(write.received[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': String('{"code":"NIGHT"}'.length),
    })
    expect(write.received[0]?.body).toBe('{"code":"NIGHT"}')
  })

  test('counts the length of its body in bytes', async () => {
    const { env, received } = await answering(200, { data: rate })
    const set = ['--set', 'description=Sármhaith €']
    await payroll(['payment-rates', 'create', ...set], { env })
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ description: 'Sármhaith €' })
  })

  test('goes below the path of the base address, with one slash between', async () => {
    for (const path of ['/gateway/payroll', '/gateway/payroll/', '/gateway/payroll//']) {
      const { baseUrl, env, received } = await answering(200, emptyPage)
      const { code } = await payroll(['candidates', 'list', '--ireland'], {
        env: { ...env, PAYROLL_BASE_URL: baseUrl + path },
      })
      expect(code).toBe(0)
      expect(received[0]?.url).toBe('/gateway/payroll/svc/candidates/ireland?page=1&size=100')
    }
  })

  test('goes to the address that its dry run names', async () => {
    const { baseUrl, env, received } = await answering(200, { data: rate })
    const setting = { home: freshHome(), env: { ...env, PAYROLL_BASE_URL: `${baseUrl}/gateway//` } }
    for (const name of ['post', 'createIreland'] as const) {
      const { url } = (await payroll(['--json', ...calls[name].argv, '--dry-run'], setting)).json()
      await payroll(calls[name].argv, setting)
      expect(`${baseUrl}${received.at(-1)?.url}`).toBe(url)
    }
  })

  test('takes the prefix of the profile in place of svc, and of nothing else', async () => {
    const home = freshHome()
    const { baseUrl, received } = await answering(200, emptyPage)
    const setUp = ['profiles', 'set', 'development', '--base-url', baseUrl, '--prefix', 'backoffice']
    expect((await payroll(setUp, { home })).code).toBe(0)
    const env = { PAYROLL_API_KEY: 'CANARYkey0000' }
    const listed = await payroll(['--profile', 'development', 'payslips', 'list'], { home, env })
    expect(listed.code).toBe(0)
    await payroll(['--profile', 'development', 'routes', 'set', 'vatCodes.list', 'GET /v2/svc/vat'], { home })
    const another = await payroll(['--profile', 'development', 'vat-codes', 'list'], { home, env })
    expect(another.code).toBe(0)
    expect(received.map(({ url }) => url)).toEqual([
      '/backoffice/v2/payslips?page=1&size=100',
      '/v2/svc/vat?page=1&size=100',
    ])
  })

  test('takes the route that the user gave, and says in an error which one it was', async () => {
    const home = freshHome()
    const { baseUrl, received } = await service((_, response) => response.writeHead(500).end())
    const profile = ['--profile', 'development']
    await payroll(['profiles', 'set', 'development', '--base-url', baseUrl], { home })
    const route = ['routes', 'set', 'payslips.list', 'GET /svc/payslips/all']
    expect((await payroll([...profile, ...route], { home })).code).toBe(0)
    const env = { PAYROLL_API_KEY: 'CANARYkey0000' }
    const listed = await payroll([...profile, '--json', 'payslips', 'list'], { home, env })
    expect(received[0]?.url).toBe('/svc/payslips/all?page=1&size=100')
    expect(listed.error()).toMatchObject({ method: 'GET', path: '/svc/payslips/all', status: 500 })
  })

  test('shares its connection with others, of which there are never more than four', async () => {
    const connections = new Set<unknown>()
    const { env, received } = await service((request, response) => {
      connections.add(response.socket)
      const page = Number(new URL(request.url, 'http://a.example').searchParams.get('page'))
      const data = Array.from({ length: page > 5 ? 0 : 100 }, (_, at) => ({ id: `v${page}-${at}` }))
      answerJson(response, 200, { data, totalDocs: 500 })
    })
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
      const { env } = await service((request, response) => {
        const page = Number(new URL(request.url, 'http://a.example').searchParams.get('page'))
        const data = Array.from({ length: page > 1 ? 7 : 100 }, (_, at) => ({ id: `v${page}-${at}` }))
        answerJson(response, 200, { data, totalDocs: 107 })
      })
      const argv = [...calls.list.argv, ...words]
      const { code, err } = await payroll(argv, { env: { ...env, ...more } })
      expect(code).toBe(0)
      const lines = err.replace(/\d+ ms/g, '… ms').split('\n')
      const described = [1, 2].flatMap((page) => [
        `> GET /svc/vat-code page ${page}`,
        `< 200 GET /svc/vat-code page ${page} in … ms`,
      ])
      if (isDescribed) expect(lines).toEqual(expect.arrayContaining(described))
      else expect(err).toBe('')
    },
  )
})
