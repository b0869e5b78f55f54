import { describe, expect, test } from 'vitest'
import { payroll } from '../payroll.ts'
import { startSandbox } from '../start-sandbox.ts'

describe('api', () => {
  test('makes a raw call with the key, and prints the answer as it came', async () => {
    const { env, home, received } = await startSandbox({ seeded: true })
    const run = await payroll(['api', 'get', '/svc/vat-code?page=1&size=2'], { home, env })
    expect([run.code, run.err]).toEqual([0, ''])
    expect(run.json()).toMatchObject({ totalDocs: expect.any(Number), data: [{}, {}] })
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /svc/vat-code?page=1&size=2'])
  })

  test('reads every page of a list with --paginate', async () => {
    const { env, home } = await startSandbox({ seeded: true })
    const run = await payroll(['api', 'GET', '/svc/time-sheets', '--paginate'], { home, env })
    expect(run.json()).toHaveLength(120)
  })

  test('sends a file, and says nothing was answered where nothing was', async () => {
    const { env, home, received } = await startSandbox()
    const input = '{"generalSetting":{"forename":"Test"}}'
    const run = await payroll(['api', 'POST', '/svc/candidates', '--file', '-'], { home, env, input })
    expect([run.code, run.json()]).toEqual([0, null])
    expect(received[0]?.body).toBe(input)
  })

  test.each([
    ['FETCH', '/svc/candidates'],
    ['GET', 'svc/candidates'],
    ['GET', '/svc/../candidates'],
    ['GET', '/svc/%2e%2e/candidates'],
    ['GET', '//evil.example.com/svc'],
    ['GET', 'https://evil.example.com/svc'],
    ['GET', '/svc/candidates?page=1&page=2'],
    ['GET', '/svc/candidates#1'],
  ])('refuses %s %s, and sends nothing', async (method, path) => {
    const { env, home, received } = await startSandbox()
    expect((await payroll(['api', method, path], { home, env })).code).toBe(2)
    expect(received).toEqual([])
  })

  test.each([['/svc/nothing'], ['/svc/candidates/00000000-0000-4000-8000-000000000000']])(
    'GET %s of what is not there is exit 5, and names the list of paths',
    async (path) => {
      const { env, home } = await startSandbox()
      const run = await payroll(['api', 'GET', path, '--json'], { home, env })
      expect([run.code, run.error()]).toEqual([
        5,
        expect.objectContaining({
          code: 'not-found',
          status: 404,
          message: expect.stringContaining(`The service does not know ${path} (404)`),
          hint: expect.stringContaining('payroll routes list'),
        }),
      ])
    },
  )

  test('asks before it writes to a protected profile', async () => {
    const { env, home, received } = await startSandbox()
    const address = env.PAYROLL_BASE_URL ?? ''
    await payroll(['profiles', 'set', 'production', '--base-url', address], { home })
    await payroll(['auth', 'login', '--profile', 'production'], { home, input: env.PAYROLL_API_KEY ?? '' })
    // The key was tried on a read.
    received.length = 0
    const argv = ['api', 'POST', '/svc/candidates', '--file', '-']
    expect((await payroll(argv, { home, input: '{}' })).code).toBe(2)
    expect(received).toEqual([])
    expect((await payroll([...argv, '--yes'], { home, input: '{}' })).code).toBe(0)
    expect((await payroll(['api', 'GET', '/svc/candidates'], { env })).code).toBe(0)
  })
})
