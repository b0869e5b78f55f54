import { describe, expect, test } from 'vitest'
import { asTyped, atTerminal } from '../payroll.ts'
import { file, loopback, production } from './targets.ts'

const env = { PAYROLL_READ_ONLY: '1' }
const rate = JSON.stringify({ code: 'NIGHT' })

/** One command of each kind that writes. */
const writes = [
  ['payment-rates', 'create', '--file', '-'],
  ['payment-rates', 'update', 'r-1', '--set', 'code=DAY'],
  ['timesheets', 'update', 't-1', '--set', 'endDate=2026-04-12', '--yes'],
  ['documents', 'delete', 'd-1', '--employee', 'e-1', '--yes'],
  ['api', 'POST', '/svc/payment-rate', '--file', '-'],
  ['api', 'PUT', '/svc/candidates/7', '--yes', '--file', '-'],
  ['api', 'DELETE', '/svc/candidates/7', '--yes'],
  ['auth', 'token', '--client-id', 'payroll-cli'],
  ['auth', 'token', '--refresh', '--client-id', 'payroll-cli'],
]

describe('a read-only profile', () => {
  test.each(writes)('sends nothing for %s %s %s: exit 2', async (...argv) => {
    const { run, requests } = await production()
    await run(['profiles', 'set', 'production', '--read-only', '--unprotected'])
    const refused = await run([...argv, '--json'], { input: argv[0] === 'auth' ? 'a-code' : rate })
    expect([refused.code, refused.out, refused.error()]).toEqual([
      2,
      '',
      expect.objectContaining({
        code: 'usage',
        outcome: 'not-sent',
        message: 'The profile production is read-only. Nothing was sent.',
        hint: 'To allow writes: payroll profiles set production --writable',
      }),
    ])
    expect(requests).toEqual([])
  })

  test('reads as ever, shows a dry run, and is written to again once it may be', async () => {
    const { run } = await production()
    await run(['profiles', 'set', 'production', '--read-only', '--unprotected'])
    expect((await run(['profiles', 'show'])).json()).toMatchObject({ readOnly: true })
    expect((await run(['candidates', 'list'])).code).toBe(0)
    expect((await run(['api', 'GET', '/svc/candidates'])).code).toBe(0)
    const dry = await run(['payment-rates', 'create', '--file', '-', '--dry-run'], { input: rate })
    expect(dry.json()).toMatchObject({ dryRun: true })
    await run(['profiles', 'set', 'production', '--writable'])
    expect((await run(['payment-rates', 'create', '--file', '-'], { input: rate })).code).toBe(0)
  })

  test('imports nothing, and does not read the list first', async () => {
    const { run, requests, home } = await production()
    await run(['profiles', 'set', 'production', '--read-only'])
    const csv = file(home, 'starters.csv', 'agencyRef,forename\nREF-1,Ann\n')
    const refused = await run(['candidates', 'import', csv, '--yes'])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('is read-only')])
    expect(requests).toEqual([])
  })

  test('says so before the form, and not after it', async () => {
    const { run, home } = await production()
    await run(['profiles', 'set', 'production', '--read-only'])
    const terminal = atTerminal(['candidates', 'create'], { home })
    expect((await terminal.ended).code).toBe(2)
    expect(terminal.screen()).toContain('is read-only')
  })

  test('is read-only too where the environment names its address', async () => {
    const { run, baseUrl, requests } = await production()
    await run(['profiles', 'set', 'production', '--read-only', '--unprotected'])
    const given = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: 'sandbox-key' }
    const refused = await run(asTyped`api POST /svc/payment-rate --file -`, {
      env: given,
      input: rate,
    })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('production')])
    expect(requests).toEqual([])
  })

  test.each([
    ['localhost', (baseUrl: string) => baseUrl.replace('127.0.0.1', 'localhost')],
    ['the same address', (baseUrl: string) => baseUrl],
  ])('makes another stored profile read-only that has %s', async (_, spelled) => {
    const { run, baseUrl, requests } = await production()
    await run(['profiles', 'set', 'look', '--base-url', spelled(baseUrl), '--read-only'])
    await run(['profiles', 'set', 'production', '--unprotected'])
    const refused = await run(['payment-rates', 'create', '--file', '-', '--json'], { input: rate })
    expect([refused.code, refused.error()]).toEqual([
      2,
      expect.objectContaining({
        message: 'This is the address of look, which is read-only. Nothing was sent.',
        hint: 'To allow writes: payroll profiles set production --writable',
      }),
    ])
    expect(requests).toEqual([])
    await run(['profiles', 'set', 'production', '--writable'])
    expect((await run(['payment-rates', 'create', '--file', '-'], { input: rate })).code).toBe(0)
  })

  test('is not both at once', async () => {
    const { run } = await production()
    expect((await run(['profiles', 'set', 'production', '--read-only', '--writable'])).code).toBe(2)
  })
})

describe('PAYROLL_READ_ONLY', () => {
  test.each(['1', 'true', 'yes', 'x'])(
    'PAYROLL_READ_ONLY as %s refuses writes without a stored profile',
    async (value) => {
      const { run, requests } = await loopback()
      const given = { env: { PAYROLL_READ_ONLY: value }, input: rate }
      const refused = await run(['payment-rates', 'create', '--file', '-'], given)
      expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('PAYROLL_READ_ONLY is set')])
      expect(requests).toEqual([])
    },
  )

  test.each(['', '0', 'no', 'false'])('PAYROLL_READ_ONLY as %j refuses nothing', async (value) => {
    const { run } = await loopback()
    const given = { env: { PAYROLL_READ_ONLY: value }, input: rate }
    expect((await run(['payment-rates', 'create', '--file', '-'], given)).code).toBe(0)
  })

  test('PAYROLL_READ_ONLY as 0 does not allow what the profile refuses', async () => {
    const { run } = await production()
    await run(['profiles', 'set', 'production', '--read-only'])
    const given = { env: { PAYROLL_READ_ONLY: '0' }, input: rate }
    expect((await run(['payment-rates', 'create', '--file', '-', '--yes'], given)).code).toBe(2)
  })

  test('refuses writes with a stored profile that may be written to', async () => {
    const { run, requests } = await production()
    await run(['profiles', 'set', 'production', '--unprotected', '--writable'])
    const refused = await run(['payment-rates', 'create', '--file', '-'], { env, input: rate })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('PAYROLL_READ_ONLY is set')])
    expect(requests).toEqual([])
  })

  test('holds for the sandbox too', async () => {
    const { run } = await loopback()
    const argv = ['payment-rates', 'create', '--file', '-', '--profile', 'sandbox']
    expect((await run(argv, { env, input: rate })).code).toBe(2)
  })

  test('leaves a POST alone that a correction has confirmed to be a read', async () => {
    const { run, requests } = await production()
    await run(['routes', 'set', 'payslips.list', 'POST /svc/payslips/search', '--yes'])
    await run(['payslips', 'list'], { env })
    expect(requests.map(({ method }) => method)).toEqual(['POST'])
  })
})
