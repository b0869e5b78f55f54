import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshHome, payroll } from '../../payroll.ts'
import { answerJson, service } from '../../service.ts'

const page = { data: [{ id: '1' }], totalDocs: 1 }
const list = ['payslips', 'list']

/** A service that knows payslips at another path than the one that is assumed, and how to run against it. */
async function elsewhere(file: string | object) {
  const { env, baseUrl, received } = await service(({ url }, response) =>
    url.includes('/pay-slips') ? answerJson(response, 200, page) : answerJson(response, 404, {}),
  )
  const home = freshHome()
  const path = join(home, 'routes.json')
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
  const given = { ...env, PAYROLL_ROUTES: path }
  return {
    baseUrl,
    home,
    path,
    received,
    run: (argv: readonly string[], more: Record<string, string> = {}) =>
      payroll(argv, { home, env: { ...given, ...more } }),
  }
}

const right = { routes: { 'payslips.list': 'GET /svc/pay-slips' } }

describe('the file in PAYROLL_ROUTES', () => {
  test('corrects a route where no profile is stored', async () => {
    const { run, received } = await elsewhere(right)
    const ended = await run(list)
    expect([ended.code, ended.json(), ended.err]).toEqual([0, [{ id: '1' }], ''])
    expect(received.map(({ url }) => url.split('?')[0])).toEqual(['/svc/pay-slips'])
  })

  test('sets the prefix too, and is what routes export prints', async () => {
    const { run, received } = await elsewhere({ prefix: 'office', ...right })
    await run(list)
    expect(received[0]?.url).toMatch(/^\/office\/pay-slips/)
    expect((await run(['routes', 'export'])).json()).toEqual({ prefix: 'office', ...right })
    expect((await run(['doctor'])).out).toContain('1 of 27 corrected: payslips.list')
  })

  test('gives way to a correction of a profile that is named, and not to one of the default', async () => {
    const { run, baseUrl, received, home } = await elsewhere(right)
    const setUp = { PAYROLL_BASE_URL: '', PAYROLL_API_KEY: '', PAYROLL_ROUTES: '' }
    await run(['profiles', 'set', 'acme', '--base-url', baseUrl], setUp)
    await payroll(['auth', 'login', '--profile', 'acme'], { home, input: 'CANARYkey0000\n' })
    await run(['routes', 'set', 'payslips.list', 'GET /svc/own-pay-slips', '--profile', 'acme'], setUp)
    const stored = { PAYROLL_BASE_URL: '', PAYROLL_API_KEY: '' }
    received.length = 0
    await run(list, stored)
    await run([...list, '--profile', 'acme'], stored)
    expect(received.map(({ url }) => url.split('?')[0])).toEqual(['/svc/pay-slips', '/svc/own-pay-slips'])
  })

  test('is named where its route is refused', async () => {
    const { run, path } = await elsewhere({ routes: { 'payslips.list': 'GET /svc/nowhere' } })
    const { code, err } = await run(list)
    expect([code, err]).toEqual([
      6,
      expect.stringContaining(`comes from PAYROLL_ROUTES: correct it in ${path}`),
    ])
  })

  test.each([
    ['', 'it is empty'],
    ['{', 'it is not JSON'],
    ['[]', 'it is not what routes export prints'],
    ['{"routes":{},"routes":{}}', 'it has the same name more than once'],
    [`{"routes":{}}${' '.repeat(70_000)}`, 'it is too large'],
    [{ routes: { 'payslips.lost': 'GET /svc/x' } }, 'routes.payslips.lost: there is no such operation'],
    [{ routes: { 'payslips.list': 'DELETE /svc/payslips' } }, 'payslips.list reads, so its method stays GET'],
    [{ routes: { 'payslips.list': 'POST /svc/payslips' } }, 'payslips.list reads, so its method stays GET'],
    [{ routes: { 'candidates.create': 'GET /svc/candidates' } }, 'candidates.create cannot be GET'],
    [{ routes: { 'candidates.get': 'GET /svc/candidates' } }, '{id} must appear once'],
    [{ prefix: '../x', routes: {} }, 'prefix: expected one path segment'],
  ])(
    'the file in PAYROLL_ROUTES that is damaged or unsafe is exit 2 with one sentence, and nothing is sent: %j',
    async (file, says) => {
      const { run, received, path } = await elsewhere(file)
      const { code, out, err } = await run(list)
      expect([code, out, received]).toEqual([2, '', []])
      expect(err).toContain(`Error: The file of PAYROLL_ROUTES, ${path}, cannot be used: `)
      expect(err).toContain(says)
      expect(err.trimEnd().split('\n')).toHaveLength(2)
    },
  )

  test('the file in PAYROLL_ROUTES that is not there, or is a folder, is exit 2', async () => {
    const { run, home, received } = await elsewhere(right)
    const missing = await run(list, { PAYROLL_ROUTES: join(home, 'none.json') })
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('there is no such file')])
    const folder = await run(list, { PAYROLL_ROUTES: home })
    expect([folder.code, folder.err]).toEqual([2, expect.stringContaining('it cannot be read (EISDIR)')])
    expect(received).toEqual([])
  })

  test('does not make a POST a read in silence, but with --yes', async () => {
    const read = { method: 'POST', path: '/svc/pay-slips', read: true }
    const { run, received } = await elsewhere({ routes: { 'payslips.list': read } })
    const silent = await run(list)
    expect([silent.code, received]).toEqual([2, []])
    expect(silent.err).toContain('says that the POST of payslips.list only reads.')
    expect((await run([...list, '--yes'])).code).toBe(0)
    expect(received.map(({ method }) => method)).toEqual(['POST'])
  })

  test('is not needed by the sandbox, which does without it', async () => {
    const { run } = await elsewhere('{')
    expect((await run([...list, '--profile', 'sandbox'])).code).toBe(0)
  })
})
