import { describe, expect, test } from 'vitest'
import { atTerminal } from '../payroll.ts'
import { file, loopback, production } from './targets.ts'

const rate = JSON.stringify({ code: 'NIGHT' })
const create = ['payment-rates', 'create', '--file', '-']

/** A stored profile that leads to a service, set so, and how to run against it. */
async function profile(options: string) {
  const at = await production()
  const run = (words: string | readonly string[], env = {}, input = rate) =>
    at.run(typeof words === 'string' ? words.split(' ') : words, { env, input })
  const set = (words: string) => run(`profiles set ${words}`)
  if (options) await set(`production ${options}`)
  return { ...at, run, set }
}

describe('a read-only profile', () => {
  test.each([
    'payment-rates create --file -',
    'payment-rates update r-1 --set code=DAY',
    'timesheets update t-1 --set endDate=2026-04-12 --yes',
    'documents delete d-1 --employee e-1 --yes',
    'api POST /svc/payment-rate --file -',
    'api PUT /svc/candidates/7 --yes --file -',
    'api DELETE /svc/candidates/7 --yes',
    'auth token --client-id payroll-cli',
    'auth token --refresh --client-id payroll-cli',
  ])('sends nothing for %s: exit 2', async (words) => {
    const { run, requests } = await profile('--read-only --unprotected')
    const refused = await run(`${words} --json`, {}, words.startsWith('auth') ? 'a-code' : rate)
    expect([refused.code, refused.out, requests]).toEqual([2, '', []])
    expect(refused.error()).toMatchObject({
      code: 'usage',
      outcome: 'not-sent',
      message: 'The profile production is read-only. Nothing was sent.',
      hint: 'To allow writes: payroll profiles set production --writable',
    })
  })

  test('reads as ever, shows a dry run, and is written to again once it may be', async () => {
    const { run, set } = await profile('--read-only --unprotected')
    expect((await run('profiles show')).json()).toMatchObject({ readOnly: true })
    expect((await run('candidates list')).code).toBe(0)
    expect((await run('api GET /svc/candidates')).code).toBe(0)
    expect((await run([...create, '--dry-run'])).json()).toMatchObject({ dryRun: true })
    await set('production --writable')
    expect((await run(create)).code).toBe(0)
  })

  test('imports nothing, and does not read the list first', async () => {
    const { run, requests, home } = await profile('--read-only')
    const csv = file(home, 'starters.csv', 'agencyRef,forename\nREF-1,Ann\n')
    const { code, err } = await run(['candidates', 'import', csv, '--yes'])
    expect([code, err, requests]).toEqual([2, expect.stringContaining('is read-only'), []])
  })

  test('says so before the form, and not after it', async () => {
    const { home } = await profile('--read-only')
    const terminal = atTerminal(['candidates', 'create'], { home })
    expect((await terminal.ended).code).toBe(2)
    expect(terminal.screen()).toContain('is read-only')
  })

  test('is read-only too where the environment names its address', async () => {
    const { run, baseUrl, requests } = await profile('--read-only --unprotected')
    const env = { PAYROLL_BASE_URL: baseUrl, PAYROLL_API_KEY: 'sandbox-key' }
    const { code, err } = await run('api POST /svc/payment-rate --file -', env)
    expect([code, err, requests]).toEqual([2, expect.stringContaining('production'), []])
  })

  test.each(['localhost', '127.0.0.1'])(
    'makes another stored profile read-only that has its address: %s',
    async (host) => {
      const { run, set, baseUrl, requests } = await profile('--unprotected')
      await set(`look --base-url ${baseUrl.replace('127.0.0.1', host)} --read-only`)
      const { code, error } = await run([...create, '--json'])
      expect([code, requests]).toEqual([2, []])
      expect(error()).toMatchObject({
        message: 'This is the address of look, which is read-only. Nothing was sent.',
        hint: 'To allow writes: payroll profiles set production --writable',
      })
      await set('production --writable')
      expect((await run(create)).code).toBe(0)
    },
  )

  test('is not both at once', async () => {
    const { set } = await profile('')
    expect((await set('production --read-only --writable')).code).toBe(2)
  })
})

describe('PAYROLL_READ_ONLY', () => {
  test.each([
    ['1', 2],
    ['true', 2],
    ['yes', 2],
    ['x', 2],
    ['', 0],
    ['0', 0],
    ['no', 0],
    ['false', 0],
  ])('as %j makes a write without a stored profile exit %i', async (PAYROLL_READ_ONLY, exit) => {
    const { run, requests } = await loopback()
    const { code, err } = await run(create, { env: { PAYROLL_READ_ONLY }, input: rate })
    const says = exit === 0 ? '' : 'PAYROLL_READ_ONLY is set'
    expect([code, err, requests.length > 0]).toEqual([exit, expect.stringContaining(says), exit === 0])
  })

  test.each([
    ['as 0 does not allow what the profile refuses', '--read-only', '0', ''],
    ['as 1 refuses what the profile allows', '--unprotected --writable', '1', ''],
    ['as 1 holds for the sandbox too', '', '1', ' --profile sandbox'],
  ])('%s', async (_, options, PAYROLL_READ_ONLY, more) => {
    const { run, requests } = await profile(options)
    const { code, err } = await run(`${create.join(' ')} --yes${more}`, { PAYROLL_READ_ONLY })
    const says = PAYROLL_READ_ONLY === '0' ? 'is read-only' : 'PAYROLL_READ_ONLY is set'
    expect([code, err, requests]).toEqual([2, expect.stringContaining(says), []])
  })
})
